//! The key of a service: how it is given, what it may be, and the variable that holds it.
//!
//! It is shown nowhere: not in a message, not in debug output, not in the log.

use std::fmt;
use std::io::{self, Read};

use crate::cli::error::{CommandError, Kind, Result};
use crate::llm::Key;

/// Bytes that a key may have.
const MOST_BYTES: usize = 16 << 10;

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Its text, to be written into `.env`.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

/// What is said about the key.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum KeyWish {
    /// Nothing: one that is set already is used.
    #[default]
    Unsaid,
    /// None is needed.
    NotNeeded,
    /// This one.
    Given(Secret),
}

impl KeyWish {
    /// From what was typed; nothing but blanks means that none is needed.
    pub fn typed(text: &str) -> Result<Self> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::NotNeeded);
        }
        let is_address = text.contains("://");
        match why_no_key(text).or(is_address.then_some("it looks like an address")) {
            Some(why) => Err(refused(why)
                .hint("a key is one word of letters, digits and signs; nothing was changed")),
            None => Ok(Self::Given(Secret(text.to_owned()))),
        }
    }

    /// Refuses what is a line of `.env` rather than the key that this variable is to hold.
    pub fn check_for(&self, variable: &str) -> Result {
        match self {
            Self::Given(Secret(text))
                if text
                    .strip_prefix(variable)
                    .is_some_and(|rest| rest.starts_with('=')) =>
            {
                let line = format!("it looks like `{variable}=…`, a line of .env");
                Err(refused(&line).hint("give what stands behind the `=`; nothing was changed"))
            }
            _ => Ok(()),
        }
    }

    /// From what was typed where a key was promised.
    pub fn needed(text: &str) -> Result<Self> {
        match Self::typed(text)? {
            Self::Given(key) => Ok(Self::Given(key)),
            _ => Err(unreadable("there is nothing in it")),
        }
    }

    /// From standard input, to its end.
    pub fn from_stdin() -> Result<Self> {
        let mut bytes = Vec::new();
        io::stdin()
            .take(MOST_BYTES as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| unreadable(&error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8 text"))?;
        Self::needed(&text)
    }
}

/// Why a text can be no key; none when it can be one. Blanks around it are no part of it.
pub fn why_no_key(text: &str) -> Option<&'static str> {
    let text = text.trim();
    if text.len() > MOST_BYTES {
        Some("it is longer than any key")
    } else if text.contains(['\n', '\r']) {
        Some("it has several lines")
    } else if !Key::new(text).can_be_sent() {
        Some("it holds a character that no key has")
    } else {
        None
    }
}

fn refused(why: &str) -> CommandError {
    CommandError::new(Kind::Request, format!("the key cannot be used: {why}"))
}

fn unreadable(why: &str) -> CommandError {
    CommandError::new(Kind::Request, "cannot read the key from standard input").cause(why)
}

/// The variable that holds a provider's key: its name in capitals, with `_` for all that is
/// neither A-Z nor 0-9, and `_API_KEY`. Before a digit stands one `_` more, since no variable
/// begins with a digit.
pub fn variable_of(provider: &str) -> String {
    let mut name = String::new();
    for character in provider.to_uppercase().chars() {
        match character {
            'A'..='Z' | '0'..='9' => name.push(character),
            // As many as the original counts characters, which it does in UTF-16.
            _ => name.push_str(&"_".repeat(character.len_utf16())),
        }
    }
    if name.starts_with(|first: char| first.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name + "_API_KEY"
}

/// Whether every environment has this variable, whatever keys there are.
pub fn is_everywhere(variable: &str) -> bool {
    const NAMES: [&str; 16] = [
        "DISPLAY", "EDITOR", "HOME", "HOSTNAME", "LANG", "LOGNAME", "MAIL", "OLDPWD", "PAGER",
        "PATH", "PWD", "SHELL", "SHLVL", "TERM", "TMPDIR", "USER",
    ];
    NAMES.contains(&variable) || variable == "_" || variable.starts_with("LC_")
}

/// Whether a text can be the name of a variable.
pub fn is_variable(name: &str) -> bool {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    name.chars().all(is_part)
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_is_the_name_in_capitals() {
        for (provider, variable) in [
            ("openai", "OPENAI_API_KEY"),
            ("my-proxy 2.0", "MY_PROXY_2_0_API_KEY"),
            ("Straße é", "STRASSE___API_KEY"),
            ("𝄞", "___API_KEY"),
            ("01-ai", "_01_AI_API_KEY"),
        ] {
            assert_eq!(variable_of(provider), variable);
            assert!(is_variable(variable));
        }
        assert!(!is_variable("1A") && !is_variable("A B") && !is_variable("") && !is_variable("é"));
    }

    #[test]
    fn a_key_is_one_line_and_never_shown() {
        let given = |text: &str| KeyWish::typed(text);
        let key = given(" sk-12$'\"\n").unwrap();
        assert_eq!(key, KeyWish::Given(Secret("sk-12$'\"".to_owned())));
        assert_eq!(format!("{key:?}"), "Given(Secret(…))");
        assert_eq!(given(" \n").unwrap(), KeyWish::NotNeeded);
        for (text, why) in [
            ("sk-1\nsk-2", "it has several lines"),
            ("sk-1\u{7}", "it holds a character that no key has"),
            ("sk-1 2", "it holds a character that no key has"),
            ("sk-é", "it holds a character that no key has"),
            (&"k".repeat(MOST_BYTES + 1), "it is longer than any key"),
        ] {
            let error = given(text).unwrap_err();
            assert_eq!(error.message(), format!("the key cannot be used: {why}"));
        }
    }
}
