//! A payload as it is typed.

use std::io::ErrorKind;
use std::path::Path;

use serde_json::Value;

use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::fsx;

/// Bytes of a payload's file: what a node can hold, and more than anyone stores.
const MOST_BYTES: u64 = 64 << 20;

/// The payload that was meant: the file of that name when there is one, else the text itself.
pub fn payload(text: &str, context: &Context) -> Result<Value> {
    if looks_like_json(text) {
        return parse(text).map_err(|fault| {
            CommandError::new(Kind::Request, format!("the payload is not JSON: {fault}"))
                .hint("put JSON between single quotes, so that the shell leaves it as it is")
        });
    }
    let path = context.host.absolute(Path::new(text));
    let found = match fsx::read_named_text(&path, MOST_BYTES) {
        // Longer than a name can be: it was not meant as one.
        Err(error) if error.kind() == ErrorKind::InvalidFilename => None,
        found => found.map_err(|error| CommandError::unreadable(&error))?,
    };
    match found {
        Some(content) => parse(&content).map_err(|fault| {
            let message = format!("the file {} is not JSON: {fault}", path.display());
            CommandError::new(Kind::Request, message)
        }),
        // Numbers look like nothing in particular.
        None => parse(text).map_err(|_| {
            let message = format!(
                "there is no file {}, and `{text}` is not JSON",
                path.display()
            );
            CommandError::new(Kind::Request, message)
                .hint(r#"a text that is to be JSON stands in quotes of both kinds: '"text"'"#)
        }),
    }
}

fn looks_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[', '"'])
}

/// The value, or why the text is none and where that shows.
fn parse(text: &str) -> std::result::Result<Value, String> {
    serde_json::from_str(text).map_err(|error| {
        let said = error.to_string();
        let (what, place) = said.rsplit_once(" at line ").unwrap_or((&said, ""));
        let what = match what {
            _ if what.starts_with("EOF while parsing") => "it ends in the middle of a value",
            "expected value" | "expected ident" => "this begins no value",
            "trailing characters" => "something follows the value",
            _ if what.contains("hex escape") || what.contains("surrogate") => {
                "a `\\u` escape is half of a surrogate pair, or cut off"
            }
            other => other,
        };
        format!("{what} (line {})", place.replace(" column", ", column"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_json_is_told_in_words() {
        for (text, fault) in [
            (
                "{\"a\": ",
                "it ends in the middle of a value (line 1, column 6)",
            ),
            ("{\n\"a\": no}", "this begins no value (line 2, column 7)"),
            ("[1, x]", "this begins no value (line 1, column 5)"),
            ("{} {}", "something follows the value (line 1, column 4)"),
            ("[1,]", "trailing comma (line 1, column 4)"),
            ("", "it ends in the middle of a value (line 1, column 0)"),
            (
                "\"\\ud800\"",
                r"a `\u` escape is half of a surrogate pair, or cut off (line 1, column 8)",
            ),
            ("1e999", "number out of range (line 1, column 5)"),
        ] {
            assert_eq!(parse(text), Err(fault.to_owned()));
        }
    }
}
