//! Talks with small shell scripts. Nothing here measures time.

use std::collections::BTreeMap;
use std::os::unix::net::UnixStream;

use signal_hook::consts::{SIGPROF, SIGXCPU};
use tempfile::TempDir;

use super::*;
use crate::agent::error::Ending;
use crate::agent::invocation::{Capture, Patience, Stdin};
use crate::agent::signals::tests::{guard_for, quiet_guard};
use crate::config::Limits;

/// Says something, and is content when it has heard something.
struct Script {
    bell: UnixStream,
    _ringer: UnixStream,
    to_say: Vec<u8>,
    heard: Vec<u8>,
    /// It is over when this was heard.
    last_word: &'static str,
    /// What is said when it is time to leave.
    farewell: &'static str,
    heard_end: bool,
}

impl Script {
    fn new(to_say: impl Into<Vec<u8>>, last_word: &'static str) -> Self {
        let (bell, ringer) = UnixStream::pair().unwrap();
        Self {
            bell,
            _ringer: ringer,
            to_say: to_say.into(),
            heard: Vec::new(),
            last_word,
            farewell: "",
            heard_end: false,
        }
    }

    fn heard(&self) -> &str {
        std::str::from_utf8(&self.heard).unwrap()
    }
}

impl Talker for Script {
    fn wake(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }

    fn hear(&mut self, bytes: &[u8]) {
        self.heard.extend_from_slice(bytes);
    }

    fn hear_end(&mut self) {
        self.heard_end = true;
    }

    fn take_leave(&mut self) {
        self.to_say.extend_from_slice(self.farewell.as_bytes());
    }

    fn go_on(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.to_say)
    }

    fn is_over(&self) -> bool {
        self.heard.ends_with(self.last_word.as_bytes())
    }
}

fn invocation(folder: &TempDir, script: &str) -> Invocation {
    Invocation {
        agent: "x".to_owned(),
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into(), "sh".into()],
        cwd: folder.path().to_owned(),
        environment: BTreeMap::from([("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())]),
        stdin: Stdin::Conversation,
        capture: Capture::LAST_LINES,
        limits: Limits::default(),
        patience: Patience::AGENT,
    }
}

fn converse(
    script: &str,
    signals: &mut Guard,
    talker: &mut Script,
) -> Result<Finished, AgentError> {
    let folder = tempfile::tempdir().unwrap();
    process::converse(&invocation(&folder, script), signals, talker, &mut |_| {})
}

fn ended(outcome: Result<Finished, AgentError>) -> (Ending, Finished) {
    match outcome {
        Err(AgentError::Ended {
            ending, finished, ..
        }) => (ending, *finished),
        other => panic!("it should have been ended: {other:?}"),
    }
}

#[track_caller]
fn assert_gone(pid: &str) {
    // Where the system shows no processes, nobody can tell.
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    assert!(stat.is_err_and(|_| true) || !std::path::Path::new("/proc/self").exists());
}

#[test]
fn what_is_said_and_heard_is_of_any_size() {
    let long = "0123456789abcde\n".repeat(100_000);
    let mut talker = Script::new(long.clone() + "bye\n", "bye\n");
    let finished = converse("exec cat", &mut quiet_guard(), &mut talker).unwrap();
    assert_eq!(finished.exit_code, Some(0));
    assert!(talker.heard() == long + "bye\n");
}

#[test]
fn a_program_that_is_no_longer_needed_is_ended_whatever_it_wants() {
    let script = "trap '' TERM; sh -c 'trap \"\" TERM; while :; do sleep 1000; done' & \
                  echo $! $$; while :; do sleep 1000; done";
    let mut talker = Script::new("", "\n");
    let finished = converse(script, &mut quiet_guard(), &mut talker).unwrap();
    assert_eq!(finished.exit_code, None);
    for pid in talker.heard().split_whitespace() {
        assert_gone(pid);
    }
}

#[test]
fn a_program_that_ends_before_is_heard_to_its_end() {
    let script = "read -r line; echo \"$line, no\"; echo why >&2; exit 3";
    let mut talker = Script::new("please\n", "yes\n");
    let (ending, finished) = ended(converse(script, &mut quiet_guard(), &mut talker));
    assert_eq!(ending, Ending::Exit(3));
    assert_eq!(finished.stderr_tail, "why");
    assert_eq!(talker.heard(), "please, no\n");
    assert!(talker.heard_end);
}

#[test]
fn a_program_that_does_not_listen_does_not_hold_us_up() {
    let mut talker = Script::new(vec![b'x'; 1 << 20], "never");
    let (ending, _) = ended(converse("exit 4", &mut quiet_guard(), &mut talker));
    assert_eq!(ending, Ending::Exit(4));
}

#[test]
fn leave_is_taken_before_a_program_is_ended() {
    let script = "trap '' TERM; kill -PROF $PPID; read -r line; echo \"heard $line\"; \
                  while :; do sleep 1000; done";
    let mut talker = Script::new("", "bye\n");
    talker.farewell = "good bye\n";
    let outcome = converse(script, &mut guard_for(SIGPROF), &mut talker);
    let (ending, finished) = ended(outcome);
    assert_eq!(ending, Ending::Interrupted(SIGPROF));
    assert_eq!(finished.exit_code, None);
    assert_eq!(talker.heard(), "heard good bye\n");
}

#[test]
fn a_program_that_does_not_answer_to_that_is_ended_all_the_same() {
    let script = "trap '' TERM; echo $$; kill -XCPU $PPID; while :; do sleep 1000; done";
    let mut talker = Script::new("", "never");
    let (ending, _) = ended(converse(script, &mut guard_for(SIGXCPU), &mut talker));
    assert_eq!(ending, Ending::Interrupted(SIGXCPU));
    assert_gone(talker.heard().trim());
}

#[test]
fn a_conversation_that_is_dropped_leaves_no_program_behind() {
    let folder = tempfile::tempdir().unwrap();
    let script = "echo $$ >pid; mv pid here; echo ready; exec sleep 1000";
    let conversation = Conversation::begin(
        invocation(&folder, script),
        Script::new("", "ready\n"),
        |_| {},
    );
    drop(conversation.unwrap());
    let pid = std::fs::read_to_string(folder.path().join("here")).unwrap();
    assert_gone(pid.trim());
}

#[test]
fn that_there_is_no_program_is_told_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut nobody = invocation(&folder, "");
    nobody.program = "nobody".into();
    let conversation = Conversation::begin(nobody, Script::new("", "never"), |_| {});
    let error = conversation.unwrap().end().unwrap_err();
    assert_eq!(error.to_string(), "cannot start agent `x`");
}
