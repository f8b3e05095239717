//! What an agent writes, as lines: one message each, and none larger than memory can bear.
//!
//! A tool may have printed a whole disk, and an agent passes that on in one string of one
//! message. Such a string loses its end while it is read, and says so; the message stays whole.

use serde::de::IgnoredAny;

/// The most bytes of one string, as it is written, that are read.
const MOST_OF_STRING: usize = 4 << 20;

/// The most bytes of one message, after its strings were cut.
const MOST_OF_MESSAGE: usize = 32 << 20;

/// A line that an agent wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// An object of JSON: a message.
    Message(String),
    /// Something else, which is none of the protocol.
    Stray(String),
    /// More than a message may have; nothing of it was kept.
    TooLong,
}

/// Cuts what an agent writes into lines.
#[derive(Debug, Default)]
pub struct Lines {
    line: Vec<u8>,
    is_too_long: bool,
    /// What of a string was read, while one is.
    string: Option<Text>,
}

/// A string within a message, as far as it was read.
#[derive(Debug, Default)]
struct Text {
    length: usize,
    left_out: usize,
    /// Bytes to come that mean something else than they say, after a backslash.
    escaped: u8,
}

impl Lines {
    /// Takes in what was read, cut anywhere; the lines that ended with it.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        for byte in bytes {
            if *byte == b'\n' {
                lines.extend(self.end());
            } else {
                self.take(*byte);
            }
        }
        lines
    }

    /// The last line, where it was not ended.
    pub fn end(&mut self) -> Option<Line> {
        self.string = None;
        let line = std::mem::take(&mut self.line);
        if std::mem::take(&mut self.is_too_long) {
            return Some(Line::TooLong);
        }
        let text = String::from_utf8_lossy(line.trim_ascii());
        if text.is_empty() {
            return None;
        }
        let is_message = text.starts_with('{') && serde_json::from_str::<IgnoredAny>(&text).is_ok();
        Some(if is_message {
            Line::Message(text.into_owned())
        } else {
            Line::Stray(text.into_owned())
        })
    }

    fn take(&mut self, byte: u8) {
        let Some(text) = &mut self.string else {
            if byte == b'"' && self.line.first() == Some(&b'{') {
                self.string = Some(Text::default());
            }
            return self.keep(byte);
        };
        if byte == b'"' && text.escaped == 0 {
            if text.left_out > 0 {
                let note = format!("\\n[{} bytes left out here]", text.left_out);
                self.line.extend_from_slice(note.as_bytes());
            }
            self.string = None;
            return self.keep(byte);
        }
        if text.leaves_out(byte) {
            text.left_out += 1;
        } else {
            text.length += 1;
            self.keep(byte);
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.line.len() < MOST_OF_MESSAGE {
            self.line.push(byte);
        } else {
            self.is_too_long = true;
            self.line.clear();
        }
    }
}

impl Text {
    fn leaves_out(&mut self, byte: u8) -> bool {
        let is_escape = self.escaped > 0 || byte == b'\\';
        self.escaped = match (self.escaped, byte) {
            (0, b'\\') => 1,
            (1, b'u') => 4,
            (escaped, _) => escaped.saturating_sub(1),
        };
        if self.left_out > 0 {
            return true;
        }
        // Not within a character, and not between two escapes that are one character together.
        let is_within_character = is_escape || matches!(byte, 0x80..=0xbf);
        self.length >= MOST_OF_STRING && !is_within_character
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn message(line: &Line) -> Value {
        match line {
            Line::Message(text) => serde_json::from_str(text).unwrap(),
            Line::Stray(_) | Line::TooLong => panic!("it should be a message"),
        }
    }

    #[test]
    fn lines_are_the_same_whatever_the_chunks() {
        let text = "{\"a\": \"\\\"x\\\\\"}\r\nhello\n\n  \n{broken\n[1]\n{\"b\": \"é\"}";
        for size in [1, 2, 7, 100] {
            let mut lines = Lines::default();
            let mut found: Vec<_> = text
                .as_bytes()
                .chunks(size)
                .flat_map(|chunk| lines.push(chunk))
                .collect();
            found.extend(lines.end());
            assert_eq!(
                found,
                [
                    Line::Message("{\"a\": \"\\\"x\\\\\"}".to_owned()),
                    Line::Stray("hello".to_owned()),
                    Line::Stray("{broken".to_owned()),
                    Line::Stray("[1]".to_owned()),
                    Line::Message("{\"b\": \"é\"}".to_owned()),
                ]
            );
            assert_eq!(lines.end(), None);
        }
    }

    #[test]
    fn a_string_that_is_too_long_loses_its_end_and_says_so() {
        let long = "é\"\\\n".repeat(2_000_000);
        let text = json!({"long": long, "short": "x"}).to_string() + "\n";
        let mut lines = Lines::default();
        let found: Vec<_> = text
            .as_bytes()
            .chunks(60_000)
            .flat_map(|chunk| lines.push(chunk))
            .collect();
        let [line] = found.as_slice() else {
            panic!("it should be one line");
        };
        let value = message(line);
        assert_eq!(value["short"], "x");
        let kept = value["long"].as_str().unwrap();
        let (text, note) = kept.rsplit_once('\n').unwrap();
        // Each round is 2 + 2 + 2 + 2 bytes as it is written.
        assert_eq!(text, "é\"\\\n".repeat(MOST_OF_STRING / 8));
        assert_eq!(
            note,
            format!("[{} bytes left out here]", 16_000_000 - MOST_OF_STRING)
        );
    }

    #[test]
    fn half_of_an_escaped_character_is_never_left() {
        let escapes = "\\ud83d\\ude00".repeat(MOST_OF_STRING / 12 + 1);
        let text = format!("{{\"a\": \"{escapes}xyz\"}}\n");
        let found = Lines::default().push(text.as_bytes());
        let value = message(&found[0]);
        let kept = value["a"].as_str().unwrap();
        assert!(kept.ends_with("😀\n[3 bytes left out here]"));
    }

    #[test]
    fn a_message_that_stays_too_long_is_told_and_the_next_is_read() {
        let many = format!("[{}1]", "1,".repeat(MOST_OF_MESSAGE / 2 + 1));
        let text = format!("{{\"a\": {many}}}\n{{}}\n");
        let found = Lines::default().push(text.as_bytes());
        assert_eq!(found, [Line::TooLong, Line::Message("{}".to_owned())]);
    }
}
