//! `uwf thread show`.

use serde_json::{Value, json};

use super::long;
use super::lookup::{FoundThread, find};
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::model::Hash;

/// Print where a thread is
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Result: {workflow, thread, head, done}; with --long also {status, next, steps, lastAttempt, cwd, \
startedAt, updatedAt}, pid and since of a running step, and what is wrong as error or nextError")]
pub struct Arguments {
    /// The thread: its id, the beginning of its id, or @ for the last one
    thread: String,
    /// Print how it stands as well: status, next role, last failure, folder, times
    #[arg(long)]
    long: bool,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let found = find(&arguments.thread, context)?;
    // Done is not all that people want to know: killed must not look like it.
    if arguments.long || context.is_for_people() {
        return show_long(&found, arguments.long, context);
    }
    let workflow = found.chain(context)?.start().node.workflow;
    context.print(&result(&found, Some(workflow)))
}

/// What is known is printed, also when not all of it can be known.
fn show_long(found: &FoundThread, is_asked_for: bool, context: &Context) -> Result {
    let overview = long::overview(found.thread, found.head, found.archived.as_ref(), context);
    let mut result = result(found, overview.workflow);
    long::add(&mut result, &overview);
    context.print(&result)?;
    match overview.damage {
        Some(damage) if is_asked_for => Err(damage.into()),
        // The exit code is that of every other format.
        Some(_) => found.chain(context).map(drop),
        None => Ok(()),
    }
}

fn result(found: &FoundThread, workflow: Option<Hash>) -> Value {
    json!({
        "workflow": workflow,
        "thread": found.thread,
        "head": found.head,
        "done": found.archived.is_some(),
    })
}
