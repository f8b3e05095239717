//! Answers of agents that the engine reads: what is asked, what is taken, sent back and kept.

mod characters;
mod corrections;
mod json;
mod markdown;
mod told;

use serde_json::{Value, json};

use crate::environment::{Environment, Ran};

const TURN: &str = "EY17ZNT37EHBB";

/// The turns of a detail node, each with its role and its text.
#[track_caller]
fn turns(environment: &Environment, detail: &Value) -> Vec<(String, String)> {
    let turn = |hash: &Value| {
        let node = environment.json(&["cas", "get", hash.as_str().unwrap()]);
        assert_eq!(node["type"], TURN);
        let payload = &node["payload"];
        assert_eq!(
            [&payload["toolCalls"], &payload["reasoning"]],
            [&Value::Null, &Value::Null]
        );
        let text = |key: &str| payload[key].as_str().unwrap().to_owned();
        (text("role"), text("content"))
    };
    detail["turns"]
        .as_array()
        .unwrap()
        .iter()
        .map(turn)
        .collect()
}

fn assistant(text: &str) -> (String, String) {
    ("assistant".to_owned(), text.to_owned())
}

/// The step that a run of one step made: its node's payload, with the output and the detail in it.
#[track_caller]
fn made(environment: &Environment, ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let head = ran.value()["head"].as_str().unwrap().to_owned();
    let mut step = environment.payload(head);
    for part in ["output", "detail"] {
        step[part] = environment.payload(step[part].as_str().unwrap());
    }
    step
}

/// The step that an agent on protocol `markdown` makes, like [`made`].
#[track_caller]
fn answered(environment: &Environment, thread: &str, agent: &str) -> Value {
    made(
        environment,
        &environment.step_with(thread, agent, "markdown"),
    )
}

/// The detail of a step of the agent `model` whose first answer was taken without a word. How long
/// it took, and which nodes its turns are, is as it says.
#[track_caller]
fn of_one_answer(protocol: &str, detail: &Value) -> Value {
    assert!(detail["durationMs"].is_u64(), "{detail}");
    json!({
        "protocol": protocol,
        "command": "model",
        "exitCode": 0,
        "durationMs": detail["durationMs"],
        "corrections": 0,
        "warnings": [],
        "turns": detail["turns"],
    })
}

/// The thread has not been stepped.
#[track_caller]
fn is_at_its_start(environment: &Environment, thread: &str) {
    let shown = environment.json(&["thread", "steps", thread]);
    assert_eq!(shown["steps"].as_array().unwrap().len(), 1);
}

/// The node that keeps what an agent said in a failed attempt.
#[track_caller]
fn kept(environment: &Environment, attempt: &Value) -> Value {
    environment.payload(attempt["output"].as_str().unwrap())
}

/// Two ways out of one role, by its answer.
const FORK_IN_THE_ROAD: &str = r#"name: fork
description: Two ways
roles:
  judge: &role
    description: Judges
    goal: Judge.
    capabilities: []
    procedure: Judge.
    output: The verdict.
    frontmatter: {type: object, properties: {note: {type: string}, verdict: {type: string}}}
  good: *role
  bad: *role
conditions:
  isGood: {description: It is good, expression: "$last('judge').verdict = 'good'"}
graph:
  $START: [{role: judge, prompt: Judge.}]
  judge: [{role: good, condition: isGood, prompt: Praise.}, {role: bad, prompt: Blame.}]
  good: [{role: $END, prompt: Done.}]
  bad: [{role: $END, prompt: Done.}]
"#;

/// A workflow whose first role answers in this form, and whose second is told of it.
fn workflow_for(schema: &Value, name: &str) -> String {
    let role = |schema: &Value| {
        json!({
            "description": "d", "goal": "g", "capabilities": [], "procedure": "p", "output": "o",
            "frontmatter": schema,
        })
    };
    let roles = json!({"one": role(schema), "two": role(&json!({"type": "object"}))});
    format!(
        "name: {name}\ndescription: d\nroles: {roles}\nconditions: {{}}\ngraph:\n  \
         $START: [{{role: one, prompt: Go.}}]\n  one: [{{role: two, prompt: Go on.}}]\n  \
         two: [{{role: $END, prompt: Done.}}]\n"
    )
}
