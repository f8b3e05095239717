//! Tests of setting a service up.

use super::*;
use crate::llm::Key;
use crate::llm::scripted::{ModelServer, Reply};

const LIMIT: Duration = Duration::from_secs(60);

fn endpoint(base_url: &str) -> Endpoint {
    Endpoint {
        provider: "local".to_owned(),
        base_url: base_url.to_owned(),
        key: Some(Key::new("sk-secret")),
        model: "m-1".to_owned(),
    }
}

#[test]
fn the_models_are_listed_as_they_are_served() {
    let models = json!({"object": "list", "data": [{"id": "z"}, {"id": "a"}, {"other": 1}]});
    let server = ModelServer::new([Reply::json(200, &models)]);
    assert_eq!(
        list_models(&endpoint(&server.url()), LIMIT),
        Ok(vec!["z".to_owned(), "a".to_owned()])
    );
    let request = &server.requests()[0];
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("GET", "/v1/models")
    );
    assert_eq!(request.header("authorization"), Some("Bearer sk-secret"));
}

#[test]
fn what_is_no_list_of_models_is_an_error() {
    let page = Reply::new(200, "text/html", "<html></html>");
    for (reply, told) in [
        (
            page,
            "answered with a web page, not with JSON: is `baseUrl` of provider `local` right, and \
             does it end as the service says, such as in `/v1`?",
        ),
        (
            Reply::json(200, &json!({"ok": true})),
            "answered with JSON that is no answer of a chat API: is `baseUrl` of provider `local` \
             right, and does it end as the service says, such as in `/v1`?",
        ),
        (
            Reply::error(401, "no key sk-secret"),
            "answered 401: no key …",
        ),
    ] {
        let server = ModelServer::new([reply]);
        let error = list_models(&endpoint(&server.url()), LIMIT).unwrap_err();
        assert_eq!(error.message, format!("{} {told}", server.url()));
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn a_probe_tells_what_was_said_else_the_model() {
    let said = |content: &str| {
        let choice = json!({"message": {"role": "assistant", "content": content}});
        Reply::json(200, &json!({"model": "m-1-large", "choices": [choice]}))
    };
    let server = ModelServer::new([said("OK\n"), said("")]);
    let endpoint = endpoint(&server.url());
    assert_eq!(probe(&endpoint, LIMIT), Ok("OK".to_owned()));
    assert_eq!(probe(&endpoint, LIMIT), Ok("m-1-large".to_owned()));
    assert_eq!(
        server.requests()[0].json(),
        json!({
            "model": "m-1",
            "messages": [{"role": "user", "content": "Answer with OK."}],
            "max_tokens": 1,
        })
    );
}

#[test]
fn a_limit_that_is_refused_is_left_out_in_the_end() {
    let answer = json!({"choices": [{"message": {"content": "OK"}}]});
    let server = ModelServer::new([
        Reply::error(400, "Unsupported parameter: 'max_tokens'"),
        Reply::error(400, "max_completion_tokens was reached"),
        Reply::json(200, &answer),
    ]);
    assert_eq!(probe(&endpoint(&server.url()), LIMIT), Ok("OK".to_owned()));
    let limits: Vec<_> = server
        .requests()
        .iter()
        .map(|request| {
            let body = request.json();
            LIMITS.map(|limit| limit.is_some_and(|limit| body.get(limit).is_some()))
        })
        .collect();
    let expected = [
        [true, false, false],
        [false, true, false],
        [false, false, false],
    ];
    assert_eq!(limits, expected);
}

#[test]
fn another_refusal_is_told_at_once() {
    let server = ModelServer::new([Reply::error(404, "no model m-1")]);
    let error = probe(&endpoint(&server.url()), LIMIT).unwrap_err();
    assert_eq!(
        (error.class, error.message),
        (
            LlmClass::Api,
            format!("{} answered 404: no model m-1", server.url())
        )
    );
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_service_that_is_silent_or_not_there_is_given_up() {
    let server = ModelServer::new([Reply::stream(["{"]).then_silence()]);
    let limit = Duration::from_millis(200);
    let error = list_models(&endpoint(&server.url()), limit).unwrap_err();
    assert_eq!(
        (error.class, error.message),
        (
            LlmClass::Timeout,
            format!("{} did not answer within 200 ms", server.url())
        )
    );
    let gone = server.url();
    drop(server);
    let error = list_models(&endpoint(&gone), LIMIT).unwrap_err();
    assert_eq!(
        (error.class, error.message),
        (
            LlmClass::Network,
            format!("cannot reach {gone}: the connection was refused")
        )
    );
}

#[test]
fn an_address_or_a_key_that_cannot_be_used_is_told_before_a_request() {
    for base_url in [
        "",
        "api.example.org/v1",
        "ftp://host/v1",
        "http://",
        "http://a b/v1",
    ] {
        let error = list_models(&endpoint(base_url), LIMIT).unwrap_err();
        assert_eq!(
            (error.class, error.message),
            (
                LlmClass::Configuration,
                format!(
                    "`baseUrl` of provider `local` is no address of an API: `{base_url}` is not \
                     like `https://api.example.org/v1`"
                )
            )
        );
    }
    let endpoint = Endpoint {
        key: Some(Key::new("two words")),
        ..endpoint("http://127.0.0.1:1/v1")
    };
    assert_eq!(
        list_models(&endpoint, LIMIT).unwrap_err().message,
        "the key of provider `local` holds a character that no key has: is it the key?"
    );
}
