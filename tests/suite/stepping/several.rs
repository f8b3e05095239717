//! Several steps in one call: what is printed of each, and when.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::{ROUND, list_of, results, steps_of, steps_with, thread_with};
use crate::environment::{Environment, Ran};

/// Only what never comes takes this long.
const FOREVER: Duration = Duration::from_secs(60);

#[test]
fn several_steps_stop_when_the_thread_is_done() {
    let environment = Environment::new();
    let thread = thread_with(&environment, &ROUND);
    let ran = steps_of(&environment, &thread, "1000000000", "json");
    ran.assert_clean();
    assert_eq!(ran.stdout, list_of(&environment, &thread, 4, true));
    assert_eq!(environment.read_in_root("threads.yaml"), "{}\n");
}

#[test]
fn the_help_says_that_one_or_more_steps_are_executed() {
    let help = Environment::new().ok(&["thread", "step", "--help"]);
    assert!(help.contains("Execute one or more steps"), "{help}");
}

#[test]
fn one_step_is_an_object_and_not_a_list() {
    let environment = Environment::new();
    let thread = thread_with(&environment, &ROUND);
    let ran = steps_of(&environment, &thread, "1", "json");
    ran.assert_clean();
    assert_eq!(
        ran.stdout,
        results(&environment, &thread, false)[0].to_string() + "\n"
    );
}

#[test]
fn a_first_result_that_is_the_last_is_an_object_and_not_a_list() {
    let environment = Environment::new();
    for format in ["json", "yaml"] {
        let thread = thread_with(&environment, &ROUND);
        steps_of(&environment, &thread, "3", "json");
        let ran = steps_of(&environment, &thread, "5", format);
        ran.assert_clean();
        let last = results(&environment, &thread, true).pop().unwrap();
        let text = |key: &str| last[key].as_str().unwrap().to_owned();
        let (workflow, head) = (text("workflow"), text("head"));
        assert_eq!(
            ran.stdout,
            match format {
                "json" => last.to_string() + "\n",
                _ => format!("workflow: {workflow}\nthread: {thread}\nhead: {head}\ndone: true\n"),
            }
        );
    }
}

#[test]
fn a_step_that_fails_loses_none_of_the_results_before() {
    let environment = Environment::new();
    let thread = thread_with(&environment, &ROUND[..2]);
    let ran = steps_of(&environment, &thread, "5", "json");
    assert_eq!(ran.code, Some(3));
    assert_eq!(ran.stdout, list_of(&environment, &thread, 2, false));
    ran.assert_tells("\nerror: agent `round` exited with code 1\n");
    assert_eq!(environment.attempts(&thread).len(), 1);
}

#[test]
fn a_step_that_fails_loses_none_of_the_results_before_in_yaml_either() {
    let environment = Environment::new();
    let thread = thread_with(&environment, &ROUND[..2]);
    let ran = steps_of(&environment, &thread, "5", "yaml");
    assert_eq!(ran.code, Some(3));
    let item = |result: &Value| {
        let text = |key: &str| result[key].as_str().unwrap().to_owned();
        format!(
            "- workflow: {}\n  thread: {thread}\n  head: {}\n  done: false\n",
            text("workflow"),
            text("head")
        )
    };
    let items: String = results(&environment, &thread, false)
        .iter()
        .map(item)
        .collect();
    assert_eq!(ran.stdout, items);
}

#[test]
fn a_first_step_that_fails_prints_no_result() {
    let environment = Environment::new();
    let thread = thread_with(&environment, &[]);
    for count in ["1", "3"] {
        let ran = steps_of(&environment, &thread, count, "json");
        ran.assert_no_result(3);
    }
}

#[test]
fn a_result_is_out_before_the_next_step_is_run() {
    let (environment, thread) = Environment::with_draft();
    environment.shell("mkfifo go");
    environment.program(
        "waits",
        "if [ -e first ]; then read word <go; printf -- '---\\naccepted: true\\n---\\n'; exit; fi\n\
         touch first; printf -- '---\\ntitle: T\\n---\\n'",
    );
    let mut child = environment.spawn(&steps_with(&thread, "2", "waits"));
    let (sender, first) = mpsc::channel();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        stdout.read_until(b'}', &mut text).unwrap();
        sender.send(String::from_utf8(text).unwrap()).unwrap();
        let mut rest = String::new();
        stdout.read_line(&mut rest).unwrap();
        rest
    });
    // The second agent waits for us, so what is here by now came before it was done.
    let first = first.recv_timeout(FOREVER).unwrap();
    let result: Value = serde_json::from_str(first.strip_prefix('[').unwrap()).unwrap();
    assert_eq!(result["head"], json!(environment.head(&thread)));
    assert_eq!(result["done"], false);
    std::fs::write(environment.work().join("go"), "go\n").unwrap();
    let rest = reader.join().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(
        format!("{first}{rest}"),
        list_of(&environment, &thread, 2, true)
    );
}

#[test]
fn ctrl_c_in_a_later_step_leaves_a_whole_list_of_the_earlier_ones() {
    let (environment, thread) = Environment::with_draft();
    environment.shell("mkfifo ready");
    environment.program(
        "waits",
        "if [ -e first ]; then echo ready >ready; sleep 1000; fi\n\
         touch first; printf -- '---\\ntitle: T\\n---\\n'",
    );
    let child = environment.spawn(&steps_with(&thread, "4", "waits"));
    // Opens when the second agent is at work.
    assert_eq!(environment.shell("cat ready").stdout, "ready\n");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130));
    assert_eq!(ran.stdout, list_of(&environment, &thread, 1, false));
}

#[test]
fn steps_are_taken_though_nobody_reads_the_results() {
    let environment = Environment::new();
    let thread = thread_with(&environment, &ROUND);
    let mut child = environment
        .command(&steps_with(&thread, "9", "round"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ran = Ran::from(child.wait_with_output().unwrap());
    ran.assert_clean();
    assert_eq!(results(&environment, &thread, true).len(), 4);
}
