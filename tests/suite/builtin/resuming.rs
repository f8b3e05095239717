//! Runs that were killed, and taken up.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{Desk, ODE, write_file};
use crate::environment::{Ran, wait_until};
use crate::model_server::Reply;

/// A writer that was killed while its model was silent, after a file was written.
fn killed() -> Desk {
    let desk = Desk::new([
        write_file("ode.txt", "Rust never sleeps."),
        Reply::stream([""]).then_silence(),
    ]);
    let mut agent = desk.agent();
    let mut child = agent
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the model is asked again", || {
        desk.server.requests().len() == 2
    });
    child.kill().unwrap();
    child.wait().unwrap();
    desk.server.now_answers([Reply::says(ODE)]);
    desk
}

impl Desk {
    fn session(&self) -> std::path::PathBuf {
        let sessions = self.sessions();
        assert_eq!(sessions.len(), 1, "{sessions:?}");
        self.environment.root().join("sessions").join(&sessions[0])
    }

    #[track_caller]
    fn run_agent(&self) -> Ran {
        let ran = Ran::from(self.agent().output().unwrap());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        self.assert_no_key(&ran);
        ran
    }
}

#[test]
fn a_killed_run_can_be_read() {
    let desk = killed();
    let text = fs::read_to_string(desk.session()).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["thread"], desk.thread.as_str());
    assert_eq!(
        [&lines[0]["role"], &lines[0]["agent"], &lines[0]["step"]],
        [&json!("writer"), &json!("uwf-builtin"), &Value::Null]
    );
    let messages: Vec<_> = lines[1..]
        .iter()
        .map(|line| line["message"].clone())
        .collect();
    assert_eq!(messages, desk.messages(2));
    assert_eq!(
        lines[3]["usage"],
        json!({"input": 10, "cached": 4, "output": 3})
    );
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let desk = killed();
    fs::write(desk.environment.work().join("ode.txt"), "changed").unwrap();
    let ran = desk.run_agent();
    assert_eq!(desk.messages(3), desk.messages(2));
    assert_eq!(desk.server.requests().len(), 3);
    // What was done is not done again.
    let written = fs::read_to_string(desk.environment.work().join("ode.txt")).unwrap();
    assert_eq!(written, "changed");
    let step = desk.environment.payload(ran.stdout.trim());
    let detail = desk.environment.payload(step["detail"].as_str().unwrap());
    assert_eq!(detail["turnCount"], 2);
    assert_eq!(detail["usage"]["outputTokens"], 6);
    assert_eq!(
        detail["notes"][1],
        "taken up from a run that was interrupted"
    );
    assert_eq!(desk.turns(&detail).len(), 3);
    assert_eq!(desk.sessions(), Vec::<String>::new());
}

#[test]
fn a_call_without_a_result_is_not_made_again() {
    let desk = killed();
    let path = desk.session();
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<_> = text.lines().collect();
    lines.pop();
    // The result was being written.
    let torn = format!("{}\n{{\"message\":{{\"role\":\"to", lines.join("\n"));
    fs::write(&path, torn).unwrap();
    desk.run_agent();
    assert_eq!(
        desk.last_message(3),
        json!({
            "role": "tool",
            "tool_call_id": "id-write_file-0",
            "content": "interrupted, its outcome is not known",
        })
    );
}

#[test]
fn a_session_that_cannot_be_read_is_kept_aside() {
    let desk = killed();
    let path = desk.session();
    fs::write(&path, "no session\n").unwrap();
    let ran = desk.run_agent();
    ran.assert_begins(&format!(
        "warning: the interrupted session cannot be taken up: {path}:1: it does not say whose \
         session it is; it is kept as {path}.unreadable\n",
        path = path.display()
    ));
    assert_eq!(desk.messages(3), desk.messages(1));
    let aside = path.with_extension("jsonl.unreadable");
    assert_eq!(fs::read_to_string(aside).unwrap(), "no session\n");
}

#[test]
fn what_failed_for_good_is_begun_anew() {
    let desk = Desk::new([write_file("a", "b"), Reply::error(400, "bad messages")]);
    desk.step().assert_no_result(3);
    assert_eq!(desk.sessions(), Vec::<String>::new());
    desk.server.now_answers([Reply::says(ODE)]);
    assert_eq!(desk.step().code, Some(0));
    assert_eq!(desk.messages(3), desk.messages(1));
}

#[test]
fn what_passed_is_taken_up() {
    let desk = Desk::new([write_file("a", "b"), Reply::error(500, "oops")]);
    desk.step().assert_no_result(3);
    let asked = desk.server.requests().len();
    assert_eq!(asked, 6);
    desk.server.now_answers([Reply::says(ODE)]);
    assert_eq!(desk.step().code, Some(0));
    assert_eq!(desk.messages(asked + 1), desk.messages(2));
}

#[test]
fn a_session_of_a_thread_that_moved_on_is_ignored() {
    let desk = killed();
    desk.environment.printing("other", ODE);
    desk.environment
        .step_with(&desk.thread, "other", "markdown")
        .assert_clean();
    desk.server
        .now_answers([Reply::says("---\naccepted: false\n---\n"), Reply::says(ODE)]);
    let ran = desk.run(&["thread", "step", &desk.thread, "--count", "2"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(desk.messages(4).len(), 4);
    assert_eq!(desk.sessions().len(), 1);
}
