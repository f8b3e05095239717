//! How a text is laid out, so that what is added looks like it.

use crate::yaml::{Kind, Node};

/// Columns that a block is indented by where the text shows no other habit.
const USUAL_STEP: usize = 2;

/// A text and its habits.
pub struct Layout<'t> {
    pub text: &'t str,
    /// What ends its lines.
    pub line_break: &'static str,
    /// Columns by which an inner block is indented.
    pub step: usize,
    /// Whether it is written as JSON is.
    pub is_json: bool,
}

impl<'t> Layout<'t> {
    /// Of a text and what it says.
    pub fn of(text: &'t str, document: Option<&Node>) -> Self {
        let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Self {
            text,
            line_break,
            step: document.and_then(step).unwrap_or(USUAL_STEP),
            is_json: document.is_some_and(|node| is_json(text, node)),
        }
    }

    /// The text from an offset on.
    pub fn from(&self, offset: usize) -> &'t str {
        self.text.get(offset..).unwrap_or_default()
    }

    /// The text up to an offset.
    pub fn until(&self, offset: usize) -> &'t str {
        self.text.get(..offset).unwrap_or_default()
    }

    /// Whether a mapping stands between braces.
    pub fn is_between_braces(&self, node: &Node) -> bool {
        self.from(node.span.start.offset).starts_with('{')
    }

    /// Where the line after an offset begins; the offset itself when a line begins there.
    pub fn next_line(&self, offset: usize) -> usize {
        if offset > 0 && self.until(offset).ends_with('\n') {
            return offset;
        }
        let rest = self.from(offset);
        offset + rest.find('\n').map_or(rest.len(), |at| at + 1)
    }

    /// The text with whole lines put in where a line begins, or at its end.
    pub fn with_lines_at(&self, offset: usize, lines: &str) -> String {
        let before = self.until(offset);
        let is_torn = !before.is_empty() && !before.ends_with('\n');
        let torn = if is_torn { self.line_break } else { "" };
        format!("{before}{torn}{lines}{}", self.from(offset))
    }

    /// The text with something else in place of a part of it.
    pub fn with_instead(&self, start: usize, end: usize, new: &str) -> String {
        format!("{}{new}{}", self.until(start), self.from(end))
    }
}

/// The first block within a block shows the habit.
fn step(node: &Node) -> Option<usize> {
    let Kind::Mapping(entries) = &node.kind else {
        return None;
    };
    entries.iter().find_map(|entry| {
        let Kind::Mapping(inner) = &entry.value.kind else {
            return None;
        };
        let first = inner.first()?.key_span.start;
        let is_block =
            first.line > entry.key_span.start.line && entry.value.span.start.offset == first.offset;
        let step = first.column.checked_sub(entry.key_span.start.column)?;
        (is_block && step > 0).then_some(step)
    })
}

fn is_json(text: &str, node: &Node) -> bool {
    let starts = |offset: usize, with| text.get(offset..).is_some_and(|it| it.starts_with(with));
    let Kind::Mapping(entries) = &node.kind else {
        return false;
    };
    starts(node.span.start.offset, '{')
        && !entries.is_empty()
        && entries
            .iter()
            .all(|entry| starts(entry.key_span.start.offset, '"'))
}
