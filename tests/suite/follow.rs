//! `thread steps --follow` and `thread read --follow`: a thread printed as it grows.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ChildStdout};

use serde_json::Value;

use crate::environment::{Environment, Ran};

const THREAD: &str = "06H2S7T0SYTNXJYWQYS40BBMNR";

/// Somebody who reads what a command prints, line by line.
struct Reader {
    child: Child,
    stdout: BufReader<ChildStdout>,
    /// All that was read.
    text: String,
}

impl Reader {
    fn of(environment: &Environment, arguments: &[&str]) -> Self {
        let mut child = environment.spawn(arguments);
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            stdout,
            text: String::new(),
        }
    }

    /// Waits for a line.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        self.text.push_str(&line);
        line
    }

    /// Reads on until there is nothing more, and the command has ended.
    fn rest(mut self) -> Ran {
        self.stdout.read_to_string(&mut self.text).unwrap();
        let mut ran = Ran::from(self.child.wait_with_output().unwrap());
        ran.stdout = self.text;
        ran
    }
}

fn value(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

#[test]
fn steps_are_printed_as_they_come_one_on_a_line_until_the_thread_ends() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let mut reader = Reader::of(&environment, &["thread", "steps", &thread, "--follow"]);
    assert_eq!(value(&reader.line())["prompt"], "a poem");
    assert_eq!(environment.step(&thread).code, Some(0));
    assert_eq!(value(&reader.line())["role"], "writer");
    assert_eq!(environment.step(&thread).code, Some(0));
    let ran = reader.rest();
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let lines: Vec<Value> = ran.stdout.lines().map(value).collect();
    let steps = environment.json(&["thread", "steps", &thread]);
    assert_eq!(Value::from(lines), steps["steps"]);
}

#[test]
fn a_page_grows_as_steps_come_and_is_the_page_in_the_end() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let mut reader = Reader::of(&environment, &["thread", "read", "@", "--follow"]);
    while reader.line() != "a poem\n" {}
    assert_eq!(environment.step(&thread).code, Some(0));
    while !reader.line().starts_with("## Step 1: writer `") {}
    assert_eq!(environment.step(&thread).code, Some(0));
    let ran = reader.rest();
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout, environment.ok(&["thread", "read", &thread]));
}

#[test]
fn a_thread_that_has_ended_is_printed_and_that_is_all() {
    let environment = Environment::with_golden_store();
    let before = environment.snapshot();
    let ended = "06H2S7T4PCHB3EJSX9FV4HQ570";
    assert_eq!(
        environment.ok(&["thread", "steps", ended, "--follow", "--format", "yaml"]),
        "- hash: 2DAC3GSWARPFB
  workflow: 6HA1S8JMB29J3
  prompt: A thread that is killed
  timestamp: 1796044965045
- hash: 95EECVDJRHA3X
  role: collector
  output:
    count: 2
    failures:
      - parser.rs:41 unexpected end of input
      - store.rs:7 ✓ wrong count 🦀
  detail: 7QAEKBVS92Z2D
  agent: uwf-fake
  timestamp: 1796044965827
"
    );
    let long = environment.ok(&["thread", "steps", ended, "--follow", "--long"]);
    assert!(
        long.ends_with(
            "\"timestamp\":1796044965827,\"edgePrompt\":\"Collect every failing check.\",\
             \"durationMs\":0,\"visit\":1,\"model\":\"fake-model\",\"turns\":1,\"usage\":null}\n"
        ),
        "{long}"
    );
    for quota in ["1", "700", "100000"] {
        let longest = "06H2S7SN4W24ANMYFNWWF49HHW";
        let read = ["thread", "read", longest, "--quota", quota];
        let followed = environment.ok(&[&read[..], &["--follow"]].concat());
        assert_eq!(followed, environment.ok(&read));
    }
    assert!(before == environment.snapshot(), "following has written");
}

#[test]
fn a_kill_of_the_thread_ends_it() {
    let environment = Environment::with_golden_store();
    let mut reader = Reader::of(&environment, &["thread", "steps", THREAD, "--follow"]);
    for _ in 0..5 {
        reader.line();
    }
    environment.ok(&["thread", "kill", THREAD]);
    let ran = reader.rest();
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.stdout.lines().count(), 5);
}

#[test]
fn a_reader_that_goes_away_ends_it_with_success() {
    let environment = Environment::with_golden_store();
    for follow in [["steps", "--follow"], ["read", "--follow"]] {
        let mut reader = Reader::of(&environment, &["thread", follow[0], THREAD, follow[1]]);
        reader.line();
        let Reader { child, stdout, .. } = reader;
        drop(stdout);
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{follow:?}");
    }
}

#[test]
fn a_signal_ends_it_as_it_ends_any_program() {
    let environment = Environment::with_golden_store();
    let mut reader = Reader::of(&environment, &["thread", "steps", THREAD, "--follow"]);
    reader.line();
    environment.shell(&format!("kill -TERM {}", reader.child.id()));
    assert_eq!(reader.child.wait().unwrap().signal(), Some(15));
}

#[test]
fn a_thread_that_is_set_to_another_place_is_not_followed_there() {
    let environment = Environment::with_golden_store();
    let mut reader = Reader::of(&environment, &["thread", "steps", THREAD, "--follow"]);
    for _ in 0..5 {
        reader.line();
    }
    environment.write_in_root("threads.yaml", &format!("{THREAD}: 81P904K6HWN7F\n"));
    let ran = reader.rest();
    assert_eq!(
        (ran.code, ran.stderr),
        (
            Some(6),
            format!(
                "error: thread {THREAD} was moved from 56XFMVXEJ5CJ5 to 81P904K6HWN7F, which does \
                 not follow it\nhint: look at it as it is now: `uwf thread steps {THREAD}`\n"
            )
        )
    );
    let ran = environment.run(&["thread", "read", THREAD, "--follow", "--before", "81P9"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}
