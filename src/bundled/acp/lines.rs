//! What an agent writes, as lines: one message each, and none larger than memory can bear.
//!
//! A string that is too long loses its end while it is read, and says so; the message stays whole.

use std::fmt::Display;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use crate::bundled::kit::Literal;
use crate::wording::excerpt;

/// The most bytes of one message, after its strings were cut.
const MOST_OF_MESSAGE: usize = 32 << 20;

/// A line that an agent wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// An object of JSON: a message.
    Message(String),
    /// Something else, which is none of the protocol.
    Stray(String),
    /// It means to be a message, and nobody can tell what it says: whoever waits for it would wait
    /// for ever. Why.
    Broken(String),
    /// More than a message may have; nothing of it was kept.
    TooLong,
}

/// What tells whether an object is a message of the protocol.
#[derive(Deserialize)]
struct Shape {
    #[serde(default, deserialize_with = "is_there")]
    id: bool,
    #[serde(default, deserialize_with = "is_there")]
    method: bool,
    #[serde(default, deserialize_with = "is_there")]
    result: bool,
    error: Option<ErrorShape>,
}

#[derive(Deserialize)]
struct ErrorShape {
    #[serde(rename = "code")]
    _code: i64,
    #[serde(rename = "message")]
    _message: IgnoredAny,
}

fn is_there<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(value).map(|_| true)
}

impl Line {
    fn of(text: &str) -> Self {
        let broken = |why: &dyn Display| {
            let shown = excerpt(text);
            Self::Broken(format!(
                "it sent a message that cannot be read: {why}: {shown}"
            ))
        };
        let is_json = serde_json::from_str::<IgnoredAny>(text);
        match (is_json, text.starts_with('{')) {
            (Ok(_), true) => {}
            (Err(error), true) if text.contains("\"jsonrpc\"") => return broken(&error),
            _ => return Self::Stray(text.to_owned()),
        }
        match serde_json::from_str::<Shape>(text) {
            Ok(shape) if shape.id && !shape.method && !shape.result && shape.error.is_none() => {
                broken(&"it answers with neither a result nor an error")
            }
            Ok(_) => Self::Message(text.to_owned()),
            Err(error) => broken(&error),
        }
    }
}

/// Cuts what an agent writes into lines.
#[derive(Debug, Default)]
pub struct Lines {
    line: Vec<u8>,
    is_too_long: bool,
    /// The string that is being read.
    string: Option<Literal>,
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
        Some(Line::of(&text))
    }

    fn take(&mut self, byte: u8) {
        match &mut self.string {
            Some(string) => {
                if string.take(byte, &mut self.line) {
                    self.string = None;
                }
            }
            None => {
                if byte == b'"' && self.line.first() == Some(&b'{') {
                    self.string = Some(Literal::default());
                }
                self.line.push(byte);
            }
        }
        if self.line.len() > MOST_OF_MESSAGE {
            self.is_too_long = true;
            self.line.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn message(line: &Line) -> Value {
        match line {
            Line::Message(text) => serde_json::from_str(text).unwrap(),
            Line::Stray(_) | Line::Broken(_) | Line::TooLong => panic!("it should be a message"),
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
    fn a_message_that_cannot_be_read_is_not_taken_for_chatter() {
        for (text, why) in [
            (
                r#"{"jsonrpc":"2.0","id":3,"error":"text"}"#,
                "invalid type: string",
            ),
            (
                r#"{"jsonrpc":"2.0","id":3,"result":{"n":Infinity}}"#,
                "expected value",
            ),
            (
                r#"{"jsonrpc":"2.0","id":3}"#,
                "it answers with neither a result nor an error",
            ),
        ] {
            let Line::Broken(said) = Line::of(text) else {
                panic!("{text} should be broken");
            };
            assert!(said.contains(why), "{said}");
        }
        for text in [
            r#"{"jsonrpc":"2.0","id":3,"result":null}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}"#,
            r#"{"jsonrpc":"2.0","method":"session/update","params":{}}"#,
            r#"{"id":"a","method":"fs/read_text_file"}"#,
        ] {
            assert_eq!(Line::of(text), Line::Message(text.to_owned()));
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
        assert_eq!(text, "é\"\\\n".repeat(Literal::MOST / 8));
        assert_eq!(
            note,
            format!("[{} bytes left out here]", 16_000_000 - Literal::MOST)
        );
    }

    #[test]
    fn half_of_an_escaped_character_is_never_left() {
        let escapes = "\\ud83d\\ude00".repeat(Literal::MOST / 12 + 1);
        let text = format!("{{\"a\": \"{escapes}xyz\"}}\n");
        let found = Lines::default().push(text.as_bytes());
        let value = message(&found[0]);
        let kept = value["a"].as_str().unwrap();
        assert!(kept.ends_with("😀\n[3 bytes left out here]"));
    }

    #[test]
    fn half_of_a_character_that_an_agent_wrote_does_not_cost_the_message() {
        let found = Lines::default().push(b"{\"a\": \"x\\ud83dy\"}\n");
        assert_eq!(message(&found[0]), json!({"a": "x\u{fffd}y"}));
    }

    #[test]
    fn a_message_that_stays_too_long_is_told_and_the_next_is_read() {
        let many = format!("[{}1]", "1,".repeat(MOST_OF_MESSAGE / 2 + 1));
        let text = format!("{{\"a\": {many}}}\n{{}}\n");
        let found = Lines::default().push(text.as_bytes());
        assert_eq!(found, [Line::TooLong, Line::Message("{}".to_owned())]);
    }
}
