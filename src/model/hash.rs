//! The name of a node in the content-addressed store.

use std::fmt;
use std::str::FromStr;

use super::text::written_as_text;
use crate::wording::quoted;

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Thirteen characters of Crockford's base 32, upper case: what a node is called.
///
/// Every text of that shape is a `Hash`, also one that no 64-bit digest can produce (first
/// character above `F`): such a hash is well-formed and names no node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, std::hash::Hash)]
pub struct Hash([u8; Hash::LENGTH]);

/// The text is not a hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} is not a hash: a hash is 13 characters of 0-9 and A-Z without I, L, O and U", quoted(.0))]
pub struct InvalidHash(pub String);

impl Hash {
    /// Characters in a hash.
    pub const LENGTH: usize = 13;

    /// The hash that names a 64-bit digest: big-endian, the one spare bit on top.
    pub const fn from_digest(digest: u64) -> Self {
        let mut text = [0; Self::LENGTH];
        let mut position = 0;
        while position < Self::LENGTH {
            let shift = 5 * (Self::LENGTH - 1 - position);
            text[position] = ALPHABET[((digest >> shift) & 31) as usize];
            position += 1;
        }
        Self(text)
    }

    /// A hash known when the program is compiled. Fails to compile when it is not well-formed.
    pub const fn literal(text: &str) -> Self {
        match Self::parse(text.as_bytes()) {
            Some(hash) => hash,
            None => panic!("not a hash"),
        }
    }

    const fn parse(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Self::LENGTH {
            return None;
        }
        let mut text = [0; Self::LENGTH];
        let mut position = 0;
        while position < Self::LENGTH {
            let byte = bytes[position];
            if !matches!(byte, b'0'..=b'9' | b'A'..=b'H' | b'J' | b'K' | b'M' | b'N' | b'P'..=b'T' | b'V'..=b'Z')
            {
                return None;
            }
            text[position] = byte;
            position += 1;
        }
        Some(Self(text))
    }

    /// The thirteen characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for Hash {
    type Err = InvalidHash;

    fn from_str(text: &str) -> Result<Self, InvalidHash> {
        Self::parse(text.as_bytes()).ok_or_else(|| InvalidHash(text.to_owned()))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

written_as_text!(Hash);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_written_big_endian_with_the_spare_bit_on_top() {
        assert_eq!(Hash::from_digest(0).as_str(), "0000000000000");
        assert_eq!(Hash::from_digest(31).as_str(), "000000000000Z");
        assert_eq!(Hash::from_digest(u64::MAX).as_str(), "FZZZZZZZZZZZZ");
    }

    #[test]
    fn texts_of_another_shape_are_refused() {
        for text in [
            "",
            "3RZYZ9X0Y34K",
            "3RZYZ9X0Y34K77",
            "3rzyz9x0y34k7",
            "3RZYZ9X0Y34KI",
            "3RZYZ9X0Y34KU",
            "ééééééé",
        ] {
            assert_eq!(text.parse::<Hash>(), Err(InvalidHash(text.to_owned())));
        }
        assert_eq!(
            "ZZZZZZZZZZZZZ".parse::<Hash>().unwrap().as_str(),
            "ZZZZZZZZZZZZZ"
        );
    }
}
