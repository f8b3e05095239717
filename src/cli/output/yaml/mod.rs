//! YAML as the original prints it: block style, two spaces a level, strings in the shape that
//! needs the least quoting, long lines left whole.
//!
//! This is for what commands print. What we keep in files is written elsewhere.

mod plain;
mod scalar;

use serde_json::{Map, Value};

use super::number;

/// A key longer than this, quotes included, needs the explicit form, says the specification.
const LONGEST_SIMPLE_KEY: usize = 1024;

/// The value as a document, the final line break included.
pub fn to_string(value: &Value) -> String {
    let mut out = String::new();
    push_compact(&mut out, value, Level::TOP);
    out.push('\n');
    out
}

/// How deep a node stands. Nothing is as deep as the document itself, whose scalars are special.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Level(usize);

impl Level {
    const TOP: Self = Self(0);

    fn below(self) -> Self {
        Self(self.0 + 1)
    }

    fn is_top(self) -> bool {
        self == Self::TOP
    }

    fn indent(self) -> String {
        "  ".repeat(self.0)
    }

    fn start_line(self, out: &mut String) {
        out.push('\n');
        for _ in 0..self.0 {
            out.push_str("  ");
        }
    }
}

/// Writes a node whose first line goes on where the text stands: after `- `, `? ` or `: `, or at
/// the start. The last line is left open.
fn push_compact(out: &mut String, value: &Value, level: Level) {
    match value {
        Value::Array(items) if !items.is_empty() => push_sequence(out, items, level),
        Value::Object(map) if !map.is_empty() => push_mapping(out, map, level),
        _ => push_leaf(out, value, level),
    }
}

fn push_sequence(out: &mut String, items: &[Value], level: Level) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            level.start_line(out);
        }
        out.push_str("- ");
        push_compact(out, item, level.below());
    }
}

fn push_mapping(out: &mut String, map: &Map<String, Value>, level: Level) {
    for (index, (key, value)) in map.iter().enumerate() {
        if index > 0 {
            level.start_line(out);
        }
        let key = scalar::key(key, level);
        if key.encode_utf16().count() > LONGEST_SIMPLE_KEY {
            out.push_str("? ");
            out.push_str(&key);
            level.start_line(out);
            out.push_str(": ");
            push_compact(out, value, level.below());
        } else {
            out.push_str(&key);
            out.push(':');
            push_after_key(out, value, level.below());
        }
    }
}

fn push_after_key(out: &mut String, value: &Value, level: Level) {
    if is_leaf(value) {
        out.push(' ');
    } else {
        level.start_line(out);
    }
    push_compact(out, value, level);
}

fn is_leaf(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => true,
    }
}

fn push_leaf(out: &mut String, value: &Value, level: Level) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) => push_number(out, number::as_float(number)),
        Value::String(text) => out.push_str(&scalar::value(text, level)),
        Value::Array(_) => out.push_str("[]"),
        Value::Object(_) => out.push_str("{}"),
    }
}

fn push_number(out: &mut String, number: f64) {
    // Unlike JSON, YAML keeps the sign of zero.
    if number == 0.0 && number.is_sign_negative() {
        out.push('-');
    }
    out.push_str(&number::text(number));
}

#[cfg(test)]
mod tests;
