//! Ending a thread: the line in the history first, then the head is dropped.
//!
//! A kill between the two leaves the thread in both files, never in neither. What the history says
//! counts: whoever reads takes such a thread for ended, and ending it again adds no second line.

use super::heads::{HeadsError, LockedHeads};
use super::history::{self, Archived, Status};
use crate::fsx::FileError;
use crate::model::{Hash, ThreadId};

/// Why a thread was not ended.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// It has ended meanwhile.
    #[error("cannot archive thread {}: it has ended meanwhile", .0.thread)]
    Ended(Archived),
    /// It is not active, and nothing is known of its end.
    #[error("cannot archive thread {thread}: it is not active")]
    NotActive {
        /// The thread.
        thread: ThreadId,
    },
    /// The list of active threads cannot be written.
    #[error(transparent)]
    Heads(#[from] HeadsError),
    /// The history cannot be read or written.
    #[error(transparent)]
    History(#[from] FileError),
}

impl LockedHeads {
    /// Ends a thread where it stands, and says how it ended.
    ///
    /// An end that is written down already counts, whatever was meant now: whoever wrote it was
    /// stopped before the thread was off the list, and only that is left to do.
    /// `workflow` is none for a thread that is too damaged to tell. Whether the head is the one
    /// the caller looked at can be asked with `get` before, under the same lock.
    pub fn archive(
        &mut self,
        thread: ThreadId,
        workflow: Option<Hash>,
        status: Status,
        now_ms: u64,
    ) -> Result<Archived, ArchiveError> {
        let Some(head) = self.get(&thread) else {
            return Err(match history::last_of(self.root(), &thread)? {
                Some(entry) => ArchiveError::Ended(entry),
                None => ArchiveError::NotActive { thread },
            });
        };
        let told = history::last_of(self.root(), &thread)?.filter(|last| last.head == head);
        let entry = match told {
            Some(told) => told,
            None => {
                let entry = Archived {
                    thread,
                    workflow,
                    head,
                    completed_at: now_ms,
                    status: Some(status),
                };
                history::append(self.root(), &entry)?;
                entry
            }
        };
        self.remove(&thread)?;
        Ok(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fsx::{self, Access};
    use crate::thread::history::History;
    use crate::thread::{Heads, Listing, Located, locate};

    const THREAD: &str = "06H2S7T0SYTNXJYWQYS40BBMNR";
    const OTHER: &str = "06H2S7TA9T8B340D04DAXMJ56W";
    const HEAD: &str = "56XFMVXEJ5CJ5";
    const LATER_HEAD: &str = "5ZDNP8G82TBBT";

    fn id(text: &str) -> ThreadId {
        text.parse().unwrap()
    }

    fn hash(text: &str) -> Hash {
        text.parse().unwrap()
    }

    fn entry(head: &str, status: Status, at: u64) -> Archived {
        Archived {
            thread: id(THREAD),
            workflow: None,
            head: hash(head),
            completed_at: at,
            status: Some(status),
        }
    }

    /// A root with both threads active.
    fn root() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let mut heads = Heads::locked(root.path()).unwrap();
        heads.insert(id(THREAD), hash(HEAD)).unwrap();
        heads.insert(id(OTHER), hash(HEAD)).unwrap();
        root
    }

    #[test]
    fn an_ended_thread_is_in_the_history_and_nowhere_else() {
        let root = root();
        let root = root.path();
        let end = |at| {
            let mut heads = Heads::locked(root).unwrap();
            heads.archive(
                id(THREAD),
                Some(hash("6HA1S8JMB29J3")),
                Status::Completed,
                at,
            )
        };
        let expected = Archived {
            workflow: Some(hash("6HA1S8JMB29J3")),
            ..entry(HEAD, Status::Completed, 1)
        };
        assert_eq!(end(1).unwrap(), expected);
        assert_eq!(
            locate(root, &id(THREAD)).unwrap(),
            Located::Archived {
                entry: expected.clone(),
                is_listed: false,
            }
        );
        let listing = Listing::read(root, true).unwrap();
        assert_eq!(listing.active, [(id(OTHER), hash(HEAD))]);
        assert_eq!(listing.archived, [expected]);
        assert_eq!(
            end(2).unwrap_err().to_string(),
            "cannot archive thread 06H2S7T0SYTNXJYWQYS40BBMNR: it has ended meanwhile"
        );
    }

    #[test]
    fn a_kill_between_history_and_head_leaves_it_ended_and_adds_no_second_line_later() {
        let root = root();
        let root = root.path();
        history::append(root, &entry(HEAD, Status::Killed, 1)).unwrap();
        assert_eq!(
            locate(root, &id(THREAD)).unwrap(),
            Located::Archived {
                entry: entry(HEAD, Status::Killed, 1),
                is_listed: true,
            }
        );
        let listing = Listing::read(root, true).unwrap();
        assert_eq!(listing.active, [(id(OTHER), hash(HEAD))]);
        assert_eq!(listing.archived, [entry(HEAD, Status::Killed, 1)]);

        let mut heads = Heads::locked(root).unwrap();
        heads.archive(id(THREAD), None, Status::Killed, 2).unwrap();
        let history = History::read(root).unwrap();
        assert_eq!(history.entries, [entry(HEAD, Status::Killed, 1)]);
    }

    #[test]
    fn a_thread_that_went_on_after_such_a_kill_is_listed_once_as_it_ended_last() {
        let root = root();
        let root = root.path();
        history::append(root, &entry(HEAD, Status::Killed, 1)).unwrap();
        let mut heads = Heads::locked(root).unwrap();
        heads
            .advance(id(THREAD), hash(HEAD), hash(LATER_HEAD))
            .unwrap();
        heads.archive(id(OTHER), None, Status::Killed, 2).unwrap();
        heads
            .archive(id(THREAD), None, Status::Completed, 3)
            .unwrap();
        assert_eq!(History::read(root).unwrap().entries.len(), 3);
        let listed: Vec<_> = Listing::read(root, true)
            .unwrap()
            .archived
            .into_iter()
            .map(|entry| (entry.thread, entry.status, entry.completed_at))
            .collect();
        assert_eq!(
            listed,
            [
                (id(OTHER), Some(Status::Killed), 2),
                (id(THREAD), Some(Status::Completed), 3)
            ]
        );
    }

    #[test]
    fn when_the_history_cannot_be_written_the_thread_stays_active() {
        let root = root();
        let root = root.path();
        fsx::create_folder(&root.join("history.jsonl")).unwrap();
        let mut heads = Heads::locked(root).unwrap();
        let refused = heads.archive(id(THREAD), None, Status::Killed, 1);
        assert!(matches!(refused, Err(ArchiveError::History(_))));
        drop(heads);
        assert_eq!(
            Heads::read(root).unwrap().get(&id(THREAD)),
            Some(hash(HEAD))
        );
    }

    #[test]
    fn a_thread_that_is_nowhere_comes_with_the_lines_that_may_have_told_of_it() {
        let root = root();
        let root = root.path();
        let path = root.join("history.jsonl");
        fsx::replace(&path, b"{\"thread\":\"01AR", Access::Shared).unwrap();
        let Located::NotFound { skipped } =
            locate(root, &id("01ARZ3NDEKTSV4RRFFQ69G5FAV")).unwrap()
        else {
            panic!("it is nowhere");
        };
        assert_eq!(skipped.len(), 1);
        assert_eq!(skipped[0].line, 1);
    }
}
