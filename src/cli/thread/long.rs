//! What `--long` adds: how a thread stands, as keys after the original's.

use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::error::CommandError;
use crate::engine::{Damage, Next, Overview};
use crate::model::{Hash, ThreadId, in_full};
use crate::thread::{Archived, Attempt, Located, locate};

/// How a thread stands. What could not be found out beside is told as a warning.
pub fn overview(
    thread: ThreadId,
    head: Hash,
    archived: Option<&Archived>,
    context: &Context,
) -> Overview {
    let overview = context.workshop().overview(thread, head, archived);
    for warning in &overview.warnings {
        context.warn(warning);
    }
    overview
}

/// How a thread stands at the head that a step has moved it to.
pub fn overview_at(thread: ThreadId, head: Hash, context: &Context) -> Overview {
    let archived = match locate(&context.root, &thread) {
        Ok(Located::Archived { entry, .. }) => Some(entry),
        Ok(Located::Active { .. } | Located::NotFound { .. }) => None,
        // The step is made, and is told whatever else goes wrong.
        Err(error) => {
            context.warn(&in_full(&error));
            None
        }
    };
    overview(thread, head, archived.as_ref(), context)
}

/// Adds what is known to a result, an object with the keys of the original.
pub fn add(result: &mut Value, overview: &Overview) {
    let mut add = |key: &str, value: Value| result[key] = value;
    if let Some(damage) = &overview.damage {
        add("error", in_full(damage).into());
    }
    add("status", overview.state.as_str().into());
    if let Some(running) = overview.running {
        add("pid", json!(running.holder.map(|holder| holder.pid)));
        add(
            "since",
            json!(running.holder.map(|holder| holder.started_at)),
        );
    }
    match &overview.next {
        Next::Role(role) => add("next", json!(role)),
        Next::Nobody => add("next", Value::Null),
        Next::Undecided(error) => {
            add("next", Value::Null);
            add("nextError", in_full(error.as_ref()).into());
        }
    }
    add("steps", json!(overview.steps));
    add(
        "lastAttempt",
        overview.last_attempt.as_ref().map_or(Value::Null, attempt),
    );
    let cwd = overview.cwd.as_ref().map(|cwd| cwd.to_string_lossy());
    add("cwd", json!(cwd));
    add("startedAt", json!(overview.started_at));
    add("updatedAt", json!(overview.updated_at));
}

fn attempt(attempt: &Attempt) -> Value {
    json!({
        "time": attempt.time,
        "role": attempt.role,
        "agent": attempt.agent,
        "class": attempt.class,
        "message": attempt.message,
        "output": attempt.output,
    })
}

impl From<Damage> for CommandError {
    fn from(damage: Damage) -> Self {
        match damage {
            Damage::Chain(error) => error.into(),
            Damage::Workflow(error) => Self::damaged_workflow(error),
        }
    }
}
