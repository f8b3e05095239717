//! The thread that was asked for: where it is, and its chain.

use crate::cas::known;
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::parse;
use crate::model::{Hash, ThreadId};
use crate::thread::{Archived, BadLine, Chain, Located, locate};

/// A thread, active or archived.
pub struct FoundThread {
    pub thread: ThreadId,
    pub head: Hash,
    /// How it ended, if it did.
    pub archived: Option<Archived>,
}

impl FoundThread {
    /// Its chain.
    pub fn chain<'c>(&self, context: &'c Context) -> Result<Chain<'c>> {
        Ok(Chain::load(&context.store, self.head)?)
    }
}

/// Finds the thread that was asked for.
pub fn find(text: &str, context: &Context) -> Result<FoundThread> {
    find_id(parse::thread(text, context)?, context)
}

/// Finds the thread of this id.
pub fn find_id(thread: ThreadId, context: &Context) -> Result<FoundThread> {
    let found = match locate(&context.root, &thread)? {
        Located::Active { head } => FoundThread {
            thread,
            head,
            archived: None,
        },
        Located::Archived { entry, .. } => FoundThread {
            thread,
            head: entry.head,
            archived: Some(entry),
        },
        Located::NotFound { skipped } => return Err(unknown(thread, &skipped)),
    };
    context.debug(|| format!("thread {thread} is at {}", found.head));
    Ok(found)
}

/// The chain whose newest node was named by its hash.
pub fn chain_at(hash: Hash, context: &Context) -> Result<Chain<'_>> {
    let type_hash = context.store.get(&hash)?.type_hash;
    if known::is_step_node(&type_hash) || known::is_start_node(&type_hash) {
        return Ok(Chain::load(&context.store, hash)?);
    }
    let message =
        format!("{hash} is neither a step nor the start of a thread: its type is {type_hash}");
    Err(CommandError::new(Kind::Request, message)
        .hint("`uwf thread steps <thread>` lists the steps of a thread"))
}

/// The node is how a thread begins, not one of its steps.
pub fn not_a_step(hash: Hash) -> CommandError {
    CommandError::new(
        Kind::Request,
        format!("{hash} is the start of a thread, not a step"),
    )
    .hint("`uwf thread steps <thread>` lists the steps of a thread")
}

/// No thread has that id, as far as can be told.
pub fn unknown(thread: ThreadId, skipped: &[BadLine]) -> CommandError {
    not_found(format!("there is no thread {thread}"), skipped)
}

/// There is no such thread, as far as can be told.
pub fn not_found(message: String, skipped: &[BadLine]) -> CommandError {
    let error = CommandError::new(Kind::Request, message)
        .hint("`uwf thread list --all` shows every thread");
    skipped.iter().fold(error, |error, line| {
        error.cause(format!(
            "a line of the history that may tell of it cannot be read: {line}"
        ))
    })
}
