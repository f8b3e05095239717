//! What a program prints as JSON, taken apart while it comes: one object a line, objects within
//! one array, one object over many lines, and text between them.
//!
//! Texts within the objects are shortened before they are held as a whole, since a tool may have
//! printed a whole disk. What the objects mean does not belong here.

use serde_json::{Map, Value};

use crate::bundled::kit::Literal;

/// The most bytes of one object that are held. With every text in it shortened, only one with
/// endless lists is larger.
const MOST_HELD: usize = 32 << 20;
/// The most bytes of a line of text that are held.
const MOST_TEXT: usize = 64 << 10;

/// One thing that was printed.
#[derive(Debug, Clone, PartialEq)]
pub enum Document {
    /// A JSON object.
    Object(Map<String, Value>),
    /// A line that is none, or what is left of an object that was cut off.
    Text(String),
}

/// Takes apart what is printed.
#[derive(Debug, Default)]
pub struct Documents {
    place: Place,
    /// Nothing but blanks has come since the last line break.
    is_line_blank: bool,
    /// The last byte was a line break.
    is_line_empty: bool,
    in_array: bool,
    depth: usize,
    literal: Option<Literal>,
    held: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Place {
    #[default]
    Start,
    Between,
    /// Behind a bracket that begins an array, or a line such as `[debug] …`.
    Bracket,
    Text,
    Object,
    /// In an object that is too large.
    Endless,
}

impl Documents {
    /// Takes in what was read, cut anywhere.
    pub fn push(&mut self, bytes: &[u8], found: &mut dyn FnMut(Document)) {
        for byte in bytes {
            self.take(*byte, found);
        }
    }

    /// There is no more.
    pub fn finish(mut self, found: &mut dyn FnMut(Document)) {
        self.give_text(found);
    }

    fn take(&mut self, byte: u8, found: &mut dyn FnMut(Document)) {
        if self.place == Place::Start {
            (self.place, self.is_line_blank, self.is_line_empty) = (Place::Between, true, true);
        }
        match self.place {
            Place::Start | Place::Between => self.between(byte),
            Place::Bracket => self.behind_bracket(byte),
            Place::Text if byte == b'\n' => self.give_text(found),
            Place::Text if self.held.len() < MOST_TEXT => self.held.push(byte),
            Place::Text => {}
            Place::Object | Place::Endless => self.within(byte, found),
        }
        self.is_line_empty = byte == b'\n';
        self.is_line_blank = self.is_line_empty || (self.is_line_blank && is_blank(byte));
    }

    fn between(&mut self, byte: u8) {
        match byte {
            _ if is_blank(byte) => {}
            b'{' => self.begin_object(),
            b',' if self.in_array => {}
            b']' if self.in_array => self.in_array = false,
            b'[' if self.is_line_blank => self.begin(Place::Bracket, byte),
            _ => self.begin(Place::Text, byte),
        }
    }

    fn behind_bracket(&mut self, byte: u8) {
        match byte {
            _ if is_blank(byte) => {}
            b'{' => {
                self.in_array = true;
                self.begin_object();
            }
            b']' => self.place = Place::Between,
            _ => {
                self.held.push(byte);
                self.place = Place::Text;
            }
        }
    }

    fn begin(&mut self, place: Place, byte: u8) {
        self.place = place;
        self.held.clear();
        self.held.push(byte);
    }

    fn begin_object(&mut self) {
        self.begin(Place::Object, b'{');
        self.depth = 1;
        self.literal = None;
    }

    fn within(&mut self, byte: u8, found: &mut dyn FnMut(Document)) {
        if let Some(literal) = &mut self.literal {
            if byte == b'\n' {
                // No text of JSON goes over the end of a line: the object was cut off.
                self.give_text(found);
            } else if literal.take(byte, &mut self.held) {
                self.literal = None;
            }
            return;
        }
        match byte {
            b'{' if self.is_line_empty => {
                // An object within another is indented or stands on its line: this is a new one.
                self.give_text(found);
                self.begin_object();
                return;
            }
            b'"' => self.literal = Some(Literal::default()),
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth -= 1,
            _ => {}
        }
        if self.held.len() >= MOST_HELD {
            self.place = Place::Endless;
            self.held.clear();
        }
        self.held.push(byte);
        if self.depth == 0 {
            self.give_object(found);
        }
    }

    fn give_object(&mut self, found: &mut dyn FnMut(Document)) {
        let parsed = (self.place == Place::Object)
            .then(|| serde_json::from_str(&String::from_utf8_lossy(&self.held)).ok())
            .flatten();
        match parsed {
            Some(object) => {
                self.place = Place::Between;
                self.held.clear();
                found(Document::Object(object));
            }
            None => self.give_text(found),
        }
    }

    /// Gives what is held as a text, and begins anew behind it.
    fn give_text(&mut self, found: &mut dyn FnMut(Document)) {
        if self.place == Place::Endless {
            self.held = b"[an object of too many bytes left out here]".to_vec();
        }
        self.held.truncate(MOST_TEXT);
        let text = String::from_utf8_lossy(&self.held).trim_end().to_owned();
        (self.place, self.literal) = (Place::Between, None);
        self.held = Vec::new();
        if !text.is_empty() {
            found(Document::Text(text));
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

#[cfg(test)]
mod tests;
