//! Where a thread is to be found, and the list of all of them.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::heads::{Heads, HeadsError};
use super::history::{self, Archived, History};
use crate::fsx::FileError;
use crate::jsonl::BadLine;
use crate::model::{Hash, ThreadId};

/// Where a thread is to be found.
#[derive(Debug, PartialEq, Eq)]
pub enum Located {
    /// It is active.
    Active {
        /// Its head.
        head: Hash,
    },
    /// It ended.
    Archived {
        /// Its last entry in the history.
        entry: Archived,
        /// It is on the list of active threads all the same: whoever ended it was stopped before
        /// it was taken off.
        is_listed: bool,
    },
    /// In neither place. Lines of the history that could not be read may have told of it.
    NotFound {
        /// Those lines.
        skipped: Vec<BadLine>,
    },
}

/// All threads.
#[derive(Debug)]
pub struct Listing {
    /// In the order of the file.
    pub active: Vec<(ThreadId, Hash)>,
    /// In the order of the history, each thread once, without those that are active.
    pub archived: Vec<Archived>,
    /// Lines of the history that could not be read.
    pub skipped: Vec<BadLine>,
}

/// Why the threads cannot be looked up.
#[derive(Debug, thiserror::Error)]
pub enum LookupError {
    /// The list of active threads cannot be read.
    #[error(transparent)]
    Heads(#[from] HeadsError),
    /// The history cannot be read.
    #[error(transparent)]
    History(#[from] FileError),
}

/// Looks for a thread: among the active ones, then in the history.
///
/// In that order, because a thread that ends meanwhile is written into the history before it
/// leaves the list. What is written there counts: a thread on the list has ended when the history
/// says that it ended where it stands.
pub fn locate(root: &Path, thread: &ThreadId) -> Result<Located, LookupError> {
    if let Some(head) = Heads::read(root)?.get(thread) {
        let ended = history::last_of(root, thread)?.filter(|entry| entry.head == head);
        return Ok(match ended {
            Some(entry) => Located::Archived {
                entry,
                is_listed: true,
            },
            None => Located::Active { head },
        });
    }
    let history = History::read(root)?;
    Ok(match history.find(thread) {
        Some(entry) => Located::Archived {
            entry: entry.clone(),
            is_listed: false,
        },
        None => Located::NotFound {
            skipped: history.skipped,
        },
    })
}

impl Listing {
    /// The ids of all threads that were read.
    pub fn ids(&self) -> impl Iterator<Item = ThreadId> + '_ {
        let active = self.active.iter().map(|(thread, _)| *thread);
        active.chain(self.archived.iter().map(|entry| entry.thread))
    }

    /// Reads the list of active threads, and with `archived` the history as well.
    pub fn read(root: &Path, archived: bool) -> Result<Self, LookupError> {
        let heads = Heads::read(root)?;
        let history = History::read(root)?;
        // From the end, because the last entry of a thread is the one that counts.
        let mut last = HashMap::new();
        for entry in history.entries.iter().rev() {
            last.entry(entry.thread).or_insert(entry.head);
        }
        let is_active = |thread: &ThreadId, head: Hash| last.get(thread) != Some(&head);
        let active: Vec<_> = heads
            .iter()
            .filter(|(thread, head)| is_active(thread, *head))
            .collect();
        let mut listing = Self {
            active,
            archived: Vec::new(),
            skipped: Vec::new(),
        };
        if archived {
            let mut seen: HashSet<_> = listing.active.iter().map(|(thread, _)| *thread).collect();
            listing.archived = history.entries;
            listing.archived.reverse();
            listing.archived.retain(|entry| seen.insert(entry.thread));
            listing.archived.reverse();
            listing.skipped = history.skipped;
        }
        Ok(listing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threads_of_a_store_of_the_original_are_found() {
        let root = Path::new(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/vectors/store-original"
        ));
        let listing = Listing::read(root, true).unwrap();
        let active: Vec<_> = listing
            .active
            .iter()
            .map(|(thread, head)| (thread.as_str(), head.as_str()))
            .collect();
        assert_eq!(
            active,
            [
                ("06H2S7T0SYTNXJYWQYS40BBMNR", "56XFMVXEJ5CJ5"),
                ("06H2S7TA9T8B340D04DAXMJ56W", "5ZDNP8G82TBBT"),
            ]
        );
        let archived: Vec<_> = listing
            .archived
            .iter()
            .map(|entry| (entry.thread.as_str(), entry.head.as_str(), entry.status))
            .collect();
        assert_eq!(
            archived,
            [
                ("06H2S7SN4W24ANMYFNWWF49HHW", "BRB4722M3Y7T7", None),
                ("06H2S7T4PCHB3EJSX9FV4HQ570", "95EECVDJRHA3X", None),
            ]
        );
        assert_eq!(listing.skipped, []);

        let thread = listing.archived[0].thread;
        let Located::Archived { entry, .. } = locate(root, &thread).unwrap() else {
            panic!("the thread ended");
        };
        assert_eq!(entry, listing.archived[0]);
        assert_eq!(entry.completed_at, 1_796_044_963_544);
    }
}
