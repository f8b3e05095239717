//! `uwf thread attempts`.

use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::parse;
use crate::thread::Attempts;

/// Print the steps of a thread that failed, oldest first
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Result: {thread, attempts: [{time, head, role, agent, class, message, output, step, exitCode, \
durationMs, stderr}]}")]
pub struct Arguments {
    /// The thread: its id, the beginning of its id, or @ for the last one
    thread: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    // The record outlives the thread's entry in either list: a damaged list hides no attempt.
    let thread = parse::thread(&arguments.thread, context)?;
    let attempts = Attempts::read(&context.root, &thread)?;
    for line in &attempts.skipped {
        context.warn(&line.to_string());
    }
    if attempts.entries.is_empty() && attempts.skipped.is_empty() {
        super::lookup::find_id(thread, context)?;
    }
    let listed = attempts.entries.iter().map(|(_, attempt)| {
        json!({
            "time": attempt.time,
            "head": attempt.head,
            "role": attempt.role,
            "agent": attempt.agent,
            "class": attempt.class,
            "message": attempt.message,
            "output": attempt.output,
            "step": attempt.step,
            "exitCode": attempt.exit_code,
            "durationMs": attempt.duration_ms,
            "stderr": attempt.stderr,
        })
    });
    context.print(&json!({"thread": thread, "attempts": listed.collect::<Value>()}))
}
