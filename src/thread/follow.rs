//! Following a thread: what has become of it since it was looked at last.

use std::path::Path;

use super::chain::{Chain, ChainError, Step};
use super::lookup::{Located, LookupError, locate};
use crate::cas::Store;
use crate::jsonl::BadLine;
use crate::model::{Hash, ThreadId};

/// Somebody who looks at a thread again and again.
#[derive(Debug)]
pub struct Follower<'s> {
    store: &'s Store,
    root: &'s Path,
    thread: ThreadId,
    /// The head when it was looked at last.
    seen: Option<Hash>,
}

/// What is new of a thread.
#[derive(Debug)]
pub struct News<'s> {
    /// Its chain as it is now.
    pub chain: Chain<'s>,
    /// The steps that were not there before, oldest first.
    pub steps: Vec<Step>,
    /// Nothing more will come.
    pub has_ended: bool,
}

/// Why a thread cannot be followed.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The id is of no thread.
    #[error("there is no thread {thread}")]
    UnknownThread {
        /// The id.
        thread: ThreadId,
        /// Lines of the history that could not be read and may have told of it.
        skipped: Vec<BadLine>,
    },
    /// The head was set to a place that does not come after the last one.
    #[error("thread {thread} was moved from {seen} to {now}, which does not follow it")]
    Moved {
        /// The thread.
        thread: ThreadId,
        /// Where it was.
        seen: Hash,
        /// Where it is.
        now: Hash,
    },
    /// The threads cannot be looked up.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// The chain is not whole.
    #[error(transparent)]
    Chain(#[from] ChainError),
}

impl<'s> Follower<'s> {
    /// Will follow this thread from its start.
    pub fn new(store: &'s Store, root: &'s Path, thread: ThreadId) -> Self {
        Self {
            store,
            root,
            thread,
            seen: None,
        }
    }

    /// What is new since the last look; none when nothing is. The first look sees all there is.
    ///
    /// Reads no node when nothing is new, and else one or two for each new step.
    pub fn look(&mut self) -> Result<Option<News<'s>>, FollowError> {
        let thread = self.thread;
        let (head, has_ended) = match locate(self.root, &thread)? {
            Located::Active { head } => (head, false),
            Located::Archived { entry, .. } => (entry.head, true),
            Located::NotFound { skipped } => {
                return Err(FollowError::UnknownThread { thread, skipped });
            }
        };
        if self.seen == Some(head) && !has_ended {
            return Ok(None);
        }
        let chain = Chain::load(self.store, head)?;
        let steps = self.new_steps(&chain)?;
        self.seen = Some(head);
        Ok(Some(News {
            chain,
            steps,
            has_ended,
        }))
    }

    fn new_steps(&self, chain: &Chain<'_>) -> Result<Vec<Step>, FollowError> {
        let mut new = Vec::new();
        let mut reached = chain.start().hash;
        for step in chain.steps() {
            let step = step?;
            if Some(step.hash) == self.seen {
                reached = step.hash;
                break;
            }
            new.push(step);
        }
        new.reverse();
        match self.seen {
            Some(seen) if seen != reached => Err(FollowError::Moved {
                thread: self.thread,
                seen,
                now: chain.head(),
            }),
            _ => Ok(new),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fsx::{self, Access};
    use crate::thread::{Heads, Status};

    const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/store-original");
    const START: &str = "0RED5J61WBD57";
    const SECOND: &str = "81P904K6HWN7F";
    const FOURTH: &str = "56XFMVXEJ5CJ5";

    fn thread() -> ThreadId {
        "06H2S7T0SYTNXJYWQYS40BBMNR".parse().unwrap()
    }

    fn put_head(root: &Path, head: &str) {
        let text = format!("{}: {head}\n", thread());
        fsx::replace(&root.join("threads.yaml"), text.as_bytes(), Access::Shared).unwrap();
    }

    fn told(news: Option<News<'_>>) -> Option<(Vec<String>, bool)> {
        news.map(|news| {
            let hashes = news.steps.iter().map(|step| step.hash.to_string());
            (hashes.collect(), news.has_ended)
        })
    }

    #[test]
    fn each_look_tells_what_is_new_until_the_thread_has_ended() {
        let (store, root) = (Store::open(Path::new(GOLDEN)), tempfile::tempdir().unwrap());
        let root = root.path();
        let mut follower = Follower::new(&store, root, thread());
        put_head(root, START);
        assert_eq!(told(follower.look().unwrap()), Some((vec![], false)));
        assert_eq!(told(follower.look().unwrap()), None);
        put_head(root, SECOND);
        let first_two = vec!["5YR25K3ZCXZVK".to_owned(), SECOND.to_owned()];
        assert_eq!(told(follower.look().unwrap()), Some((first_two, false)));
        put_head(root, FOURTH);
        let next_two = vec!["7J2PXS102TXFK".to_owned(), FOURTH.to_owned()];
        assert_eq!(told(follower.look().unwrap()), Some((next_two, false)));
        let mut heads = Heads::locked(root).unwrap();
        heads.archive(thread(), None, Status::Killed, 1).unwrap();
        drop(heads);
        assert_eq!(told(follower.look().unwrap()), Some((vec![], true)));

        let mut late = Follower::new(&store, root, thread());
        let (all, has_ended) = told(late.look().unwrap()).unwrap();
        assert_eq!((all.len(), has_ended), (4, true));
    }

    #[test]
    fn a_head_that_was_set_elsewhere_is_no_news() {
        let (store, root) = (Store::open(Path::new(GOLDEN)), tempfile::tempdir().unwrap());
        let root = root.path();
        let mut follower = Follower::new(&store, root, thread());
        put_head(root, FOURTH);
        follower.look().unwrap();
        put_head(root, SECOND);
        assert_eq!(
            follower.look().unwrap_err().to_string(),
            "thread 06H2S7T0SYTNXJYWQYS40BBMNR was moved from 56XFMVXEJ5CJ5 to 81P904K6HWN7F, \
             which does not follow it"
        );
    }
}
