//! What a program has started and let go of: children that left its group, and daemons, whose
//! parents have ended.

use rustix::process::{Signal, kill_process};

use super::*;

/// Waits until a daemon has made the folder `up`, having said its id before.
const UNTIL_UP: &str = "until [ -e up ]; do sleep 0.01; done";

/// A command that starts a daemon: its parent ends at once. It says its id and does this.
fn daemon(script: &str) -> String {
    format!("(setsid sh -c 'echo $$; {script}' &)")
}

/// Like [`assert_gone`]; and of what became our child, no trace is left.
fn assert_gone_without_a_trace(finished: &Finished) {
    assert_gone(finished);
    for pid in text(finished).lines() {
        assert!(!Path::new("/proc").join(pid).exists(), "{pid} is a zombie");
    }
}

#[test]
fn children_that_left_the_group_are_ended_with_the_program() {
    let folder = folder();
    let mut agent = script(
        &folder,
        "trap '' TERM; setsid sh -c 'echo $$; sleep 1000 & echo $!; wait' & wait; wait",
    );
    agent.limits.idle = Some(A_WHILE);
    agent.patience = HASTY;
    let (_, finished) = ended(run_quietly(&agent));
    assert_eq!(text(&finished).lines().count(), 2);
    assert_gone(&finished);
}

#[test]
fn daemons_are_ended_with_the_program_politely() {
    let folder = folder();
    let polite = daemon(
        r#"trap "mkdir bye; exit" TERM; mkdir up; n=0; while [ $n -lt 3000 ]; do sleep 0.1; n=$((n+1)); done"#,
    );
    let mut agent = script(&folder, &format!("{polite}; exec sleep 1000"));
    agent.limits.idle = Some(A_WHILE);
    agent.patience.leftovers = FOREVER;
    let (ending, finished) = ended(run_quietly(&agent));
    assert_eq!(ending, Ending::Idle(A_WHILE));
    assert_gone_without_a_trace(&finished);
    assert!(folder.path().join("bye").exists());
}

#[test]
fn daemons_that_ignore_the_request_are_killed() {
    let folder = folder();
    let stubborn = daemon(r#"trap "" TERM; (setsid sleep 300 & echo $!); mkdir up; sleep 300; :"#);
    let mut agent = script(&folder, &format!("{stubborn}; {UNTIL_UP}; exec sleep 1000"));
    agent.limits.idle = Some(A_WHILE);
    agent.patience = HASTY;
    let (_, finished) = ended(run_quietly(&agent));
    assert_eq!(text(&finished).lines().count(), 2);
    assert_gone_without_a_trace(&finished);
}

#[test]
fn a_daemon_that_is_started_when_the_program_must_end_is_ended() {
    let folder = folder();
    let late = daemon("mkdir up; exec sleep 1000").replace('$', "\\$");
    let trap = format!("{late}; {UNTIL_UP}; exit");
    let mut agent = script(
        &folder,
        &format!("trap \"{trap}\" TERM; while :; do sleep 0.01; done"),
    );
    agent.limits.total = Some(A_WHILE);
    agent.patience.output = SHORT;
    let (ending, finished) = ended(run_quietly(&agent));
    assert_eq!(ending, Ending::Timeout(A_WHILE));
    assert_gone_without_a_trace(&finished);
}

#[test]
fn the_daemons_of_a_program_that_was_killed_are_ended() {
    let folder = folder();
    let orphan = daemon("mkdir up; exec sleep 1000");
    let mut agent = script(&folder, &format!("{orphan}; {UNTIL_UP}; kill -KILL $$"));
    agent.patience = HASTY;
    let (ending, finished) = ended(run_quietly(&agent));
    assert_eq!(ending, Ending::Signal(Signal::KILL.as_raw()));
    assert_gone_without_a_trace(&finished);
}

#[test]
fn a_daemon_that_a_program_leaves_when_it_ends_by_itself_outlives_it_and_the_next() {
    let folder = folder();
    // It is not there for ever, should this fail.
    let server = daemon("exec >up.log 2>&1; mkdir up; exec sleep 300");
    let first = run_quietly(&script(&folder, &format!("{server}; {UNTIL_UP}"))).unwrap();
    let server: i32 = text(&first).trim().parse().unwrap();

    let mut second = script(&folder, "echo $$; exec sleep 1000");
    second.limits.idle = Some(A_WHILE);
    assert_gone_without_a_trace(&ended(run_quietly(&second)).1);
    assert!(is_alive(server));
    kill_process(Pid::from_raw(server).unwrap(), Signal::KILL).unwrap();
}

#[test]
fn a_daemon_that_has_ended_is_gone_while_the_program_works() {
    let folder = folder();
    // Were it not, the program would wait for ever: to it, a zombie is alive.
    let brief = daemon("echo $$ >pid; mkdir up");
    let agent = script(
        &folder,
        &format!("{brief}; {UNTIL_UP}; while kill -0 $(cat pid); do sleep 0.01; done 2>&-"),
    );
    assert_gone_without_a_trace(&run_quietly(&agent).unwrap());
}
