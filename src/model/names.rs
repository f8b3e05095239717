//! Names: of threads, of roles, and of the places a thread can be at.

use std::fmt;
use std::str::FromStr;

use super::text::written_as_text;
use crate::wording::quoted;

/// The id of a thread: 26 characters of Crockford's base 32, upper case, the first at most `7`.
///
/// New ones are ULIDs. The original's are of the same shape with another clock, so order and
/// time are never read from an id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, std::hash::Hash)]
pub struct ThreadId([u8; ThreadId::LENGTH]);

/// The text is not a thread id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} is not a thread id: an id is 26 characters of 0-9 and A-Z without I, L, O and U, the first at most 7",
    quoted(.0)
)]
pub struct InvalidThreadId(pub String);

impl ThreadId {
    /// Characters in a thread id.
    pub const LENGTH: usize = 26;

    /// The 26 characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl FromStr for ThreadId {
    type Err = InvalidThreadId;

    fn from_str(text: &str) -> Result<Self, InvalidThreadId> {
        let invalid = || InvalidThreadId(text.to_owned());
        let bytes: [u8; Self::LENGTH] = text.as_bytes().try_into().map_err(|_| invalid())?;
        let crockford = |byte: &u8| {
            byte.is_ascii_digit()
                || (byte.is_ascii_uppercase() && !matches!(byte, b'I' | b'L' | b'O' | b'U'))
        };
        if bytes[0] > b'7' || !bytes.iter().all(crockford) {
            return Err(invalid());
        }
        Ok(Self(bytes))
    }
}

impl fmt::Debug for ThreadId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The name of a role: not empty, no NUL (it is an argument of the agent), no `$` in front
/// (those are places of the graph).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, std::hash::Hash)]
pub struct RoleName(String);

/// The text is not the name of a role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidName {
    /// No character, or only white space.
    #[error("a role's name must not be blank")]
    Blank,
    /// A NUL character cannot be passed to a program.
    #[error("a role's name must not hold a NUL character")]
    Nul,
    /// `$START`, `$END` and their like are places of the graph.
    #[error("{} cannot be a role: names that begin with `$` are places of the graph", quoted(.0))]
    Reserved(String),
}

impl RoleName {
    /// The name as it is written in the workflow.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RoleName {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        if text.trim().is_empty() {
            return Err(InvalidName::Blank);
        }
        if text.contains('\0') {
            return Err(InvalidName::Nul);
        }
        if text.starts_with('$') {
            return Err(InvalidName::Reserved(text.to_owned()));
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for RoleName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, formatter)
    }
}

/// Where a thread can be, and where an edge can lead: a place of the graph.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, std::hash::Hash)]
pub enum Place {
    /// Before the first step, `$START`.
    Start,
    /// At a role.
    Role(RoleName),
    /// Done, `$END`.
    End,
}

impl Place {
    /// How [`Place::Start`] is written.
    pub const START: &'static str = "$START";
    /// How [`Place::End`] is written.
    pub const END: &'static str = "$END";

    /// The place as it is written in a graph.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Start => Self::START,
            Self::Role(role) => role.as_str(),
            Self::End => Self::END,
        }
    }
}

impl FromStr for Place {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        match text {
            Self::START => Ok(Self::Start),
            Self::END => Ok(Self::End),
            role => role.parse().map(Self::Role),
        }
    }
}

written_as_text!(ThreadId, RoleName, Place);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_both_programs_are_accepted_and_an_overflowing_one_is_not() {
        for text in [
            "06H2S7T0SYTNXJYWQYS40BBMNR",
            "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
        ] {
            assert_eq!(text.parse::<ThreadId>().unwrap().as_str(), text);
        }
        for text in [
            "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            "01ARZ3NDEKTSV4RRFFQ69G5FA",
            "01arz3ndektsv4rrffq69g5fav",
            "../../etc/passwd0000000000",
        ] {
            assert_eq!(
                text.parse::<ThreadId>(),
                Err(InvalidThreadId(text.to_owned()))
            );
        }
    }

    #[test]
    fn a_place_reads_as_it_is_written() {
        for text in ["$START", "$END", "reviewer"] {
            assert_eq!(text.parse::<Place>().unwrap().as_str(), text);
        }
        assert_eq!(
            "$OTHER".parse::<Place>(),
            Err(InvalidName::Reserved("$OTHER".to_owned()))
        );
        assert_eq!(" ".parse::<RoleName>(), Err(InvalidName::Blank));
        assert_eq!("a\0b".parse::<RoleName>(), Err(InvalidName::Nul));
    }
}
