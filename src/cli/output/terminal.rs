//! Text of others made harmless for a terminal.
//!
//! An agent's answer may hold escape sequences that recolour, retitle or rewrite the screen, and
//! characters that reorder what is read. They are shown instead of obeyed.

use std::borrow::Cow;
use std::fmt::Write;

/// The text with everything a terminal would act on shown as an escape: `\x1b`, `\u{202e}`.
///
/// Line feeds and tabs stay; a carriage return does not, since it lets a line overwrite itself.
/// The result is for reading only: a text that held a written `\x1b` looks the same.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(acts_on_a_terminal) else {
        return Cow::Borrowed(text);
    };
    let (harmless, rest) = text.split_at(first);
    let mut shown = String::with_capacity(text.len() + 16);
    shown.push_str(harmless);
    for character in rest.chars() {
        if acts_on_a_terminal(character) {
            push_escape(&mut shown, character);
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

fn acts_on_a_terminal(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        // C0, DEL and C1: a lone U+009B begins a sequence as ESC [ does.
        _ if character.is_control() => true,
        // Marks, embeddings, overrides and isolates of the bidirectional algorithm.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => true,
        '\u{2066}'..='\u{206f}' => true,
        _ => false,
    }
}

fn push_escape(shown: &mut String, character: char) {
    let code = u32::from(character);
    // Writing to a string cannot fail.
    let _ = if code < 0x100 {
        write!(shown, "\\x{code:02x}")
    } else {
        write!(shown, "\\u{{{code:x}}}")
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_text_is_not_copied() {
        for text in ["", "plain", "two\nlines\tand a tab", "ünïcode 🦀 👩‍💻 עברית"]
        {
            assert!(matches!(sanitize(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        let cases = [
            ("\u{1b}[31mred\u{1b}[0m", r"\x1b[31mred\x1b[0m"),
            ("\u{1b}]0;title\u{7}", r"\x1b]0;title\x07"),
            ("\u{9b}2J", r"\x9b2J"),
            ("done\rfail", r"done\x0dfail"),
            ("a\u{8}b\u{7f}\0", r"a\x08b\x7f\x00"),
            ("if \u{202e}true\u{2066}", r"if \u{202e}true\u{2066}"),
            ("\u{200f}é\u{61c}", r"\u{200f}é\u{61c}"),
        ];
        for (text, shown) in cases {
            assert_eq!(sanitize(text), shown);
        }
    }
}
