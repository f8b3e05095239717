//! What was typed, turned into what it means.

use super::error::{CommandError, Kind, Result};
use crate::model::{Hash, ThreadId};

/// A hash of a node.
pub fn hash(text: &str) -> Result<Hash> {
    text.trim().parse().map_err(|error| {
        CommandError::from_error(Kind::Request, &error)
            .hint("`uwf thread steps <thread>` prints the hashes of a thread's nodes")
    })
}

/// The id of a thread.
pub fn thread(text: &str) -> Result<ThreadId> {
    text.trim().parse().map_err(|error| {
        CommandError::from_error(Kind::Request, &error)
            .hint("`uwf thread list --all` shows every thread")
    })
}
