//! How threads stand, over the store of the original and records made for the purpose.

use std::path::Path;

use super::*;
use crate::cas::Store;
use crate::fsx::{self, Access};
use crate::host::Host;
use crate::thread::Holder;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/store-original");
const THREAD: &str = "06H2S7T0SYTNXJYWQYS40BBMNR";
/// The last step of a thread that came to its end, and one in the middle of it.
const END: &str = "BRB4722M3Y7T7";
const MIDDLE: &str = "56XFMVXEJ5CJ5";
/// When the step in the middle was written.
const MIDDLE_AT: u64 = 1_796_044_963_042;

/// How a thread stands whose nodes are the original's and whose records are under `root`.
fn overview(root: &Path, head: &str, archived: Option<Option<Status>>) -> Overview {
    let (host, store) = (Host::capture().unwrap(), Store::open(Path::new(GOLDEN)));
    let workshop = Workshop {
        host: &host,
        root,
        store: &store,
    };
    let (thread, head) = (THREAD.parse().unwrap(), head.parse().unwrap());
    let archived = archived.map(|status| Archived {
        thread,
        workflow: None,
        head,
        completed_at: MIDDLE_AT + 5,
        status,
    });
    workshop.overview(thread, head, archived.as_ref())
}

fn record_attempt(root: &Path, time: u64) {
    let line = format!(
        "{{\"version\":1,\"time\":{time},\"role\":\"checker\",\"agent\":\"a\",\"class\":\"exit\",\
         \"message\":\"m\",\"output\":null,\"step\":null}}\n"
    );
    let path = root.join(format!("attempts/{THREAD}.jsonl"));
    fsx::replace(&path, line.as_bytes(), Access::Shared).unwrap();
}

#[test]
fn how_a_thread_ended_is_what_was_written_down_or_what_its_chain_shows() {
    let root = tempfile::tempdir().unwrap();
    let state = |head, status| overview(root.path(), head, Some(status)).state;
    assert_eq!(state(END, None), State::Completed);
    assert_eq!(state(MIDDLE, None), State::Killed);
    assert_eq!(state("ZZZZZZZZZZZZZ", None), State::Damaged);
    assert_eq!(state(MIDDLE, Some(Status::Completed)), State::Completed);
    assert_eq!(state(END, Some(Status::Killed)), State::Killed);
    assert_eq!(state("ZZZZZZZZZZZZZ", Some(Status::Killed)), State::Killed);
    let ended = overview(root.path(), MIDDLE, Some(None));
    assert!(matches!(ended.next, Next::Nobody), "nobody is next");
    assert_eq!(ended.updated_at, Some(MIDDLE_AT + 5));
}

#[test]
fn a_failure_counts_when_it_is_newer_than_the_head() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    for (time, state) in [
        (MIDDLE_AT - 1, State::Active),
        (MIDDLE_AT, State::Active),
        (MIDDLE_AT + 1, State::Failed),
    ] {
        record_attempt(root, time);
        let shown = overview(root, MIDDLE, None);
        assert_eq!(shown.state, state, "{time}");
        assert_eq!(shown.updated_at, Some(time.max(MIDDLE_AT)));
    }
}

#[test]
fn damage_comes_before_a_running_step_and_that_before_a_failure() {
    let root = tempfile::tempdir().unwrap();
    let root = root.path();
    record_attempt(root, MIDDLE_AT + 1);
    let holder = Holder {
        pid: 4711,
        started_at: MIDDLE_AT + 9,
    };
    let held = StepLock::try_acquire(root, THREAD.parse().unwrap(), &holder).unwrap();
    let shown = overview(root, MIDDLE, None);
    assert_eq!(shown.state, State::Running);
    assert_eq!(shown.updated_at, Some(MIDDLE_AT + 9));
    let damaged = overview(root, "ZZZZZZZZZZZZZ", None);
    assert_eq!(damaged.state, State::Damaged);
    assert_eq!(damaged.running.unwrap().holder, Some(holder));
    drop(held);
    assert_eq!(overview(root, MIDDLE, None).state, State::Failed);
}

#[test]
fn an_active_thread_whose_workflow_is_at_its_end_has_nobody_next() {
    let root = tempfile::tempdir().unwrap();
    let shown = overview(root.path(), END, None);
    assert_eq!((shown.state, shown.steps), (State::Active, Some(5)));
    assert!(matches!(shown.next, Next::Nobody));
    assert!(fsx::file_names(root.path()).unwrap().is_empty());
}

#[test]
fn a_status_is_one_of_six_words() {
    for state in State::ALL {
        assert_eq!(state.as_str().parse(), Ok(state));
    }
    assert_eq!(
        "Active".parse::<State>().unwrap_err().to_string(),
        "a status is one of active, running, failed, completed, killed, damaged"
    );
}
