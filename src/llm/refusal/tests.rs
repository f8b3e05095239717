//! Tests of what is said of refusals.

use super::*;
use crate::llm::Key;

fn endpoint() -> Endpoint {
    Endpoint {
        provider: "paid".to_owned(),
        base_url: "https://api.example.org/v1".to_owned(),
        key: Some(Key::new("sk-secret")),
        model: "large-1".to_owned(),
    }
}

fn head(status: u16) -> Head {
    Head {
        status,
        location: None,
        retry_after: None,
    }
}

fn refused(status: u16, body: &str) -> (LlmClass, bool, String) {
    let error = of_status(&endpoint(), &head(status), body.as_bytes(), 0);
    let told = error
        .message
        .strip_prefix("https://api.example.org/v1 answered ")
        .unwrap();
    (error.class, error.is_passing, told.to_owned())
}

fn as_told(class: LlmClass, is_passing: bool, told: &str) -> (LlmClass, bool, String) {
    (class, is_passing, told.to_owned())
}

#[test]
fn the_service_is_heard_in_its_own_words() {
    use LlmClass::{Api, Authentication, Overloaded, RateLimit, Spent};
    for (status, body, class, is_passing, told) in [
        (
            401,
            r#"{"error": {"message": "Incorrect API key provided: sk-secret.", "code": "x"}}"#,
            Authentication,
            false,
            "401: Incorrect API key provided: ….",
        ),
        (
            403,
            r#"{"error": "not for you"}"#,
            Authentication,
            false,
            "403: not for you",
        ),
        (400, r#"{"message": "bad"}"#, Api, false, "400: bad"),
        (
            422,
            r#"{"detail": [{"loc": ["body"], "msg": "field required"}]}"#,
            Api,
            false,
            r#"422: [{"loc":["body"],"msg":"field required"}]"#,
        ),
        (
            402,
            r#"[{"error": {"message": "pay"}}]"#,
            Spent,
            false,
            "402: pay",
        ),
        (408, "", Api, true, "408"),
        (
            429,
            "slow\n\u{1b}[31mdown",
            RateLimit,
            true,
            "429: slow [31mdown",
        ),
        (
            429,
            r#"{"error": {"message": "no money", "type": "insufficient_quota"}}"#,
            Spent,
            false,
            "429: no money",
        ),
        (500, "{}", Overloaded, true, "500: {}"),
        (501, "", Api, false, "501"),
        (
            529,
            r#"{"error": {"message": ""}}"#,
            Overloaded,
            true,
            r#"529: {"error": {"message": ""}}"#,
        ),
        (
            503,
            "<html><body>down</body></html>",
            Overloaded,
            true,
            "503 with a web page, not with JSON: is `baseUrl` of provider `paid` right, and does \
             it end as the service says, such as in `/v1`?",
        ),
    ] {
        assert_eq!(refused(status, body), as_told(class, is_passing, told));
    }
}

#[test]
fn what_is_not_found_is_the_model_or_the_address() {
    for (body, told) in [
        (
            r#"{"error": {"message": "The model `large-1` does not exist"}}"#,
            "404: The model `large-1` does not exist",
        ),
        (
            r#"{"error": {"message": "no such model"}}"#,
            "404: no such model (the model that was asked is `large-1`)",
        ),
        (
            "404 page not found\n",
            "404: 404 page not found; is `baseUrl` of provider `paid` right, and does it end as \
             the service says, such as in `/v1`?",
        ),
        (
            r#"{"detail": "Not Found"}"#,
            "404: Not Found (the model that was asked is `large-1`); is `baseUrl` of provider \
             `paid` right, and does it end as the service says, such as in `/v1`?",
        ),
        (
            r#"{"object": "error", "message": "Invalid model: large-1"}"#,
            "404: Invalid model: large-1",
        ),
        (
            "{}",
            "404: {}; is `baseUrl` of provider `paid` right, and does it end as the service says, \
             such as in `/v1`?",
        ),
        (
            " <!DOCTYPE html>",
            "404 with a web page, not with JSON: is `baseUrl` of provider `paid` right, and does \
             it end as the service says, such as in `/v1`?",
        ),
        (
            "",
            "404: is `baseUrl` of provider `paid` right, and does it end as the service says, \
             such as in `/v1`?",
        ),
    ] {
        assert_eq!(refused(404, body), as_told(LlmClass::Api, false, told));
    }
}

#[test]
fn a_redirect_is_told_and_not_followed() {
    let head = Head {
        location: Some("https://other.example.org/v1/sk-secret".to_owned()),
        ..head(308)
    };
    let error = of_status(&endpoint(), &head, b"", 0);
    assert_eq!(
        error.message,
        "https://api.example.org/v1 answered 308: it sends us to \
         https://other.example.org/v1/…; the key is for the address in `baseUrl` of provider \
         `paid` alone, so set that to where the API is"
    );
}

#[test]
fn a_service_may_say_when_to_come_back() {
    let now = 1_796_044_961_000;
    let wait = |text: &str| {
        let head = Head {
            retry_after: Some(text.to_owned()),
            ..head(429)
        };
        of_status(&endpoint(), &head, b"", now).retry_after
    };
    assert_eq!(wait("7"), Some(Duration::from_secs(7)));
    assert_eq!(
        wait("Mon, 30 Nov 2026 13:22:51 GMT"),
        Some(Duration::from_secs(10))
    );
    assert_eq!(wait("Mon, 30 Nov 2020 13:22:51 GMT"), Some(Duration::ZERO));
    assert_eq!(wait("soon"), None);
    let error = of_status(&endpoint(), &head(429), b"", now);
    assert_eq!(
        too_long(&error, Duration::from_secs(3600), now).message,
        "https://api.example.org/v1 answered 429; it wants to be asked again in 3600 s and no \
         sooner, that is at 2026-11-30 14:22:41 UTC"
    );
}

#[test]
fn errors_within_answers_have_a_class_too() {
    use LlmClass::{Api, Authentication, Overloaded, RateLimit};
    for (error, class, is_passing, told) in [
        (r#"{"message": "m", "code": 429}"#, RateLimit, true, "m"),
        (r#"{"message": "m", "code": 502}"#, Overloaded, true, "m"),
        (
            r#"{"message": "m", "code": 401}"#,
            Authentication,
            false,
            "m",
        ),
        (
            r#"{"message": "m", "code": "rate_limit_exceeded"}"#,
            RateLimit,
            true,
            "m",
        ),
        (
            r#"{"message": "m", "type": "overloaded_error"}"#,
            Overloaded,
            true,
            "m",
        ),
        (
            r#"{"message": "m", "type": "invalid_api_key"}"#,
            Authentication,
            false,
            "m",
        ),
        (r#"{"message": "m"}"#, Api, false, "m"),
        (r#""sk-secret""#, Api, false, "…"),
        ("{}", Api, false, "an error without a word"),
    ] {
        let error = in_answer(&endpoint(), &serde_json::from_str(error).unwrap());
        let message = format!("https://api.example.org/v1 answered: {told}");
        assert_eq!(
            (error.class, error.is_passing, error.message),
            (class, is_passing, message)
        );
    }
}

#[test]
fn what_is_no_answer_is_told_apart() {
    for (body, told) in [
        (
            "<html>",
            "with a web page, not with JSON: is `baseUrl` of provider `paid` right, and does it \
             end as the service says, such as in `/v1`?",
        ),
        (
            "{\"status\": \"ok\"}",
            "with JSON that is no answer of a chat API: is `baseUrl` of provider `paid` right, \
             and does it end as the service says, such as in `/v1`?",
        ),
        ("hello", "with something that is no JSON: hello"),
    ] {
        let error = malformed(&endpoint(), body.as_bytes());
        let message = format!("https://api.example.org/v1 answered {told}");
        assert_eq!((error.class, error.message), (LlmClass::Malformed, message));
    }
}
