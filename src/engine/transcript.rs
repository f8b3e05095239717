//! What an agent answered in a step, read from the step's detail node.
//!
//! A detail is of the agent's own type. All known ones keep their turns in a list of hashes; a
//! raw one keeps the text itself.

use serde_json::{Number, Value};

use crate::cas::{self, Store, known};
use crate::model::Hash;

/// The text of the last assistant turn that a detail node leads to; none when it leads to none.
pub fn last_answer(store: &Store, detail: &Hash) -> cas::Result<Option<String>> {
    let detail = store.get(detail)?.payload;
    if let Some(turns) = detail.get("turns").and_then(Value::as_array) {
        for turn in turns.iter().rev() {
            let Some(Ok(hash)) = turn.as_str().map(str::parse::<Hash>) else {
                continue;
            };
            if let Some(answer) = assistant_text(&store.get(&hash)?.payload) {
                return Ok(Some(answer));
            }
        }
    }
    let text = detail.get("text").unwrap_or(&detail).as_str();
    Ok(text.map(str::to_owned))
}

/// How long the agent worked, in milliseconds, when the detail node tells.
///
/// The original's builtin agent calls it `duration`.
pub fn working_time(store: &Store, detail: &Hash) -> cas::Result<Option<Number>> {
    let Some(node) = store.find(detail)? else {
        return Ok(None);
    };
    let key = match node.type_hash {
        known::BUILTIN_DETAIL => "duration",
        _ => "durationMs",
    };
    Ok(node.payload.get(key).and_then(Value::as_number).cloned())
}

fn assistant_text(turn: &Value) -> Option<String> {
    let is_answer = turn.get("role").and_then(Value::as_str) == Some("assistant");
    let content = turn.get("content").and_then(Value::as_str)?;
    (is_answer && !content.trim().is_empty()).then(|| content.to_owned())
}
