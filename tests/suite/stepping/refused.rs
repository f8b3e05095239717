//! Calls that run no agent: the count, the thread or its folder is wrong, or the thread is done.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{ROUND, steps_of, thread_with};
use crate::environment::{DRAFT, Environment};

#[test]
fn a_count_that_is_no_positive_integer_is_refused_before_anything_else_is_looked_at() {
    let environment = Environment::new();
    environment.write_in_root("config.yaml", "agents: [");
    environment.write_in_root("threads.yaml", "");
    let unknown = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    for count in [
        "0",
        "-1",
        "1.5",
        "abc",
        "",
        "99999999999999999999",
        "1e3",
        " 2",
        "0x10",
    ] {
        for flag in ["-c", "--count"] {
            for thread in [unknown, "no-id"] {
                let ran = environment.run(&["thread", "step", thread, flag, count]);
                assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{count}");
                let typed = match count {
                    "" => "an empty text".to_owned(),
                    count => format!("`{count}`"),
                };
                let error = format!("error: `--count` must be a positive integer, not {typed}\n");
                assert_eq!(ran.stderr, error);
            }
        }
    }
    let ran = environment.run(&[
        "thread",
        "step",
        unknown,
        "-c",
        "0",
        "--error-format",
        "json",
    ]);
    let error: Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!(
        [&error["kind"], &error["exitCode"]],
        [&json!("usage"), &json!(2)]
    );
}

/// A step that could not be taken has left the storage root as it was.
#[track_caller]
fn wrote_nothing_since(environment: &Environment, before: &[(PathBuf, Vec<u8>)]) {
    assert!(
        before == environment.snapshot(),
        "a step that could not be taken has written"
    );
}

#[test]
fn a_thread_that_is_not_there_is_said_and_leaves_no_trace() {
    let environment = Environment::new();
    environment.put_workflow(DRAFT);
    let before = environment.snapshot();
    let ran = environment.step_by("01ARZ3NDEKTSV4RRFFQ69G5FAV", "true");
    ran.assert_no_result(1);
    assert_eq!(
        ran.stderr,
        "error: there is no thread 01ARZ3NDEKTSV4RRFFQ69G5FAV\n\
         hint: `uwf thread list --all` shows every thread\n"
    );
    for id in ["", "abc", "01ARZ3NDEKTSV4RRFFQ69G5FAVX", "../../etc/passwd"] {
        let ran = environment.step_by(id, "true");
        ran.assert_no_result(1);
        assert_eq!(
            ran.stderr,
            format!(
                "error: `{id}` is not a thread id: an id is 26 characters of 0-9 and A-Z without I, L, O \
                 and U, the first at most 7\nhint: its first characters are enough, four at the \
                 least\nhint: `uwf thread list --all` shows every thread\n"
            )
        );
    }
    wrote_nothing_since(&environment, &before);
}

#[test]
fn a_thread_that_ended_cannot_be_stepped_and_it_is_said_how_it_ended() {
    let environment = Environment::with_golden_store();
    let done = thread_with(&environment, &ROUND);
    steps_of(&environment, &done, "4", "json");
    let killed = environment.start("draft", "A poem");
    environment.ok(&["thread", "kill", &killed]);
    // The original does not record which of the two it was.
    let original = "06H2S7T4PCHB3EJSX9FV4HQ570";
    let before = environment.snapshot();
    for (thread, how) in [
        (done.as_str(), "is completed"),
        (&killed, "was killed"),
        (original, "is completed or was killed"),
    ] {
        let ran = environment.step_with(thread, "round", "markdown");
        ran.assert_no_result(1);
        assert_eq!(
            ran.stderr,
            format!(
                "error: thread {thread} is not active: it {how}\n\
                 hint: read what it did: `uwf thread read {thread}`\n"
            )
        );
    }
    wrote_nothing_since(&environment, &before);
}

#[test]
fn a_thread_whose_working_folder_is_gone_is_not_stepped_anywhere_else() {
    let environment = Environment::new();
    environment.put_workflow(DRAFT);
    let folder = environment.work().join("project");
    std::fs::create_dir(&folder).unwrap();
    let started = environment.json(&[
        "thread", "start", "draft", "-p", "A poem", "--cwd", "project",
    ]);
    let thread = started["thread"].as_str().unwrap();
    environment.program("where", "pwd >here\nprintf -- '---\\ntitle: T\\n---\\n'");
    std::fs::rename(&folder, environment.work().join("moved")).unwrap();
    let ran = environment.step_with(thread, "where", "markdown");
    ran.assert_no_result(1);
    assert_eq!(
        ran.stderr,
        format!(
            "error: the working folder of thread {thread} is gone: {}\n\
             hint: make the folder again, or write the folder to work in as `cwd` in {}\n",
            folder.display(),
            environment
                .root()
                .join(format!("threads/{thread}.json"))
                .display()
        )
    );
    std::fs::rename(environment.work().join("moved"), &folder).unwrap();
    assert_eq!(
        environment.step_with(thread, "where", "markdown").code,
        Some(0)
    );
    let here = std::fs::read_to_string(folder.join("here")).unwrap();
    assert_eq!(here.trim_end(), folder.to_str().unwrap());
}

#[test]
fn a_thread_that_ends_at_once_is_done_without_an_agent() {
    let environment = Environment::new();
    let nothing = "name: nothing\ndescription: Nothing to do\nroles: {}\nconditions:\n  \
        idle: {description: d, expression: start.prompt = 'A poem about rust'}\n\
        graph:\n  $START: [{role: $END, condition: idle, prompt: Rest.}]\n";
    for count in ["1", "3"] {
        let thread = environment.thread_of(nothing);
        let start = environment.head(&thread);
        let ran = environment.run(&["thread", "step", &thread, "-c", count]);
        ran.assert_clean();
        let workflow = environment.json(&["workflow", "show", "nothing"])["hash"].clone();
        let result = json!({"workflow": workflow, "thread": thread, "head": start, "done": true});
        assert_eq!(ran.stdout, result.to_string() + "\n");
        assert_eq!(environment.json(&["thread", "show", &thread]), result);
        assert_eq!(environment.read_in_root("threads.yaml"), "{}\n");
        let history = environment.read_in_root("history.jsonl");
        let entry: Value = serde_json::from_str(history.lines().last().unwrap()).unwrap();
        assert_eq!(
            [&entry["thread"], &entry["head"], &entry["status"]],
            [&thread, &start, "completed"]
        );
    }
}
