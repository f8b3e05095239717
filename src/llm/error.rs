//! Why a model gives no answer.

use std::time::Duration;

/// What stood in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LlmClass {
    /// The address or the key is none that a request can be made with.
    Configuration,
    /// The service does not know the key, or does not let it do this (401, 403).
    Authentication,
    /// The service wants fewer requests (429).
    RateLimit,
    /// The account has no money left (402, or a code that says so): none comes back in a minute.
    Spent,
    /// The service is overloaded, or failed itself (5xx).
    Overloaded,
    /// The service refused the request for another reason (the other 4xx).
    Api,
    /// The service could not be reached, or its answer broke off.
    Network,
    /// The service was silent for too long.
    Timeout,
    /// What was answered is no answer of a chat API.
    Malformed,
    /// This signal asked for an end.
    Interrupted(i32),
}

/// Why a model gives no answer, with the service's own words where it said some.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LlmError {
    /// What stood in the way.
    pub class: LlmClass,
    /// What happened; never holds the key, and is harmless on a terminal.
    pub message: String,
    /// The code the service answered with, where it answered.
    pub(super) status: Option<u16>,
    /// All that the service said, for us to look for words in: never shown, and not harmless.
    pub(super) said: String,
    /// Whether the same request may be answered in a while.
    pub(super) is_passing: bool,
    /// How long the service asked to be left alone.
    pub(super) retry_after: Option<Duration>,
}

impl LlmError {
    /// One that stays: asking again would lead to the same.
    pub(super) fn new(class: LlmClass, message: impl Into<String>) -> Self {
        Self {
            class,
            message: message.into(),
            status: None,
            said: String::new(),
            is_passing: false,
            retry_after: None,
        }
    }

    /// One that may be gone when the service is asked again.
    pub(super) fn passing(class: LlmClass, message: impl Into<String>) -> Self {
        Self {
            is_passing: true,
            ..Self::new(class, message)
        }
    }

    /// A signal asked for an end.
    pub(super) fn interrupted(signal: i32) -> Self {
        let message = format!("interrupted by signal {signal}");
        Self::new(LlmClass::Interrupted(signal), message)
    }

    /// Whether the service refused the request because of this part of it.
    pub(super) fn is_about(&self, part: &str) -> bool {
        matches!(self.status, Some(400 | 422)) && self.said.contains(part)
    }
}
