//! Several steps in one call, threads that cannot be stepped, who does a step, what is read later.

mod agent;
mod pages;
mod refused;
mod several;

use serde_json::{Value, json};

use crate::environment::{DRAFT, Environment, Ran};

/// Answers for a whole thread of `DRAFT`: the text is sent back once.
const ROUND: [&str; 4] = [
    "---\ntitle: First\n---\nRust never sleeps.\n",
    "---\naccepted: false\n---\nSay why.\n",
    "---\ntitle: Second\n---\nRust never sleeps, for air is everywhere.\n",
    "---\naccepted: true\n---\nGood.\n",
];

/// A thread of `DRAFT`, and an agent `round` that gives these answers and then fails.
#[track_caller]
fn thread_with(environment: &Environment, answers: &[&str]) -> String {
    environment.answering("round", answers);
    environment.thread_of(DRAFT)
}

/// The words of a call that asks for this many steps of a thread.
fn steps_with<'a>(thread: &'a str, count: &'a str, agent: &'a str) -> [&'a str; 9] {
    [
        "thread",
        "step",
        thread,
        "-c",
        count,
        "--agent",
        agent,
        "--protocol",
        "markdown",
    ]
}

fn steps_of(environment: &Environment, thread: &str, count: &str, format: &str) -> Ran {
    let words = steps_with(thread, count, "round");
    environment.run(&[words.as_slice(), &["--format", format]].concat())
}

/// What `thread step` prints for each step of a thread.
#[track_caller]
fn results(environment: &Environment, thread: &str, done: bool) -> Vec<Value> {
    let shown = environment.json(&["thread", "steps", thread]);
    let steps = &shown["steps"].as_array().unwrap()[1..];
    let result = |(position, step): (usize, &Value)| {
        let done = done && position + 1 == steps.len();
        json!({"workflow": shown["workflow"], "thread": thread, "head": step["hash"], "done": done})
    };
    steps.iter().enumerate().map(result).collect()
}

/// What `thread step` prints for all steps of a thread, which are this many, in one call.
#[track_caller]
fn list_of(environment: &Environment, thread: &str, count: usize, done: bool) -> String {
    let results = results(environment, thread, done);
    assert_eq!(results.len(), count);
    Value::from(results).to_string() + "\n"
}
