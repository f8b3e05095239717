//! The model is asked for one word; whatever comes of that, what was written stays.

use std::time::Duration;

use serde_json::{Value, json};

use super::KEY;
use crate::environment::{Environment, Ran};
use crate::model_server::{ModelServer, Reply};

/// Sets up the model of this server.
fn setup(environment: &Environment, server: &ModelServer, variables: &[(&str, &str)]) -> Ran {
    environment.write_keys(&format!("TEST_API_KEY={KEY}\n"));
    let url = server.url();
    let mut command = environment.command(&["setup", "--provider", "test", "--base-url", &url]);
    command
        .args(["--model", "m-1", "--api-key-env", "TEST_API_KEY"])
        .envs(variables.iter().copied());
    let ran = Ran::from(command.output().unwrap());
    assert!(!format!("{ran:?}").contains(KEY), "{ran:?}");
    assert!(environment.config().contains("defaultModel: default\n"));
    ran
}

fn word(text: &str) -> Reply {
    let message = json!({"role": "assistant", "content": text});
    Reply::json(
        200,
        &json!({"model": "m-1-large", "choices": [{"message": message, "finish_reason": "length"}]}),
    )
}

fn validation(ran: &Ran) -> Value {
    let result: Value = serde_json::from_str(&ran.stdout).unwrap();
    result["validation"].clone()
}

#[test]
fn a_model_that_answers_is_told_with_its_word() {
    let environment = Environment::new();
    let server = ModelServer::new([word("O\u{1b}K")]);
    let ran = setup(&environment, &server, &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let valid = json!({"ok": true, "value": "O\u{1b}K"});
    assert_eq!(
        ran.stdout,
        environment.result("test", "m-1", "builtin", &valid)
    );
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    let authorization = format!("Bearer {KEY}");
    assert_eq!(
        requests[0].header("authorization"),
        Some(authorization.as_str())
    );
    assert_eq!(requests[0].json()["model"], "m-1");
    assert_eq!(requests[0].json()["max_tokens"], 1);
}

#[test]
fn a_refusal_is_told_and_undoes_nothing() {
    let environment = Environment::new();
    let refusal = format!("no such key: {KEY}");
    let server = ModelServer::new([Reply::error(401, &refusal)]);
    let ran = setup(&environment, &server, &[]);
    assert_eq!(ran.code, Some(0));
    let validation = validation(&ran);
    assert_eq!(validation["ok"], false);
    let error = validation["error"].as_str().unwrap();
    assert!(error.contains("answered 401"), "{error}");
    assert_eq!(
        ran.stderr,
        format!(
            "warning: all is written, but the model does not answer: {error}\n\
             hint: run `uwf setup` again: what is right stays\n"
        )
    );
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn an_address_that_may_be_another_one_is_asked_about() {
    let environment = Environment::new();
    let server = ModelServer::new([Reply::error(404, "no such page")]);
    let ran = setup(&environment, &server, &[]);
    assert_eq!(
        ran.stderr.lines().last(),
        Some(
            "hint: does the address end as the service says, such as in /v1? If not, run `uwf \
             setup` again: what is right stays"
        )
    );
}

#[test]
fn a_service_that_is_silent_is_not_waited_for() {
    let environment = Environment::new();
    let server = ModelServer::new([word("").after(Duration::from_secs(3600))]);
    let ran = setup(&environment, &server, &[("UWF_PROBE_TIMEOUT", "200ms")]);
    assert_eq!(ran.code, Some(0));
    let validation = validation(&ran);
    assert_eq!(validation["ok"], false);
    let error = validation["error"].as_str().unwrap();
    assert!(error.contains("did not answer within "), "{error}");
}

#[test]
fn a_model_about_which_nothing_is_new_is_not_asked() {
    let environment = Environment::new();
    let server = ModelServer::new([word("OK")]);
    setup(&environment, &server, &[]);
    let ran = environment.setup(&["--agent", "hermes"], "");
    let unasked = json!({"ok": null, "value": null});
    assert_eq!(
        ran.stdout,
        environment.result("test", "m-1", "hermes", &unasked)
    );
    assert_eq!(server.requests().len(), 1);
}
