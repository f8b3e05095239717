//! What an agent answered in a step, read from the step's detail node.
//!
//! A detail is of the agent's own type. All known ones keep their turns in a list of hashes; a
//! raw one keeps the text itself.

use serde_json::{Number, Value};

use crate::cas::{self, CasError, Store, known};
use crate::extract;
use crate::model::Hash;

/// What is known of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transcript {
    /// The text of the last assistant turn.
    Answer {
        /// As the agent wrote it.
        text: String,
        /// It is all body: its fields did not stand in it.
        is_body: bool,
    },
    /// The detail tells of no answer.
    Silent,
    /// A node that would tell is not in the store.
    Missing(Hash),
}

impl Transcript {
    /// The answer without its block of fields.
    pub fn into_body(self) -> Option<String> {
        match self {
            Self::Answer {
                text,
                is_body: true,
            } => Some(text),
            Self::Answer {
                text,
                is_body: false,
            } => Some(extract::body(&text)),
            Self::Silent | Self::Missing(_) => None,
        }
    }
}

/// Reads what the detail node of a step tells of its answer.
pub fn transcript(store: &Store, detail: &Hash) -> cas::Result<Transcript> {
    match read(store, detail) {
        Err(CasError::Missing { hash, .. }) => Ok(Transcript::Missing(hash)),
        other => other,
    }
}

fn read(store: &Store, detail: &Hash) -> cas::Result<Transcript> {
    let detail = store.get(detail)?.payload;
    // An agent on protocol `json` gives its fields beside the text.
    let is_body = detail.get("protocol").and_then(Value::as_str) == Some("json");
    if let Some(turns) = detail.get("turns").and_then(Value::as_array) {
        for turn in turns.iter().rev() {
            let Some(Ok(hash)) = turn.as_str().map(str::parse::<Hash>) else {
                continue;
            };
            if let Some(text) = assistant_text(&store.get(&hash)?.payload) {
                return Ok(Transcript::Answer { text, is_body });
            }
        }
    }
    let text = detail.get("text").unwrap_or(&detail).as_str();
    Ok(text.map_or(Transcript::Silent, |text| Transcript::Answer {
        text: text.to_owned(),
        is_body,
    }))
}

/// How long the agent worked, in milliseconds, when the detail node tells.
///
/// The original's builtin agent calls it `duration`.
pub fn working_time(store: &Store, detail: &Hash) -> cas::Result<Option<Number>> {
    let Some(node) = store.find(detail)? else {
        return Ok(None);
    };
    let key = match node.type_hash {
        known::BUILTIN_DETAIL | known::UWF_AGENT_DETAIL => "duration",
        _ => "durationMs",
    };
    Ok(node.payload.get(key).and_then(Value::as_number).cloned())
}

fn assistant_text(turn: &Value) -> Option<String> {
    let is_answer = turn.get("role").and_then(Value::as_str) == Some("assistant");
    let content = turn.get("content").and_then(Value::as_str)?;
    (is_answer && !content.trim().is_empty()).then(|| content.to_owned())
}
