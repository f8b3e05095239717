//! The shape of a string: plain, quoted, or a literal block.

use std::fmt::Write;

use super::Level;
use super::plain;

/// A double-quoted text of at least this many units as JSON is written over several lines.
const SPREAD_FROM: usize = 40;

/// A mapping key; it stays on one line.
pub(super) fn key(text: &str, level: Level) -> String {
    if needs_escapes(text) || text.contains('\n') {
        return double_quoted(text, Breaks::Escaped);
    }
    let is_marker = level.is_top() && begins_like_marker(text);
    if !is_marker && plain::reads_as_itself(text) {
        return text.to_owned();
    }
    quoted(text)
}

/// A value or an item whose text, where it takes several lines, stands at this level.
pub(super) fn value(text: &str, level: Level) -> String {
    // What a document would take for a marker must not stand at its margin.
    let holds_marker = level.is_top() && text.split(['\n', '\r']).any(begins_like_marker);
    let indent = if holds_marker { level.below() } else { level }.indent();
    if needs_escapes(text) || needs_quotes_for_blanks(text) {
        return double_quoted(text, Breaks::Written(&indent));
    }
    if text.contains('\n') {
        return literal(text, &indent);
    }
    if !plain::reads_as_itself(text) {
        return quoted(text);
    }
    if holds_marker {
        return literal(text, &indent);
    }
    text.to_owned()
}

/// Characters that YAML holds only as escapes.
fn needs_escapes(text: &str) -> bool {
    text.chars()
        .any(|c| !is_break_or_tab(c) && is_unprintable(c))
}

fn is_break_or_tab(character: char) -> bool {
    matches!(character, '\n' | '\t')
}

fn is_unprintable(character: char) -> bool {
    character.is_control() || matches!(character, '\u{fffe}' | '\u{ffff}')
}

/// In a block, blanks after the last line break would be lost, and a text of blanks alone would
/// be taken for indentation.
fn needs_quotes_for_blanks(text: &str) -> bool {
    let Some((_, last_line)) = text.rsplit_once('\n') else {
        return false;
    };
    let is_blank = |text: &str| text.chars().all(|c| matches!(c, ' ' | '\t' | '\n'));
    (!last_line.is_empty() && is_blank(last_line)) || (is_blank(text) && text.contains(' '))
}

/// At the margin of a document, such a line ends it or is a directive.
fn begins_like_marker(line: &str) -> bool {
    ["---", "...", "%"]
        .iter()
        .any(|marker| line.starts_with(marker))
}

/// A line that nothing needs to be escaped in: single quotes where that saves escapes.
fn quoted(line: &str) -> String {
    if line.contains('"') && !line.contains('\'') {
        format!("'{line}'")
    } else {
        double_quoted(line, Breaks::Escaped)
    }
}

/// A block that keeps its lines as they are.
fn literal(text: &str, indent: &str) -> String {
    let mut block = String::from("|");
    if begins_with_blank_column(text) {
        // How far the block is indented cannot be told from a first line that begins with blanks.
        block.push(if indent.is_empty() { '1' } else { '2' });
    }
    block.push_str(chomping(text));
    let body = text.strip_suffix('\n').unwrap_or(text);
    for (number, line) in body.split('\n').enumerate() {
        block.push('\n');
        if number == 0 || !line.is_empty() {
            block.push_str(indent);
        }
        block.push_str(line);
    }
    block
}

fn begins_with_blank_column(text: &str) -> bool {
    text.chars()
        .take_while(|c| matches!(c, ' ' | '\n'))
        .any(|c| c == ' ')
}

/// What becomes of the line breaks at the end: dropped, one, or all kept.
fn chomping(text: &str) -> &'static str {
    let content = text.trim_end_matches([' ', '\t', '\n']);
    match text[content.len()..].find('\n') {
        None => "-",
        Some(first) if content.is_empty() || content.len() + first + 1 < text.len() => "+",
        Some(_) => "",
    }
}

/// What becomes of line breaks between double quotes.
#[derive(Debug, Clone, Copy)]
enum Breaks<'a> {
    /// `\n`.
    Escaped,
    /// An empty line each and this indentation, when the text is long enough for that to help
    /// the reader.
    Written(&'a str),
}

fn double_quoted(text: &str, breaks: Breaks<'_>) -> String {
    let spread = match breaks {
        Breaks::Written(indent) if length_as_json(text) >= SPREAD_FROM => Some(indent),
        _ => None,
    };
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if let Some(indent) = spread
            && let count @ 1.. = breaks_to_write(rest)
        {
            rest = &rest[count..];
            push_written_breaks(&mut quoted, count, indent, rest);
        } else {
            rest = &rest[character.len_utf8()..];
            push_character(&mut quoted, character, rest);
        }
    }
    quoted.push('"');
    quoted
}

/// How many line breaks the text begins with, without the one that ends it: that one is escaped
/// all the same, since the quote follows it.
fn breaks_to_write(text: &str) -> usize {
    let run = text.len() - text.trim_start_matches('\n').len();
    if run == text.len() {
        run.saturating_sub(1)
    } else {
        run
    }
}

/// Folding takes one break away, and the blanks around it unless a backslash holds them.
fn push_written_breaks(quoted: &mut String, count: usize, indent: &str, rest: &str) {
    for _ in 0..=count {
        quoted.push('\n');
    }
    quoted.push_str(indent);
    if rest.starts_with(' ') && !rest.starts_with(" \n") {
        quoted.push('\\');
    }
}

fn push_character(quoted: &mut String, character: char, rest: &str) {
    let short = match character {
        ' ' if rest.starts_with('\n') => ' ',
        '"' | '\\' => character,
        '\0' => '0',
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        _ if is_unprintable(character) => return push_code(quoted, character),
        _ => return quoted.push(character),
    };
    quoted.push('\\');
    quoted.push(short);
}

fn push_code(quoted: &mut String, character: char) {
    let code = u32::from(character);
    // Writing to a string cannot fail.
    let _ = if code < 0x100 {
        write!(quoted, "\\x{code:02x}")
    } else {
        write!(quoted, "\\u{code:04x}")
    };
}

/// How long JavaScript's JSON of the text is, in UTF-16 units: what the original measures.
fn length_as_json(text: &str) -> usize {
    let quotes = 2;
    let length = |character| match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => character.len_utf16(),
    };
    quotes + text.chars().map(length).sum::<usize>()
}
