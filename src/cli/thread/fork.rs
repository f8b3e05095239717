//! `uwf thread fork`.

use serde_json::json;

use super::lookup::chain_at;
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::journal::Journal;
use crate::cli::parse::hash;
use crate::log::{About, Entry};
use crate::thread;

/// Start a new thread at a step of another one
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: {thread, forkedFrom: {step}}")]
pub struct Arguments {
    /// The hash of a step or of a thread's start, or its beginning
    step: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let step = hash(&arguments.step, context)?;
    let chain = chain_at(step, context)?;
    let thread = context.host.new_thread_id();
    thread::fork(
        &context.root,
        thread,
        &chain,
        &context.host.cwd,
        context.host.now_ms(),
    )?;
    context.remember(thread);
    let about = About {
        thread: Some(thread),
        workflow: Some(chain.start().node.workflow),
    };
    Journal::of("thread fork", about, context).write(&Entry::ThreadForked { step });
    context.print(&json!({"thread": thread, "forkedFrom": {"step": step}}))
}
