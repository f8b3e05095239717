//! `thread kill` of a thread whose step is being run.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::json;

use crate::environment::{Environment, Ran, wait_until};
use crate::state::{begin_slow_step, let_go};

/// What `thread kill` prints.
fn killed(thread: &str) -> String {
    format!("{{\"thread\":\"{thread}\",\"archived\":true}}\n")
}

/// A step whose agent and a child of it are at work, both for a long time; their ids are in
/// `pids.txt`.
fn begin_long_step(environment: &Environment, thread: &str) -> Child {
    environment.program(
        "long",
        "sleep 1000 &\necho half of an answer\necho $$ $! >pids.new\nmv pids.new pids.txt\nwait\n",
    );
    let arguments = ["thread", "step", thread, "--agent", "long"];
    let step = environment.spawn(&[&arguments[..], &["--protocol", "markdown"]].concat());
    let pids = environment.work().join("pids.txt");
    wait_until("the agent is at work", || pids.exists());
    step
}

#[test]
fn the_running_step_is_ended_with_its_agent_and_its_attempt_is_on_record() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let working = begin_long_step(&environment, &thread);
    assert_eq!(
        environment.ok(&["thread", "kill", &thread]),
        killed(&thread)
    );

    // The kill has waited for it: the agent and its child are gone, or dead and waited for by
    // nobody.
    let pids = fs::read_to_string(environment.work().join("pids.txt")).unwrap();
    for pid in pids.split_whitespace() {
        let state = environment.shell(&format!(
            "sed -n 's/^State:[[:blank:]]*//p' /proc/{pid}/status 2>/dev/null"
        ));
        let is_dead = state.stdout.is_empty() || state.stdout.starts_with('Z');
        assert!(is_dead, "process {pid} is {}", state.stdout);
    }
    let ran = Ran::from(working.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(143), ""), "{ran:?}");
    let interrupted = "error: agent `long` was interrupted by SIGTERM\n";
    assert!(ran.stderr.starts_with(interrupted), "{}", ran.stderr);

    let attempts = environment.json(&["thread", "attempts", &thread])["attempts"].clone();
    assert_eq!(attempts.as_array().unwrap().len(), 1);
    let attempt = &attempts[0];
    assert_eq!(attempt["class"], "interrupted");
    let kept = environment.payload(attempt["output"].as_str().unwrap());
    let turn = environment.payload(kept["turns"][0].as_str().unwrap());
    assert_eq!(turn["content"], "half of an answer\n");

    let shown = environment.json(&["thread", "show", &thread, "--long"]);
    assert_eq!(shown["status"], "killed");
    assert_eq!(shown["lastAttempt"]["class"], "interrupted");
    assert_eq!(environment.read_in_root("threads.yaml"), "{}\n");
    let logged = environment.read_in_root("history.jsonl");
    assert!(logged.ends_with("\"status\":\"killed\"}\n"), "{logged}");
}

#[test]
fn a_step_that_was_left_at_work_is_ended_by_a_second_kill() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let working = begin_long_step(&environment, &thread);
    let leave = ["thread", "kill", &thread, "--leave-running"];
    assert_eq!(environment.ok(&leave), killed(&thread));
    let shown = environment.json(&["thread", "show", &thread, "--long"]);
    assert_eq!(
        [&shown["status"], &shown["pid"], &shown["done"]],
        [&json!("killed"), &json!(working.id()), &json!(true)]
    );
    let error = format!("error: thread {thread} is not active: it was killed\n");
    let at_work =
        format!("hint: a step of it is still at work: `uwf thread kill {thread}` ends it\n");
    let readable = format!("hint: it can still be read: `uwf thread read {thread}`\n");
    let refused = format!("{error}{at_work}{readable}");
    assert_eq!(environment.run(&leave), Ran::refused(1, &refused));

    let kill = ["thread", "kill", &thread];
    assert_eq!(environment.ok(&kill), killed(&thread));
    let ran = Ran::from(working.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(143), ""), "{ran:?}");
    let shown = environment.json(&["thread", "show", &thread, "--long"]);
    assert_eq!(shown["lastAttempt"]["class"], "interrupted");
    assert_eq!(shown.get("pid"), None);
    // Nothing is at work any more, and the history has the one end of it.
    let refused = format!("{error}{readable}");
    assert_eq!(environment.run(&kill), Ran::refused(1, &refused));
    assert_eq!(environment.read_in_root("history.jsonl").lines().count(), 1);
}

#[test]
fn a_step_that_was_left_at_work_says_in_the_end_that_its_thread_was_killed() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let working = begin_slow_step(&environment, &thread);
    let leave = ["thread", "kill", &thread, "--leave-running"];
    assert_eq!(environment.ok(&leave), killed(&thread));
    assert_eq!(let_go(&environment, working).code, Some(6));
    let shown = environment.json(&["thread", "show", &thread, "--long"]);
    assert_eq!(shown["lastAttempt"]["class"], "killed");
    assert_eq!(shown.get("pid"), None);
}

#[test]
fn a_step_is_ended_also_when_the_result_cannot_be_printed() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let working = begin_long_step(&environment, &thread);
    let full = File::options().write(true).open(full).unwrap();
    let mut kill = environment.command(&["thread", "kill", &thread]);
    let ran = Ran::from(kill.stdout(full).output().unwrap());
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let ran = Ran::from(working.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(143), "{ran:?}");
}

#[test]
fn a_second_kill_that_cannot_tell_whether_a_step_is_at_work_says_so() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let kill = ["thread", "kill", &thread];
    assert_eq!(environment.ok(&kill), killed(&thread));
    let locks = environment.root().join("locks");
    fs::remove_dir_all(&locks).unwrap();
    std::os::unix::fs::symlink(&locks, &locks).unwrap();
    let ran = environment.run(&kill);
    let warning = format!(
        "warning: a step of it may still be at work: cannot open {}/root.lock: ",
        locks.display()
    );
    assert_eq!((ran.code, ran.stdout), (Some(0), killed(&thread)));
    assert!(ran.stderr.starts_with(&warning), "{}", ran.stderr);
}

/// The lock of a thread, held by this process and said to be held by another.
fn lock_for(environment: &Environment, thread: &str, said: &str) -> File {
    let name = format!("locks/{thread}.lock");
    environment.write_in_root(&name, said);
    let lock = File::open(environment.root().join(name)).unwrap();
    lock.lock().unwrap();
    lock
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_only_has_the_same_id_is_left_alone() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let mut innocent = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let pid = innocent.id();
    let said = format!("{{\"pid\":{pid},\"startedAt\":1796044961784}}");
    let _lock = lock_for(&environment, &thread, &said);
    let ran = environment.run(&["thread", "kill", &thread]);
    let path = environment.root().join(format!("locks/{thread}.lock"));
    assert_eq!(
        ran,
        Ran {
            code: Some(0),
            stdout: killed(&thread),
            stderr: format!(
                "warning: a step of it may still be at work: no process {pid} here has {} open: \
                 it may run in another container or on another machine\n",
                path.display()
            ),
        }
    );
    assert_eq!(innocent.try_wait().unwrap(), None);
    drop(innocent.stdin.take());
    assert!(innocent.wait().unwrap().success());
}

#[test]
fn a_lock_that_does_not_tell_its_holder_is_no_reason_to_keep_the_thread() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let _lock = lock_for(&environment, &thread, "");
    let shown = environment.json(&["thread", "show", &thread, "--long"]);
    assert_eq!(
        [&shown["status"], &shown["pid"], &shown["since"]],
        [&json!("running"), &json!(null), &json!(null)]
    );
    let ran = environment.run(&["thread", "kill", &thread]);
    assert_eq!(
        ran,
        Ran {
            code: Some(0),
            stdout: killed(&thread),
            stderr: "warning: a step of it may still be at work: the lock's file does not tell \
                     which process runs it\n"
                .to_owned(),
        }
    );
}
