//! Where in a text a setting can be written: each way that may do, the best first.

use super::Setting;
use super::layout::Layout;
use super::render;
use crate::yaml::{Entry, Kind, Node};

/// The texts that may be what is wanted. None of them has been read yet.
pub fn candidates(document: Option<&Node>, setting: &Setting, layout: &Layout<'_>) -> Vec<String> {
    let Some(root) = document.filter(|node| !node.is_null()) else {
        let lines = render::lines(&setting.path, &setting.value, 0, layout);
        return vec![layout.with_lines_at(layout.text.len(), &lines)];
    };
    let mut mapping = root;
    for (depth, key) in setting.path.iter().enumerate() {
        let Kind::Mapping(entries) = &mapping.kind else {
            return Vec::new();
        };
        let missing = &setting.path[depth..];
        let Some(entry) = entries.iter().find(|entry| entry.key == *key) else {
            let added = Added {
                keys: missing,
                setting,
                layout,
            };
            return added.to(mapping, entries);
        };
        let is_last = missing.len() == 1;
        if is_last {
            return replaced(entry, setting, layout);
        }
        let is_between_braces = layout.is_between_braces(mapping);
        if entry.value.is_null() || (is_empty(&entry.value) && !is_between_braces) {
            let added = Added {
                keys: &missing[1..],
                setting,
                layout,
            };
            return added.as_value_of(entry, is_between_braces);
        }
        mapping = &entry.value;
    }
    Vec::new()
}

/// The value of a key becomes another one.
fn replaced(entry: &Entry, setting: &Setting, layout: &Layout<'_>) -> Vec<String> {
    let span = entry.value.span;
    if span.start == span.end {
        let text = format!(" {}", render::of_block(&setting.value));
        let behind = behind_colon(entry, layout);
        let filled = behind.map(|at| layout.with_instead(at, at, &text));
        return filled.into_iter().collect();
    }
    let text = render::in_place_of(&entry.value, &setting.value, layout);
    vec![layout.with_instead(span.start.offset, span.end.offset, &text)]
}

/// The offset behind the colon of a key.
fn behind_colon(entry: &Entry, layout: &Layout<'_>) -> Option<usize> {
    let end = entry.key_span.end.offset;
    let rest = layout.from(end);
    let blank = rest.len() - rest.trim_start().len();
    rest[blank..].starts_with(':').then_some(end + blank + 1)
}

/// Keys that a mapping does not have yet.
struct Added<'s> {
    keys: &'s [String],
    setting: &'s Setting,
    layout: &'s Layout<'s>,
}

impl Added<'_> {
    fn lines(&self, indent: usize) -> String {
        render::lines(self.keys, &self.setting.value, indent, self.layout)
    }

    fn item(&self) -> String {
        render::item(self.keys, &self.setting.value, self.layout)
    }

    fn to(&self, mapping: &Node, entries: &[Entry]) -> Vec<String> {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
            return self.to_empty(mapping);
        };
        if self.layout.is_between_braces(mapping) {
            return self.to_braces(mapping, first, last);
        }
        let layout = self.layout;
        let indent = first.key_span.start.column - 1;
        let lines = self.lines(indent);
        let start = first.key_span.start.offset;
        let before_first = format!("{}{}", lines.trim_start(), " ".repeat(indent));
        vec![
            layout.with_lines_at(layout.next_line(end_of(last)), &lines),
            layout.with_instead(start, start, &before_first),
        ]
    }

    /// Between braces that hold something already.
    fn to_braces(&self, mapping: &Node, first: &Entry, last: &Entry) -> Vec<String> {
        let (layout, item) = (self.layout, self.item());
        let end = end_of(last);
        let start = first.key_span.start;
        let mut texts = Vec::new();
        if start.line > mapping.span.start.line {
            let has_comma = layout.from(end).trim_start().starts_with(',');
            let line_end = end + layout.from(end).find(['\r', '\n']).unwrap_or_default();
            let rest = &layout.text[end..line_end];
            let (before, behind) = if has_comma { ("", ",") } else { (",", "") };
            let before_key = layout.until(start.offset);
            let indent = &before_key[before_key.trim_end_matches([' ', '\t']).len()..];
            let line = format!("{before}{rest}{}{indent}{item}{behind}", layout.line_break);
            texts.push(layout.with_instead(end, line_end, &line));
        }
        texts.push(layout.with_instead(end, end, &format!(", {item}")));
        texts.push(layout.with_instead(start.offset, start.offset, &format!("{item}, ")));
        texts
    }

    /// To a mapping that holds nothing, which braces alone can be: they make room for lines where
    /// nothing else is between braces.
    fn to_empty(&self, mapping: &Node) -> Vec<String> {
        let layout = self.layout;
        let (start, end) = (mapping.span.start.offset, mapping.span.end.offset);
        let inside = layout.with_instead(start + 1, start + 1, &self.item());
        if layout.is_json || start > 0 {
            return vec![inside];
        }
        let lines = self.lines(0);
        let lines = match layout.from(end).is_empty() {
            true => &lines,
            false => lines.trim_end(),
        };
        vec![layout.with_instead(start, end, lines), inside]
    }

    /// As what a key holds that held nothing.
    fn as_value_of(&self, entry: &Entry, is_between_braces: bool) -> Vec<String> {
        let layout = self.layout;
        let span = entry.value.span;
        let Some(colon) = behind_colon(entry, layout) else {
            return Vec::new();
        };
        // `~` and `null` go.
        let (start, end) = if span.start == span.end {
            (colon, colon)
        } else {
            (span.start.offset, span.end.offset)
        };
        if is_between_braces {
            let blank = if start == colon { " " } else { "" };
            let braces = format!("{blank}{{{}}}", self.item());
            return vec![layout.with_instead(start, end, &braces)];
        }
        let lines = self.lines(entry.key_span.start.column - 1 + layout.step);
        let kept = layout.until(start).trim_end_matches([' ', '\t']).len();
        let next_line = layout.next_line(end);
        let rest = &layout.text[end..next_line];
        let torn = if rest.ends_with('\n') {
            ""
        } else {
            layout.line_break
        };
        vec![layout.with_instead(kept, next_line, &format!("{rest}{torn}{lines}"))]
    }
}

/// Whether a mapping holds nothing.
fn is_empty(node: &Node) -> bool {
    matches!(&node.kind, Kind::Mapping(entries) if entries.is_empty())
}

/// Where an entry ends.
fn end_of(entry: &Entry) -> usize {
    entry.value.span.end.offset.max(entry.key_span.end.offset)
}
