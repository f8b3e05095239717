//! What kind of failure a service tells of, by its status or by its words, when a program passes
//! them on. Pure.

use crate::agent::FailureClass;

/// Words that tell of a kind of failure, in the order in which they count. All small.
const TELLING: [(FailureClass, &[&str]); 6] = [
    (
        FailureClass::Configuration,
        &["no llm provider configured", "no provider configured"],
    ),
    (
        FailureClass::Budget,
        &[
            "credit balance",
            "insufficient credit",
            "insufficient balance",
            "insufficient_quota",
        ],
    ),
    (
        FailureClass::Authentication,
        &[
            "unauthorized",
            "unauthenticated",
            "authentication",
            "invalid api key",
            "incorrect api key",
            "invalid x-api-key",
            "not logged in",
            "/login",
            "oauth token",
            "forbidden",
        ],
    ),
    (
        FailureClass::RateLimit,
        &[
            "rate limit",
            "rate_limit",
            "too many requests",
            "limit reached",
            "usage limit",
            "hit your limit",
            "quota",
        ],
    ),
    (
        FailureClass::Overloaded,
        &[
            "overloaded",
            "service unavailable",
            "bad gateway",
            "internal server error",
        ],
    ),
    (
        FailureClass::Network,
        &[
            "econnrefused",
            "econnreset",
            "enotfound",
            "connection error",
            "connection refused",
            "could not connect",
            "unable to connect",
            "fetch failed",
            "network error",
            "timed out",
        ],
    ),
];

/// The kind of failure that a status of HTTP tells of; none when it tells of none.
pub fn class_of_status(status: u64) -> Option<FailureClass> {
    match status {
        401 | 403 => Some(FailureClass::Authentication),
        402 => Some(FailureClass::Budget),
        429 => Some(FailureClass::RateLimit),
        400..=499 => Some(FailureClass::Api),
        500..=599 => Some(FailureClass::Overloaded),
        _ => None,
    }
}

/// The kind of failure that words tell of; none when they could be about anything.
pub fn class_of_words(words: &str) -> Option<FailureClass> {
    let small = words.to_lowercase();
    let said = |words: &&[&str]| words.iter().any(|word| small.contains(word));
    let mut telling = TELLING.iter();
    telling
        .find(|(_, words)| said(words))
        .map(|(class, _)| *class)
}
