//! The state of a storage root: many processes at once, kills at any moment, commands that only
//! read, readers that go away.

mod at_once;
mod attempts;
mod endings;
mod output;
mod reading;
mod root;

use std::process::Child;

use serde_json::Value;

use crate::environment::{ANSWER, Environment, Ran, wait_until};

/// The step of a thread with the program `slow`, which goes on only when there is a file `go`.
const SLOW: [&str; 4] = ["--agent", "slow", "--protocol", "markdown"];

fn install_slow_agent(environment: &Environment) {
    // It gives up after a minute, so that it does not outlive a test that failed.
    let gate =
        "n=0\nwhile [ ! -e go ] && [ $n -lt 3000 ]; do sleep 0.02; n=$((n+1)); done\n: >let-go\n";
    let (note, answer) = ANSWER.split_once('\n').unwrap();
    environment.program("slow", &format!("{note}\n{gate}{answer}"));
}

/// Starts a step with the slow agent; the agent is at work when this returns.
pub fn begin_slow_step(environment: &Environment, thread: &str) -> Child {
    install_slow_agent(environment);
    let before = environment.runs();
    let arguments = [["thread", "step", thread].as_slice(), &SLOW].concat();
    let step = environment.spawn(&arguments);
    wait_until("the agent is at work", || environment.runs() > before);
    step
}

pub fn let_go(environment: &Environment, step: Child) -> Ran {
    environment.write("go", "");
    Ran::from(step.wait_with_output().unwrap())
}

fn head_of(environment: &Environment, thread: &str) -> String {
    let shown = environment.json(&["thread", "show", thread]);
    shown["head"].as_str().unwrap().to_owned()
}

fn workflow_of(environment: &Environment) -> String {
    let shown = environment.json(&["workflow", "show", "relay"]);
    shown["hash"].as_str().unwrap().to_owned()
}

fn lines(environment: &Environment, name: &str) -> Vec<Value> {
    let text = environment.read_in_root(name);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The id of a thread that is nowhere.
const UNKNOWN: &str = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
