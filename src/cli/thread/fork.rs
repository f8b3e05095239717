//! `uwf thread fork`.

use serde_json::json;

use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::parse::hash;
use crate::thread::{self, Chain};

/// Start a new thread at a step of another; both go their own way from there
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The hash of a step or of a thread's start, or its beginning
    step: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let step = hash(&arguments.step, context)?;
    context.store.get(&step)?;
    let chain = Chain::load(&context.store, step)?;
    let thread = context.host.new_thread_id();
    thread::fork(
        &context.root,
        thread,
        &chain,
        &context.host.cwd,
        context.host.now_ms(),
    )?;
    context.remember(thread);
    context.print(&json!({"thread": thread, "forkedFrom": {"step": step}}))
}
