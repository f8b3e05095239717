//! `uwf thread steps`.

use serde_json::{Value, json};

use super::form;
use super::lookup::find;
use crate::cli::context::Context;
use crate::cli::error::Result;

/// Print all steps of a thread, oldest first
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Result: {thread, workflow, steps: [{hash, workflow, prompt, timestamp}, \
{hash, role, output, detail, agent, timestamp}, ...]}")]
pub struct Arguments {
    /// The thread's id
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
    let result = json!({"thread": found.thread, "workflow": start.node.workflow, "steps": steps});
    context.print_with_form(&result, || form::steps(&result))
}
