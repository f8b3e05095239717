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

/// A key. It appears in no message and in no debug output.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// From its text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Its text, for the header of a request alone.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}
