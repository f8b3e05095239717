//! `UWF_LOG`: details of what is done, on the error stream.

use serde_json::Value;

use crate::environment::{Environment, Ran};
use crate::logs::prepared;

const WORKFLOW: &str = "6HA1S8JMB29J3";
const SECRET: &str = "sk-0123456789";

fn with_log_variable(environment: &Environment, level: &str, arguments: &[&str]) -> Ran {
    let mut command = environment.command(arguments);
    Ran::from(command.env("UWF_LOG", level).output().unwrap())
}

#[test]
fn details_are_told_to_whoever_asks_for_them_and_hold_nothing_secret() {
    let environment = prepared();
    let root = environment.root();
    let root = root.display();
    let ran = with_log_variable(
        &environment,
        "debug",
        &["thread", "start", "triage-report", "-p", SECRET],
    );
    assert_eq!(
        without_times(&ran.stderr),
        format!(
            "debug: storage root {root}\n\
             debug: the workflow is the node {WORKFLOW}, registered by that name\n\
             debug: took 0 ms\n"
        )
    );
    let started: Value = serde_json::from_str(&ran.stdout).unwrap();
    let thread = started["thread"].as_str().unwrap();
    let start = environment.json(&["thread", "show", thread])["head"].clone();
    let start = start.as_str().unwrap();
    let agent = format!("answer {SECRET}");
    let options = ["--protocol", "markdown", "--agent", &agent];
    let step = [&["thread", "step", thread], &options[..]].concat();
    let ran = with_log_variable(&environment, "debug", &step);
    let stepped: Value = serde_json::from_str(&ran.stdout).unwrap();
    let head = stepped["head"].as_str().unwrap();
    assert_eq!(
        without_times(&ran.stderr),
        format!(
            "debug: storage root {root}\n\
             debug: the thread is at {start}, its workflow is {WORKFLOW}\n\
             debug: edge $START -> collector\n\
             debug: agent answer runs answer on protocol markdown in {}\n\
             debug: the agent made step {head} in 0 ms\n\
             debug: the thread is archived at {head}\n\
             debug: took 0 ms\n",
            environment.work().display()
        )
    );
}

/// The text with every `<n> ms` as `0 ms`.
fn without_times(text: &str) -> String {
    let line = |line: &str| match line.strip_suffix(" ms") {
        Some(before) => format!(
            "{} 0 ms\n",
            before.trim_end_matches(char::is_numeric).trim_end()
        ),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn a_level_that_means_nothing_is_said_and_an_empty_one_is_none() {
    let environment = Environment::new();
    let ran = |level| with_log_variable(&environment, level, &["thread", "list"]);
    assert_eq!(ran("").stderr, "");
    let trace = ran("trace");
    assert_eq!((trace.code, trace.stdout.as_str()), (Some(0), "[]\n"));
    assert_eq!(
        trace.stderr,
        "warning: UWF_LOG is `trace`, and only `debug` means something\n"
    );
}
