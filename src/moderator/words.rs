//! The JSONata crate's messages: what they name, and how they read in a sentence of ours.

use super::jsonata::Complaint;
use crate::wording::{self, cut, harmless};

/// More of a message than this, in characters, is not passed on: it may quote data.
const LONGEST_MESSAGE: usize = 300;

/// The symbol the crate's words say it expected.
pub(super) fn expected(text: &str) -> Option<&'static str> {
    let rest = text.strip_prefix("Expected ")?;
    let name = rest.split([' ', ',']).next()?;
    let symbol = match name {
        "LeftParen" => "(",
        "RightParen" => ")",
        "LeftBracket" => "[",
        "RightBracket" => "]",
        "LeftBrace" => "{",
        "RightBrace" => "}",
        "Colon" => ":",
        "Comma" => ",",
        "Pipe" => "|",
        "<" => "<",
        _ => return None,
    };
    Some(symbol)
}

/// The operator, function or literal that the crate's words name, as an expression has it.
pub(super) fn named(text: &str) -> Option<&str> {
    let between = |open: &str, close: &str| {
        let (_, rest) = text.split_once(open)?;
        Some(rest.split_once(close)?.0)
    };
    between("side of the ", " operator")
        .or_else(|| between("side of operator \"", "\""))
        .or_else(|| between("Did you mean $", "?"))
        .or_else(|| between("literal value ", " cannot"))
        .or_else(|| unknown_name(text))
}

/// The function the crate's words say there is not, with its `$`.
fn unknown_name(text: &str) -> Option<&str> {
    let (_, name) = text.split_once("invoke a non-function: ")?;
    name.starts_with('$').then_some(name)
}

/// Why the crate's words say a regular expression cannot be used.
pub(super) fn invalid_regex(text: &str) -> Option<&str> {
    let reason = text.strip_prefix("Invalid regex: ")?;
    let reason = reason.rsplit("error: ").next().unwrap_or(reason);
    Some(reason.trim_end_matches('.'))
}

/// What is said of a function there is not.
pub(super) fn no_function(name: &str) -> String {
    format!("there is no function `{name}`")
}

/// The crate's words as part of a sentence.
pub(super) fn plain(complaint: &Complaint) -> String {
    let text = complaint.text.as_str();
    let code = complaint.code.as_deref().unwrap_or_default();
    let message = if let Some(name) = unknown_name(text) {
        no_function(name)
    } else if let Some(name) = named(text).filter(|_| matches!(code, "T1005" | "T1007")) {
        format!("`{name}` is no function: is `${name}` meant?")
    } else if code == "T1006" {
        "what is called is no function".to_owned()
    } else if let Some(reason) = invalid_regex(text) {
        let reason = uncapitalised(reason);
        format!("the regular expression cannot be used: {reason}")
    } else if matches!(code, "D3137" | "D3141") {
        // The author's own words.
        text.to_owned()
    } else {
        uncapitalised(text.trim_end_matches('.'))
    };
    one_line(&message)
}

fn uncapitalised(text: &str) -> String {
    let mut rest = text.chars();
    match rest.next() {
        Some(first) if rest.as_str().starts_with(|c: char| !c.is_uppercase()) => {
            first.to_lowercase().chain(rest).collect()
        }
        _ => text.to_owned(),
    }
}

/// The text on one line, cut when it is long.
pub(super) fn one_line(text: &str) -> String {
    harmless(&cut(&wording::one_line(text), LONGEST_MESSAGE))
}
