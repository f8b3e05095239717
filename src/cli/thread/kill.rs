//! `uwf thread kill`.

use serde_json::json;

use super::lookup::unknown;
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::failure::ending;
use crate::cli::journal::Journal;
use crate::cli::parse;
use crate::engine::{KillError, Killed, RunningStep};
use crate::log::About;
use crate::model::{ThreadId, in_full};
use crate::thread::{Running, Status};

/// End a thread and archive it; what it made stays readable
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Result: {thread, archived}

A step that is being run is ended too: its uwf is asked to end (TERM), ends its agent, puts the \
attempt on record, and exits with 143, or with 6 when the agent was done just then.")]
pub struct Arguments {
    /// The thread: its id, the beginning of its id, or @ for the last one
    thread: String,
    /// Leave a step that is being run at work; in the end it exits with 6
    #[arg(long)]
    leave_running: bool,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let thread = parse::thread(&arguments.thread, context)?;
    let workshop = context.workshop();
    match workshop.kill(thread) {
        Ok(Killed { entry, damage }) => {
            if let Some(damage) = damage {
                context.warn(&format!("the thread is damaged: {}", in_full(&damage)));
            }
            let about = About {
                thread: Some(thread),
                workflow: entry.workflow,
            };
            Journal::of("thread kill", about, context).archived(&entry);
        }
        // It was killed before, and its step was left at work, or nobody can tell whether it was:
        // that is what can still be ended.
        Err(KillError::Ended {
            entry,
            running: Ok(Some(_)) | Err(_),
        }) if entry.status == Some(Status::Killed) && !arguments.leave_running => {}
        Err(refused) => return Err(refused.into()),
    }
    // Before the step is ended, since it may be a step's agent that calls this.
    let printed = context.print(&json!({"thread": thread, "archived": true}));
    if !arguments.leave_running {
        end_step(thread, context);
    }
    printed
}

fn end_step(thread: ThreadId, context: &Context) {
    match context.workshop().end_step(thread) {
        RunningStep::Gone => {}
        RunningStep::Ending(running) => context.warn(&format!(
            "a step of it has not ended yet: {}",
            at_work(running)
        )),
        RunningStep::Unreachable(why) => context.warn(&format!(
            "a step of it may still be at work: {}",
            in_full(&why)
        )),
    }
}

fn at_work(running: Running) -> String {
    match running.holder {
        Some(holder) => format!("process {} runs it", holder.pid),
        None => "the lock's file does not tell which process runs it".to_owned(),
    }
}

impl From<KillError> for CommandError {
    fn from(error: KillError) -> Self {
        match error {
            KillError::UnknownThread { thread, skipped } => unknown(thread, &skipped),
            KillError::Ended { entry, running } => {
                let thread = entry.thread;
                let message = format!("thread {thread} is not active: it {}", ending(&entry));
                let mut error = Self::new(Kind::Request, message);
                if matches!(running, Ok(Some(_))) && entry.status == Some(Status::Killed) {
                    error = error.hint(format!(
                        "a step of it is still at work: `uwf thread kill {thread}` ends it"
                    ));
                }
                error.hint(format!("it can still be read: `uwf thread read {thread}`"))
            }
            KillError::Lookup(error) => error.into(),
            KillError::Heads(error) => error.into(),
            KillError::Archive(error) => error.into(),
        }
    }
}
