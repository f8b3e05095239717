//! Agents that err, lie, hang or talk too much: what becomes of the step, the thread and them.

mod claims;
mod ending;
mod failing;
mod pipes;
mod printed;
mod starting;

use std::process::Child;

use serde_json::{Value, json};

use crate::environment::{Environment, Ran};

const STEP: &str = "FZMFBDYPZ0M9Y";

/// A node of this type with this payload; its hash.
#[track_caller]
fn put(environment: &Environment, type_hash: &str, payload: &Value) -> String {
    let put = environment.json(&["cas", "put", type_hash, &payload.to_string()]);
    put["hash"].as_str().unwrap().to_owned()
}

#[track_caller]
fn put_text(environment: &Environment, text: &str) -> String {
    environment.json(&["cas", "put-text", text])["hash"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// The schema of a role of `DRAFT`.
#[track_caller]
fn schema(environment: &Environment, role: &str) -> String {
    let shown = environment.json(&["workflow", "show", "draft"]);
    shown["payload"]["roles"][role]["frontmatter"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// What a truthful agent would store as the next step of a thread of `DRAFT`.
#[track_caller]
fn next_step(environment: &Environment, thread: &str) -> Value {
    let shown = environment.json(&["thread", "steps", thread]);
    let steps = shown["steps"].as_array().unwrap();
    let (role, output) = match steps.len() % 2 {
        1 => ("writer", json!({"title": "Ode"})),
        _ => ("reviewer", json!({"accepted": true})),
    };
    let prev = if steps.len() == 1 {
        Value::Null
    } else {
        steps.last().unwrap()["hash"].clone()
    };
    json!({
        "start": steps[0]["hash"],
        "prev": prev,
        "role": role,
        "output": put(environment, &schema(environment, role), &output),
        "detail": put_text(environment, "how it came about"),
        "agent": "claim",
        "edgePrompt": "",
    })
}

/// Stores what a truthful agent would as a thread's next step; its hash.
#[track_caller]
fn put_next_step(environment: &Environment, thread: &str) -> String {
    put(environment, STEP, &next_step(environment, thread))
}

/// Makes a thread's next step, truthfully; its hash.
#[track_caller]
fn advance(environment: &Environment, thread: &str) -> String {
    let hash = put_next_step(environment, thread);
    let ran = claim(environment, thread, &hash);
    ran.assert_clean();
    assert_eq!(environment.head(thread), hash);
    hash
}

/// Runs a step with an agent that does nothing but name this step.
fn claim(environment: &Environment, thread: &str, hash: &str) -> Ran {
    environment.program("claim", &format!("echo {hash}"));
    environment.step_by(thread, "claim")
}

/// Starts a step with this agent, and does not wait for it.
fn begin(environment: &Environment, thread: &str, agent: &str) -> Child {
    environment.spawn(&["thread", "step", thread, "--agent", agent])
}
