//! How messages are worded, whatever they are about: text of others made short and harmless,
//! lists, counts.
//!
//! Words for one subject, such as the types of JSON Schema, stay in its room.

use std::borrow::Cow;
use std::fmt::Display;

/// Characters of a text of others that a sentence shows.
const LONGEST: usize = 80;

/// Entries of a list that a sentence shows.
const MOST: usize = 20;

/// A text between backticks, fit to stand in a sentence: one line, not long, harmless.
pub fn quoted(text: &str) -> String {
    format!("`{}`", excerpt(text))
}

/// The beginning of a text, fit to stand in a sentence.
pub fn excerpt(text: &str) -> String {
    harmless(&cut(text, LONGEST))
}

/// At most so many characters of a text, and `…` where there are more.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// A text for a terminal: what would steer the terminal, or hide or turn text, is written out.
pub fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_harmful(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Control characters, and those that change the direction of text or take no room.
pub fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A text with every run of white space and control characters as one space.
pub fn one_line(text: &str) -> String {
    let words: Vec<_> = text
        .split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// `a`, `a and b`, `a, b and c`; of long lists the first few, and how many more.
pub fn listed(entries: impl IntoIterator<Item = String>, conjunction: &str) -> String {
    let mut entries = entries.into_iter();
    let shown: Vec<_> = entries.by_ref().take(MOST).collect();
    match (shown.split_last(), entries.count()) {
        (None, _) => String::new(),
        (Some((last, [])), 0) => last.clone(),
        (Some((last, before)), 0) => format!("{} {conjunction} {last}", before.join(", ")),
        (Some(_), more) => format!("{} {conjunction} {more} more", shown.join(", ")),
    }
}

/// A count with its noun: `1 step`, `2 steps`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    let plural = if count == N::from(1) { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_short_and_harmless() {
        assert_eq!(quoted("a b"), "`a b`");
        assert_eq!(
            quoted("\u{1b}[31m\n\u{9b}\u{202e}"),
            r"`\u{1b}[31m\n\u{9b}\u{202e}`"
        );
        assert_eq!(quoted(&"é".repeat(81)), format!("`{}…`", "é".repeat(80)));
        assert_eq!(quoted(&"é".repeat(80)), format!("`{}`", "é".repeat(80)));
        assert_eq!(harmless("a\tb\u{7}"), r"a\tb\u{7}");
    }

    #[test]
    fn one_line_has_single_spaces_only() {
        assert_eq!(one_line(" a\r\n\tb\0c \u{85}"), "a b c");
        assert_eq!(one_line("\n"), "");
    }

    #[test]
    fn lists_read_like_sentences() {
        let listed = |words: &str, conjunction| {
            listed(words.split_whitespace().map(str::to_owned), conjunction)
        };
        assert_eq!(listed("", "and"), "");
        assert_eq!(listed("a", "and"), "a");
        assert_eq!(listed("a b", "or"), "a or b");
        assert_eq!(listed("a b c", "and"), "a, b and c");
        assert_eq!(
            listed(&"a ".repeat(23), "and"),
            format!("{}a and 3 more", "a, ".repeat(19))
        );
    }

    #[test]
    fn a_noun_follows_its_count() {
        assert_eq!(counted(0, "step"), "0 steps");
        assert_eq!(counted(1, "step"), "1 step");
        assert_eq!(counted(2, "step"), "2 steps");
    }
}
