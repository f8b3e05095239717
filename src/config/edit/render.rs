//! What is added to the text, as it is to be written.

use super::Setpoint;
use super::layout::Layout;
use crate::yaml::{self, Kind, Node, Style};

/// Keys that lead to a value as lines of a block.
pub fn lines(keys: &[String], value: &Setpoint, indent: usize, layout: &Layout<'_>) -> String {
    let mut lines = String::new();
    for (depth, key) in keys.iter().enumerate() {
        lines.push_str(&" ".repeat(indent + depth * layout.step));
        lines.push_str(&word(key));
        lines.push(':');
        if depth + 1 == keys.len() {
            lines.push(' ');
            lines.push_str(&of_block(value));
        }
        lines.push_str(layout.line_break);
    }
    lines
}

/// Keys that lead to a value as an item between braces.
pub fn item(keys: &[String], value: &Setpoint, layout: &Layout<'_>) -> String {
    let written = |text: &str| match layout.is_json {
        true => yaml::quoted_scalar(text),
        false => yaml::scalar(text),
    };
    let inner = match value {
        Setpoint::Text(text) => written(text),
        Setpoint::Words(words) => list(words.iter().map(|word| written(word))),
        Setpoint::Nothing => "null".to_owned(),
    };
    let nested = keys.iter().rev().enumerate();
    nested.fold(inner, |inner, (depth, key)| match depth {
        0 => format!("{}: {inner}", written(key)),
        _ => format!("{}: {{{inner}}}", written(key)),
    })
}

/// A value that stands where another stood, quoted as that was.
pub fn in_place_of(old: &Node, value: &Setpoint, layout: &Layout<'_>) -> String {
    let style = match &old.kind {
        Kind::Scalar(scalar) => scalar.style,
        _ => Style::Plain,
    };
    match (value, style) {
        (Setpoint::Text(text), Style::DoubleQuoted) => yaml::quoted_scalar(text),
        (Setpoint::Text(text), _) if layout.is_json => yaml::quoted_scalar(text),
        (Setpoint::Text(text), Style::SingleQuoted) if !text.contains(char::is_control) => {
            format!("'{}'", text.replace('\'', "''"))
        }
        _ => of_block(value),
    }
}

/// A value behind its key.
pub fn of_block(value: &Setpoint) -> String {
    match value {
        Setpoint::Text(text) => word(text),
        Setpoint::Words(words) => list(words.iter().map(|word| yaml::scalar(word))),
        Setpoint::Nothing => "null".to_owned(),
    }
}

fn list(words: impl Iterator<Item = String>) -> String {
    format!("[{}]", words.collect::<Vec<_>>().join(", "))
}

/// A text without quotes where nobody would take it for anything else: addresses of services and
/// names of models have slashes and colons.
fn word(text: &str) -> String {
    let is_plain = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && !text.ends_with(':')
        && text.contains(['/', ':', '@'])
        && text
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || "-_./:@+".contains(character));
    if is_plain {
        text.to_owned()
    } else {
        yaml::scalar(text)
    }
}
