//! `locks/<thread>.lock`: held while a step of the thread runs, and says who holds it.
//!
//! The lock is the operating system's: it ends with its process, so it is never stale, and what
//! the file says counts only while the lock is held. Taking it and describing it is one act under
//! the root's lock, so that nobody reads the description of an earlier holder.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::fsx::{self, FileError, Lock};
use crate::jsonl;
use crate::model::{ThreadId, utc_text};
use crate::pointers::{lock_root, share_root};

/// The process that runs a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// Its id.
    pub pid: u32,
    /// When it took the lock, in milliseconds since 1970.
    pub started_at: u64,
}

/// A step is being run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Running {
    /// By whom; none when the lock's file does not tell.
    pub holder: Option<Holder>,
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
        let path = Self::path(root, &thread);
        let _root_lock = lock_root(root)?;
        let Some(mut lock) = Lock::try_acquire(&path)? else {
            let holder = read_holder(&path);
            return Err(StepLockError::Busy { thread, holder });
        };
        lock.describe(&jsonl::to_line(holder))?;
        Ok(Self { _lock: lock })
    }

    /// Whether a step of the thread is being run now. Writes nothing and makes no file.
    ///
    /// Waits for the root's lock for a moment, as [`StepLock::try_acquire`] does: so no step is
    /// refused because somebody asked.
    pub fn running(root: &Path, thread: &ThreadId) -> Result<Option<Running>, FileError> {
        let path = Self::path(root, thread);
        let Some(_root_lock) = share_root(root)? else {
            return Ok(None);
        };
        Ok(Lock::is_held(&path)?.then(|| Running {
            holder: read_holder(&path),
        }))
    }

    /// The file of a thread's lock, which its holder has open.
    pub fn path(root: &Path, thread: &ThreadId) -> PathBuf {
        root.join("locks").join(format!("{thread}.lock"))
    }
}

/// What cannot be read is told as such: that there is a holder is known already.
fn read_holder(path: &Path) -> Option<Holder> {
    let text = fsx::read_text_optional(path).ok().flatten()?;
    serde_json::from_str(&text).ok()
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
    fn asking_who_runs_a_step_makes_no_file_and_believes_the_lock_alone() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        assert_eq!(StepLock::running(root, &thread()).unwrap(), None);
        assert!(fsx::file_names(root).unwrap().is_empty());
        let held = StepLock::try_acquire(root, thread(), &FIRST).unwrap();
        let running = Running {
            holder: Some(FIRST),
        };
        assert_eq!(StepLock::running(root, &thread()).unwrap(), Some(running));
        drop(held);
        assert_eq!(StepLock::running(root, &thread()).unwrap(), None);
    }

    #[test]
    fn nobody_is_refused_a_step_because_others_ask_all_the_time() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        StepLock::try_acquire(root, thread(), &FIRST).unwrap();
        let done = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    StepLock::running(root, &thread()).unwrap();
                }
            });
            let taken = (0..50).filter(|_| StepLock::try_acquire(root, thread(), &FIRST).is_ok());
            let taken = taken.count();
            done.store(true, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(taken, 50);
        });
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
