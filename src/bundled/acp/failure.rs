//! What kind of failure an agent's words tell of.

use agent_client_protocol::v1::schema::AuthMethod;
use agent_client_protocol::{Error, ErrorCode};

use super::link::words_of;
use crate::agent::FailureClass;
use crate::bundled::kit::Refusal;
use crate::wording::{cut, harmless, listed, one_line, quoted};

/// The most characters of an agent's words that a message shows.
const MOST_OF_WORDS: usize = 2000;

/// Words that tell of a kind of failure, in the order in which they count. All small.
const TELLING: [(FailureClass, &[&str]); 4] = [
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
            "forbidden",
        ],
    ),
    (
        FailureClass::RateLimit,
        &["rate limit", "rate_limit", "too many requests", "quota"],
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
            "enotfound",
            "econnreset",
            "connection error",
            "connection refused",
            "could not connect",
            "fetch failed",
            "network error",
            "timed out",
        ],
    ),
];

/// The kind of failure that words of a service tell of: by its status, else by what they say.
pub fn class_of_words(words: &str) -> Option<FailureClass> {
    let small = words.to_lowercase();
    let numbers = small.split(|character: char| !character.is_alphanumeric());
    let by_status = numbers
        .filter(|word| word.len() == 3)
        .find_map(|word| class_of_status(word.parse().ok()?));
    let said = |words: &&[&str]| words.iter().any(|word| small.contains(word));
    let by_words = || {
        let mut telling = TELLING.iter();
        telling
            .find(|(_, words)| said(words))
            .map(|(class, _)| *class)
    };
    by_status.or_else(by_words)
}

fn class_of_status(status: u16) -> Option<FailureClass> {
    match status {
        401 | 403 => Some(FailureClass::Authentication),
        429 => Some(FailureClass::RateLimit),
        500..=504 | 529 => Some(FailureClass::Overloaded),
        _ => None,
    }
}

/// An error that the agent answered a request with.
pub fn refused(agent: &str, doing: &str, error: &Error, ways_in: &[AuthMethod]) -> Refusal {
    let words = shown(&words_of(error));
    if error.code == ErrorCode::AUTH_REQUIRED {
        let ways: Vec<_> = ways_in.iter().map(|way| quoted(way.name())).collect();
        let ways = if ways.is_empty() {
            String::new()
        } else {
            format!("; its ways to log in: {}", listed(ways, "and"))
        };
        let message = format!("{agent} wants to be logged in: {words}{ways}");
        return Refusal::new(FailureClass::Authentication, message);
    }
    let is_of_protocol = [
        ErrorCode::PARSE_ERROR,
        ErrorCode::INVALID_REQUEST,
        ErrorCode::METHOD_NOT_FOUND,
        ErrorCode::INVALID_PARAMS,
    ]
    .contains(&error.code);
    let otherwise = if is_of_protocol {
        FailureClass::Crash
    } else {
        FailureClass::Api
    };
    let class = class_of_words(&words).unwrap_or(otherwise);
    let code = error.code.value();
    Refusal::new(
        class,
        format!("{agent} answered {doing} with error {code}: {words}"),
    )
}

/// Words of an agent, fit to stand in a message.
pub fn shown(words: &str) -> String {
    harmless(&cut(&one_line(words), MOST_OF_WORDS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_services_tell_the_class() {
        let cases = [
            (
                "API call failed after 3 retries: HTTP 401: Incorrect API key provided",
                Some(FailureClass::Authentication),
            ),
            ("Error code: 403 - {}", Some(FailureClass::Authentication)),
            (
                "API call failed after 3 retries: HTTP 429: slow down",
                Some(FailureClass::RateLimit),
            ),
            (
                "You exceeded your current quota",
                Some(FailureClass::RateLimit),
            ),
            ("HTTP 503", Some(FailureClass::Overloaded)),
            ("status 529", Some(FailureClass::Overloaded)),
            ("Overloaded", Some(FailureClass::Overloaded)),
            ("Error: Connection error.", Some(FailureClass::Network)),
            ("HTTP 400: bad request", None),
            ("took 4290 ms for 500x", None),
            ("", None),
        ];
        for (words, class) in cases {
            assert_eq!(class_of_words(words), class, "{words}");
        }
    }

    #[test]
    fn errors_are_told_with_their_data_and_the_ways_in() {
        let ways: Vec<AuthMethod> = serde_json::from_str(
            r#"[{"id": "a", "name": "Log in with Google"}, {"id": "b", "name": "API key"}]"#,
        )
        .unwrap();
        let error = Error::new(-32000, "Authentication required");
        let refusal = refused("x", "`session/new`", &error, &ways);
        assert_eq!(refusal.class, FailureClass::Authentication);
        assert_eq!(
            refusal.message,
            "x wants to be logged in: Authentication required; its ways to log in: `Log in with \
             Google` and `API key`"
        );
        let error = Error::new(-32603, "Internal error").data(serde_json::json!({"status": 429}));
        let refusal = refused("x", "`session/prompt`", &error, &ways);
        assert_eq!(refusal.class, FailureClass::RateLimit);
        assert_eq!(
            refusal.message,
            "x answered `session/prompt` with error -32603: Internal error: {\"status\":429}"
        );
        let refusal = refused("x", "`initialize`", &Error::method_not_found(), &[]);
        assert_eq!(refusal.class, FailureClass::Crash);
    }
}
