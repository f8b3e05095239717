//! The folder a step runs in, and the file that records it.

use std::fs;

use serde_json::{Value, json};

use super::{UNTOUCHED, golden};
use crate::environment::{Environment, Ran};

#[test]
fn what_is_known_of_a_thread_and_cannot_be_read_is_said_and_no_agent_is_run() {
    let environment = golden();
    let name = format!("threads/{UNTOUCHED}.json");
    let file = environment.root().join(&name);
    let file = file.display();
    let correct = format!(
        "hint: correct {file}, or remove it to run the thread in the folder uwf is called in\n"
    );
    let cannot_read = format!("error: cannot read what is known of the thread in {file}\n");
    let cases = [
        (
            "",
            format!(
                "{cannot_read}  because: EOF while parsing a value at line 1 column 0\n{correct}"
            ),
        ),
        (
            "{\"version\":1,\"cwd\":",
            format!(
                "{cannot_read}  because: EOF while parsing a value at line 1 column 19\n{correct}"
            ),
        ),
        (
            "{\"version\":1}",
            format!("{cannot_read}  because: missing field `cwd` at line 1 column 13\n{correct}"),
        ),
        (
            "{\"version\":2,\"folders\":[]}",
            format!(
                "error: cannot read {file}: its format is version 2, this program knows 1\n\
                 hint: use the uwf that started the thread\n"
            ),
        ),
        (
            "{\"version\":1,\"cwd\":\"here\"}",
            format!(
                "error: the working folder recorded in {file} is not an absolute path: here\n{correct}"
            ),
        ),
        (
            "{\"version\":1,\"cwd\":\"/nowhere/at/all\"}",
            format!(
                "error: the working folder of thread {UNTOUCHED} is gone: /nowhere/at/all\n\
                 hint: make the folder again, or write the folder to work in as `cwd` in {file}\n"
            ),
        ),
    ];
    for (content, stderr) in cases {
        environment.write_in_root(&name, content);
        assert_eq!(
            environment.step(UNTOUCHED),
            Ran::refused(1, &stderr),
            "{content:?}"
        );
        assert_eq!(environment.read_in_root(&name), content);
        environment.ok(&["thread", "show", UNTOUCHED]);
    }
    assert_eq!(environment.runs(), 0);
}

#[test]
fn a_recorded_working_folder_that_became_a_file_is_not_said_to_be_gone() {
    let environment = golden();
    let file = environment.write("a-file", "");
    let content = json!({"version": 1, "cwd": file}).to_string();
    environment.write_in_root(&format!("threads/{UNTOUCHED}.json"), &content);
    let ran = environment.step(UNTOUCHED);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert!(
        ran.stderr.contains(&file.display().to_string()),
        "{}",
        ran.stderr
    );
    assert!(
        !ran.stderr.contains("is gone"),
        "it is there, and no folder: {}",
        ran.stderr
    );
}

#[test]
fn a_step_runs_in_the_folder_in_which_the_thread_was_started() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let step = [
        "thread",
        "step",
        &thread,
        "--agent",
        "answer",
        "--protocol",
        "markdown",
    ];
    let ran = environment.run_in(&environment.home(), &step);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(environment.runs(), 1, "in the working folder");
    assert!(!environment.home().join("runs.txt").exists());
}

#[test]
fn a_thread_can_be_started_for_another_folder() {
    let environment = Environment::with_relay();
    fs::create_dir(environment.work().join("project")).unwrap();
    let started = environment.json(&[
        "thread", "start", "relay", "-p", "a poem", "--cwd", "project",
    ]);
    let thread = started["thread"].as_str().unwrap();
    let folder = environment.work().join("project");
    let recorded = environment.read_in_root(&format!("threads/{thread}.json"));
    let beginning = format!(
        "{{\"version\":1,\"cwd\":\"{}\",\"startedAt\":",
        folder.display()
    );
    assert!(recorded.starts_with(&beginning), "{recorded}");
    assert_eq!(environment.step(thread).code, Some(0));
    assert!(folder.join("runs.txt").exists());
    assert_eq!(environment.runs(), 0);

    for (folder, what) in [
        ("absent", "does not exist"),
        ("relay.yaml", "is not a folder"),
    ] {
        let before = environment.snapshot();
        let start = ["thread", "start", "relay", "-p", "a poem", "--cwd", folder];
        let stderr = format!(
            "error: the working folder {} {what}\nhint: give --cwd a folder that exists\n",
            environment.work().join(folder).display()
        );
        assert_eq!(environment.run(&start), Ran::refused(1, &stderr));
        assert!(before == environment.snapshot());
    }
}

#[test]
fn a_step_of_a_thread_without_a_record_runs_where_it_is_called() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    fs::remove_dir_all(environment.root().join("threads")).unwrap();
    let step = [
        "thread",
        "step",
        &thread,
        "--agent",
        "answer",
        "--protocol",
        "markdown",
    ];
    let ran = environment.run_in(&environment.home(), &step);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(environment.home().join("runs.txt").exists());
}

#[test]
fn a_fork_works_where_it_was_made() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let head = environment.json(&["thread", "show", &thread])["head"].clone();
    let fork = ["thread", "fork", head.as_str().unwrap()];
    let ran = environment.run_in(&environment.home(), &fork);
    let fork: Value = serde_json::from_str(&ran.stdout).unwrap();
    environment.step(fork["thread"].as_str().unwrap());
    assert!(environment.home().join("runs.txt").exists());
    assert_eq!(environment.runs(), 0);
}
