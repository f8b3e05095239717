//! Turns that are broken off, and taken up.

use std::process::Child;

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::json;

use super::{DONE, Stage, answer, recorded};
use crate::environment::{Ran, wait_until};

/// Begins a turn, says something, and waits with a child of its own.
const AT_WORK: &str = r#"
cat "$stage/beginning"
sleep 1000 &
echo $! >"$stage/child"
echo $$ >"$stage/pid"
wait
"#;

/// A step whose `claude` is at work, in its first run.
fn at_work(stage: &Stage) -> Child {
    let recorded = recorded("claude/tool-bash");
    let beginning: Vec<&str> = recorded.split_inclusive('\n').take(4).collect();
    stage.lay_out("beginning", &beginning.concat());
    stage.lay_out("do.1", AT_WORK);
    let child = stage
        .environment
        .spawn(&["thread", "step", &stage.thread, "--agent", "claude"]);
    wait_until("claude is at work", || {
        stage.folder().join("pid").exists() && !stage.kept("pid").is_empty()
    });
    // What it said was heard.
    let key = stage.key("writer", "claude");
    wait_until("its session is remembered", || {
        let path = stage.environment.root().join("cache/agent-sessions.json");
        std::fs::read_to_string(path).is_ok_and(|text| text.contains(&key))
    });
    child
}

#[track_caller]
fn nothing_is_left(stage: &Stage) {
    for name in ["pid", "child"] {
        let pid = Pid::from_raw(stage.kept(name).trim().parse().unwrap()).unwrap();
        wait_until(&format!("{name} is gone"), || {
            test_kill_process(pid).is_err()
        });
    }
}

#[test]
fn a_turn_that_is_broken_off_leaves_nothing_behind_and_is_taken_up() {
    let session = "89c56473-a3dd-4681-b36d-033d81893c48";
    let stage = Stage::playing(&["", &answer(session, DONE)]);
    let head = stage.environment.head(&stage.thread);
    let child = at_work(&stage);
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    ran.assert_no_result(143);
    nothing_is_left(&stage);
    assert_eq!(stage.environment.head(&stage.thread), head);
    let attempts = stage.attempts();
    assert_eq!(attempts[0]["class"], "interrupted");
    let detail = stage.kept_of_attempt();
    assert_eq!(detail["sessionId"], session);
    assert_eq!(detail["subtype"], "no_result");
    assert_eq!(
        stage.turns(&detail),
        [
            ("assistant", "I will run a command."),
            ("assistant", ""),
            ("tool", "hi")
        ]
        .map(|(role, text)| (role.to_owned(), text.to_owned()))
    );
    assert_eq!(
        stage.sessions(),
        json!({stage.key("writer", "claude"): session})
    );
    stage.made("claude");
    let argv = stage.argv(2);
    assert_eq!(argv[4..6], ["--resume", session]);
    assert!(
        stage
            .kept("stdin.2")
            .starts_with("## Instruction\n\nWrite hello.txt.\n")
    );
}

#[test]
fn a_limit_ends_claude_with_all_it_started() {
    let stage = Stage::playing(&[]);
    stage.environment.write_in_root(
        "config.yaml",
        "agents: {claude: {command: uwf-claude-code, timeout: 2s}}\n",
    );
    let child = at_work(&stage);
    let ran = Ran::from(child.wait_with_output().unwrap());
    ran.assert_no_result(3);
    nothing_is_left(&stage);
    assert_eq!(stage.attempts()[0]["class"], "timeout");
    assert_eq!(
        stage.kept_of_attempt()["turns"].as_array().unwrap().len(),
        3
    );
}

#[test]
fn a_run_that_is_told_to_end_from_outside_is_broken_off_by_nobody() {
    let stage = Stage::playing(&[&recorded("claude/sig-TERM")]);
    stage.lay_out("exit.1", "143\n");
    let (class, message) = stage.fails("claude", 3);
    assert_eq!(class, "crash");
    assert_eq!(
        message,
        "agent `claude` failed: claude exited with code 143 without a result"
    );
}
