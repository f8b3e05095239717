//! The registry and the history.

use std::fs;

use serde_json::Value;

use super::{THREAD, UNTOUCHED, WORKFLOW, golden};
use crate::environment::{Environment, RELAY, Ran, evidence};

#[test]
fn a_registry_that_cannot_be_read_is_said_with_its_place_and_left_as_it_is() {
    let hint = "hint: mend the file, or move it away and register the workflows again; it was left \
                as it is\n";
    let cases = [
        ("", "1:1: it is empty, without even `{}`: it was cut off"),
        (
            "triage-report: 6HA1S8",
            "1:16: `triage-report` has no hash: `6HA1S8` is not a hash: a hash is \
             13 characters of 0-9 and A-Z without I, L, O and U",
        ),
        (
            "triage-re",
            "1:1: it holds a string, and one line of it is `<name>: <hash>`",
        ),
        (
            "- a\n",
            "1:1: it holds a list, and one line of it is `<name>: <hash>`",
        ),
        ("a: {\n", "1:4: the `{` that opens here is not closed"),
    ];
    let put = evidence("triage-report.yaml");
    for name in ["workflows.yaml", "registry.yaml"] {
        let environment = golden();
        fs::remove_file(environment.root().join("workflows.yaml")).unwrap();
        for (content, message) in cases {
            environment.write_in_root(name, content);
            let before = environment.snapshot();
            let file = environment.root().join(name);
            let (place, what) = message.split_once(": ").unwrap();
            let reading = "cannot read the registry of workflows";
            let stderr = format!(
                "error: {}:{place}: {reading}: {what}\n{hint}",
                file.display()
            );
            let commands: [&[&str]; 4] = [
                &["workflow", "list"],
                &["workflow", "show", "triage-report"],
                &["workflow", "put", put.to_str().unwrap()],
                &["thread", "start", "triage-report", "-p", "x"],
            ];
            for command in commands {
                assert_eq!(
                    environment.run(command),
                    Ran::refused(7, &stderr),
                    "{content:?} {command:?}"
                );
                assert!(
                    before == environment.snapshot(),
                    "{content:?} {command:?} has written"
                );
            }
            // Who gives a hash needs no registry.
            environment.ok(&["workflow", "show", WORKFLOW]);
        }
    }
}

#[test]
fn the_registry_of_the_original_is_read_and_written_where_there_is_one() {
    let environment = Environment::with_golden_store();
    environment.write("relay.yaml", RELAY);
    let hash = environment.json(&["workflow", "put", "relay.yaml"])["hash"].clone();
    assert_eq!(
        environment.read_in_root("workflows.yaml"),
        format!(
            "triage-report: 6HA1S8JMB29J3\nrelay: {}\n",
            hash.as_str().unwrap()
        )
    );
    assert!(!environment.root().join("registry.yaml").exists());
}

#[test]
fn bad_lines_of_the_history_are_said_with_their_numbers_and_the_others_are_listed() {
    let environment = golden();
    let good = environment.read_in_root("history.jsonl");
    let torn = "{\"thread\":\"06H2";
    let mut history =
        format!("{torn}\n\n{good}{{\"thread\":\"{THREAD}\"}}\nnot json\n").into_bytes();
    history.extend(b"\xff\n");
    fs::write(environment.root().join("history.jsonl"), &history).unwrap();
    let file = environment.root().join("history.jsonl");
    let file = file.display();

    let ran = environment.run(&["thread", "list", "--all"]);
    assert_eq!(
        ran.stderr,
        format!(
            "warning: {file}:1: skipped this line: EOF while parsing a string (column 15)
warning: {file}:5: skipped this line: missing field `head` (column 39)
warning: {file}:6: skipped this line: expected ident (column 2)
warning: {file}:7: skipped this line: it is not UTF-8 text
"
        )
    );
    let list: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, list.as_array().unwrap().len()), (Some(0), 4));
    assert_eq!(
        environment
            .ok(&["thread", "list"])
            .matches("thread")
            .count(),
        2
    );
    environment.ok(&["thread", "show", "06H2S7SN4W24ANMYFNWWF49HHW"]);
    assert_eq!(
        fs::read(environment.root().join("history.jsonl")).unwrap(),
        history
    );
}

#[test]
fn a_thread_that_may_be_on_a_bad_line_of_the_history_is_not_simply_unknown() {
    let environment = golden();
    environment.write_in_root("history.jsonl", "{\"thread\":\"01AR");
    let unknown = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    let commands: [&[&str]; 3] = [
        &["thread", "show", unknown],
        &["thread", "kill", unknown],
        &["thread", "step", unknown, "--agent", "answer"],
    ];
    for command in commands {
        let ran = environment.run(command);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
        let message = format!("error: there is no thread {unknown}\n  because: ");
        assert!(ran.stderr.starts_with(&message), "{}", ran.stderr);
        let place = format!("{}:1: ", environment.root().join("history.jsonl").display());
        assert!(ran.stderr.contains(&place), "{}", ran.stderr);
    }
}

#[test]
fn what_is_appended_after_a_torn_line_starts_on_a_line_of_its_own() {
    let environment = golden();
    environment.write_in_root("history.jsonl", "{\"thread\":\"06H2");
    environment.ok(&["thread", "kill", UNTOUCHED]);
    let history = environment.read_in_root("history.jsonl");
    let lines: Vec<&str> = history.lines().collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0], "{\"thread\":\"06H2");
    let last: Value = serde_json::from_str(lines[1]).unwrap();
    assert_eq!(last["thread"], UNTOUCHED);
    assert!(history.ends_with("}\n"));
}
