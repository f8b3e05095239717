//! The pieces of a streamed answer → the answer. Pure.
//!
//! Services differ in how they cut: a whole message may come at once, a call of a tool in
//! fragments with or without a number, with an id, an empty one or none.

use serde_json::Value;

use super::chat::Piece;
use super::message::{INLINE, REASONING, ToolCall};
use super::reply::{Finish, Reply, TokenCount};
use super::thought;

/// The most bytes of an answer's text. No role wants more, and it is sent back with each request.
pub const MOST_SAID: usize = 1 << 20;
/// The most bytes of what a model thinks and writes into calls of tools.
pub const MOST_BESIDE: usize = 8 << 20;

/// An answer that is still coming.
#[derive(Debug, Default)]
pub struct Assembly {
    content: String,
    reasoning: Option<(&'static str, String)>,
    calls: Vec<Draft>,
    finish: Option<String>,
    refusal: String,
    usage: Option<TokenCount>,
    model: Option<String>,
    is_chat: bool,
    /// Bytes of thoughts and of arguments of tools.
    beside: usize,
}

/// What of an answer is longer than any that is of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess<'a> {
    /// This text.
    Text(&'a str),
    /// Thoughts and arguments of tools.
    Beside,
}

/// A call that is still coming.
#[derive(Debug, Default)]
struct Draft {
    number: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

impl Assembly {
    /// Takes a piece, or the whole answer at once. The service's error, when it is one.
    pub fn take<'v>(
        &mut self,
        chunk: &'v Value,
        heard: &mut dyn FnMut(Piece<'_>),
    ) -> Result<(), &'v Value> {
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(error);
        }
        if let Some(usage) = chunk.get("usage").and_then(TokenCount::read) {
            self.usage = Some(usage);
        }
        if let Some(model) = text(chunk, "model") {
            self.model = Some(model.to_owned());
        }
        let Some(choices) = chunk.get("choices").and_then(Value::as_array) else {
            return Ok(());
        };
        self.is_chat = true;
        let Some(choice) = choices.first() else {
            return Ok(());
        };
        if let Some(finish) = text(choice, "finish_reason") {
            self.finish = Some(finish.to_owned());
        }
        if let Some(said) = choice.get("delta").or_else(|| choice.get("message")) {
            self.hear(said, heard);
        }
        Ok(())
    }

    /// Whether what came is of a chat API at all.
    pub fn is_chat(&self) -> bool {
        self.is_chat
    }

    /// What of it is too long by now.
    pub fn excess(&self) -> Option<Excess<'_>> {
        // What follows a thought within the text is measured when it is parted from it.
        let most = if self.content.len() > MOST_SAID && thought::begins(&self.content) {
            MOST_BESIDE
        } else {
            MOST_SAID
        };
        if self.content.len() > most {
            Some(Excess::Text(&self.content))
        } else if self.refusal.len() > MOST_SAID {
            Some(Excess::Text(&self.refusal))
        } else {
            (self.beside > MOST_BESIDE).then_some(Excess::Beside)
        }
    }

    /// Whether the model has said that it stopped.
    pub fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// The answer. Calls without an id get one that begins with `prefix`.
    pub fn into_reply(self, prefix: &str) -> Reply {
        let finish = match self.finish.as_deref() {
            Some("length" | "max_tokens") => Finish::Length,
            Some("content_filter" | "refusal" | "safety") => Finish::Refused,
            _ if !self.refusal.is_empty() => Finish::Refused,
            _ => Finish::Done,
        };
        let mut tool_calls: Vec<ToolCall> = Vec::new();
        for (position, draft) in self.calls.into_iter().enumerate() {
            let is_taken = tool_calls.iter().any(|call| call.id == draft.id);
            let id = if draft.id.is_empty() || is_taken {
                format!("{prefix}_{position}")
            } else {
                draft.id
            };
            tool_calls.push(ToolCall {
                id,
                name: draft.name,
                arguments: draft.arguments,
            });
        }
        let (thought, content) = thought::split(&self.content).unwrap_or(("", &self.content));
        Reply {
            content: if content.is_empty() {
                self.refusal
            } else {
                content.to_owned()
            },
            reasoning: joined(self.reasoning, thought),
            tool_calls,
            finish,
            usage: self.usage,
            model: self.model,
        }
    }

    fn hear(&mut self, said: &Value, heard: &mut dyn FnMut(Piece<'_>)) {
        for key in REASONING {
            if let Some(thought) = text(said, key) {
                let (known, whole) = self.reasoning.get_or_insert((key, String::new()));
                // Some services send the same twice, under both keys.
                if *known == key {
                    whole.push_str(thought);
                    self.beside += thought.len();
                    heard(Piece::Reasoning(thought));
                }
            }
        }
        match said.get("content") {
            Some(Value::String(more)) => self.hear_text(more, heard),
            Some(Value::Array(parts)) => {
                for more in parts.iter().filter_map(|part| text(part, "text")) {
                    self.hear_text(more, heard);
                }
            }
            _ => {}
        }
        if let Some(refusal) = text(said, "refusal") {
            self.refusal.push_str(refusal);
        }
        let calls = said.get("tool_calls").and_then(Value::as_array);
        for fragment in calls.into_iter().flatten() {
            self.hear_call(fragment, heard);
        }
    }

    fn hear_text(&mut self, more: &str, heard: &mut dyn FnMut(Piece<'_>)) {
        if !more.is_empty() {
            self.content.push_str(more);
            heard(Piece::Text(more));
        }
    }

    fn hear_call(&mut self, fragment: &Value, heard: &mut dyn FnMut(Piece<'_>)) {
        let number = fragment.get("index").and_then(Value::as_u64);
        let id = text(fragment, "id").unwrap_or_default();
        let function = fragment.get("function").unwrap_or(&Value::Null);
        let name = text(function, "name").unwrap_or_default();
        let draft = self.draft(number, id, name);
        if draft.id.is_empty() {
            id.clone_into(&mut draft.id);
        }
        if draft.name.is_empty() {
            name.clone_into(&mut draft.name);
        }
        let more = match function.get("arguments") {
            Some(Value::String(more)) => more.clone(),
            None | Some(Value::Null) => String::new(),
            Some(object) => object.to_string(),
        };
        draft.arguments.push_str(&more);
        self.beside += more.len();
        heard(Piece::Call(&more));
    }

    /// The call that a fragment belongs to.
    fn draft(&mut self, number: Option<u64>, id: &str, name: &str) -> &mut Draft {
        let continues = |draft: &Draft| match number {
            // Services that send whole calls at once give all of them the same number.
            Some(_) => {
                draft.number == number
                    && (name.is_empty() || id.is_empty() || draft.id.is_empty() || draft.id == id)
            }
            None if !id.is_empty() => draft.id == id || (name.is_empty() && draft.id.is_empty()),
            None => name.is_empty(),
        };
        let known = self.calls.iter().rposition(continues);
        let at = known.unwrap_or(self.calls.len());
        if known.is_none() {
            self.calls.push(Draft {
                number,
                ..Draft::default()
            });
        }
        &mut self.calls[at]
    }
}

/// What a model thought, under the key it came with and within its text.
fn joined(told: Option<(&str, String)>, inline: &str) -> Option<(String, String)> {
    match told {
        None if inline.is_empty() => None,
        None => Some((INLINE.to_owned(), inline.to_owned())),
        // Some services send the same twice.
        Some((key, told)) if told.contains(inline) => Some((key.to_owned(), told)),
        Some((key, told)) => Some((key.to_owned(), format!("{told}\n\n{inline}"))),
    }
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    let text = value.get(key)?.as_str()?;
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests;
