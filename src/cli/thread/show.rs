//! `uwf thread show`.

use serde_json::json;

use super::form;
use super::lookup::find;
use crate::cli::context::Context;
use crate::cli::error::Result;

/// Print where a thread is
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: {workflow, thread, head, done}")]
pub struct Arguments {
    /// The thread's id
    thread: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let found = find(&arguments.thread, context)?;
    let workflow = found.chain(context)?.start().node.workflow;
    let mut result = json!({
        "workflow": workflow,
        "thread": found.thread,
        "head": found.head,
        "done": found.archived.is_some(),
    });
    if context.is_for_people() {
        result["status"] = form::status(found.archived.as_ref()).into();
    }
    context.print(&result)
}
