//! A payload as it is typed.

use std::path::Path;

use serde_json::Value;

use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::fsx;

/// Bytes of a payload's file: what a node can hold, and more than anyone stores.
const MOST_BYTES: u64 = 64 << 20;

/// The payload that was meant: the file of that name when there is one, else the text itself.
pub fn payload(text: &str, context: &Context) -> Result<Value> {
    let path = context.host.absolute(Path::new(text));
    let from_file = if looks_like_json(text) {
        None
    } else {
        fsx::read_named_text(&path, MOST_BYTES)?
    };
    let (json, what) = match &from_file {
        Some(content) => (content.as_str(), path.display().to_string()),
        None => (text, "the payload".to_owned()),
    };
    serde_json::from_str(json).map_err(|error| {
        let refused =
            CommandError::new(Kind::Request, format!("{what} is not JSON")).cause(explain(&error));
        if from_file.is_some() || looks_like_json(text) {
            refused
        } else {
            refused.hint("give the path of a JSON file that exists, or JSON in single quotes")
        }
    })
}

/// The parser's words for half of a pair of surrogates do not say what is wrong.
fn explain(error: &serde_json::Error) -> String {
    let told = error.to_string();
    if ["hex escape", "surrogate"]
        .iter()
        .any(|word| told.contains(word))
    {
        let (line, column) = (error.line(), error.column());
        return format!(
            "a `\\u` escape is half of a surrogate pair, or cut off: that is no text, line {line} column {column}"
        );
    }
    told
}

fn looks_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[', '"'])
}
