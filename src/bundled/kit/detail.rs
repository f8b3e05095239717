//! What is kept of how an answer came about, where the original has no form for it or knew less.

use serde_json::{Value, json};

use super::respondent::Closing;
use crate::cas::{self, Store, known};
use crate::model::Hash;

/// The most bytes of one text that are kept: a tool may have printed a whole disk.
const MOST_KEPT: usize = 1 << 20;

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The agent's own; else what it was told: a tool's result, a correction.
    pub is_assistant: bool,
    /// The text.
    pub content: String,
    /// The tools that were called, each with its arguments.
    pub tool_calls: Vec<(String, String)>,
    /// What the model thought, as far as it tells.
    pub reasoning: Option<String>,
}

impl Turn {
    /// The agent says this.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self {
            is_assistant: true,
            content: content.into(),
            tool_calls: Vec::new(),
            reasoning: None,
        }
    }

    /// The agent is told this.
    pub fn tool(content: impl Into<String>) -> Self {
        Self {
            is_assistant: false,
            ..Self::assistant(content)
        }
    }

    fn payload(&self) -> Value {
        let calls: Vec<_> = self
            .tool_calls
            .iter()
            .map(|(name, args)| json!({"name": name, "args": kept(args)}))
            .collect();
        json!({
            "role": if self.is_assistant { "assistant" } else { "tool" },
            "content": kept(&self.content),
            "toolCalls": if calls.is_empty() { Value::Null } else { calls.into() },
            "reasoning": self.reasoning.as_deref().map(kept),
        })
    }
}

/// A text as it is kept: one that is too long without its middle.
pub fn kept(text: &str) -> String {
    if text.len() <= MOST_KEPT {
        return text.to_owned();
    }
    let (head, tail) = (
        text.floor_char_boundary(MOST_KEPT / 2),
        text.ceil_char_boundary(text.len() - MOST_KEPT / 2),
    );
    format!(
        "{}\n[{} bytes left out here]\n{}",
        &text[..head],
        tail - head,
        &text[tail..]
    )
}

/// Tokens that a service counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Read by the model, without those from its cache.
    pub input_tokens: u64,
    /// Written by the model.
    pub output_tokens: u64,
    /// Read from the cache.
    pub cache_read_input_tokens: u64,
    /// Written to the cache.
    pub cache_creation_input_tokens: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, more: Self) {
        self.input_tokens += more.input_tokens;
        self.output_tokens += more.output_tokens;
        self.cache_read_input_tokens += more.cache_read_input_tokens;
        self.cache_creation_input_tokens += more.cache_creation_input_tokens;
    }
}

impl Usage {
    /// As it stands in a detail node.
    pub fn payload(self) -> Value {
        json!({
            "inputTokens": self.input_tokens,
            "outputTokens": self.output_tokens,
            "cacheReadInputTokens": self.cache_read_input_tokens,
            "cacheCreationInputTokens": self.cache_creation_input_tokens,
        })
    }
}

/// A detail of our own form.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentDetail<'a> {
    /// The session, as the agent calls it.
    pub session: &'a str,
    /// The model, as far as it is known.
    pub model: &'a str,
    /// How long the agent worked, in milliseconds, corrections included.
    pub duration_ms: u64,
    /// How often the model was asked, corrections included.
    pub turn_count: usize,
    /// All that was said, oldest first.
    pub turns: &'a [Turn],
    /// Counted over all turns; none when the agent does not tell.
    pub usage: Option<Usage>,
    /// In US dollars; none when the agent does not tell.
    pub cost_usd: Option<f64>,
    /// What a reader should know besides what the kit says.
    pub notes: &'a [String],
}

impl AgentDetail<'_> {
    /// Stores it with its turns. `now` is in milliseconds since 1970.
    pub fn store(&self, closing: &Closing<'_>, store: &Store, now: u64) -> cas::Result<Hash> {
        store.register(&known::BUILTIN_TURN, now)?;
        store.register(&known::UWF_AGENT_DETAIL, now)?;
        let turns = self
            .turns
            .iter()
            .map(|turn| store.put(&known::BUILTIN_TURN, &turn.payload(), now))
            .collect::<cas::Result<Vec<Hash>>>()?;
        let notes: Vec<_> = self.notes.iter().chain(closing.notes).collect();
        let detail = json!({
            "sessionId": self.session,
            "model": self.model,
            "duration": self.duration_ms,
            "turnCount": self.turn_count,
            "turns": turns,
            "usage": self.usage.map(Usage::payload),
            "totalCostUsd": self.cost_usd,
            "corrections": closing.corrections,
            "notes": notes,
        });
        store.put(&known::UWF_AGENT_DETAIL, &detail, now)
    }
}
