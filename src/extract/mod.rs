//! From what an agent wrote to a value that fits its role's schema, or to what is wrong with it.
//!
//! The answer is a block of YAML between two lines of dashes and a body of Markdown. What models
//! get wrong without harm is tolerated; what would have to be guessed is a fault, with its place
//! counted in the answer. Pure: texts and values in, values and texts out.

mod block;
mod convert;
mod correction;
mod fields;
mod text;
mod types;
mod wants;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod value_tests;

use std::fmt;

use serde_json::{Map, Value};

use crate::schema::{Schema, SchemaFault, Violation, below};
use crate::suggestion::did_you_mean;
use crate::wording::{cut, harmless, quoted};
use crate::yaml::{self, Node};

use block::{Block, NoBlock, Opening, Read, is_mapping};
use fields::Fields;
use text::Lines;

pub use correction::correction;

/// Faults and warnings of a kind that are told one by one.
const MOST_TOLD: usize = 20;

/// Characters that are shown of a line of the answer.
const LONGEST_LINE: usize = 120;

/// What an answer was found to say.
#[derive(Debug, Clone, PartialEq)]
pub struct Extracted {
    /// An object that fits the schema.
    pub value: Value,
    /// The text below the block.
    pub body: String,
    /// What was left out of the value, in words.
    pub warnings: Vec<String>,
}

/// What a value that came as JSON was found to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// An object that fits the schema.
    pub value: Value,
    /// What was left out of the value, in words.
    pub warnings: Vec<String>,
}

/// Something that keeps an answer from being used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong and what is wanted, without the place in the text.
    pub message: String,
    /// The line of the answer, the first is 1.
    pub line: Option<usize>,
    /// The character of that line, the first is 1.
    pub column: Option<usize>,
    /// That line, where it helps to see it.
    pub excerpt: Option<String>,
    /// The place in the value as a JSON pointer, where the value is what does not fit.
    pub path: Option<String>,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(formatter, "line {line}, column {column}: ")?,
            (Some(line), None) => write!(formatter, "line {line}: ")?,
            _ => {}
        }
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl Fault {
    fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            line: None,
            column: None,
            excerpt: None,
            path: None,
        }
    }
}

/// A role's schema, made ready for its answers.
#[derive(Debug)]
pub struct Form {
    schema: Value,
    compiled: Schema,
}

impl Form {
    /// Says everything that is wrong with the schema when it is none: no answer can mend that.
    pub fn new(schema: &Value) -> Result<Self, Vec<SchemaFault>> {
        Ok(Self {
            compiled: Schema::compile(schema)?,
            schema: schema.clone(),
        })
    }

    /// Whether a value that is stored already fits; else all that does not, each with its place.
    pub fn check(&self, value: &Value) -> Result<(), Vec<String>> {
        let told = |violations: Vec<Violation>| violations.into_iter().map(|v| v.message).collect();
        self.compiled.check(value).map_err(told)
    }

    /// The schema as it was given.
    pub fn schema(&self) -> &Value {
        &self.schema
    }
}

/// Reads an answer: its block becomes a value that fits the form, the rest its body.
pub fn extract(answer: &str, form: &Form) -> Result<Extracted, Vec<Fault>> {
    let text = text::plain(answer);
    let lines = Lines::of(&text);
    let fields = Fields::of(&form.schema);
    let (block, read) = block::find(&lines, &|key| fields.is_named(key))
        .map_err(|no_block| vec![describe_no_block(&lines, &no_block)])?;
    let document = mapping(&lines, &block, read).map_err(|fault| vec![fault])?;
    let value = convert::convert(&document, &form.schema);
    let place = |path: &str| {
        let offset = block.source.start + document.locate(path).start.offset;
        Some(lines.place(offset).0)
    };
    let Fitted { value, warnings } = fit_at(value, form, &fields, &place)?;
    Ok(Extracted {
        value,
        body: block.body(&lines),
        warnings,
    })
}

/// Checks a value that came as JSON. Its types stay as they are.
pub fn fit(meta: &Value, form: &Form) -> Result<Fitted, Vec<Fault>> {
    fit_at(meta.clone(), form, &Fields::of(&form.schema), &|_| None)
}

/// Whether an answer has a block of fields, whatever they are.
pub fn has_block(answer: &str) -> bool {
    let text = text::plain(answer);
    let lines = Lines::of(&text);
    block::find(&lines, &|_| false).is_ok_and(|(block, read)| mapping(&lines, &block, read).is_ok())
}

/// The text below the block of an answer; all of it when it has no block.
pub fn body(answer: &str) -> String {
    let text = text::plain(answer);
    let lines = Lines::of(&text);
    let below = block::find(&lines, &|_| false)
        .ok()
        .and_then(|(block, read)| {
            // A block that gives no fields is no block of ours: it is text like the rest.
            mapping(&lines, &block, read).ok()?;
            Some(block.body(&lines))
        });
    below.unwrap_or(text)
}

/// Leaves out the keys that the schema does not know and checks the rest.
fn fit_at(
    value: Value,
    form: &Form,
    fields: &Fields<'_>,
    line_of: &dyn Fn(&str) -> Option<usize>,
) -> Result<Fitted, Vec<Fault>> {
    let Value::Object(map) = value else {
        return Err(vec![Fault {
            path: Some(String::new()),
            ..Fault::new("the fields must be an object that has a value for each name")
        }]);
    };
    let (kept, left_out): (Map<_, _>, Map<_, _>) =
        map.into_iter().partition(|(key, _)| fields.keeps(key));
    let unknown = left_out.keys().map(|key| unknown_key(key, fields, line_of));
    let value = Value::Object(kept);
    let Err(violations) = form.compiled.check(&value) else {
        let told = unknown.take(MOST_TOLD);
        let mut warnings: Vec<_> = told
            .map(|fault| format!("{fault}; it was left out"))
            .collect();
        if let Some(more) = untold(left_out.len()) {
            warnings.push(format!("{more} more fields were left out"));
        }
        return Ok(Fitted { value, warnings });
    };
    let count = violations.len() + left_out.len();
    let violations = violations.into_iter().map(|violation| Fault {
        line: line_of(&violation.path),
        path: Some(violation.path),
        ..Fault::new(violation.message)
    });
    let mut faults: Vec<_> = violations.chain(unknown).take(MOST_TOLD).collect();
    faults.sort_by_key(|fault| fault.line);
    if let Some(more) = untold(count) {
        faults.push(Fault {
            path: Some(String::new()),
            ..Fault::new(format!("{more} more faults like these"))
        });
    }
    Err(faults)
}

/// How many of so many are not told.
fn untold(count: usize) -> Option<usize> {
    count.checked_sub(MOST_TOLD).filter(|more| *more > 0)
}

fn unknown_key(key: &str, fields: &Fields<'_>, line_of: &dyn Fn(&str) -> Option<usize>) -> Fault {
    let path = below("", key);
    let meant = did_you_mean(key, fields.names.iter().copied())
        .map_or_else(String::new, |question| format!(" ({question})"));
    Fault {
        line: line_of(&path),
        path: Some(path),
        ..Fault::new(format!("{} is no field of this role{meant}", quoted(key)))
    }
}

/// The mapping in a block, or what it is instead.
fn mapping(lines: &Lines<'_>, block: &Block<'_>, read: Read) -> Result<Node, Fault> {
    let at_opener = |message: &str| Fault {
        line: Some(block.opener + 1),
        ..Fault::new(message)
    };
    let document = read
        .map_err(|fault| describe_yaml(lines, block, &fault))?
        .ok_or_else(|| at_opener("the frontmatter block is empty"))?;
    if !is_mapping(&document) {
        return Err(at_opener(&format!(
            "the frontmatter block holds {}; it must hold fields, each as `name: value`",
            document.describe()
        )));
    }
    match block.second_document(lines) {
        Some(line) => Err(Fault {
            line: Some(line + 1),
            column: Some(1),
            ..Fault::new("a second frontmatter block begins here; write one only")
        }),
        None => Ok(document),
    }
}

/// A fault of the YAML, with its place in the whole answer.
fn describe_yaml(lines: &Lines<'_>, block: &Block<'_>, fault: &yaml::Fault) -> Fault {
    let place = |mark: yaml::Mark| lines.place(block.source.start + mark.offset);
    let (line, column) = place(fault.mark);
    let related = fault.related.map_or_else(String::new, |(what, mark)| {
        format!(" ({what}: line {})", place(mark).0)
    });
    Fault {
        line: Some(line),
        column: Some(column),
        excerpt: Some(harmless(&cut(
            lines.line(line - 1).trim_end(),
            LONGEST_LINE,
        ))),
        ..Fault::new(format!("{}{related}", fault.message))
    }
}

fn describe_no_block(lines: &Lines<'_>, no_block: &NoBlock) -> Fault {
    let (line, message) = match *no_block {
        NoBlock::Nowhere if lines.text.trim().is_empty() => {
            return Fault::new("the answer is empty; it must begin with a frontmatter block");
        }
        NoBlock::Nowhere => {
            return Fault::new(
                "there is no frontmatter: the answer must begin with a block of YAML between two lines `---`",
            );
        }
        NoBlock::Open(Opening::Dashes(line)) => (
            line,
            "the frontmatter block that opens here is not closed: a line `---` must follow its last field",
        ),
        NoBlock::Open(Opening::Code(line)) => {
            (line, "the code block that opens here is not closed")
        }
        NoBlock::Open(Opening::Object(line)) => {
            (line, "the JSON object that opens here is not closed")
        }
    };
    Fault {
        line: Some(line + 1),
        ..Fault::new(message)
    }
}
