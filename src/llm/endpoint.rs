//! Where a model is served, and the key that opens it.

use std::fmt;

/// A model that can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// What messages call the service.
    pub provider: String,
    /// The address of its API, without a slash at its end: `/chat/completions` is put behind it.
    pub base_url: String,
    /// Its key; none when it needs none.
    pub key: Option<Key>,
    /// What the service calls the model.
    pub model: String,
}

impl Endpoint {
    /// The address as messages show it: without a user name and password that may stand in it.
    pub fn address(&self) -> String {
        let (scheme, rest) = match self.base_url.split_once("://") {
            Some((scheme, rest)) => (format!("{scheme}://"), rest),
            None => (String::new(), self.base_url.as_str()),
        };
        let host_ends = rest.find('/').unwrap_or(rest.len());
        let host_begins = rest[..host_ends].rfind('@').map_or(0, |at| at + 1);
        self.without_key(&format!("{scheme}{}", &rest[host_begins..]))
    }

    /// A text of the service without the key, should it repeat it.
    pub(super) fn without_key(&self, text: &str) -> String {
        match &self.key {
            Some(key) => key.hidden_in(text),
            None => text.to_owned(),
        }
    }
}

/// Texts shorter than this are no secret, and may be a part of any word.
const SHORTEST_SECRET: usize = 6;
/// From this length on a key without a digit is no word: what services give out has both, and
/// local servers that want any key at all are given `ollama`, `lm-studio` or the like.
const LONGEST_WORD: usize = 20;

/// A key. It appears in no message and in no debug output.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// From its text. White space around it is none of it: files end with a line break.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into().trim().to_owned())
    }

    /// Whether it can stand in the header of a request: it is visible ASCII, without a blank.
    pub fn can_be_sent(&self) -> bool {
        self.0.chars().all(|character| character.is_ascii_graphic())
    }

    /// Its text, for the header of a request alone.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// A text of a conversation without this key. One that may be a word stays: to cut it would tear
    /// the texts that are worked on.
    pub fn cut_from(key: Option<&Self>, text: &str) -> String {
        match key {
            Some(key) if !key.may_be_a_word() => key.hidden_in(text),
            _ => text.to_owned(),
        }
    }

    fn may_be_a_word(&self) -> bool {
        self.0.len() < LONGEST_WORD && !self.0.bytes().any(|byte| byte.is_ascii_digit())
    }

    fn hidden_in(&self, text: &str) -> String {
        if self.0.len() < SHORTEST_SECRET {
            return text.to_owned();
        }
        text.replace(&self.0, "…")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(base_url: &str, key: &str) -> Endpoint {
        Endpoint {
            provider: "p".to_owned(),
            base_url: base_url.to_owned(),
            key: Some(Key::new(key)),
            model: "m".to_owned(),
        }
    }

    #[test]
    fn an_address_is_shown_without_who_logs_in() {
        for (base_url, address) in [
            ("https://api.example.org/v1", "https://api.example.org/v1"),
            ("https://me:pass@word@host/v1/@x", "https://host/v1/@x"),
            ("me@host", "host"),
            ("https://host/sk-1234/v1", "https://host/…/v1"),
        ] {
            assert_eq!(endpoint(base_url, "sk-1234").address(), address);
        }
    }

    #[test]
    fn a_key_is_never_shown() {
        let endpoint = endpoint("http://h", " sk-1234\n");
        assert_eq!(endpoint.without_key("no sk-1234, no"), "no …, no");
        assert!(!format!("{endpoint:?}").contains("1234"));
        let short = Key::new("no-12");
        assert_eq!(short.hidden_in("no-12"), "no-12");
    }

    #[test]
    fn a_key_is_cut_from_a_conversation_unless_it_may_be_a_word() {
        let cut = |key: &str, text: &str| Key::cut_from(Some(&Key::new(key)), text);
        assert_eq!(cut("sk-1234", "a=sk-1234\nb=sk-1234"), "a=…\nb=…");
        assert_eq!(
            cut("correct-horse-battery", "a correct-horse-battery"),
            "a …"
        );
        for word in ["ollama", "lm-studio", "sk-no-key-required", "x1"] {
            assert_eq!(cut(word, &format!("use {word}")), format!("use {word}"));
        }
        assert_eq!(Key::cut_from(None, "sk-1234"), "sk-1234");
    }
}
