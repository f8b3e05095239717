//! `uwf thread steps`.

use serde_json::{Value, json};

use super::lookup::find;
use crate::cli::context::Context;
use crate::cli::error::Result;

/// Print all steps of a thread, oldest first
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The thread: its id, the beginning of its id, or @ for the last one
    thread: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let found = find(&arguments.thread, context)?;
    let chain = found.chain(context)?;
    let start = chain.start();
    let mut steps = vec![json!({
        "hash": start.hash,
        "workflow": start.node.workflow,
        "prompt": start.node.prompt,
        "timestamp": start.timestamp,
    })];
    for step in chain.steps_oldest_first()? {
        let output: Value = chain.output(&step)?;
        steps.push(json!({
            "hash": step.hash,
            "role": step.node.role,
            "output": output,
            "detail": step.node.detail,
            "agent": step.node.agent,
            "timestamp": step.timestamp,
        }));
    }
    context.print(&json!({"thread": found.thread, "workflow": start.node.workflow, "steps": steps}))
}
