//! Quoted text that went wrong: where it opened, and which escape is unknown.
//!
//! The parser reports such a scalar where it noticed, or where it opened, never both.

use super::source::Source;

/// The last quoted text that opens between two offsets.
pub(super) struct Quoted {
    /// The offset of its first quote.
    pub opening: usize,
    /// Whether it ends before the second offset.
    pub closed: bool,
}

/// Finds the quoted text that an error at `until` is about. `from` is a place outside of quotes.
pub(super) fn last_quoted(source: Source<'_>, from: usize, until: usize) -> Option<Quoted> {
    let text = source.between(from, until);
    let mut at = 0;
    let mut last = None;
    while let Some((start, quote)) = next_quote(text, at) {
        let end = closing(text, start + 1, quote);
        last = Some(Quoted {
            opening: from + start,
            closed: end.is_some(),
        });
        at = end.unwrap_or(text.len()) + 1;
    }
    last
}

/// The next quote that can open quoted text, comments passed over.
fn next_quote(text: &str, from: usize) -> Option<(usize, char)> {
    let mut before = ' ';
    let mut in_comment = false;
    for (at, character) in text.get(from..)?.char_indices() {
        match character {
            '\n' | '\r' => in_comment = false,
            '#' if before.is_whitespace() => in_comment = true,
            '"' | '\'' if !in_comment && opens_after(before) => {
                return Some((from + at, character));
            }
            _ => {}
        }
        before = character;
    }
    None
}

/// Whether a quote after this character opens quoted text; else it is a character of a word.
fn opens_after(before: char) -> bool {
    before.is_whitespace() || matches!(before, '[' | '{' | ',' | ':')
}

/// Where the quoted text that begins at `from` ends.
fn closing(text: &str, from: usize, quote: char) -> Option<usize> {
    let mut characters = text.get(from..)?.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        if character == '\\' && quote == '"' {
            characters.next();
        } else if character == quote {
            let doubled = quote == '\'' && characters.next_if(|(_, next)| *next == '\'').is_some();
            if !doubled {
                return Some(from + at);
            }
        }
    }
    None
}

/// The first escape that is none, in the double-quoted text that opens at `opening`: where it
/// stands and how it begins.
pub(super) fn bad_escape(source: Source<'_>, opening: usize) -> Option<(usize, &str)> {
    let start = opening + 1;
    let text = source.from(start);
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return None,
            '\\' => {
                let (next_at, next) = characters.next()?;
                let digits = match next {
                    'x' => 2,
                    'u' => 4,
                    'U' => 8,
                    '0' | 'a' | 'b' | 't' | 'n' | 'v' | 'f' | 'r' | 'e' | ' ' | '"' | '/'
                    | '\\' | 'N' | '_' | 'L' | 'P' | '\t' | '\n' | '\r' => 0,
                    _ => return Some((start + at, &text[at..next_at + next.len_utf8()])),
                };
                let after = text[next_at + next.len_utf8()..].bytes().take(digits);
                if after.filter(u8::is_ascii_hexdigit).count() < digits {
                    return Some((start + at, &text[at..next_at + next.len_utf8()]));
                }
            }
            _ => {}
        }
    }
    None
}
