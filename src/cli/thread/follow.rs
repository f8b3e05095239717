//! `--follow`: a thread is printed as it grows, until it ends or nobody reads any more.

use std::time::Duration;

use super::lookup::unknown;
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::model::ThreadId;
use crate::thread::{FollowError, Follower, News};

/// How often the thread is looked at. A step takes seconds at the least.
const PAUSE: Duration = Duration::from_millis(200);

/// Hands over what there is of a thread, then what is added to it, until it has ended. That the
/// reader of stdout goes away ends it too, and is no error.
pub fn follow(
    thread: ThreadId,
    context: &Context,
    mut print: impl FnMut(&News<'_>) -> Result,
) -> Result {
    let mut follower = Follower::new(&context.store, &context.root, thread);
    loop {
        if let Some(news) = follower.look()? {
            print(&news)?;
            if news.has_ended {
                return Ok(());
            }
        }
        if !context.pause(PAUSE)? {
            return Ok(());
        }
    }
}

impl From<FollowError> for CommandError {
    fn from(error: FollowError) -> Self {
        match error {
            FollowError::UnknownThread { thread, skipped } => unknown(thread, &skipped),
            FollowError::Moved { thread, .. } => Self::from_error(Kind::Busy, &error).hint(
                format!("look at it as it is now: `uwf thread steps {thread}`"),
            ),
            FollowError::Lookup(error) => error.into(),
            FollowError::Chain(error) => error.into(),
        }
    }
}
