//! Turns that are ended from outside, and programs that do not want to go.

use std::fs;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use super::STAND_IN;
use crate::environment::{Environment, Ran, wait_until};

/// Keeps the ids of the stand-in and of a child of it; neither hears a TERM.
const STUBBORN: &str = r#"
trap '' TERM
(while :; do sleep 1000; done) &
printf '%s\n' $$ $! >pids.txt
"#;

/// Processes that a stand-in wrote down are gone.
#[track_caller]
fn assert_gone(environment: &Environment) {
    let pids = fs::read_to_string(environment.work().join("pids.txt")).unwrap();
    assert_eq!(pids.lines().count(), 2);
    for pid in pids.lines() {
        let pid = Pid::from_raw(pid.parse().unwrap()).unwrap();
        wait_until("the stand-in is gone", || {
            rustix::process::test_kill_process(pid).is_err()
        });
    }
}

fn begin(environment: &Environment, thread: &str) -> Child {
    let child = environment.spawn(&["thread", "step", thread, "--agent", STAND_IN]);
    wait_until("the prompt is heard", || {
        environment
            .methods()
            .last()
            .is_some_and(|method| method == "session/prompt")
    });
    child
}

fn signalled(child: Child, signal: Signal) -> Ran {
    kill_process(Pid::from_child(&child), signal).unwrap();
    Ran::from(child.wait_with_output().unwrap())
}

#[test]
fn a_program_that_ignores_everything_is_ended_when_the_answer_is_there() {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in(&format!(
        "{STUBBORN}\nprompt() {{ answer; while :; do sleep 1000; done; }}"
    ));
    environment.step_by(&thread, STAND_IN).assert_clean();
    assert_gone(&environment);
}

#[test]
fn a_program_that_ends_with_its_answer_has_answered_and_cannot_be_corrected() {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in("prompt() { answer; exit 7; }");
    environment.step_by(&thread, STAND_IN).assert_clean();

    let (environment, thread) = Environment::with_draft();
    environment.stand_in("prompt() { text Hello; stop end_turn; exit 7; }");
    environment.step_by(&thread, STAND_IN).assert_no_result(3);
    let attempts = environment.attempts(&thread);
    assert_eq!(
        [&attempts[0]["class"], &attempts[0]["message"]],
        [
            "crash",
            "agent `uwf-acp` failed: uwf-acp ended in the middle of the conversation, with exit \
             code 7"
        ]
    );
    let output = attempts[0]["output"].as_str().unwrap();
    let turns = environment.detail(output)["turns"].clone();
    assert_eq!(turns[0], super::said("Hello"));
}

#[test]
fn an_agent_that_never_answers_is_cancelled_at_the_limit_and_ended() {
    let (environment, thread) = Environment::with_draft();
    environment.write_in_root(
        "config.yaml",
        "agents: {slow: {command: uwf-acp, args: [--, stand-in], timeout: 5s}}",
    );
    environment.stand_in(&format!("{STUBBORN}\nprompt() {{ :; }}\ncancel() {{ :; }}"));
    let start = environment.head(&thread);
    let ran = environment.step_by(&thread, "slow");
    ran.assert_no_result(3);
    assert_eq!(environment.methods().last().unwrap(), "session/cancel");
    assert_gone(&environment);
    assert_eq!(environment.head(&thread), start);
    let attempts = environment.attempts(&thread);
    assert_eq!(
        [&attempts[0]["class"], &attempts[0]["message"]],
        [
            "timeout",
            "agent `slow` was not done within 5 s, and was ended"
        ]
    );
    // What was interrupted can be taken up.
    let sessions = environment.read_in_root("cache/agent-sessions.json");
    assert!(sessions.contains("\"s-1\""), "{sessions}");
}

#[test]
fn ctrl_c_cancels_the_turn_and_keeps_what_was_said() {
    let (environment, thread) = Environment::with_draft();
    let start = environment.head(&thread);
    environment.stand_in(&format!(
        "{STUBBORN}\nprompt() {{ text 'Half'; }}\ncancel() {{ text ' of it'; stop cancelled; }}"
    ));
    let child = begin(&environment, &thread);
    let ran = signalled(child, Signal::INT);
    ran.assert_no_result(130);
    assert_eq!(environment.methods().last().unwrap(), "session/cancel");
    assert_gone(&environment);
    assert_eq!(environment.head(&thread), start);
    let attempts = environment.attempts(&thread);
    assert_eq!(attempts[0]["class"], "interrupted");
    let output = attempts[0]["output"].as_str().unwrap();
    assert_eq!(
        environment.detail(output)["turns"],
        json!([super::said("Half of it")])
    );
}

#[test]
fn a_step_after_that_takes_the_session_up() {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in("trap '' TERM\nprompt() { :; }");
    let child = begin(&environment, &thread);
    signalled(child, Signal::TERM).assert_no_result(143);
    environment.stand_in("capabilities='{\"loadSession\":true}'");
    fs::remove_file(environment.work().join("heard.txt")).unwrap();
    environment.step_by(&thread, STAND_IN).assert_clean();
    assert_eq!(
        environment.methods(),
        ["initialize", "session/load", "session/prompt"]
    );
    // Nobody knows whether it heard what it was told then.
    assert!(environment.prompts()[0].contains("A poem about rust"));
}
