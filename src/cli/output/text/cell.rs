//! One value on one line.

use std::borrow::Cow;

use anstyle::Style;
use serde_json::Value;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::cli::output::style::{BAD, Colours, ENDED, GOOD, LIVE};
use crate::cli::output::{json, number, terminal};
use crate::model::utc_text;

/// Keys whose whole numbers are moments, in milliseconds since 1970.
const MOMENTS: [&str; 6] = [
    "timestamp",
    "completedAt",
    "startedAt",
    "updatedAt",
    "since",
    "time",
];

/// The years that are meant: 1973 to 5138. Other numbers under these keys are something else.
const PLAUSIBLE_MS: std::ops::Range<f64> = 1e11..1e14;

/// Columns up to which a list of words is told in one line.
const SHORT_LIST: usize = 76;

/// A value as a line, or a part of one.
pub struct Cell {
    text: String,
    style: Style,
    is_number: bool,
}

impl Cell {
    /// The value of a key; its name tells moments and words that have a colour.
    pub fn of(key: &str, value: &Value) -> Self {
        let text = match value {
            Value::Null => "-".to_owned(),
            Value::Bool(true) => "yes".to_owned(),
            Value::Bool(false) => "no".to_owned(),
            Value::Number(number) => match moment(key, number::as_float(number)) {
                Some(moment) => moment,
                None => {
                    return Self {
                        text: number::text(number::as_float(number)),
                        style: Style::new(),
                        is_number: true,
                    };
                }
            },
            Value::String(text) if text.is_empty() => "\"\"".to_owned(),
            Value::String(text) => harmless_line(text).into_owned(),
            Value::Array(items) => short_list(items).unwrap_or_else(|| compact(value)),
            Value::Object(_) => compact(value),
        };
        Self {
            text,
            style: style(key, value),
            is_number: false,
        }
    }

    /// A heading: no value.
    pub fn heading(key: &str, style: Style) -> Self {
        Self {
            text: harmless_line(key).into_owned(),
            style,
            is_number: false,
        }
    }

    /// Whether the value is told whole on one line, in words rather than in JSON.
    pub fn takes_one_line(value: &Value) -> bool {
        match value {
            Value::String(text) => !text.trim_end_matches('\n').contains('\n'),
            Value::Array(items) => items.is_empty() || short_list(items).is_some(),
            Value::Object(map) => map.is_empty(),
            _ => true,
        }
    }

    pub fn is_number(&self) -> bool {
        self.is_number
    }

    /// Columns it takes.
    pub fn width(&self) -> usize {
        self.text.width()
    }

    pub fn painted(&self, colours: Colours) -> String {
        colours.paint(self.style, &self.text)
    }

    /// The same in at most so many columns, `…` at the end when something is missing.
    pub fn cut(&self, columns: usize) -> Self {
        if self.width() <= columns {
            return Self {
                text: self.text.clone(),
                ..*self
            };
        }
        let mut text = String::new();
        let mut used = 1;
        for character in self.text.chars() {
            used += character.width().unwrap_or(0);
            if used > columns {
                break;
            }
            text.push(character);
        }
        text.truncate(text.trim_end().len());
        text.push('…');
        Self { text, ..*self }
    }
}

fn moment(key: &str, number: f64) -> Option<String> {
    let is_moment = MOMENTS.contains(&key) && PLAUSIBLE_MS.contains(&number);
    // The range is that of whole numbers a float holds exactly.
    is_moment.then(|| format!("{} UTC", utc_text(number as u64)))
}

/// Words and numbers, none of which could be taken for two: `a, b`.
fn short_list(items: &[Value]) -> Option<String> {
    let word = |item: &Value| match item {
        Value::String(text) => {
            let is_word = !text.is_empty() && !text.contains([',', '\n', '\t']);
            is_word.then(|| harmless_line(text).into_owned())
        }
        Value::Array(_) | Value::Object(_) | Value::Null => None,
        scalar => Some(Cell::of("", scalar).text),
    };
    if items.is_empty() || items.len() > SHORT_LIST {
        return None;
    }
    let list = items
        .iter()
        .map(word)
        .collect::<Option<Vec<_>>>()?
        .join(", ");
    (list.width() <= SHORT_LIST).then_some(list)
}

fn compact(value: &Value) -> String {
    harmless_line(&json::to_string(value)).into_owned()
}

fn style(key: &str, value: &Value) -> Style {
    match (key, value) {
        ("status", Value::String(status)) => match status.as_str() {
            "completed" => GOOD,
            "active" | "running" => LIVE,
            "killed" => ENDED,
            "failed" | "damaged" => BAD,
            _ => Style::new(),
        },
        ("error", Value::String(_)) => BAD,
        _ => Style::new(),
    }
}

/// A text on one line, with nothing in it that a terminal would obey.
pub fn harmless_line(text: &str) -> Cow<'_, str> {
    let text = text.trim_end_matches('\n');
    let shown = terminal::sanitize(text);
    if shown.contains(['\n', '\t']) {
        Cow::Owned(shown.replace(['\n', '\t'], " "))
    } else {
        shown
    }
}

/// The lines of a text, with nothing in them that a terminal would obey.
pub fn harmless_lines(text: &str) -> Vec<String> {
    let text = text.trim_end_matches('\n');
    terminal::sanitize(text)
        .split('\n')
        .map(str::to_owned)
        .collect()
}
