//! Protocol `json`: the one JSON object an agent prints, `{"meta": {…}, "content": "…"}`.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::text::excerpt;

/// Lines that may begin the answer and are tried, from the last one. Each may be read to the end of
/// the output, so without a limit the work would grow with its square.
const MOST_TRIES: usize = 20;

/// An agent's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The fields for the role's schema, not yet checked against it.
    pub meta: Map<String, Value>,
    /// The answer in words.
    pub content: String,
    /// What was left out of account, in sentences.
    pub warnings: Vec<String>,
}

/// Why an output is not an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AnswerError {
    /// Not a word.
    #[error("it printed nothing where a JSON object with `meta` and `content` was expected")]
    NothingPrinted,
    /// Nothing that begins like an object.
    #[error("its output is no JSON object: it begins with `{beginning}`")]
    NoObject {
        /// The beginning of it.
        beginning: String,
    },
    /// No JSON, or more than one value.
    #[error("its output is not one JSON object: {message} at line {line}, column {column}")]
    NotJson {
        /// What is wrong.
        message: String,
        /// From 1, in the whole output.
        line: usize,
        /// From 1, in bytes.
        column: usize,
    },
    /// JSON, but no object.
    #[error("its output is {found} where a JSON object with `meta` and `content` was expected")]
    NotAnObject {
        /// What it is.
        found: &'static str,
    },
    /// A field is not there.
    #[error("its JSON object has no `{field}`")]
    Missing {
        /// `meta` or `content`.
        field: &'static str,
    },
    /// A field holds something else.
    #[error("`{field}` of its JSON object is {found} where {wanted} was expected")]
    WrongType {
        /// `meta` or `content`.
        field: &'static str,
        /// What it is.
        found: &'static str,
        /// What it should be.
        wanted: &'static str,
    },
}

/// Reads an answer.
///
/// The output is one JSON object. If it is not, because the program logs to stdout as well, the
/// last object with a `meta` that begins a line counts, whether it ends with that line or with
/// the output. Duplicate keys are an error at any depth.
pub fn parse_answer(output: &str) -> Result<Answer, AnswerError> {
    let output = output.strip_prefix('\u{feff}').unwrap_or(output);
    if output.trim().is_empty() {
        return Err(AnswerError::NothingPrinted);
    }
    match parse_value(output, 0) {
        Ok(Value::Object(object)) => read(object),
        Ok(other) => Err(AnswerError::NotAnObject {
            found: kind(&other),
        }),
        Err(_) if !output.contains('{') => Err(AnswerError::NoObject {
            beginning: excerpt(output.trim().lines().next().unwrap_or_default()),
        }),
        Err(error) => match last_object_in(output) {
            Some(Ok(object)) => read(object).map(|mut answer| {
                let warning = "the agent printed more than its JSON answer; the rest is left out";
                answer.warnings.insert(0, warning.to_owned());
                answer
            }),
            Some(Err(nearer)) if !output.trim_start().starts_with('{') => Err(nearer),
            _ => Err(error),
        },
    }
}

/// The last object with a `meta`; else what is wrong with the last thing that looks like one;
/// none when nothing does.
fn last_object_in(output: &str) -> Option<Result<Map<String, Value>, AnswerError>> {
    let mut nearest = None;
    let mut end = output.len();
    let mut line_number = output.split('\n').count();
    let mut tries = MOST_TRIES;
    while let Some(line) = output[..end].rsplit('\n').next() {
        line_number -= 1;
        let start = end - line.len();
        if line.starts_with('{') && tries > 0 {
            tries -= 1;
            for text in [line, &output[start..]] {
                match parse_value(text, line_number) {
                    Ok(Value::Object(object)) if object.contains_key("meta") => {
                        return Some(Ok(object));
                    }
                    Ok(_) => {
                        nearest.get_or_insert(AnswerError::Missing { field: "meta" });
                    }
                    Err(error) => {
                        nearest.get_or_insert(error);
                    }
                }
            }
        }
        if start == 0 {
            break;
        }
        end = start - 1;
    }
    nearest.map(Err)
}

fn read(mut object: Map<String, Value>) -> Result<Answer, AnswerError> {
    let mut take = |field| {
        object
            .shift_remove(field)
            .ok_or(AnswerError::Missing { field })
    };
    let (meta, content) = (take("meta")?, take("content")?);
    let wrong = |field, found: &Value, wanted| AnswerError::WrongType {
        field,
        found: kind(found),
        wanted,
    };
    let Value::Object(meta) = meta else {
        return Err(wrong("meta", &meta, "an object"));
    };
    let Value::String(content) = content else {
        return Err(wrong("content", &content, "a string"));
    };
    let warnings = object
        .keys()
        .map(|key| {
            format!(
                "the key `{}` of the agent's JSON answer is left out",
                excerpt(key)
            )
        })
        .collect();
    Ok(Answer {
        meta,
        content,
        warnings,
    })
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Parses a text that stands in the output after so many lines.
fn parse_value(text: &str, lines_before: usize) -> Result<Value, AnswerError> {
    serde_json::from_str(text)
        .map(|Strict(value)| value)
        .map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let message = error.to_string();
            let place = format!(" at line {line} column {column}");
            let (line, column) = from_one(text, line, column);
            AnswerError::NotJson {
                message: message.strip_suffix(&place).unwrap_or(&message).to_owned(),
                line: line + lines_before,
                column,
            }
        })
}

/// A line break that may not be there is told by the parser as column 0 of the line it begins:
/// it is the end of the line before.
fn from_one(text: &str, line: usize, column: usize) -> (usize, usize) {
    let before = line
        .checked_sub(2)
        .and_then(|index| text.split('\n').nth(index));
    match before {
        Some(before) if column == 0 => (line - 1, before.len() + 1),
        _ => (line, column),
    }
}

/// Any JSON value without duplicate keys. The usual reader keeps the last of two and says nothing.
struct Strict(Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(Self)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(Strict(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                let message = format!("the key `{}` stands there twice", excerpt(&key));
                return Err(de::Error::custom(message));
            }
            let Strict(value) = entries.next_value()?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error(output: &str) -> String {
        parse_answer(output).unwrap_err().to_string()
    }

    #[test]
    fn an_answer_is_one_object() {
        let expected = Answer {
            meta: json!({"approved": true, "notes": [1, -2, 0.5, null]})
                .as_object()
                .unwrap()
                .clone(),
            content: "Fine.\n\u{0}🚀".to_owned(),
            warnings: Vec::new(),
        };
        let text = r#"{"meta": {"approved": true, "notes": [1, -2, 0.5, null]},
            "content": "Fine.\n\u0000\ud83d\ude80"}"#;
        for output in [text.to_owned(), format!("\u{feff}\r\n\n {text}\n\n")] {
            assert_eq!(parse_answer(&output).as_ref(), Ok(&expected));
        }
    }

    #[test]
    fn lines_around_an_answer_are_left_out_with_a_warning() {
        let line = r#"{"meta":{"n":1},"content":"c"}"#;
        let pretty = "{\n  \"meta\": {\"n\": 1},\n  \"content\": \"c\"\n}";
        let earlier = r#"{"meta":{"n":0},"content":"no"}"#;
        for output in [
            format!("starting…\n{{log}}\n{line}\n"),
            format!("starting…\n{earlier}\n{pretty}\n"),
            format!("{earlier}\n{line}\r\n{{\"level\":\"info\"}}\nbye\n"),
        ] {
            let answer = parse_answer(&output).unwrap();
            assert_eq!(answer.meta["n"], 1, "{output}");
            assert_eq!(answer.content, "c");
            assert_eq!(
                answer.warnings,
                ["the agent printed more than its JSON answer; the rest is left out"]
            );
        }
    }

    #[test]
    fn keys_that_nobody_reads_are_named() {
        let answer = parse_answer(r#"{"meta":{},"content":"","usage":{},"\u001b":1}"#).unwrap();
        assert_eq!(
            answer.warnings,
            [
                "the key `usage` of the agent's JSON answer is left out",
                "the key `\\u{1b}` of the agent's JSON answer is left out",
            ]
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let cases = [
            (
                "",
                "it printed nothing where a JSON object with `meta` and `content` was expected",
            ),
            (
                "\u{feff} \n",
                "it printed nothing where a JSON object with `meta` and `content` was expected",
            ),
            (
                "done",
                "its output is no JSON object: it begins with `done`",
            ),
            (
                "{\"meta\": {},\n \"content\": }",
                "its output is not one JSON object: expected value at line 2, column 13",
            ),
            (
                "log\nlog\n{\"meta\": {},}\n",
                "its output is not one JSON object: trailing comma at line 3, column 13",
            ),
            (
                "[{}]",
                "its output is an array where a JSON object with `meta` and `content` was expected",
            ),
            (
                "null",
                "its output is null where a JSON object with `meta` and `content` was expected",
            ),
            ("{}", "its JSON object has no `meta`"),
            ("log\n{\"content\": \"c\"}", "its JSON object has no `meta`"),
            (r#"{"meta": {}}"#, "its JSON object has no `content`"),
            (
                r#"{"meta": [], "content": "c"}"#,
                "`meta` of its JSON object is an array where an object was expected",
            ),
            (
                r#"{"meta": {}, "content": 1}"#,
                "`content` of its JSON object is a number where a string was expected",
            ),
            (
                r#"{"meta": {}, "content": null}"#,
                "`content` of its JSON object is null where a string was expected",
            ),
        ];
        for (output, message) in cases {
            assert_eq!(error(output), message, "{output}");
        }
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_refused() {
        assert_eq!(
            error(r#"{"meta": {"a": {"b": 1, "b": 2}}, "content": "c"}"#),
            "its output is not one JSON object: the key `b` stands there twice at line 1, column 27"
        );
        for (output, message) in [
            (
                r#"{"meta": {}, "content": "\ud800"}"#,
                "unexpected end of hex escape",
            ),
            (
                r#"{"meta": {}, "content": "\ud800\u0041"}"#,
                "lone leading surrogate",
            ),
            (
                r#"{"meta": {"n": 1e999}, "content": ""}"#,
                "number out of range",
            ),
        ] {
            assert!(error(output).contains(message), "{}", error(output));
        }
        let deep = format!("{{\"meta\": {}", "[".repeat(100_000));
        assert!(error(&deep).contains("recursion limit exceeded"));
    }
}
