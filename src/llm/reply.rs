//! What a model answered.

use serde_json::Value;

use super::message::{Message, ToolCall};

/// An answer of a model, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Its text; may be empty.
    pub content: String,
    /// What it thought, under the key the service sent it with.
    pub reasoning: Option<(String, String)>,
    /// The tools that it wants to be called.
    pub tool_calls: Vec<ToolCall>,
    /// Why it stopped.
    pub finish: Finish,
    /// What it cost in tokens; none when the service does not tell.
    pub usage: Option<TokenCount>,
    /// The model as the service calls it; none when it does not tell.
    pub model: Option<String>,
}

impl Reply {
    /// As a message of the conversation that goes on.
    pub fn to_message(&self) -> Message {
        Message::Assistant {
            content: self.content.clone(),
            reasoning: self.reasoning.clone(),
            tool_calls: self.tool_calls.clone(),
        }
    }
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finish {
    /// It was done, or wants tools to be called.
    Done,
    /// It may not say more at once.
    Length,
    /// It does not want to say it, or is not let.
    Refused,
}

/// Tokens of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TokenCount {
    /// All that the model read.
    pub input: u64,
    /// Those of them that came from the service's cache.
    pub cached: u64,
    /// What the model wrote.
    pub output: u64,
}

impl std::ops::AddAssign for TokenCount {
    /// Whatever a service claims, a sum of it does not run over.
    fn add_assign(&mut self, more: Self) {
        self.input = self.input.saturating_add(more.input);
        self.cached = self.cached.saturating_add(more.cached);
        self.output = self.output.saturating_add(more.output);
    }
}

impl TokenCount {
    /// Reads `usage` of an answer; none when it holds no numbers.
    pub(super) fn read(usage: &Value) -> Option<Self> {
        let number = |path: &[&str]| {
            let found = path.iter().try_fold(usage, |value, key| value.get(key));
            found.and_then(Value::as_u64)
        };
        let input = number(&["prompt_tokens"]);
        let output = number(&["completion_tokens"]);
        if input.is_none() && output.is_none() {
            return None;
        }
        let cached = number(&["prompt_tokens_details", "cached_tokens"])
            .or_else(|| number(&["prompt_cache_hit_tokens"]));
        Some(Self {
            input: input.unwrap_or_default(),
            cached: cached.unwrap_or_default(),
            output: output.unwrap_or_default(),
        })
    }
}
