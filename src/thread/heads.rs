//! `threads.yaml`: the active threads and the head of each.
//!
//! Reading takes no lock and writes nothing. Every change is made on [`LockedHeads`], which holds
//! `locks/root.lock` and has read the file after taking it, so that no change of another process
//! is lost. A file that cannot be read is never replaced.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use crate::fsx::{self, Access, FileError, Lock, SharedLock};
use crate::model::{Hash, ThreadId};
use crate::yaml::{self, Entry, Fault, Kind, Mark, Node, Strictness};

const FILE: &str = "threads.yaml";
const LOCK: &str = "locks/root.lock";

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
    /// There is a file, and nothing in it: a list of no threads is `{}`.
    #[error("{}: the list of active threads is empty, without even `{{}}`: it was cut off", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The file holds something else than thread ids and hashes.
    #[error("{}:{}:{}: {message}", path.display(), mark.line, mark.column)]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where in it.
        mark: Mark,
        /// What is wrong there.
        message: String,
    },
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
            Self::Empty { .. } | Self::Damaged { .. } => Some(
                "the file was left as it is; write one `<thread>: <head>` line for each active \
                 thread, or `{}` when there is none. The heads of ended threads are in \
                 history.jsonl, and every step is still in cas/",
            ),
            Self::File(_) | Self::Taken { .. } => None,
        }
    }
}

impl Heads {
    /// Reads the list. No file: no threads.
    pub fn read(root: &Path) -> Result<Self, HeadsError> {
        let path = root.join(FILE);
        match fsx::read_text_optional(&path)? {
            Some(text) => Self::parse(&text, &path),
            None => Ok(Self {
                entries: Vec::new(),
            }),
        }
    }

    /// Waits for the lock of the storage root, and reads the list.
    ///
    /// Meant to be held for the moment of a change, never while something runs.
    pub fn locked(root: &Path) -> Result<LockedHeads, HeadsError> {
        let lock = lock_root(root)?;
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

    fn parse(text: &str, path: &Path) -> Result<Self, HeadsError> {
        let damaged = |mark, message| HeadsError::Damaged {
            path: path.to_owned(),
            mark,
            message,
        };
        let document = yaml::parse(text, Strictness::Strict)
            .map_err(|fault| damaged(fault.mark, explain(&fault, path)))?
            .ok_or_else(|| HeadsError::Empty {
                path: path.to_owned(),
            })?;
        let Kind::Mapping(entries) = &document.kind else {
            let message = format!(
                "{} is not a list of active threads: one line is `<thread>: <head>`",
                document.describe()
            );
            return Err(damaged(document.span.start, message));
        };
        let entries = entries
            .iter()
            .map(|entry| pair(entry).map_err(|(mark, message)| damaged(mark, message)))
            .collect::<Result<_, _>>()?;
        Ok(Self { entries })
    }

    fn position(&self, thread: &ThreadId) -> Option<usize> {
        self.entries.iter().position(|(other, _)| other == thread)
    }

    fn render(&self) -> String {
        if self.entries.is_empty() {
            return "{}\n".to_owned();
        }
        let line = |(thread, head): &(ThreadId, Hash)| {
            format!("{}: {}\n", scalar(thread.as_str()), scalar(head.as_str()))
        };
        self.entries.iter().map(line).collect()
    }
}

/// Waits for the lock under which the files of the storage root are changed.
pub(super) fn lock_root(root: &Path) -> Result<Lock, FileError> {
    Lock::acquire(&root.join(LOCK))
}

/// Waits until nobody changes the files of the storage root, and keeps it so. None when nobody ever
/// did. Makes no file; whoever holds [`LockedHeads`] must drop it before.
pub(super) fn share_root(root: &Path) -> Result<Option<SharedLock>, FileError> {
    SharedLock::acquire(&root.join(LOCK))
}

/// What is wrong, and on a line of its own the second place that matters.
fn explain(fault: &Fault, path: &Path) -> String {
    let message = &fault.message;
    match fault.related {
        Some((what, Mark { line, column, .. })) => {
            format!("{message}\n{}:{line}:{column}: {what}", path.display())
        }
        None => message.clone(),
    }
}

fn pair(entry: &Entry) -> Result<(ThreadId, Hash), (Mark, String)> {
    let thread: ThreadId = entry
        .key
        .parse()
        .map_err(|error| (entry.key_span.start, format!("{error}")))?;
    let head = hash(&entry.value).map_err(|message| {
        let message = format!("the head of thread {thread}: {message}");
        (entry.value.span.start, message)
    })?;
    Ok((thread, head))
}

/// A hash is its text: `0123456789012` without quotes means those thirteen characters, whatever
/// number YAML makes of them.
fn hash(node: &Node) -> Result<Hash, String> {
    match &node.kind {
        Kind::Scalar(scalar) if !node.to_value().is_null() => {
            scalar.text.parse().map_err(|error| format!("{error}"))
        }
        _ => Err(format!("{} is not a hash", node.describe())),
    }
}

/// An id or a hash as YAML that every reader takes for a string.
///
/// Of their alphabet, only digits and digits around one `E` can be taken for a number. serde_yaml
/// is not asked, because it leaves `12345E6789012` bare: that overflows its floats, and the
/// original reads it as infinity.
fn scalar(text: &str) -> String {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let numeric = match text.split_once('E') {
        Some((mantissa, exponent)) => digits(mantissa) && digits(exponent),
        None => digits(text),
    };
    if numeric {
        format!("\"{text}\"")
    } else {
        text.to_owned()
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
        fsx::replace(&path, changed.render().as_bytes(), Access::Shared)?;
        self.heads = changed;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
