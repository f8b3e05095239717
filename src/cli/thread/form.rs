//! Threads as people read them: how each one stands, and its steps with their numbers.

use serde_json::{Map, Value, json};

/// What people want to see of each thread first; a terminal has room for it.
const OF_A_THREAD: [&str; 6] = ["thread", "workflow", "status", "next", "steps", "error"];

/// What `thread list` prints, without what is asked for by `--long`.
pub fn threads(listed: &Value) -> Value {
    let rows = listed.as_array().into_iter().flatten();
    rows.map(|thread| {
        let known = OF_A_THREAD
            .iter()
            .filter_map(|key| Some((*key, thread.get(*key)?)));
        known
            .map(|(key, value)| (key.to_owned(), value.clone()))
            .collect::<Value>()
    })
    .collect()
}

/// What `thread list --long` prints: of a thread's last failure what went wrong, and not its parts.
pub fn long_threads(listed: &Value) -> Value {
    let mut form = listed.clone();
    for thread in form.as_array_mut().into_iter().flatten() {
        if let Some(message) = thread.pointer("/lastAttempt/message").cloned() {
            thread["lastAttempt"] = message;
        }
    }
    form
}

/// The columns of the steps, before whatever else is known of them.
const COLUMNS: [&str; 5] = ["role", "hash", "agent", "timestamp", "output"];

/// What `thread steps` prints, in another order; how a step's answer came about is left to
/// `thread step-details`.
pub fn steps(result: &Value) -> Value {
    let listed = result["steps"].as_array().map(Vec::as_slice);
    let (start, steps) = match listed {
        Some([start, steps @ ..]) => (start, steps),
        _ => return result.clone(),
    };
    let mut form = Map::new();
    for (key, value) in result.as_object().into_iter().flatten() {
        if key != "steps" {
            form.insert(key.clone(), value.clone());
        }
    }
    for key in ["prompt", "timestamp"] {
        form.insert(key.to_owned(), start[key].clone());
    }
    let rows = steps.iter().enumerate();
    let rows = rows.map(|(position, step)| row(position + 1, step));
    form.insert("steps".to_owned(), rows.collect());
    Value::Object(form)
}

/// What `thread steps --follow` prints: the start, which has number 0, or a step.
pub fn item(number: usize, item: &Value) -> Value {
    match number {
        0 => item.clone(),
        _ => row(number, item),
    }
}

fn row(number: usize, step: &Value) -> Value {
    let mut row = Map::from_iter([("step".to_owned(), json!(number))]);
    for key in COLUMNS {
        row.insert(key.to_owned(), step[key].clone());
    }
    for (key, value) in step.as_object().into_iter().flatten() {
        if key != "detail" && !row.contains_key(key) {
            row.insert(key.clone(), value.clone());
        }
    }
    Value::Object(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::output::text::{Look, to_string};

    #[test]
    fn the_start_stands_above_and_each_step_has_its_number() {
        let result = json!({
            "thread": "06H2S7T0SYTNXJYWQYS40BBMNR",
            "workflow": "6HA1S8JMB29J3",
            "steps": [
                {"hash": "0RED5J61WBD57", "workflow": "6HA1S8JMB29J3", "prompt": "Why?", "timestamp": 1_796_044_961_000_u64},
                {"hash": "5YR25K3ZCXZVK", "role": "collector", "output": {"count": 2}, "detail": "7QAEKBVS92Z2D", "agent": "a", "timestamp": 1_796_044_961_065_u64},
                {"hash": "81P904K6HWN7F", "role": "writer", "output": {}, "detail": "7QAEKBVS92Z2D", "agent": "bc", "timestamp": 1_796_044_962_065_u64},
            ],
            "status": "active",
        });
        assert_eq!(
            to_string(&steps(&result), Look::default()),
            "\
thread     06H2S7T0SYTNXJYWQYS40BBMNR
workflow   6HA1S8JMB29J3
status     active
prompt     Why?
timestamp  2026-11-30 13:22:41 UTC

steps
  step  role       hash           agent  timestamp                output
     1  collector  5YR25K3ZCXZVK  a      2026-11-30 13:22:41 UTC  {\"count\":2}
     2  writer     81P904K6HWN7F  bc     2026-11-30 13:22:42 UTC  {}
"
        );
    }
}
