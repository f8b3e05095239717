//! How values, types, formats and keys are named in messages: short, whatever their size.

use std::io;

use serde_json::Value;

use crate::suggestion::question;
use crate::wording::{counted, cut, harmless, quoted};

/// Characters of a value that a message shows.
const LONGEST: usize = 80;
/// Entries of a list that a message shows.
const MOST: usize = 20;

/// What a value is, for someone who knows where it is: scalars as JSON, the rest by its size.
pub(super) fn found(value: &Value) -> String {
    match value {
        Value::Array(items) if items.is_empty() => "an empty list".to_owned(),
        Value::Array(items) => format!("a list of {}", counted(items.len(), "item")),
        Value::Object(map) if map.is_empty() => "an empty object".to_owned(),
        Value::Object(map) => {
            let shown: Vec<_> = map.keys().take(3).map(|key| quoted(key)).collect();
            let more = if map.len() > 3 { ", …" } else { "" };
            format!("an object with {}{more}", shown.join(", "))
        }
        scalar => json(scalar),
    }
}

/// A value as JSON, cut.
pub(super) fn json(value: &Value) -> String {
    if let Value::String(text) = value {
        return harmless(&Value::from(cut(text, LONGEST)).to_string());
    }
    let mut text = Bounded(Vec::new());
    // The writer's only failure is that it is full, which is what the cut below shows.
    let _full = serde_json::to_writer(&mut text, value);
    harmless(&cut(&String::from_utf8_lossy(&text.0), LONGEST))
}

/// Takes what a cut text needs and refuses the rest, so that a long value costs no more.
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() > 8 * LONGEST {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A list for a sentence, cut.
pub(super) fn list(entries: &[String]) -> String {
    let shown = entries[..entries.len().min(MOST)].join(", ");
    match entries.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// A type of JSON Schema with its article.
pub(super) fn type_words(name: &str) -> String {
    match name {
        "string" => "a string",
        "number" => "a number",
        "integer" => "a whole number",
        "boolean" => "true or false",
        "object" => "an object",
        "array" => "a list",
        other => other,
    }
    .to_owned()
}

/// What a string of a format looks like.
pub(super) fn format_words(format: &str) -> String {
    match format {
        "cas_ref" => "a hash: 13 characters of 0-9 and A-Z without I, L, O and U",
        "date" => "a date such as 2026-06-01",
        "date-time" => "a date and time such as 2026-06-01T09:30:00Z",
        "time" => "a time such as 09:30:00Z",
        "duration" => "a duration such as P1DT2H",
        "email" => "an e-mail address",
        "hostname" => "a host name",
        "ipv4" => "an IPv4 address",
        "ipv6" => "an IPv6 address",
        "uri" => "a URI such as https://example.org/a",
        "uri-reference" => "a URI or a path of one",
        "uuid" => "a UUID",
        "regex" => "a regular expression",
        "json-pointer" => "a JSON pointer such as /a/0",
        other => return format!("of the format {}", quoted(other)),
    }
    .to_owned()
}

/// A message that ends with what was probably meant.
pub(super) fn with_suggestion(message: String, suggestion: Option<&str>) -> String {
    match suggestion {
        Some(meant) => format!("{message}; {}", question(meant)),
        None => message,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_values_are_cut() {
        let long = "é".repeat(100_000);
        assert_eq!(json(&json!(long)), format!("\"{}…\"", "é".repeat(80)));
        let wide = json!(vec![1; 100_000]);
        assert_eq!(json(&wide).chars().count(), 81);
        assert_eq!(found(&wide), "a list of 100000 items");
    }

    #[test]
    fn values_are_named_by_kind() {
        assert_eq!(found(&json!("a\"b")), r#""a\"b""#);
        assert_eq!(found(&json!("\u{9b}1m\u{202e}")), r#""\u{9b}1m\u{202e}""#);
        assert_eq!(found(&json!([])), "an empty list");
        assert_eq!(found(&json!([1])), "a list of 1 item");
        assert_eq!(found(&json!({})), "an empty object");
        assert_eq!(
            found(&json!({"a": 1, "b": 2, "c": 3, "d": 4})),
            "an object with `a`, `b`, `c`, …"
        );
        assert_eq!(found(&json!(null)), "null");
        assert_eq!(found(&json!(1.5)), "1.5");
    }
}
