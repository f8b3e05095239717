//! From a byte of a scalar's text back to its place in the file.
//!
//! What was quoted, escaped, indented or folded is walked again, so that a fault inside an
//! expression is pointed at itself. Where the walk does not meet the text, as behind an alias, the
//! scalar as a whole is pointed at.

use std::ops::Range;

use crate::yaml::{Kind, Mark, Node, Span, Style};

/// The place of the character at `offset` in the text of a scalar; of its end, the last one.
pub(super) fn inside(file: &str, node: &Node, offset: usize) -> Span {
    let Kind::Scalar(scalar) = &node.kind else {
        return node.span;
    };
    let text = scalar.text.as_str();
    let Some((last, _)) = text.trim_end().char_indices().next_back() else {
        return node.span;
    };
    let wanted = text.floor_char_boundary(offset.min(last));
    let written = file.get(node.span.start.offset..node.span.end.offset);
    let found = written.and_then(|written| match scalar.style {
        Style::Plain | Style::Literal | Style::Folded => in_lines(written, 0, text, wanted),
        Style::SingleQuoted | Style::DoubleQuoted => {
            let content = written.get(..written.len().checked_sub(1)?)?;
            let next = match scalar.style {
                Style::SingleQuoted => Piece::single_quoted,
                _ => Piece::double_quoted,
            };
            in_quotes(content, next, wanted).or_else(|| in_lines(content, 1, text, wanted))
        }
    });
    found.map_or(node.span, |(from, bytes)| {
        one_character(file, node.span.start, from, bytes)
    })
}

/// The place of a piece of the text of a scalar.
pub(super) fn spanning(file: &str, node: &Node, piece: Range<usize>) -> Span {
    let first = inside(file, node, piece.start);
    let last = inside(file, node, piece.end.saturating_sub(1).max(piece.start));
    Span {
        start: first.start,
        end: last.end.max(first.end),
    }
}

/// The span of one character, so many bytes after a mark.
fn one_character(file: &str, from: Mark, after: usize, bytes: usize) -> Span {
    let offset = from.offset + after;
    let before = file.get(from.offset..offset).unwrap_or_default();
    let (line, column) = match before.rfind('\n') {
        None => (from.line, from.column + before.chars().count()),
        Some(last) => {
            let breaks = before.matches('\n').count();
            (from.line + breaks, before[last..].chars().count())
        }
    };
    let mark = |column, offset| Mark {
        line,
        column,
        offset,
    };
    Span {
        start: mark(column, offset),
        end: mark(column + 1, offset + bytes),
    }
}

/// Where in `written`, after `skipped` bytes, the text's byte `wanted` stands, and how many bytes
/// it takes there: line by line, whatever white space there is around and between the lines.
fn in_lines(written: &str, skipped: usize, text: &str, wanted: usize) -> Option<(usize, usize)> {
    let mut line_start = skipped;
    let mut read = 0;
    for line in written.get(skipped..)?.split('\n') {
        let piece = line.trim();
        if !piece.is_empty() {
            let rest = &text[read..];
            read += rest.len() - rest.trim_start().len();
            if !text[read..].starts_with(piece) {
                return None;
            }
            if wanted < read + piece.len() {
                let indentation = line.len() - line.trim_start().len();
                let at = wanted.saturating_sub(read);
                let length = piece[at..].chars().next()?.len_utf8();
                return Some((line_start + indentation + at, length));
            }
            read += piece.len();
        }
        line_start += line.len() + 1;
    }
    None
}

/// The same for what is between quotes on one line, escapes undone. Begins after the first quote.
fn in_quotes(
    written: &str,
    next: fn(&str) -> Option<Piece>,
    wanted: usize,
) -> Option<(usize, usize)> {
    if written.contains(['\n', '\r']) {
        return None;
    }
    let mut at = 1;
    let mut read = 0;
    loop {
        let piece = next(written.get(at..)?)?;
        if wanted < read + piece.read {
            return Some((at, piece.written));
        }
        at += piece.written;
        read += piece.read;
    }
}

/// One character: how many bytes it takes in the file and in the text.
struct Piece {
    written: usize,
    read: usize,
}

impl Piece {
    fn unchanged(rest: &str) -> Option<Self> {
        let length = rest.chars().next()?.len_utf8();
        Some(Self {
            written: length,
            read: length,
        })
    }

    fn single_quoted(rest: &str) -> Option<Self> {
        if rest.starts_with("''") {
            return Some(Self {
                written: 2,
                read: 1,
            });
        }
        Self::unchanged(rest)
    }

    fn double_quoted(rest: &str) -> Option<Self> {
        let Some(escape) = rest.strip_prefix('\\') else {
            return Self::unchanged(rest);
        };
        let (written, read) = match escape.chars().next()? {
            'x' => coded(escape, 2)?,
            'u' => coded(escape, 4)?,
            'U' => coded(escape, 8)?,
            // Next line, hard space; line and paragraph separator.
            'N' | '_' => (2, 2),
            'L' | 'P' => (2, 3),
            other => (1 + other.len_utf8(), 1),
        };
        Some(Self { written, read })
    }
}

/// An escape with the digits of a character's number.
fn coded(escape: &str, digits: usize) -> Option<(usize, usize)> {
    let number = u32::from_str_radix(escape.get(1..=digits)?, 16).ok()?;
    Some((2 + digits, char::from_u32(number)?.len_utf8()))
}
