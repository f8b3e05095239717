//! What is told of a text that cannot be read.

use super::tree::Mark;

/// Why a text is not YAML we read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// What is wrong, in our own words, lower case, without the position.
    pub message: String,
    /// Where.
    pub mark: Mark,
    /// A second place that matters, such as the first of two equal keys, with what it is.
    pub related: Option<(&'static str, Mark)>,
}

impl Fault {
    /// A fault with one place.
    pub(super) fn new(mark: Mark, message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            mark,
            related: None,
        }
    }

    /// The same with a second place.
    pub(super) fn with_related(mut self, what: &'static str, mark: Mark) -> Self {
        self.related = Some((what, mark));
        self
    }
}
