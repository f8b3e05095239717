//! What a model answered.

use serde_json::Value;

use super::endpoint::Key;
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

    /// Without this key: a command may have shown it to the model, and a service may repeat what
    /// it was sent. Only whole texts tell, since a stream may cut a key in two.
    pub(super) fn without(self, key: Option<&Key>) -> Self {
        let clean = |text: String| Key::cut_from(key, &text);
        let tool_calls = self.tool_calls.into_iter().map(|call| ToolCall {
            id: clean(call.id),
            name: clean(call.name),
            arguments: clean(call.arguments),
        });
        Self {
            content: clean(self.content),
            reasoning: self.reasoning.map(|(name, thought)| (name, clean(thought))),
            tool_calls: tool_calls.collect(),
            model: self.model.map(clean),
            ..self
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
