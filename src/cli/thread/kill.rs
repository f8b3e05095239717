//! `uwf thread kill`.

use serde_json::json;

use super::lookup::unknown;
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::failure::ending;
use crate::cli::parse;
use crate::thread::{Chain, Heads, Located, Status, locate};

/// End a thread and archive it; what it made stays readable
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The thread: its id, the beginning of its id, or @ for the last one
    thread: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let thread = parse::thread(&arguments.thread, context)?;
    match locate(&context.root, &thread)? {
        Located::Active { .. } => {}
        Located::Archived { entry } => {
            return Err(CommandError::new(
                Kind::Request,
                format!("thread {thread} is not active: it {}", ending(&entry)),
            )
            .hint(format!("it can still be read: `uwf thread read {thread}`")));
        }
        Located::NotFound { skipped } => return Err(unknown(thread, &skipped)),
    }
    let mut heads = Heads::locked(&context.root)?;
    // A thread too damaged to tell its workflow can be killed all the same.
    let workflow = match heads
        .get(&thread)
        .map(|head| Chain::load(&context.store, head))
    {
        Some(Ok(chain)) => Some(chain.start().node.workflow),
        Some(Err(damage)) => {
            context.warn(&format!("the thread is damaged: {damage}"));
            None
        }
        None => None,
    };
    heads.archive(thread, workflow, Status::Killed, context.host.now_ms())?;
    context.print(&json!({"thread": thread, "archived": true}))
}
