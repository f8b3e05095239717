//! `uwf thread show`.

use serde_json::json;

use super::lookup::find;
use crate::cli::context::Context;
use crate::cli::error::Result;

/// Print where a thread is
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The thread: its id, the beginning of its id, or @ for the last one
    thread: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let found = find(&arguments.thread, context)?;
    let workflow = found.chain(context)?.start().node.workflow;
    context.print(&json!({
        "workflow": workflow,
        "thread": found.thread,
        "head": found.head,
        "done": found.archived.is_some(),
    }))
}
