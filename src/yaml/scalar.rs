//! One text as a YAML scalar, for the few files that are written.

use std::fmt::Write;

use crate::wording::is_harmful;

/// A text as YAML that every reader takes for that text.
///
/// `serde_yaml` is not asked, because it leaves `12345E6789012` bare: that overflows its floats,
/// and the original reads it as infinity.
pub fn scalar(text: &str) -> String {
    if is_word(text) || is_code(text) {
        return text.to_owned();
    }
    quoted_scalar(text)
}

/// A text between double quotes, which JSON takes for the same text.
pub fn quoted_scalar(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if is_harmful(character) || matches!(character, '\u{fffe}' | '\u{ffff}') => {
                // Writing to a string cannot fail. Four digits are enough for all of these.
                let _ = write!(quoted, "\\u{:04x}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// A plain word that no version of YAML takes for a value.
fn is_word(text: &str) -> bool {
    const VALUES: [&str; 9] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character))
        && !VALUES.iter().any(|value| text.eq_ignore_ascii_case(value))
}

/// An id or a hash that begins with a digit and is no number. Of their alphabet, only digits, and
/// digits around one `E`, can be taken for one.
fn is_code(text: &str) -> bool {
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = match text.split_once('E') {
        Some((mantissa, exponent)) => digits(mantissa) && digits(exponent) && !exponent.is_empty(),
        None => digits(text),
    };
    let is_capital = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(is_capital)
        && !is_number
}
