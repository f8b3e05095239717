//! The process log: who writes it, what is in it and what never is, and the commands that read
//! and clean it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::environment::{Environment, Ran, evidence};

const WORKFLOW: &str = "6HA1S8JMB29J3";
/// Never in a log: it stands where prompts, arguments and keys do.
const SECRET: &str = "sk-0123456789";

/// The files of the log.
fn files(environment: &Environment) -> Vec<PathBuf> {
    let folder = environment.root().join("logs");
    let mut files: Vec<_> = match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.unwrap().path()).collect(),
        Err(_) => Vec::new(),
    };
    files.sort();
    files
}

/// All there is in them.
fn written(environment: &Environment) -> String {
    let text = |path: PathBuf| fs::read_to_string(path).unwrap();
    files(environment).into_iter().map(text).collect()
}

fn mode(file: &Path) -> u32 {
    file.metadata().unwrap().permissions().mode() & 0o777
}

/// The entries of a log as `tag message`, and what each is about; times in messages are `0`.
fn told(entries: &Value) -> Vec<(String, Value, Value)> {
    let told = entries.as_array().unwrap().iter().map(|entry| {
        let keys: Vec<&String> = entry.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["ts", "pid", "tag", "msg", "thread", "workflow"]);
        let message = entry["msg"].as_str().unwrap();
        let message = match message.split_once(" ms=") {
            Some((before, ms)) => {
                assert!(ms.parse::<u64>().is_ok(), "{message}");
                format!("{before} ms=0")
            }
            None => message.to_owned(),
        };
        (
            format!("{} {message}", entry["tag"].as_str().unwrap()),
            entry["thread"].clone(),
            entry["workflow"].clone(),
        )
    });
    told.collect()
}

fn messages(entries: &Value) -> Vec<String> {
    told(entries).into_iter().map(|(told, _, _)| told).collect()
}

fn began(command: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("W9F3RK2M process started command=\"{command}\" version={version}")
}

/// A store in which `triage-report` is registered, and an agent whose answer ends it.
pub fn prepared() -> Environment {
    let environment = Environment::new();
    let file = evidence("triage-report.yaml");
    environment.ok(&["workflow", "put", file.to_str().unwrap()]);
    environment.program(
        "answer",
        "printf -- '---\\ncount: 0\\nfailures: []\\n---\\nNothing.\\n'",
    );
    environment
}

fn step(environment: &Environment, thread: &str, agent: &str) -> Ran {
    let options = ["--protocol", "markdown", "--agent", agent];
    environment.run(&[&["thread", "step", thread], &options[..]].concat())
}

#[test]
fn a_thread_leaves_a_trace_without_a_word_of_prompts_arguments_and_keys() {
    let environment = prepared();
    environment.write_in_root(".env", &format!("API_KEY={SECRET}\n"));
    environment.write_in_root(
        "config.yaml",
        &format!(
            "agents:\n  keeper:\n    command: answer\n    args: [--key, {SECRET}]\n    \
             protocol: markdown\n    env: [API_KEY]\n"
        ),
    );
    let thread = environment.start("triage-report", SECRET);
    let ran = step(&environment, &thread, "keeper");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let head = serde_json::from_str::<Value>(&ran.stdout).unwrap()["head"].clone();
    let head = head.as_str().unwrap();

    for file in files(&environment) {
        assert_eq!(mode(&file), 0o600);
    }
    let written = written(&environment);
    assert!(!written.contains(SECRET), "{written}");
    assert!(!written.contains("Collect every"), "{written}");

    let shown = environment.ok(&["log", "show"]);
    assert_eq!(
        shown,
        format!("[{}]\n", written.trim_end().replace('\n', ","))
    );
    let entries: Value = serde_json::from_str(&shown).unwrap();
    let about = |message: &str, thread: Value| (message.to_owned(), thread, json!(WORKFLOW));
    let thread = json!(thread);
    assert_eq!(
        told(&entries),
        [
            about(&began("workflow put"), Value::Null),
            about(
                "D6Z3J8Y0 workflow registered name=triage-report",
                Value::Null
            ),
            about(&began("thread start"), thread.clone()),
            about(&started(&environment, &thread), thread.clone()),
            about(&began("thread step"), thread.clone()),
            about("M3K8V9T1 moderator chose role=collector", thread.clone()),
            about("R5J2W8N4 agent started command=answer", thread.clone()),
            about(
                &format!("C6P9E3H7 agent returned head={head} ms=0"),
                thread.clone()
            ),
            about(
                &format!("F4D8Q2K5 thread archived head={head} status=completed"),
                thread
            ),
        ]
    );
    for entry in entries.as_array().unwrap() {
        let ts = entry["ts"].as_str().unwrap();
        assert_eq!(
            (ts.len(), &ts[23..]),
            ("2026-11-30T13:22:41.064Z".len(), "Z")
        );
        let (began, pid) = entry["pid"].as_str().unwrap().split_once('-').unwrap();
        assert!(began.parse::<u64>().is_ok() && pid.parse::<u32>().is_ok());
    }
}

fn started(environment: &Environment, thread: &Value) -> String {
    let steps = environment.json(&["thread", "steps", thread.as_str().unwrap()]);
    let head = steps["steps"][0]["hash"].as_str().unwrap();
    format!("7HNQ4B2X thread started head={head}")
}

#[test]
fn a_step_that_fails_is_logged_by_its_class_alone() {
    let environment = prepared();
    environment.program("broken", &format!("echo {SECRET} >&2; exit 3"));
    environment.program("chatty", &format!("echo {SECRET}"));
    let thread = environment.start("triage-report", SECRET);
    for (agent, code) in [
        ("broken", 3),
        ("chatty", 4),
        (&format!("API_KEY={SECRET} broken")[..], 3),
    ] {
        assert_eq!(step(&environment, &thread, agent).code, Some(code));
    }
    assert_eq!(environment.run(&["thread", "step", &thread]).code, Some(1));
    let entries = environment.json(&["log", "show", "--thread", &thread]);
    assert_eq!(
        messages(&entries)[2..],
        [
            &began("thread step"),
            "M3K8V9T1 moderator chose role=collector",
            "R5J2W8N4 agent started command=broken",
            "B8T5N1V6 step failed class=exit",
            &began("thread step"),
            "M3K8V9T1 moderator chose role=collector",
            "R5J2W8N4 agent started command=chatty",
            "B8T5N1V6 step failed class=output",
            &began("thread step"),
            "M3K8V9T1 moderator chose role=collector",
            "R5J2W8N4 agent started command=API_KEY",
            "B8T5N1V6 step failed class=not-found",
            &began("thread step"),
            "M3K8V9T1 moderator chose role=collector",
            "B8T5N1V6 step failed class=configuration",
        ]
    );
    let written = written(&environment);
    assert!(!written.contains(SECRET), "{written}");
}

#[test]
fn forks_and_kills_are_logged_also_of_a_damaged_thread() {
    let environment = Environment::with_golden_store();
    let forked = environment.json(&["thread", "fork", "56XFMVXEJ5CJ5"]);
    let thread = forked["thread"].as_str().unwrap();
    environment.ok(&["thread", "kill", thread]);
    let entries = environment.json(&["log", "show", "--thread", thread]);
    assert_eq!(
        messages(&entries),
        [
            &began("thread fork"),
            "X2V7G4S9 thread forked step=56XFMVXEJ5CJ5",
            &began("thread kill"),
            "F4D8Q2K5 thread archived head=56XFMVXEJ5CJ5 status=killed",
        ]
    );

    let damaged = "06H2S7TA9T8B340D04DAXMJ56W";
    fs::remove_file(environment.root().join("cas/5ZDNP8G82TBBT.bin")).unwrap();
    assert_eq!(environment.run(&["thread", "kill", damaged]).code, Some(0));
    let entries = environment.json(&["log", "show", "--thread", damaged]);
    assert_eq!(
        told(&entries).pop(),
        Some((
            "F4D8Q2K5 thread archived head=5ZDNP8G82TBBT status=killed".to_owned(),
            json!(damaged),
            Value::Null
        ))
    );
}

#[test]
fn what_is_refused_at_once_is_not_logged() {
    let environment = Environment::with_golden_store();
    let before = environment.snapshot();
    let thread = "06H2S7SN4W24ANMYFNWWF49HHW";
    for arguments in [
        &["thread", "step", thread, "--agent", "answer"][..],
        &["thread", "kill", thread],
        &["thread", "fork", "6HA1S8JMB29J3"],
        &["thread", "start", "nothing", "-p", "x"],
        &["workflow", "put", "nothing.yaml"],
        &["thread", "step", "nonsense"],
    ] {
        assert_eq!(environment.run(arguments).code, Some(1), "{arguments:?}");
    }
    assert!(before == environment.snapshot());
}

#[test]
fn a_log_that_cannot_be_written_is_said_once_and_fails_nothing() {
    let environment = prepared();
    fs::remove_dir_all(environment.root().join("logs")).unwrap();
    environment.write_in_root("logs", "in the way\n");
    let ran = environment.run(&["thread", "start", "triage-report", "-p", "x"]);
    let warning = format!(
        "warning: the process log is not written: cannot make the folder {}: \
         File exists (os error 17)\n",
        environment.root().join("logs").display()
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), warning.as_str()));
    let started: Value = serde_json::from_str(&ran.stdout).unwrap();
    let ran = step(&environment, started["thread"].as_str().unwrap(), "answer");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), warning.as_str()));
    assert_eq!(environment.read_in_root("logs"), "in the way\n");
}

#[test]
fn a_file_of_today_that_others_could_read_is_closed_to_them() {
    let environment = prepared();
    for file in files(&environment) {
        fs::set_permissions(file, fs::Permissions::from_mode(0o644)).unwrap();
    }
    environment.start("triage-report", "x");
    assert_eq!(mode(files(&environment).last().unwrap()), 0o600);
}

#[test]
fn the_log_of_the_original_is_listed_and_shown_as_it_stands() {
    let environment = Environment::with_golden_store();
    let before = environment.snapshot();
    assert_eq!(
        environment.ok(&["log", "list"]),
        "[{\"name\":\"2026-11-30.jsonl\",\"size\":6810,\"date\":\"2026-11-30\"}]\n"
    );
    let recorded = environment.read_in_root("logs/2026-11-30.jsonl");
    let lines: Vec<&str> = recorded.lines().collect();
    let list = |wanted: &dyn Fn(&str) -> bool| {
        let lines: Vec<&str> = lines.iter().copied().filter(|line| wanted(line)).collect();
        format!("[{}]\n", lines.join(","))
    };
    let thread = "06H2S7T0SYTNXJYWQYS40BBMNR";
    let process = "1796044961424-27678";
    let of_thread = |line: &str| line.contains(&format!("\"thread\":\"{thread}\""));
    let of_process = |line: &str| line.contains(&format!("\"pid\":\"{process}\""));
    for (filter, expected) in [
        (&[][..], list(&|_| true)),
        (&["--date", "2026-11-30"], list(&|_| true)),
        (&["--date", "2026-12-01"], "[]\n".to_owned()),
        (&["--thread", thread], list(&of_thread)),
        (&["--process", process], list(&of_process)),
        (&["--process", "27678"], list(&of_process)),
        (&["--process", "2767"], "[]\n".to_owned()),
        (
            &["--thread", thread, "--process", process],
            "[]\n".to_owned(),
        ),
        (
            &["--process", process, "--date", "2026-11-30"],
            list(&of_process),
        ),
    ] {
        let shown = environment.ok(&[&["log", "show"], filter].concat());
        assert_eq!(shown, expected, "{filter:?}");
    }
    assert!(before == environment.snapshot());
}

#[test]
fn an_empty_store_has_an_empty_log_and_gets_no_file() {
    let environment = Environment::new();
    assert_eq!(environment.ok(&["log", "list"]), "[]\n");
    assert_eq!(environment.ok(&["log", "show"]), "[]\n");
    let clean = ["log", "clean", "--before", "2026-12-01"];
    assert_eq!(environment.ok(&clean), "{\"deleted\":0}\n");
    assert!(!environment.root().exists());
}

#[test]
fn a_bad_line_is_reported_and_hides_neither_its_day_nor_another() {
    let environment = Environment::new();
    environment.write_in_root(
        "logs/2026-11-29.jsonl",
        "{\"ts\":\"2026-11-29T\",\"n\":1}\n",
    );
    environment.write_in_root(
        "logs/2026-11-30.jsonl",
        "{\"ts\":\"2026-11-30T2\",\"n\":3}\n\u{1b}[31m\n{\"ts\":\"2026-11-30T1\",\"n\":2}\n{\"ts\":\"2026-1",
    );
    let ran = environment.run(&["log", "show"]);
    assert_eq!(ran.code, Some(0));
    let order: Vec<u64> = serde_json::from_str::<Value>(&ran.stdout)
        .unwrap()
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["n"].as_u64().unwrap())
        .collect();
    assert_eq!(order, [1, 2, 3]);
    let file = environment.root().join("logs/2026-11-30.jsonl");
    let file = file.display();
    assert_eq!(
        ran.stderr,
        format!(
            "warning: {file}:2: skipped this line: expected value (column 1)\n\
             warning: {file}:4: skipped this line: EOF while parsing a string (column 13)\n"
        )
    );
}

/// Three days, and three files that no day gives its name to.
fn with_three_days() -> Environment {
    let environment = Environment::new();
    for name in [
        "2026-11-28.jsonl",
        "2026-11-29.jsonl",
        "2026-11-30.jsonl",
        "2026-11-31.jsonl",
        "0.jsonl",
        "2026-11-28.jsonl.old",
    ] {
        environment.write_in_root(&format!("logs/{name}"), "not even JSON\n");
    }
    environment
}

fn names(environment: &Environment) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    files(environment).iter().map(name).collect()
}

#[test]
fn cleaning_deletes_the_days_before_and_nothing_else() {
    let environment = with_three_days();
    let clean = ["log", "clean", "--before", "2026-11-30"];
    assert_eq!(
        environment.ok(&[&clean[..], &["--dry-run"]].concat()),
        "{\"deleted\":0,\"wouldDelete\":[\"2026-11-29.jsonl\",\"2026-11-28.jsonl\"]}\n"
    );
    assert_eq!(names(&environment).len(), 6);
    assert_eq!(environment.ok(&clean), "{\"deleted\":2}\n");
    assert_eq!(
        names(&environment),
        [
            "0.jsonl",
            "2026-11-28.jsonl.old",
            "2026-11-30.jsonl",
            "2026-11-31.jsonl"
        ]
    );
    assert_eq!(environment.ok(&clean), "{\"deleted\":0}\n");
    assert_eq!(
        environment.ok(&["log", "list"]),
        "[{\"name\":\"2026-11-30.jsonl\",\"size\":14,\"date\":\"2026-11-30\"}]\n"
    );
}

#[test]
fn what_is_no_date_is_refused_and_deletes_nothing() {
    let environment = with_three_days();
    for date in ["tomorrow", "2026-11-31", "2026-12", "9", "", "~", "zzz"] {
        for command in [
            &["log", "clean", "--before", date][..],
            &["log", "show", "--date", date],
        ] {
            let ran = environment.run(command);
            let name = command[2];
            let typed = match date {
                "" => "an empty text".to_owned(),
                date => format!("`{date}`"),
            };
            let message = format!(
                "error: `{name}` must be a day of the calendar, written YYYY-MM-DD, not {typed}\n"
            );
            assert_eq!(
                (ran.code, ran.stdout.as_str()),
                (Some(2), ""),
                "{command:?}"
            );
            assert_eq!(ran.stderr, message);
        }
    }
    assert_eq!(environment.run(&["log", "clean"]).code, Some(2));
    assert_eq!(names(&environment).len(), 6);
}
