//! `uwf thread show`.

use serde_json::{Value, json};

use super::long;
use super::lookup::{FoundThread, find};
use super::usage;
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::model::Hash;

/// Print where a thread is
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Result: {workflow, thread, head, done}; with --long also {status, next, steps, lastAttempt, cwd, \
startedAt, updatedAt}, pid and since of a running step, what is wrong as error or nextError, and \
of all steps together {durationMs, turns, usage: {inputTokens, outputTokens, cacheReadInputTokens, \
cacheCreationInputTokens, costUsd}}, null where no agent tells")]
pub struct Arguments {
    /// The thread: its id, the beginning of its id, or @ for the last one
    thread: String,
    /// Print how it stands as well: status, next role, last failure, folder, times, cost
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
    if is_asked_for && overview.damage.is_none() {
        add_usage(&mut result, found, context);
    }
    context.print(&result)?;
    match overview.damage {
        Some(damage) if is_asked_for => Err(damage.into()),
        // The exit code is that of every other format.
        Some(_) => found.chain(context).map(drop),
        None => Ok(()),
    }
}

/// What all steps took and cost together. What cannot be found out is told, and hides nothing else.
fn add_usage(result: &mut Value, found: &FoundThread, context: &Context) {
    let usage = found
        .chain(context)
        .and_then(|chain| usage::of_thread(&chain, context));
    match usage {
        Ok(usage) => {
            result["durationMs"] = json!(usage.duration_ms);
            result["turns"] = json!(usage.turns);
            result["usage"] = usage::to_value(&usage);
        }
        Err(error) => context.warn(&format!("the cost is not known: {}", error.message())),
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
