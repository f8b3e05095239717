//! `threads.yaml`: the active threads and the head of each.
//!
//! Reading takes no lock and writes nothing. Every change is made on [`LockedHeads`], which holds
//! `locks/root.lock` and has read the file after taking it, so that no change of another process
//! is lost. A file that cannot be read is never replaced.

use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use crate::fsx::{self, FileError, Lock};
use crate::model::{Hash, ThreadId};
use crate::pointers::{self, About, Damaged};

const FILE: &str = "threads.yaml";

const ABOUT: About = About {
    file: "the list of active threads",
    line: "<thread>: <head>",
};

/// What to do about a list that cannot be read.
const MEND: &str = "the file was left as it is; write one `<thread>: <head>` line for each active \
                    thread, or `{}` when there is none. The heads of ended threads are in \
                    history.jsonl, and every step is still in cas/";

/// The active threads, in the order of the file, as they were when it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heads {
    entries: Vec<(ThreadId, Hash)>,
}

/// Why the list of active threads cannot be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum HeadsError {
    /// The operating system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file holds something else than thread ids and hashes.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// A thread that is to be added is there already.
    #[error("cannot add thread {thread}: there is an active thread of that id")]
    Taken {
        /// The thread.
        thread: ThreadId,
    },
}

/// Why a head was not moved.
#[derive(Debug, thiserror::Error)]
pub enum AdvanceError {
    /// Somebody else moved it first.
    #[error("cannot move thread {thread} on from {expected}: its head is {now} meanwhile")]
    Moved {
        /// The thread.
        thread: ThreadId,
        /// Where its head should have been.
        expected: Hash,
        /// Where it is.
        now: Hash,
    },
    /// The thread ended meanwhile.
    #[error("cannot move thread {thread} on: it is not active any more")]
    Gone {
        /// The thread.
        thread: ThreadId,
    },
    /// The list cannot be read or written.
    #[error(transparent)]
    Heads(#[from] HeadsError),
}

impl HeadsError {
    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Damaged(_) => Some(MEND),
            Self::File(error) if error.kind() == io::ErrorKind::InvalidData => Some(MEND),
            Self::File(_) | Self::Taken { .. } => None,
        }
    }
}

impl Heads {
    /// Reads the list. No file: no threads.
    pub fn read(root: &Path) -> Result<Self, HeadsError> {
        let path = root.join(FILE);
        let entries = match fsx::read_text_optional(&path)? {
            Some(text) => pointers::parse(&text, &path, ABOUT)?,
            None => Vec::new(),
        };
        Ok(Self { entries })
    }

    /// Waits for the lock of the storage root, and reads the list.
    ///
    /// Meant to be held for the moment of a change, never while something runs.
    pub fn locked(root: &Path) -> Result<LockedHeads, HeadsError> {
        let lock = pointers::lock_root(root)?;
        Ok(LockedHeads {
            heads: Self::read(root)?,
            root: root.to_owned(),
            _lock: lock,
        })
    }

    /// The head of a thread, if it is active.
    pub fn get(&self, thread: &ThreadId) -> Option<Hash> {
        self.iter()
            .find_map(|(candidate, head)| (candidate == *thread).then_some(head))
    }

    /// Every active thread with its head, in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (ThreadId, Hash)> + '_ {
        self.entries.iter().copied()
    }

    fn position(&self, thread: &ThreadId) -> Option<usize> {
        self.entries.iter().position(|(other, _)| other == thread)
    }
}

/// The list of active threads while the storage root is locked: the only way to change it.
#[derive(Debug)]
pub struct LockedHeads {
    heads: Heads,
    root: PathBuf,
    _lock: Lock,
}

impl Deref for LockedHeads {
    type Target = Heads;

    fn deref(&self) -> &Heads {
        &self.heads
    }
}

impl LockedHeads {
    /// Adds a thread at the end of the list.
    pub fn insert(&mut self, thread: ThreadId, head: Hash) -> Result<(), HeadsError> {
        if self.get(&thread).is_some() {
            return Err(HeadsError::Taken { thread });
        }
        self.change(|entries| entries.push((thread, head)))
    }

    /// Moves a thread's head, if it is where it is expected to be.
    pub fn advance(
        &mut self,
        thread: ThreadId,
        expected: Hash,
        new: Hash,
    ) -> Result<(), AdvanceError> {
        let position = self
            .position(&thread)
            .ok_or(AdvanceError::Gone { thread })?;
        let now = self.entries[position].1;
        if now != expected {
            return Err(AdvanceError::Moved {
                thread,
                expected,
                now,
            });
        }
        Ok(self.change(|entries| entries[position].1 = new)?)
    }

    /// Takes a thread off the list; false when it is not there.
    pub fn remove(&mut self, thread: &ThreadId) -> Result<bool, HeadsError> {
        let Some(position) = self.position(thread) else {
            return Ok(false);
        };
        self.change(|entries| {
            entries.remove(position);
        })?;
        Ok(true)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    fn change(&mut self, edit: impl FnOnce(&mut Vec<(ThreadId, Hash)>)) -> Result<(), HeadsError> {
        let mut changed = self.heads.clone();
        edit(&mut changed.entries);
        let path = self.root.join(FILE);
        pointers::write(&path, &changed.entries)?;
        self.heads = changed;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
