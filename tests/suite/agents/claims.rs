//! Agents that have stored a step themselves and name it: which is taken, which is refused and why.

use serde_json::{Value, json};

use super::{STEP, advance, claim, next_step, put, put_text};
use crate::environment::Environment;

const TEXT: &str = "86N29KJ2R9X6K";

/// The agent names a step that must not be taken, for this reason.
#[track_caller]
fn refuse(environment: &Environment, thread: &str, hash: &str, why: &str) {
    let threads = environment.read_in_root("threads.yaml");
    let before = environment.attempts(thread).len();
    let ran = claim(environment, thread, hash);
    ran.assert_no_result(3);
    let message = format!("agent `claim` named the step {hash}, which {why}");
    ran.assert_begins(&format!("error: {message}\n"));
    assert!(
        ran.stderr
            .ends_with(&environment.on_record(thread, before + 1)),
        "{}",
        ran.stderr
    );
    assert_eq!(environment.read_in_root("threads.yaml"), threads);
    let attempts = environment.attempts(thread);
    let attempt = &attempts[before];
    assert_eq!(attempts.len(), before + 1);
    assert_eq!(attempt["role"], next_step(environment, thread)["role"]);
    assert_eq!(
        [
            &attempt["agent"],
            &attempt["class"],
            &attempt["message"],
            &attempt["step"]
        ],
        ["claim", "protocol", message.as_str(), hash]
    );
}

#[test]
fn the_step_of_another_thread_is_refused() {
    let (environment, thread) = Environment::with_draft();
    let other = environment.start("draft", "Another poem");
    let start = environment.head(&other);
    let step = advance(&environment, &other);
    let why = format!("belongs to another thread, the one that starts at {start}");
    refuse(&environment, &thread, &step, &why);
    // The other thread is where it was, too.
    assert_eq!(environment.head(&other), step);
}

#[test]
fn an_older_step_of_the_thread_is_refused() {
    let (environment, thread) = Environment::with_draft();
    let first = advance(&environment, &thread);
    refuse(
        &environment,
        &thread,
        &first,
        &format!("follows the start, while the head of the thread is {first}"),
    );
    // Another step in the place of the last one is as wrong.
    let mut beside = next_step(&environment, &thread);
    beside["prev"] = Value::Null;
    let beside = put(&environment, STEP, &beside);
    let why = format!("follows the start, while the head of the thread is {first}");
    refuse(&environment, &thread, &beside, &why);
}

#[test]
fn a_step_that_follows_none_of_the_thread_is_refused() {
    let (environment, thread) = Environment::with_draft();
    let mut step = next_step(&environment, &thread);
    let start = step["start"].as_str().unwrap().to_owned();
    step["prev"] = json!(start);
    let step = put(&environment, STEP, &step);
    let why = format!("follows {start}, while the head of the thread is the start");
    refuse(&environment, &thread, &step, &why);
}

#[test]
fn the_step_of_another_role_is_refused() {
    let (environment, thread) = Environment::with_draft();
    let mut step = next_step(&environment, &thread);
    step["role"] = json!("reviewer");
    let step = put(&environment, STEP, &step);
    refuse(
        &environment,
        &thread,
        &step,
        "is of role `reviewer`, while it is the turn of `writer`",
    );
}

#[test]
fn a_node_that_is_no_step_is_refused() {
    let (environment, thread) = Environment::with_draft();
    let text = put_text(&environment, "done");
    let why = format!("is not a StepNode but a node of type {TEXT}");
    refuse(&environment, &thread, &text, &why);
    let start = environment.head(&thread);
    refuse(
        &environment,
        &thread,
        &start,
        "is not a StepNode but a node of type FPVH9K1XJ2DZA",
    );
}

#[test]
fn a_hash_that_is_not_in_the_store_is_refused() {
    let (environment, thread) = Environment::with_draft();
    refuse(
        &environment,
        &thread,
        "0123456789ABC",
        "is not in the store",
    );
}

#[test]
fn a_step_whose_output_was_never_stored_is_refused() {
    let (environment, thread) = Environment::with_draft();
    let mut step = next_step(&environment, &thread);
    step["output"] = json!("0123456789ABC");
    let step = put(&environment, STEP, &step);
    let why = "has the output 0123456789ABC, which is not in the store";
    refuse(&environment, &thread, &step, why);
}

#[test]
fn an_output_that_does_not_fit_the_role_is_refused_with_every_reason() {
    let (environment, thread) = Environment::with_draft();
    // The agent has stored it under a type of its own, which says nothing.
    let anything = put(&environment, "3RZYZ9X0Y34K7", &json!({"type": "object"}));
    let mut step = next_step(&environment, &thread);
    step["output"] = json!(put(&environment, &anything, &json!({"words": 0})));
    let hash = put(&environment, STEP, &step);
    let ran = claim(&environment, &thread, &hash);
    ran.assert_no_result(4);
    assert_eq!(
        ran.stderr,
        "error: the answer of agent `claim` does not fit the role\n  \
           because: `/title` is missing; it must be a string\n  \
           because: `/words` is 0; it must be at least 1\n"
            .to_owned()
            + &environment.kept_hint(&thread)
            + &environment.on_record(&thread, 1)
    );
    assert_eq!(environment.head(&thread), step["start"]);
    let attempts = environment.attempts(&thread);
    assert_eq!(
        [&attempts[0]["class"], &attempts[0]["step"]],
        ["output", hash.as_str()]
    );
    assert_eq!(
        attempts[0]["message"],
        "the answer of agent `claim` does not fit the role: `/title` is missing; it must be a \
         string; `/words` is 0; it must be at least 1"
    );
}

#[test]
fn an_output_under_a_type_of_its_own_is_taken_when_it_fits_the_role() {
    let (environment, thread) = Environment::with_draft();
    let anything = put(&environment, "3RZYZ9X0Y34K7", &json!({"type": "object"}));
    let mut step = next_step(&environment, &thread);
    step["output"] = json!(put(
        &environment,
        &anything,
        &json!({"title": "Ode", "more": 1})
    ));
    let hash = put(&environment, STEP, &step);
    let ran = claim(&environment, &thread, &hash);
    ran.assert_clean();
}

#[test]
fn a_detail_that_was_never_stored_is_said_and_the_step_is_taken() {
    let (environment, thread) = Environment::with_draft();
    let mut step = next_step(&environment, &thread);
    step["detail"] = json!("0123456789ABC");
    let hash = put(&environment, STEP, &step);
    let ran = claim(&environment, &thread, &hash);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(
        ran.stderr,
        format!(
            "warning: the step {hash} has the detail 0123456789ABC, which is not in the store: \
             its answer cannot be shown\n"
        )
    );
    assert_eq!(ran.value()["head"], json!(hash));
}
