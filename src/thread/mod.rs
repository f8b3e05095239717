//! Threads: where each one stands, the chain of steps behind it, how it ended.
//!
//! A thread is a chain of immutable nodes in the content-addressed store and one mutable word,
//! its head, in `threads.yaml`. Around it lie the history of threads that ended, the working
//! folder, the record of failed steps, and the lock that is held while a step runs. Choosing what
//! comes next and running it is not done here.

mod archive;
mod attempts;
mod begin;
mod chain;
mod comparison;
mod current;
mod follow;
mod heads;
mod history;
mod lookup;
mod metadata;
mod step_lock;

pub use crate::jsonl::BadLine;
pub use archive::ArchiveError;
pub use attempts::{Attempt, Attempts, RecordedAttempt};
pub use begin::{BeginError, fork, start};
pub use chain::{Chain, ChainError, Start, Step};
pub use comparison::{Comparison, Pair, Side, compare};
pub use current::{CurrentError, current, make_current};
pub use follow::{FollowError, Follower, News};
pub use heads::{AdvanceError, Heads, HeadsError};
pub use history::{Archived, Status};
pub use lookup::{Listing, Located, LookupError, locate};
pub use metadata::{Metadata, MetadataError, working_folder};
pub use step_lock::{Holder, Running, StepLock, StepLockError};
