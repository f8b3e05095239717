//! `threads.yaml`: a list that cannot be read is never an empty one.

use std::fs;

use serde_json::{Value, json};

use super::{HEAD, START, THREAD, UNTOUCHED, golden};
use crate::environment::{Environment, RELAY, Ran};

#[test]
fn a_list_of_threads_that_cannot_be_read_is_said_with_its_place_and_left_as_it_is() {
    let hint = "hint: the file was left as it is; write one `<thread>: <head>` line for each \
                active thread, or `{}` when there is none. The heads of ended threads are in \
                history.jsonl, and every step is still in cas/\n";
    let first_line = format!("{THREAD}: {HEAD}\n");
    let cases = [
        ("", ":1:1: it is empty, without even `{}`: it was cut off"),
        (
            "\n# nothing\n",
            ":1:1: it is empty, without even `{}`: it was cut off",
        ),
        (
            &format!("{first_line}06H2S7TA9T8"),
            ":2:1: this is neither a key with its colon nor part of what stands above; add the \
             colon, or check the indentation",
        ),
        (
            &format!("{first_line}{UNTOUCHED}: 5ZDNP8"),
            ":2:29: `06H2S7TA9T8B340D04DAXMJ56W` has no hash: `5ZDNP8` is not a hash: a hash \
             is 13 characters of 0-9 and A-Z without I, L, O and U",
        ),
        (
            &format!("{THREAD}: 56xfmvxej5cj5\n"),
            ":1:29: `06H2S7T0SYTNXJYWQYS40BBMNR` has no hash: `56xfmvxej5cj5` is not a hash: \
             a hash is 13 characters of 0-9 and A-Z without I, L, O and U",
        ),
        (
            &format!("- {THREAD}\n"),
            ":1:1: it holds a list, and one line of it is `<thread>: <head>`",
        ),
        (
            &format!("{first_line}poem: {HEAD}\n"),
            ":2:1: `poem` is not a thread id: an id is 26 characters of 0-9 and A-Z without I, L, \
             O and U, the first at most 7",
        ),
        ("\"06H2", ":1:1: the quote that opens here is not closed"),
    ];
    let environment = golden();
    let file = environment.root().join("threads.yaml");
    for (content, message) in cases {
        fs::write(&file, content).unwrap();
        let before = environment.snapshot();
        let (place, what) = message.split_once(": ").unwrap();
        let reading = "cannot read the list of active threads";
        let stderr = format!(
            "error: {}{place}: {reading}: {what}\n{hint}",
            file.display()
        );
        let commands: [&[&str]; 9] = [
            &["thread", "list"],
            &["thread", "list", "--all"],
            &["thread", "show", THREAD],
            &["thread", "steps", THREAD],
            &["thread", "read", THREAD],
            &["thread", "step", THREAD, "--agent", "answer"],
            &["thread", "kill", THREAD],
            &["thread", "start", "triage-report", "-p", "x"],
            &["thread", "fork", HEAD],
        ];
        for command in commands {
            assert_eq!(
                environment.run(command),
                Ran::refused(7, &stderr),
                "{content:?}: {command:?}"
            );
            assert!(
                before == environment.snapshot(),
                "{content:?}: {command:?} has written"
            );
        }
    }
    assert_eq!(environment.runs(), 0);
}

#[test]
fn a_thread_that_is_listed_twice_is_said_with_both_places() {
    let environment = golden();
    environment.write_in_root(
        "threads.yaml",
        &format!("{THREAD}: {HEAD}\n{THREAD}: {START}\n"),
    );
    let file = environment.root().join("threads.yaml");
    let ran = environment.run(&["thread", "list"]);
    let stderr = format!(
        "error: {0}:2:1: cannot read the list of active threads: the key `{THREAD}` is given twice\n{0}:1:1: first given here\nhint: ",
        file.display()
    );
    assert!(ran.stderr.starts_with(&stderr), "{}", ran.stderr);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(7), ""));
}

#[test]
fn a_thread_without_a_head_is_said_in_plain_words() {
    let environment = golden();
    environment.write_in_root("threads.yaml", &format!("{THREAD}:\n"));
    let ran = environment.run(&["thread", "list"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(7), ""));
    assert!(ran.stderr.contains("threads.yaml:1:27: "), "{}", ran.stderr);
    assert!(
        !ran.stderr.contains("nothing is not a hash"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_list_of_threads_or_workflows_that_is_no_text_is_damage_like_any_other() {
    let environment = golden();
    for (name, command) in [("threads.yaml", "thread"), ("workflows.yaml", "workflow")] {
        let file = environment.root().join(name);
        let whole = fs::read(&file).unwrap();
        fs::write(&file, b"06H2\xff\xfe\n").unwrap();
        let ran = environment.run(&[command, "list"]);
        assert!(
            ran.stderr.contains(&file.display().to_string()),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains("it is not UTF-8 text (byte 4)"),
            "{}",
            ran.stderr
        );
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(7), ""),
            "{name}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains("\nhint: "), "{name}: {}", ran.stderr);
        assert_eq!(fs::read(&file).unwrap(), b"06H2\xff\xfe\n");
        fs::write(&file, whole).unwrap();
    }
}

#[test]
fn damage_is_one_json_object_for_programs() {
    let environment = golden();
    environment.write_in_root("threads.yaml", "- x\n");
    let ran = environment.run(&["--error-format", "json", "thread", "list"]);
    let error: Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(7), ""));
    let file = environment.root().join("threads.yaml");
    let message = format!(
        "{}:1:1: cannot read the list of active threads: it holds a list, and one line of it is \
         `<thread>: <head>`",
        file.display()
    );
    assert_eq!(
        error,
        json!({
            "error": message,
            "kind": "damaged",
            "exitCode": 7,
            "causes": [],
            "hints": [error["hints"][0]],
        })
    );
    assert_eq!(ran.stderr.lines().count(), 1);
}

#[test]
fn a_head_that_looks_like_a_number_stays_the_text_it_is() {
    let environment = golden();
    let lines = format!("{THREAD}: 0123456789012\n{UNTOUCHED}: 12345678E1234\n");
    environment.write_in_root("threads.yaml", &lines);
    let list = environment.json(&["thread", "list"]);
    assert_eq!(list[0]["head"], "0123456789012");
    assert_eq!(list[1]["head"], "12345678E1234");
    environment.json(&["thread", "kill", UNTOUCHED]);
    assert_eq!(
        environment.read_in_root("threads.yaml"),
        format!("{THREAD}: \"0123456789012\"\n")
    );
}

#[test]
fn with_a_damaged_list_nothing_of_a_local_workflow_is_stored() {
    let environment = Environment::new();
    environment.write("relay.yaml", RELAY);
    environment.write_in_root("threads.yaml", "");
    let ran = environment.run(&["thread", "start", "./relay.yaml", "-p", "x"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(7), ""),
        "{}",
        ran.stderr
    );
    assert_eq!(environment.snapshot().len(), 1, "only the list itself");
}
