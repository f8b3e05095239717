//! Agents that are ended, by a limit or by a signal: with all they started, and to no harm.

use std::fs;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::pipes::Lines;
use super::{advance, begin, put_next_step};
use crate::environment::{Environment, Ran};

/// A pipe that an agent and all it starts hold open: it ends when none of them is left.
fn leash(environment: &Environment) -> Lines {
    environment.shell("mkfifo leash");
    let path = environment.work().join("leash");
    Lines::reading(move || Some(Box::new(fs::File::open(path).unwrap())))
}

/// An agent with a child and a grandchild; all hold the leash.
const FAMILY: &str = r#"
exec 3>leash
echo partial
sleep 1000 &
(
  sleep 1000 &
  outsider
  echo 'family' >&3
  wait
) &
"#;

/// A grandchild in a session of its own.
const OUTSIDER: &str = "if command -v setsid >/dev/null; then setsid sleep 1000 & fi";

/// Writes an agent that waits for its family.
fn family(environment: &Environment, name: &str) {
    environment.program(name, &format!("outsider() {{ {OUTSIDER}; }}\n{FAMILY}wait"));
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

fn end_of(child: Child) -> Ran {
    Ran::from(child.wait_with_output().unwrap())
}

/// A step with an agent that is at work, with all its family, and the leash that these hold.
#[track_caller]
fn begin_on_leash(environment: &Environment, thread: &str, agent: &str) -> (Child, Lines) {
    let leash = leash(environment);
    let child = begin(environment, thread, agent);
    assert_eq!(leash.next(), "family");
    (child, leash)
}

/// The thread did not move, an attempt of this class is on record, and the thread can be stepped.
#[track_caller]
fn unharmed(environment: &Environment, thread: &str, start: &str, attempt: [&str; 2]) {
    assert_eq!(environment.head(thread), start);
    let attempts = environment.attempts(thread);
    assert_eq!(attempts.len(), 1);
    assert_eq!([&attempts[0]["class"], &attempts[0]["message"]], attempt);
    assert_eq!(
        environment.payload(attempts[0]["output"].as_str().unwrap()),
        "partial\n"
    );
    advance(environment, thread);
}

/// A slow agent with this limit is ended by it with all it started.
#[track_caller]
fn is_ended_by_its(limit: &str, class: &str, message: &str) {
    let (environment, thread) = Environment::with_draft();
    let start = environment.head(&thread);
    family(&environment, "slow");
    environment.write_in_root(
        "config.yaml",
        &format!("agents: {{slow: {{command: slow, {limit}}}}}"),
    );
    let leash = leash(&environment);
    let ran = environment.step_by(&thread, "slow");
    assert_eq!(leash.rest(), ["family"]);
    ran.assert_no_result(3);
    ran.assert_begins(&format!("error: {message}\n"));
    unharmed(&environment, &thread, &start, [class, message]);
}

#[test]
fn an_agent_that_takes_too_long_is_ended_with_all_it_started() {
    let message = "agent `slow` was not done within 1 s, and was ended";
    is_ended_by_its("timeout: 1s", "timeout", message);
}

#[test]
fn an_agent_that_is_silent_too_long_is_ended_with_all_it_started() {
    let message = "agent `slow` was silent for 1 s, and was ended";
    is_ended_by_its("idleTimeout: 1s", "idle", message);
}

#[test]
fn ctrl_c_ends_the_agent_with_all_it_started() {
    let (environment, thread) = Environment::with_draft();
    let start = environment.head(&thread);
    family(&environment, "slow");
    let (child, leash) = begin_on_leash(&environment, &thread, "slow");
    signal(&child, Signal::INT);
    let ran = end_of(child);
    assert_eq!(leash.rest(), Vec::<String>::new());
    ran.assert_no_result(130);
    let message = "agent `slow` was interrupted by SIGINT";
    ran.assert_begins(&format!("error: {message}\n"));
    unharmed(&environment, &thread, &start, ["interrupted", message]);
}

#[test]
fn a_kill_ends_the_agent_with_all_it_started() {
    let (environment, thread) = Environment::with_draft();
    let start = environment.head(&thread);
    family(&environment, "slow");
    let leash = leash(&environment);
    let arguments = [
        "thread",
        "step",
        &thread,
        "-c",
        "3",
        "--agent",
        "slow",
        "--protocol",
        "markdown",
    ];
    let child = environment.spawn(&arguments);
    assert_eq!(leash.next(), "family");
    signal(&child, Signal::TERM);
    let ran = end_of(child);
    assert_eq!(leash.rest(), Vec::<String>::new());
    ran.assert_no_result(143);
    let message = "agent `slow` was interrupted by SIGTERM";
    ran.assert_begins(&format!("error: {message}\n"));
    assert_eq!(environment.head(&thread), start);
    let attempts = environment.attempts(&thread);
    assert_eq!(
        [&attempts[0]["class"], &attempts[0]["message"]],
        ["interrupted", message]
    );
    // A protocol with turns keeps what was said as one.
    let detail = environment.payload(attempts[0]["output"].as_str().unwrap());
    assert_eq!(
        environment.payload(detail["turns"][0].as_str().unwrap())["content"],
        "partial\n"
    );
    advance(&environment, &thread);
}

/// Neither the agent nor its child nor its grandchild heeds a request to end; it says when it got
/// one.
const STUBBORN: &str = r#"
trap '' INT TERM
exec 3>leash
echo partial
(sleep 1000 & wait) &
trap 'echo asked >&3' INT TERM
echo family >&3
while :; do sleep 0.05; done
"#;

#[test]
fn an_agent_that_ignores_requests_to_end_is_killed_with_all_it_started() {
    let (environment, thread) = Environment::with_draft();
    let start = environment.head(&thread);
    environment.program("stubborn", STUBBORN);
    let (child, leash) = begin_on_leash(&environment, &thread, "stubborn");
    signal(&child, Signal::TERM);
    let ran = end_of(child);
    assert_eq!(leash.rest(), ["asked"]);
    ran.assert_no_result(143);
    let message = "agent `stubborn` was interrupted by SIGTERM";
    unharmed(&environment, &thread, &start, ["interrupted", message]);
}

#[test]
fn a_second_ctrl_c_kills_an_agent_at_once() {
    let (environment, thread) = Environment::with_draft();
    let start = environment.head(&thread);
    environment.program("stubborn", STUBBORN);
    let (child, leash) = begin_on_leash(&environment, &thread, "stubborn");
    signal(&child, Signal::INT);
    // It was asked, so the first is noted.
    assert_eq!(leash.next(), "asked");
    signal(&child, Signal::INT);
    let ran = end_of(child);
    assert_eq!(leash.rest(), Vec::<String>::new());
    ran.assert_no_result(130);
    let message = "agent `stubborn` was interrupted by SIGINT";
    unharmed(&environment, &thread, &start, ["interrupted", message]);
}

#[test]
fn what_an_agent_leaves_behind_is_ended_and_costs_nothing() {
    let (environment, thread) = Environment::with_draft();
    let step = put_next_step(&environment, &thread);
    // The children hold the agent's stdout and stderr as well.
    let script = format!("outsider() {{ :; }}\n{FAMILY}read ready <ready\necho {step}");
    environment.program("careless", &script);
    environment.shell("mkfifo ready");
    let (child, leash) = begin_on_leash(&environment, &thread, "careless");
    fs::write(environment.work().join("ready"), "go\n").unwrap();
    let ran = end_of(child);
    ran.assert_clean();
    assert_eq!(ran.value()["head"], json!(step));
    assert_eq!(leash.rest(), Vec::<String>::new());
}
