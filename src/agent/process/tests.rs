//! Real programs, small shell scripts mostly, run and ended. Nothing here measures time: what
//! must not happen would take for ever, what must happen is seen in the outcome.

#[cfg(target_os = "linux")]
mod descendants;
mod ending;
mod interruption;
mod starting;
mod streams;
#[cfg(target_os = "linux")]
mod too_late;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, test_kill_process};
use tempfile::TempDir;

use super::*;
use crate::agent::invocation::{Capture, Patience};
use crate::agent::signals::tests::quiet_guard;
use crate::config::Limits;

const FOREVER: Duration = Duration::from_secs(3600);
const SHORT: Duration = Duration::from_millis(200);
/// Time enough for a script to have said its first words, on any machine.
const A_WHILE: Duration = Duration::from_secs(1);

/// For a program that ends when it is asked to: were it not so, its test would never end. Its
/// children cannot be held to that. A shell's child may be asked before it has become what it
/// shall be, and lose the request.
const POLITE: Patience = Patience {
    ending: FOREVER,
    output: A_WHILE,
    leftovers: A_WHILE,
};
const HASTY: Patience = Patience {
    ending: SHORT,
    output: SHORT,
    leftovers: SHORT,
};

fn path() -> (OsString, OsString) {
    ("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())
}

fn invocation(folder: &TempDir, program: impl Into<OsString>) -> Invocation {
    Invocation {
        agent: "x".to_owned(),
        program: program.into(),
        arguments: Vec::new(),
        cwd: folder.path().to_owned(),
        environment: BTreeMap::from([path()]),
        stdin: Stdin::Empty,
        capture: Capture::LAST_LINES,
        limits: Limits::default(),
        patience: POLITE,
    }
}

fn script(folder: &TempDir, script: &str) -> Invocation {
    Invocation {
        arguments: vec!["-c".into(), script.into(), "sh".into()],
        ..invocation(folder, "/bin/sh")
    }
}

fn run_quietly(invocation: &Invocation) -> Result<Finished, AgentError> {
    run(invocation, &mut quiet_guard(), &mut |_| {})
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Writes a file by way of another process: were it written here, a child that another test
/// starts at this moment could hold it open, and it could not be executed.
fn write(folder: &TempDir, name: &str, content: &[u8], mode: &str) {
    let mut write = script(folder, r#"cat > "$1" && chmod "$2" "$1""#);
    write.arguments.extend([name.into(), mode.into()]);
    write.stdin = Stdin::Text(content.to_vec());
    run_quietly(&write).unwrap();
}

fn text(finished: &Finished) -> &str {
    std::str::from_utf8(&finished.stdout).unwrap()
}

fn ended(outcome: Result<Finished, AgentError>) -> (Ending, Finished) {
    match outcome {
        Err(AgentError::Ended {
            ending, finished, ..
        }) => (ending, *finished),
        other => panic!("it should have been ended: {other:?}"),
    }
}

/// The processes whose ids a script has printed, one a line, are there no more.
fn assert_gone(finished: &Finished) {
    let pids: Vec<&str> = text(finished).lines().collect();
    assert!(!pids.is_empty());
    for pid in pids {
        assert!(!is_alive(pid.parse().unwrap()), "{pid} is still there");
    }
}

fn is_alive(pid: i32) -> bool {
    // One that nobody has waited for yet is dead all the same.
    match std::fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat.contains(") Z "),
        Err(_) if Path::new("/proc/self/stat").exists() => false,
        Err(_) => test_kill_process(Pid::from_raw(pid).unwrap()).is_ok(),
    }
}
