//! What kind of failure an agent's words tell of.

use agent_client_protocol::v1::schema::AuthMethod;
use agent_client_protocol::{Error, ErrorCode};

use super::link::words_of;
use crate::agent::FailureClass;
use crate::bundled::kit::{Refusal, class_of_status, class_of_words};
use crate::wording::{cut, harmless, listed, one_line, quoted};

/// The most characters of an agent's words that a message shows.
const MOST_OF_WORDS: usize = 2000;

/// Numbers that are no status by chance, wherever they stand in what an agent says.
const TELLING: [u64; 8] = [401, 403, 429, 500, 502, 503, 504, 529];

/// The kind of failure that an agent's words tell of: by a status of HTTP among them, else by what
/// they say.
pub fn class_of(words: &str) -> Option<FailureClass> {
    let numbers = words.split(|character: char| !character.is_alphanumeric());
    let mut numbers = numbers.filter_map(|word| word.parse().ok());
    let status = numbers.find(|number| TELLING.contains(number));
    status
        .and_then(class_of_status)
        .or_else(|| class_of_words(words))
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
    let class = class_of(&words).unwrap_or(otherwise);
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
            assert_eq!(class_of(words), class, "{words}");
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
