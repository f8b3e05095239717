//! Agents that fail by themselves, and what they say on stderr meanwhile.

use std::fs;

use serde_json::{Value, json};

use super::pipes::Lines;
use super::{begin, put_next_step};
use crate::environment::Environment;

#[test]
fn an_exit_code_is_told_with_the_last_the_agent_said() {
    let (environment, thread) = Environment::with_draft();
    environment.program("fails", "echo half\necho 'key has expired' >&2\nexit 41");
    let ran = environment.step_by(&thread, "fails");
    ran.assert_no_result(3);
    let attempts = environment.attempts(&thread);
    let output = attempts[0]["output"].as_str().unwrap();
    assert_eq!(
        ran.stderr,
        format!(
            "key has expired\n\
             error: agent `fails` exited with code 41\n  \
               because: the last it said on stderr:\n    \
                 key has expired\n\
             {}{}",
            environment.kept_hint(&thread),
            environment.on_record(&thread, 1)
        )
    );
    assert_eq!(environment.payload(output), "half\n");
    assert_eq!(
        attempts,
        [json!({
            "role": "writer",
            "agent": "fails",
            "class": "exit",
            "message": "agent `fails` exited with code 41",
            "output": output,
            "step": null,
            "exitCode": 41,
            "stderr": "key has expired",
        })]
    );
}

#[test]
fn an_exit_code_counts_though_the_step_is_there() {
    let (environment, thread) = Environment::with_draft();
    let step = put_next_step(&environment, &thread);
    environment.program("fails", &format!("echo {step}\nexit 1"));
    let ran = environment.step_by(&thread, "fails");
    ran.assert_no_result(3);
    assert_ne!(environment.head(&thread), step);
}

#[test]
fn an_agent_that_a_signal_ends_has_failed() {
    let (environment, thread) = Environment::with_draft();
    environment.program("dies", "kill -KILL $$");
    let ran = environment.step_by(&thread, "dies");
    ran.assert_no_result(3);
    assert_eq!(
        ran.stderr,
        format!(
            "error: agent `dies` was ended by SIGKILL\n{}",
            environment.on_record(&thread, 1)
        )
    );
    let attempts = environment.attempts(&thread);
    assert_eq!(
        [&attempts[0]["class"], &attempts[0]["output"]],
        [&json!("signal"), &Value::Null]
    );
}

#[test]
fn an_error_begins_on_a_line_of_its_own() {
    let (environment, thread) = Environment::with_draft();
    environment.program("fails", "printf 'cut off in the mid' >&2\nexit 1");
    let ran = environment.step_by(&thread, "fails");
    ran.assert_tells("\nerror: agent `fails` exited with code 1\n");
    let arguments = [
        "thread",
        "step",
        &thread,
        "--agent",
        "fails",
        "--error-format",
        "json",
    ];
    let stderr = environment.run(&arguments).stderr;
    let error: Value = serde_json::from_str(stderr.lines().last().unwrap()).expect(&stderr);
    assert_eq!(error["kind"], "agent");
}

#[test]
fn of_a_long_stderr_the_last_whole_lines_are_told_again() {
    let (environment, thread) = Environment::with_draft();
    environment.program(
        "fails",
        "i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); echo \"líne $i\"; done >&2\nexit 1",
    );
    let ran = environment.step_by(&thread, "fails");
    let all: String = (1..=3000).map(|line| format!("líne {line}\n")).collect();
    let error = ran.stderr.strip_prefix(&all).unwrap();
    let beginning =
        "error: agent `fails` exited with code 1\n  because: the last it said on stderr:\n";
    let told = error.strip_prefix(beginning).unwrap();
    let told: Vec<&str> = told
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .collect();
    let whole: Vec<&str> = all.lines().collect();
    assert_eq!(told, whole[whole.len() - told.len()..]);
    assert!((100..2900).contains(&told.len()), "{}", told.len());
}

#[test]
fn stderr_is_shown_while_the_agent_works() {
    let (environment, thread) = Environment::with_draft();
    environment.shell("mkfifo go");
    environment.program(
        "works",
        "echo 'reading the plan' >&2\nread word <go\necho $word >&2\nexit 1",
    );
    let mut child = begin(&environment, &thread, "works");
    let lines = Lines::of(child.stderr.take().unwrap());
    assert_eq!(lines.next(), "reading the plan");
    // It waits for this line, so what was read above was shown while it worked.
    fs::write(environment.work().join("go"), "writing\n").unwrap();
    assert_eq!(lines.next(), "writing");
    assert_eq!(lines.next(), "error: agent `works` exited with code 1");
    lines.rest();
    assert_eq!(child.wait().unwrap().code(), Some(3));
}
