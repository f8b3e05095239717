//! All runs of a step as one conversation, and the nodes it is kept as, which are the original's.

use serde_json::{Value, json};

use super::accounts::Accounts;
use super::outcome::Outcome;
use super::record::{Record, Turn};
use crate::bundled::kit::kept;
use crate::cas::{self, Store, known};
use crate::model::Hash;

/// What was said in a step.
#[derive(Debug, Default)]
pub struct Conversation {
    /// What it used and cost.
    pub accounts: Accounts,
    turns: Vec<Turn>,
    /// How many turns there were before the last run.
    earlier: usize,
    /// The session of the last run.
    session: Option<String>,
    model: Option<String>,
    /// How the last run ended.
    outcome: Option<Outcome>,
    /// What stood between the objects, of all runs.
    text: String,
    /// Something was said that could be read.
    is_read: bool,
}

impl Conversation {
    /// Adds a run that took so many milliseconds; `is_resumed`: it went on with a session.
    pub fn add(&mut self, run: Record, is_resumed: bool, milliseconds: u64) {
        self.accounts.add(&run, is_resumed, milliseconds);
        self.is_read |= !run.is_blank();
        self.outcome = run.outcome().cloned();
        self.session = run.session;
        self.model = run.model.or(self.model.take());
        self.earlier = self.turns.len();
        self.turns.extend(run.turns);
        self.text.push_str(&run.text);
    }

    /// The session of the last run.
    pub fn session(&self) -> Option<String> {
        self.session.clone()
    }

    /// What we told, or have to tell.
    pub fn note(&mut self, text: &str) {
        self.turns.push(Turn::text("note", kept(text)));
    }

    /// This is the last run's answer: whoever reads the conversation takes its last assistant's text for it.
    pub fn conclude(&mut self, answer: &str) {
        let answer = kept(answer);
        let mut said = self.turns.iter().skip(self.earlier).rev();
        let last = said.find(|turn| turn.role == "assistant" && !turn.content.trim().is_empty());
        if last.is_none_or(|turn| turn.content.trim() != answer.trim()) {
            self.turns.push(Turn::text("assistant", answer));
        }
    }

    /// Stores it; none when nothing was said. `now` is in milliseconds since 1970.
    pub fn store(&self, notes: &[String], store: &Store, now: u64) -> cas::Result<Option<Hash>> {
        if !self.is_read {
            if self.text.is_empty() {
                return Ok(None);
            }
            store.register(&known::CLAUDE_CODE_RAW, now)?;
            let raw = json!({"text": kept(&self.text)});
            return store.put(&known::CLAUDE_CODE_RAW, &raw, now).map(Some);
        }
        store.register(&known::CLAUDE_CODE_TURN, now)?;
        store.register(&known::CLAUDE_CODE_DETAIL, now)?;
        let notes = notes.iter().map(|note| Turn::text("note", kept(note)));
        let all: Vec<Turn> = self.turns.iter().cloned().chain(notes).collect();
        let turns = all
            .iter()
            .enumerate()
            .map(|(index, turn)| store.put(&known::CLAUDE_CODE_TURN, &payload(index, turn), now))
            .collect::<cas::Result<Vec<Hash>>>()?;
        let (subtype, stop_reason) = match &self.outcome {
            Some(outcome) => (outcome.subtype.as_str(), outcome.stop_reason.as_str()),
            None => ("no_result", ""),
        };
        let detail = json!({
            "sessionId": self.session.as_deref().unwrap_or_default(),
            "model": self.model.as_deref().unwrap_or_default(),
            "subtype": subtype,
            "durationMs": self.accounts.duration_ms,
            "numTurns": self.accounts.turn_count,
            "totalCostUsd": self.accounts.spent.cost_usd,
            "stopReason": stop_reason,
            "usage": self.accounts.spent.usage.payload(),
            "turns": turns,
        });
        store
            .put(&known::CLAUDE_CODE_DETAIL, &detail, now)
            .map(Some)
    }
}

fn payload(index: usize, turn: &Turn) -> Value {
    let calls: Vec<_> = turn
        .tool_calls
        .iter()
        .map(|(name, args)| json!({"name": name, "args": args}))
        .collect();
    json!({
        "index": index,
        "role": turn.role,
        "content": turn.content,
        "toolCalls": if calls.is_empty() { Value::Null } else { calls.into() },
    })
}
