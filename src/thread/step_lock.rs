//! `locks/<thread>.lock`: held while a step of the thread runs, and says who holds it.
//!
//! The lock is the operating system's: it ends with its process, so it is never stale, and what
//! the file says counts only while the lock is held. Taking it and describing it is one act under
//! the root's lock, so that nobody reads the description of an earlier holder.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::fsx::{self, FileError, Lock};
use crate::jsonl;
use crate::model::{ThreadId, utc_text};
use crate::pointers::lock_root;

/// The process that runs a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// Its id.
    pub pid: u32,
    /// When it took the lock, in milliseconds since 1970.
    pub started_at: u64,
}

/// The right to run a step of one thread, until it is dropped.
#[derive(Debug)]
pub struct StepLock {
    _lock: Lock,
}

/// Why a step cannot be run now.
#[derive(Debug, thiserror::Error)]
pub enum StepLockError {
    /// Another process runs one.
    #[error("thread {thread} is busy: {}", describe(.holder.as_ref()))]
    Busy {
        /// The thread.
        thread: ThreadId,
        /// The process; none when the lock's file does not tell.
        holder: Option<Holder>,
    },
    /// The operating system refused.
    #[error(transparent)]
    File(#[from] FileError),
}

fn describe(holder: Option<&Holder>) -> String {
    match holder {
        Some(holder) => format!(
            "process {} runs a step of it since {} UTC",
            holder.pid,
            utc_text(holder.started_at)
        ),
        None => "another process runs a step of it (the lock's file does not tell which)".into(),
    }
}

impl StepLock {
    /// Takes the lock at once or not at all.
    ///
    /// Waits for the root's lock for a moment: whoever holds [`super::heads::LockedHeads`] must
    /// drop it before.
    pub fn try_acquire(
        root: &Path,
        thread: ThreadId,
        holder: &Holder,
    ) -> Result<Self, StepLockError> {
        let path = root.join("locks").join(format!("{thread}.lock"));
        let _root_lock = lock_root(root)?;
        let Some(mut lock) = Lock::try_acquire(&path)? else {
            // What cannot be read is told as such: that the thread is busy is known already.
            let text = fsx::read_text_optional(&path).ok().flatten();
            return Err(StepLockError::Busy {
                thread,
                holder: text.and_then(|text| serde_json::from_str(&text).ok()),
            });
        };
        lock.describe(&jsonl::to_line(holder))?;
        Ok(Self { _lock: lock })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Holder = Holder {
        pid: 4711,
        started_at: 1_796_044_961_784,
    };
    const SECOND: Holder = Holder {
        pid: 4712,
        started_at: 1_796_044_999_999,
    };

    fn thread() -> ThreadId {
        "06H2S7T0SYTNXJYWQYS40BBMNR".parse().unwrap()
    }

    #[test]
    fn the_second_is_told_who_the_first_is_and_gets_its_turn_afterwards() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let held = StepLock::try_acquire(root, thread(), &FIRST).unwrap();
        let refused = StepLock::try_acquire(root, thread(), &SECOND).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "thread 06H2S7T0SYTNXJYWQYS40BBMNR is busy: \
             process 4711 runs a step of it since 2026-11-30 13:22:41 UTC"
        );
        let other = "06H2S7TA9T8B340D04DAXMJ56W".parse().unwrap();
        StepLock::try_acquire(root, other, &SECOND).unwrap();
        drop(held);
        StepLock::try_acquire(root, thread(), &SECOND).unwrap();
        let path = root.join("locks/06H2S7T0SYTNXJYWQYS40BBMNR.lock");
        assert_eq!(
            fsx::read_text_optional(&path).unwrap().as_deref(),
            Some(r#"{"pid":4712,"startedAt":1796044999999}"#)
        );
    }

    #[test]
    fn a_holder_that_does_not_tell_is_a_holder_all_the_same() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("locks/06H2S7T0SYTNXJYWQYS40BBMNR.lock");
        let mut foreign = Lock::acquire(&path).unwrap();
        for text in ["", "4711", "{\"pid\":4711}"] {
            foreign.describe(text).unwrap();
            let refused = StepLock::try_acquire(root.path(), thread(), &FIRST).unwrap_err();
            assert_eq!(
                refused.to_string(),
                "thread 06H2S7T0SYTNXJYWQYS40BBMNR is busy: \
                 another process runs a step of it (the lock's file does not tell which)"
            );
        }
    }

    #[test]
    fn what_an_earlier_holder_left_behind_is_no_lock() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("locks/06H2S7T0SYTNXJYWQYS40BBMNR.lock");
        let left = jsonl::to_line(&FIRST);
        fsx::replace(&path, left.as_bytes(), fsx::Access::Shared).unwrap();
        StepLock::try_acquire(root.path(), thread(), &SECOND).unwrap();
    }
}
