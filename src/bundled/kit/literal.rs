//! One text within JSON, from its first quote to its last, shortened and mended as it comes.
//!
//! A tool may have printed a whole disk, and a program passes that on in one string of one object.
//! Where objects begin and end does not belong here.

/// A text that is being read; its first quote has been.
///
/// Half a surrogate pair, which JavaScript writes when it cuts a text in the middle of a
/// character, becomes U+FFFD: a parser would refuse all that stands around it.
#[derive(Debug, Default)]
pub struct Literal {
    /// Bytes that were held.
    length: usize,
    /// Bytes that were not.
    left_out: usize,
    /// The beginning of an escape.
    escape: Vec<u8>,
    /// The first half of a surrogate pair.
    half: Option<Vec<u8>>,
}

impl Literal {
    /// The most bytes of one text that are held, as they are written in JSON.
    pub const MOST: usize = 4 << 20;

    /// Takes in a byte, and adds to `held` what is ready; true when it was the last.
    pub fn take(&mut self, byte: u8, held: &mut Vec<u8>) -> bool {
        if !self.escape.is_empty() {
            self.escape.push(byte);
            if is_whole(&self.escape) {
                let escape = std::mem::take(&mut self.escape);
                self.unit(&escape, held);
            }
            return false;
        }
        match byte {
            b'\\' => {
                self.escape.push(byte);
                false
            }
            b'"' => {
                self.end(held);
                true
            }
            _ => {
                self.unit(&[byte], held);
                false
            }
        }
    }

    /// One plain byte, or one escape.
    fn unit(&mut self, unit: &[u8], held: &mut Vec<u8>) {
        let half = self.half.take();
        match (half, surrogate(unit)) {
            (Some(first), Some(Surrogate::Second)) => self.keep(&[&first, unit].concat(), held),
            (half, kind) => {
                if half.is_some() {
                    self.keep(REPLACEMENT, held);
                }
                match kind {
                    Some(Surrogate::First) => self.half = Some(unit.to_owned()),
                    Some(Surrogate::Second) => self.keep(REPLACEMENT, held),
                    None => self.keep(unit, held),
                }
            }
        }
    }

    fn keep(&mut self, unit: &[u8], held: &mut Vec<u8>) {
        // A character of several bytes is held as a whole, or not at all.
        let is_middle = matches!(unit, [0x80..=0xbf]);
        if self.left_out > 0 || (self.length >= Self::MOST && !is_middle) {
            self.left_out += unit.len();
        } else {
            self.length += unit.len();
            held.extend_from_slice(unit);
        }
    }

    fn end(&mut self, held: &mut Vec<u8>) {
        if self.half.take().is_some() {
            self.keep(REPLACEMENT, held);
        }
        if self.left_out > 0 {
            let mark = format!("\\n[{} bytes left out here]", self.left_out);
            held.extend_from_slice(mark.as_bytes());
        }
        held.push(b'"');
    }
}

const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

fn is_whole(escape: &[u8]) -> bool {
    match escape {
        [b'\\', b'u', digits @ ..] => digits.len() == 4,
        _ => escape.len() == 2,
    }
}

enum Surrogate {
    First,
    Second,
}

fn surrogate(unit: &[u8]) -> Option<Surrogate> {
    let [b'\\', b'u', b'd' | b'D', second, ..] = unit else {
        return None;
    };
    match second.to_ascii_lowercase() {
        b'8' | b'9' | b'a' | b'b' => Some(Surrogate::First),
        b'c' | b'd' | b'e' | b'f' => Some(Surrogate::Second),
        _ => None,
    }
}
