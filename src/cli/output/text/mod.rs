//! `--format text`: results for people.
//!
//! A list of objects is a table, or a block for each object where the terminal is too narrow. An
//! object is one `key  value` line a key, and what does not fit on a line stands below its key,
//! indented. The layout knows no command: one that wants another picture hands over another value.
//! Nothing in a value reaches the terminal as a command to it.

mod cell;
mod table;

use serde_json::{Map, Value};
use unicode_width::UnicodeWidthStr;

use self::cell::{Cell, harmless_line, harmless_lines};
use self::table::Table;
use super::style::{Colours, HEADING};

/// Columns a table inside of an object may take where no terminal says how many there are.
const WIDTH_OFF_TERMINAL: usize = 100;

/// A longer key does not move the values of the others to the right.
const LONGEST_KEY: usize = 30;

/// How the text is to look.
#[derive(Debug, Clone, Copy, Default)]
pub struct Look {
    /// Whether there are colours.
    pub colours: Colours,
    /// Columns of the terminal; none when the text goes elsewhere, where nothing is cut.
    pub width: Option<usize>,
}

impl Look {
    /// What is left of the width for something indented.
    fn indented(self) -> Self {
        Self {
            width: self.width.map(|width| width.saturating_sub(2)),
            ..self
        }
    }
}

/// The whole result, the final line break included.
pub fn to_string(value: &Value, look: Look) -> String {
    let lines = match value {
        Value::Array(items) if items.is_empty() => vec!["(none)".to_owned()],
        Value::Array(items) => match Table::of(items) {
            Some(table) if look.width.is_none_or(|width| table.can_fit(width)) => table.lines(look),
            _ => list(items, look),
        },
        Value::Object(map) => sections(map, look),
        Value::String(text) => harmless_lines(text),
        scalar => vec![Cell::of("", scalar).painted(look.colours)],
    };
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

/// The result on one line, the line break included: each key before its value.
pub fn line(value: &Value, look: Look) -> String {
    let mut text = match value {
        Value::Object(map) => {
            let pairs = map.iter().map(|(key, value)| {
                let shown_key = look.colours.paint(HEADING, &harmless_line(key));
                format!("{shown_key} {}", Cell::of(key, value).painted(look.colours))
            });
            pairs.collect::<Vec<_>>().join("  ")
        }
        other => Cell::of("", other).painted(look.colours),
    };
    text.push('\n');
    text
}

/// The lines of a value that stands below a key or behind a dash.
fn block(value: &Value, look: Look) -> Vec<String> {
    match value {
        Value::Object(map) if !map.is_empty() => fields(map, look)
            .into_iter()
            .flat_map(|field| field.lines)
            .collect(),
        Value::Array(items) if !items.is_empty() => {
            let widest = look.width.unwrap_or(WIDTH_OFF_TERMINAL);
            match Table::of(items) {
                Some(table) if table.loses_nothing() && table.width() <= widest => {
                    table.lines(look)
                }
                _ => list(items, look),
            }
        }
        Value::String(text) => harmless_lines(text),
        other => vec![Cell::of("", other).painted(look.colours)],
    }
}

/// One item after another, each behind a dash.
fn list(items: &[Value], look: Look) -> Vec<String> {
    let item = |item| indent(block(item, look.indented()), "- ");
    items.iter().flat_map(item).collect()
}

/// An object that stands alone: an empty line around everything that takes several.
fn sections(map: &Map<String, Value>, look: Look) -> Vec<String> {
    let mut lines = Vec::new();
    let mut is_after_block = false;
    for field in fields(map, look) {
        if !lines.is_empty() && (field.is_block || is_after_block) {
            lines.push(String::new());
        }
        is_after_block = field.is_block;
        lines.extend(field.lines);
    }
    if lines.is_empty() {
        lines.push("(none)".to_owned());
    }
    lines
}

struct Field {
    is_block: bool,
    lines: Vec<String>,
}

fn fields(map: &Map<String, Value>, look: Look) -> Vec<Field> {
    let key_width = map
        .iter()
        .filter(|(_, value)| Cell::takes_one_line(value))
        .map(|(key, _)| harmless_line(key).width())
        .filter(|width| *width <= LONGEST_KEY)
        .max()
        .unwrap_or(0);
    map.iter()
        .map(|(key, value)| field(key, value, key_width, look))
        .collect()
}

fn field(key: &str, value: &Value, key_width: usize, look: Look) -> Field {
    let shown_key = harmless_line(key);
    let painted_key = look.colours.paint(HEADING, &shown_key);
    if Cell::takes_one_line(value) {
        let padding = " ".repeat(key_width.saturating_sub(shown_key.width()) + 2);
        let value = Cell::of(key, value).painted(look.colours);
        return Field {
            is_block: false,
            lines: vec![format!("{painted_key}{padding}{value}")],
        };
    }
    let mut lines = vec![painted_key];
    lines.extend(indent(block(value, look.indented()), "  "));
    Field {
        is_block: true,
        lines,
    }
}

/// Two columns before each line, in the first of them the mark; none before an empty line.
fn indent(lines: Vec<String>, mark: &str) -> Vec<String> {
    let indented = |(position, line): (usize, String)| match (position, line.is_empty()) {
        (0, _) => format!("{mark}{line}"),
        (_, true) => line,
        (_, false) => format!("  {line}"),
    };
    lines.into_iter().enumerate().map(indented).collect()
}

#[cfg(test)]
mod tests;
