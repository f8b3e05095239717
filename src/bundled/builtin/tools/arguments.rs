//! The arguments of a call, as a model wrote them.

use serde_json::{Map, Value};

use super::Stop;
use super::catalogue::{Kind, Parameter, Tool};
use crate::suggestion::did_you_mean;
use crate::wording::{listed, quoted};

/// Arguments that a tool can take.
#[derive(Debug)]
pub struct Arguments {
    values: Map<String, Value>,
}

impl Arguments {
    /// Reads the JSON text. What is wrong with it is told to the model.
    pub fn read(tool: Tool, text: &str) -> Result<Self, Stop> {
        let values = object(tool, text)?;
        for (key, value) in &values {
            let parameter = tool.parameters().iter().find(|it| it.name == key);
            let parameter = parameter.ok_or_else(|| no_such_parameter(tool, key))?;
            check(tool, parameter, value)?;
        }
        let missing = tool
            .parameters()
            .iter()
            .find(|parameter| parameter.is_required && is_absent(values.get(parameter.name)));
        match missing {
            None => Ok(Self { values }),
            Some(parameter) => Err(Stop::Told(format!(
                "{} needs `{}` ({}): call it again with that",
                tool.name(),
                parameter.name,
                parameter.description
            ))),
        }
    }

    /// A text that is required.
    pub fn text(&self, name: &str) -> &str {
        self.optional_text(name).unwrap_or_default()
    }

    /// A text that may be missing.
    pub fn optional_text(&self, name: &str) -> Option<&str> {
        self.values.get(name)?.as_str()
    }

    /// A whole number, 1 or more, that may be missing.
    pub fn count(&self, name: &str) -> Option<u64> {
        self.values.get(name).and_then(count)
    }

    /// Whether it is there and true.
    pub fn flag(&self, name: &str) -> bool {
        self.values.get(name).and_then(Value::as_bool) == Some(true)
    }
}

fn object(tool: Tool, text: &str) -> Result<Map<String, Value>, Stop> {
    // A model that has nothing to say may say nothing.
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    let name = tool.name();
    match serde_json::from_str(text) {
        Ok(Value::Object(values)) => Ok(values),
        Ok(_) => Err(Stop::Told(format!(
            "the arguments of {name} are no JSON object: write {}",
            example(tool)
        ))),
        Err(error) if error.is_eof() => Err(Stop::Told(format!(
            "the arguments of {name} end in the middle ({error}). If they are cut off because \
             they are long, do it in several calls"
        ))),
        Err(error) => Err(Stop::Told(format!(
            "the arguments of {name} are no JSON ({error}): write {}",
            example(tool)
        ))),
    }
}

/// `{"path": …}`.
fn example(tool: Tool) -> String {
    let keys = tool.parameters().iter().filter(|it| it.is_required);
    let keys: Vec<String> = keys.map(|it| format!("\"{}\": …", it.name)).collect();
    format!("{{{}}}", keys.join(", "))
}

fn no_such_parameter(tool: Tool, key: &str) -> Stop {
    let names = || tool.parameters().iter().map(|parameter| parameter.name);
    let meant = did_you_mean(key, names()).map_or_else(String::new, |meant| format!(", {meant}"));
    Stop::Told(format!(
        "{} has no parameter {}{meant}; it has {}",
        tool.name(),
        quoted(key),
        listed(names().map(str::to_owned), "and")
    ))
}

/// What is optional may also be null.
fn is_absent(value: Option<&Value>) -> bool {
    value.is_none_or(Value::is_null)
}

fn check(tool: Tool, parameter: &Parameter, value: &Value) -> Result<(), Stop> {
    let fits = match parameter.kind {
        Kind::Text => value.is_string(),
        Kind::Count => count(value).is_some(),
        Kind::Flag => value.is_boolean(),
    };
    if fits || value.is_null() {
        return Ok(());
    }
    Err(Stop::Told(format!(
        "`{}` of {} must be {}, not {}",
        parameter.name,
        tool.name(),
        parameter.kind.words(),
        quoted(&value.to_string())
    )))
}

/// Some models write whole numbers with a point.
fn count(value: &Value) -> Option<u64> {
    let whole = value.as_u64().or_else(|| {
        let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
        // Beyond this not every whole number can be told from its neighbour.
        (1.0..9e15).contains(&number).then_some(number as u64)
    });
    whole.filter(|count| *count > 0)
}
