//! What `--long` adds: how a thread stands, as keys after the original's.

use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::error::CommandError;
use crate::engine::{Damage, Next, Standing};
use crate::model::{Hash, ThreadId};
use crate::thread::{Archived, Attempt, Located, locate};

/// How a thread stands. What could not be found out beside is told as a warning.
pub fn standing(
    thread: ThreadId,
    head: Hash,
    archived: Option<&Archived>,
    context: &Context,
) -> Standing {
    let standing = context.workshop().standing(thread, head, archived);
    for warning in &standing.warnings {
        context.warn(warning);
    }
    standing
}

/// How a thread stands at the head that a step has moved it to.
pub fn standing_at(thread: ThreadId, head: Hash, context: &Context) -> Standing {
    let archived = match locate(&context.root, &thread) {
        Ok(Located::Archived { entry }) => Some(entry),
        Ok(Located::Active { .. } | Located::NotFound { .. }) => None,
        // The step is made, and is told whatever else goes wrong.
        Err(error) => {
            context.warn(&error.to_string());
            None
        }
    };
    standing(thread, head, archived.as_ref(), context)
}

/// Adds what is known to a result, an object with the keys of the original.
pub fn add(result: &mut Value, standing: &Standing) {
    let mut add = |key: &str, value: Value| result[key] = value;
    if let Some(damage) = &standing.damage {
        add("error", damage.to_string().into());
    }
    add("status", standing.state.as_str().into());
    if let Some(running) = standing.running {
        add("pid", json!(running.holder.map(|holder| holder.pid)));
        add(
            "since",
            json!(running.holder.map(|holder| holder.started_at)),
        );
    }
    match &standing.next {
        Next::Role(role) => add("next", json!(role)),
        Next::Nobody => add("next", Value::Null),
        Next::Undecided(error) => {
            add("next", Value::Null);
            add("nextError", error.to_string().into());
        }
    }
    add("steps", json!(standing.steps));
    add(
        "lastAttempt",
        standing.last_attempt.as_ref().map_or(Value::Null, attempt),
    );
    let cwd = standing.cwd.as_ref().map(|cwd| cwd.to_string_lossy());
    add("cwd", json!(cwd));
    add("startedAt", json!(standing.started_at));
    add("updatedAt", json!(standing.updated_at));
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
