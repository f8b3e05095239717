//! The beginning of an id or a hash, as a person types it.

use std::fmt;

/// The first characters of a name in Crockford's base 32, in upper case: at least four, and at
/// most the whole name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prefix(String);

impl Prefix {
    /// Fewer characters than this are more likely a slip than a name.
    pub const SHORTEST: usize = 4;

    /// What a text is the beginning of; none when no name of `whole` characters begins like that.
    /// Small letters mean the capital ones.
    pub fn of(text: &str, whole: usize) -> Option<Self> {
        let crockford = |byte: u8| {
            byte.is_ascii_digit()
                || (byte.is_ascii_uppercase() && !matches!(byte, b'I' | b'L' | b'O' | b'U'))
        };
        let upper = text.to_ascii_uppercase();
        let fits = (Self::SHORTEST..=whole).contains(&upper.len()) && upper.bytes().all(crockford);
        fits.then_some(Self(upper))
    }

    /// Whether a name begins like that.
    pub fn begins(&self, name: &str) -> bool {
        name.starts_with(&self.0)
    }

    /// The characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_has_four_characters_of_the_alphabet_or_more_in_any_case() {
        let of = |text| Prefix::of(text, 13).map(|prefix| prefix.0);
        assert_eq!(of("06h2"), Some("06H2".to_owned()));
        assert_eq!(of("3rzyz9x0y34k7"), Some("3RZYZ9X0Y34K7".to_owned()));
        for text in [
            "",
            "06H",
            "3RZYZ9X0Y34K77",
            "06HI",
            "06 H2",
            "review",
            "éééé",
            "@",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
        let prefix = Prefix::of("3rzy", 13).unwrap();
        assert!(prefix.begins("3RZYZ9X0Y34K7") && !prefix.begins("3RZ"));
    }
}
