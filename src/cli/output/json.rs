//! JSON as JavaScript's `JSON.stringify` writes it: one compact line.

use std::io;

use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

use super::number;

/// The value on one line, keys in their order, without a line break at the end.
pub fn to_string(value: &Value) -> String {
    let mut bytes = Vec::new();
    #[expect(
        clippy::expect_used,
        reason = "a JSON value has string keys, and memory takes every write"
    )]
    value
        .serialize(&mut Serializer::with_formatter(&mut bytes, JavaScript))
        .expect("a JSON value is written to memory");
    #[expect(clippy::expect_used, reason = "strings and digits are all there is")]
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// serde_json's compact form escapes strings just as JavaScript does; only numbers differ.
struct JavaScript;

impl Formatter for JavaScript {
    fn write_i64<W: io::Write + ?Sized>(&mut self, writer: &mut W, value: i64) -> io::Result<()> {
        self.write_f64(writer, value as f64)
    }

    fn write_u64<W: io::Write + ?Sized>(&mut self, writer: &mut W, value: u64) -> io::Result<()> {
        self.write_f64(writer, value as f64)
    }

    fn write_f64<W: io::Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(number::text(value).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_javascript_numbers() {
        let value = json!([5.0, -0.0, 1e21, 1e-7, 0.5, 9_007_199_254_740_993_u64, -3]);
        assert_eq!(
            to_string(&value),
            "[5,0,1e+21,1e-7,0.5,9007199254740992,-3]"
        );
    }

    #[test]
    fn strings_are_escaped_where_javascript_escapes_them() {
        let value = json!({"a\"b": "\u{8}\u{c}\n\r\t\\/\u{0}\u{1f}\u{7f}\u{2028}é🦀"});
        assert_eq!(
            to_string(&value),
            "{\"a\\\"b\":\"\\b\\f\\n\\r\\t\\\\/\\u0000\\u001f\u{7f}\u{2028}é🦀\"}"
        );
    }

    #[test]
    fn keys_keep_their_order() {
        assert_eq!(
            to_string(&json!({"b": null, "a": [true, {}], "": []})),
            r#"{"b":null,"a":[true,{}],"":[]}"#
        );
    }

    #[test]
    fn every_line_of_the_original_comes_out_as_it_went_in() {
        let recorded = include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/vectors/store-original.expected.json"
        ));
        let recorded: Vec<Value> = serde_json::from_str(recorded).unwrap();
        let lines: Vec<&str> = recorded
            .iter()
            .filter_map(|command| command["stdout"].as_str())
            .filter(|stdout| stdout.starts_with(['{', '[']) && stdout.ends_with('\n'))
            .filter(|stdout| stdout.lines().count() == 1)
            .collect();
        assert!(lines.len() > 60, "only {} lines of JSON", lines.len());
        for line in lines {
            let value: Value = serde_json::from_str(line).unwrap();
            assert_eq!(to_string(&value) + "\n", line);
        }
    }
}
