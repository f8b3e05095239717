//! Bytes of a program as text: what is valid stays as it is, what is not is replaced and counted.

/// What an agent wrote, as text.
///
/// Bytes that are not UTF-8 become U+FFFD, and a warning says how many there were. A NUL stays.
pub fn decode_text(bytes: &[u8]) -> (String, Option<String>) {
    let mut text = String::with_capacity(bytes.len());
    let mut invalid = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            text.push(char::REPLACEMENT_CHARACTER);
            invalid += chunk.invalid().len();
        }
    }
    let warning = match invalid {
        0 => None,
        1 => Some("1 byte of the answer is not UTF-8 and was replaced".to_owned()),
        _ => Some(format!(
            "{invalid} bytes of the answer are not UTF-8 and were replaced"
        )),
    };
    (text, warning)
}

/// The beginning of a line, fit for an error message: control characters are escaped.
pub(super) fn excerpt(line: &str) -> String {
    const LONGEST: usize = 80;
    let mut shown = String::new();
    for (position, character) in line.chars().enumerate() {
        if position == LONGEST {
            shown.push('…');
            break;
        }
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// How many bytes at the front make whole characters: one that is unfinished at the end is left
/// out. Bytes that can never become a character are not waited for.
pub(super) fn whole_characters(bytes: &[u8]) -> usize {
    let end = bytes.len();
    for start in (end.saturating_sub(3)..end).rev() {
        let length = match bytes[start] {
            0x80..=0xbf => continue,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => 1,
        };
        return if start + length > end { start } else { end };
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_text_stays_as_it_is() {
        let text = "Größe\0\u{feff}日本 👩‍🚀\r\n";
        assert_eq!(decode_text(text.as_bytes()), (text.to_owned(), None));
    }

    #[test]
    fn invalid_bytes_are_replaced_and_counted() {
        let (text, warning) = decode_text(b"a\xffb\xf0\x9f\x91c");
        assert_eq!(text, "a\u{fffd}b\u{fffd}c");
        assert_eq!(
            warning.as_deref(),
            Some("4 bytes of the answer are not UTF-8 and were replaced")
        );
        assert_eq!(
            decode_text(b"\xc3").1.as_deref(),
            Some("1 byte of the answer is not UTF-8 and was replaced")
        );
    }

    #[test]
    fn an_excerpt_is_short_and_cannot_command_a_terminal() {
        assert_eq!(excerpt("\u{1b}[2Jé\0"), "\\u{1b}[2Jé\\u{0}");
        assert_eq!(excerpt(&"é".repeat(81)), "é".repeat(80) + "…");
        assert_eq!(excerpt(&"é".repeat(80)), "é".repeat(80));
    }

    #[test]
    fn only_an_unfinished_character_at_the_end_is_left_for_later() {
        let rocket = "a🚀".as_bytes();
        assert_eq!(whole_characters(rocket), 5);
        assert_eq!(whole_characters(&rocket[..4]), 1);
        assert_eq!(whole_characters(b"\xff\xfea"), 3);
        assert_eq!(whole_characters(b"\xffa\xc3"), 2);
        assert_eq!(whole_characters(b""), 0);
    }
}
