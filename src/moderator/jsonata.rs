//! The seam to the JSONata crate: the only file that names it.
//!
//! Values of the crate cannot leave the thread that made them, so neither can [`Data`]. Nothing
//! here waits or gives up; how long an evaluation may run is decided outside, by the thread that
//! asked for it.

use std::rc::Rc;

use jsonata_core::ast::AstNode;
use jsonata_core::evaluator::{Context, Evaluator, EvaluatorError, EvaluatorOptions};
use jsonata_core::functions::boolean::boolean;
use jsonata_core::parser;
use jsonata_core::value::{JMap, JValue};
use serde_json::Value;

pub(super) use jsonata_core::evaluator::CancelToken;

/// The most items a result between two steps of an evaluation may have.
const LONGEST_SEQUENCE: usize = 1_000_000;

/// `$first` and `$last`: functions that look the role up among the outputs they were made with.
const OUTPUT_OF: &str =
    "(function($outputs){ function($role)<s:x>{ $lookup($outputs, $role) } })($)";

/// `$pad`, which would build any length in one go, unseen by every limit.
const BOUNDED_PAD: &str = "(function($pad){
    function($text, $width, $filler)<s-ns?:s>{
        $width > 1000000 or $width < -1000000
            ? $error('$pad cannot make a text of more than 1000000 characters')
            : $pad($text, $width, $filler)
    }
})($pad)";

/// What the crate puts before some of its messages, in front of the code.
const PREFIXES: [&str; 4] = [
    "Argument error: ",
    "Invalid syntax: ",
    "Invalid number: ",
    "Signature validation failed: ",
];

/// What the crate says is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Complaint {
    /// The JSONata error code.
    pub code: Option<String>,
    /// The crate's own words, without the code.
    pub text: String,
}

impl Complaint {
    fn new(message: &str) -> Self {
        let message = PREFIXES
            .iter()
            .find_map(|prefix| message.strip_prefix(prefix))
            .unwrap_or(message);
        match message.split_once(": ") {
            Some((code, text)) if is_code(code) => Self {
                code: Some(code.to_owned()),
                text: text.to_owned(),
            },
            _ => Self {
                code: None,
                text: message.to_owned(),
            },
        }
    }
}

/// Whether it is a letter and four digits.
fn is_code(text: &str) -> bool {
    let digits = text.strip_prefix(|first: char| first.is_ascii_uppercase());
    digits.is_some_and(|d| d.len() == 4 && d.bytes().all(|byte| byte.is_ascii_digit()))
}

impl From<EvaluatorError> for Complaint {
    fn from(error: EvaluatorError) -> Self {
        Self::new(error.message())
    }
}

/// An expression whose syntax is right.
pub(super) struct Parsed(AstNode);

/// Reads an expression.
pub(super) fn parse(expression: &str) -> Result<Parsed, Complaint> {
    match parser::parse(expression) {
        Ok(tree) => Ok(Parsed(tree)),
        Err(error) => Err(Complaint::new(&error.to_string())),
    }
}

/// Tries a regular expression as it is written, slashes and all. The crate itself does so only
/// when the expression around it is evaluated.
pub(super) fn try_regex(literal: &str) -> Result<(), Complaint> {
    constant(&format!("$contains('', {literal})"), &JValue::Null).map(drop)
}

/// Whether a variable, written with its `$`, is a function where nothing binds it.
pub(super) fn is_function(variable: &str) -> bool {
    let known = constant(&format!("$exists({variable})"), &JValue::Null);
    matches!(known, Ok(JValue::Bool(true))) || matches!(variable, "$first" | "$last")
}

/// What expressions are evaluated over: an input, and the functions that go with it.
pub(super) struct Data {
    input: JValue,
    functions: Vec<(&'static str, JValue)>,
}

impl Data {
    /// The input `{start, steps: [{role, output, …}]}`, from which `$first` and `$last` are made.
    /// Any other input is allowed.
    pub(super) fn new(input: Value) -> Result<Self, Complaint> {
        let input = to_crate(input);
        let steps = match &input {
            JValue::Object(object) => object.get("steps"),
            _ => None,
        };
        let steps = match steps {
            Some(JValue::Array(steps)) => steps.as_slice(),
            _ => &[],
        };
        let functions = vec![
            ("first", constant(OUTPUT_OF, &outputs(steps.iter().rev()))?),
            ("last", constant(OUTPUT_OF, &outputs(steps.iter()))?),
            ("pad", constant(BOUNDED_PAD, &JValue::Null)?),
        ];
        Ok(Self { input, functions })
    }

    /// Whether the value of the expression counts as true.
    pub(super) fn holds(
        &self,
        expression: &Parsed,
        depth: usize,
        cancel: &CancelToken,
    ) -> Result<bool, Complaint> {
        let value = self.evaluate(expression, depth, cancel)?;
        let holds = boolean(&value).map_err(EvaluatorError::from)?;
        Ok(holds == JValue::Bool(true))
    }

    fn evaluate(
        &self,
        expression: &Parsed,
        depth: usize,
        cancel: &CancelToken,
    ) -> Result<JValue, Complaint> {
        let mut context = Context::new();
        for (name, function) in &self.functions {
            context.bind((*name).to_owned(), function.clone());
        }
        let options = EvaluatorOptions {
            timeout_ms: None,
            cancel: Some(cancel.clone()),
            max_stack_depth: Some(depth),
            max_sequence_length: Some(LONGEST_SEQUENCE),
        };
        let mut evaluator = Evaluator::with_options(context, options);
        Ok(evaluator.evaluate(&expression.0, &self.input)?)
    }

    /// The value of the expression as JSON; none when it is undefined.
    #[cfg(test)]
    pub(super) fn value_of(&self, expression: &Parsed) -> Result<Option<Value>, Complaint> {
        let value = self.evaluate(expression, 30_000, &CancelToken::new())?;
        Ok((!value.is_undefined()).then(|| Value::from(&value)))
    }
}

/// What an expression of ours gives.
fn constant(expression: &str, input: &JValue) -> Result<JValue, Complaint> {
    Ok(Evaluator::new().evaluate(&parse(expression)?.0, input)?)
}

/// Output by role; of a role's steps the one that comes last here counts.
fn outputs<'a>(steps: impl Iterator<Item = &'a JValue>) -> JValue {
    let output = |step: &JValue| {
        let JValue::Object(step) = step else {
            return None;
        };
        let role = step.get("role")?.as_str()?.to_owned();
        let output = step.get("output").cloned();
        Some((role, output.unwrap_or(JValue::Undefined)))
    };
    object(steps.filter_map(output))
}

/// A value as the crate has it. All numbers become doubles, as they are in JavaScript.
fn to_crate(value: Value) -> JValue {
    match value {
        Value::Array(items) => JValue::array(items.into_iter().map(to_crate).collect()),
        Value::Object(entries) => object(
            entries
                .into_iter()
                .map(|(key, value)| (key, to_crate(value))),
        ),
        scalar => JValue::from(scalar),
    }
}

/// An object that is one for the crate, too: it takes those whose first key is `@` and that also
/// hold `"__tuple__": true` for items of its own. In any other order they are what they are.
fn object(entries: impl Iterator<Item = (String, JValue)>) -> JValue {
    let mut map: JMap = entries.collect();
    if map.contains_key("__tuple__")
        && let Some(value) = map.shift_remove("@")
    {
        map.insert("@".to_owned(), value);
    }
    JValue::Object(Rc::new(map))
}
