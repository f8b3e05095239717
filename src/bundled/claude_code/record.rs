//! What one run of Claude Code said, read from the objects it prints.
//!
//! Nothing is taken for granted: a key that is missing or of another type is as good as none.
//! What the end of the run means does not belong here.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::documents::Document;
use super::outcome::{Outcome, usage_of};
use super::progress;
use crate::bundled::kit::{Usage, kept};

/// The most bytes of all tools' results in a run. What comes behind them is kept as its beginning
/// only: a session may go on for a day.
const MOST_OF_TOOLS: usize = 32 << 20;
/// How much of a result is kept then.
const BEGINNING: usize = 1 << 10;
/// The most bytes that are kept of what stands between the objects.
const MOST_TEXT: usize = 64 << 10;
/// What the program calls a message of its own that no model wrote.
const SYNTHETIC: &str = "<synthetic>";

/// One turn, as the original keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// `assistant`; `tool`, a tool's result; `subagent`, an assistant's that the first one called;
    /// `user`, what the program itself told the model; `note`, what we told or have to tell.
    pub role: &'static str,
    /// The text.
    pub content: String,
    /// The tools that were called, each with its arguments as JSON.
    pub tool_calls: Vec<(String, String)>,
}

impl Turn {
    /// A text without calls.
    pub fn text(role: &'static str, content: impl Into<String>) -> Self {
        Self {
            role,
            content: content.into(),
            tool_calls: Vec::new(),
        }
    }
}

/// One run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// The session, as far as it is known.
    pub session: Option<String>,
    /// The model, as far as it is known.
    pub model: Option<String>,
    /// All that was said, oldest first.
    pub turns: Vec<Turn>,
    /// How it ended, in its own words. More than one when work in the background went on behind
    /// the first: then the last tells, and each counts.
    pub outcomes: Vec<Outcome>,
    /// What stood between the objects.
    pub text: String,
    /// The kind of error that a message named, such as `authentication_failed`.
    pub error: Option<String>,
    /// The last line that told of a retry.
    pub retry: Option<String>,
    /// What each message of the model is said to have used.
    used: BTreeMap<String, Usage>,
    bytes_of_tools: usize,
}

impl Record {
    /// Takes in one thing that was printed, and tells what goes on on lines.
    pub fn hear(&mut self, document: &Document, tell: &mut dyn FnMut(&str)) {
        let object = match document {
            Document::Object(object) => object,
            Document::Text(line) => return self.hear_text(line),
        };
        match text(object, "type") {
            Some("system") => self.hear_system(object, tell),
            Some("assistant") => self.hear_assistant(object, tell),
            Some("user") => self.hear_user(object),
            Some("result") => self.outcomes.push(Outcome::read(object)),
            // One object with the answer, as a run without a stream prints it.
            None if object.get("result").is_some() => self.outcomes.push(Outcome::read(object)),
            _ => {}
        }
        // A run that failed may name a session that was never there.
        let is_failure = self.outcomes.last().is_some_and(|outcome| outcome.is_error);
        if !is_failure && let Some(session) = text(object, "session_id").filter(|it| is_id(it)) {
            self.session = Some(session.to_owned());
        }
    }

    /// The run's last word on how it ended.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcomes.last()
    }

    /// Whether it said anything that can be read.
    pub fn is_blank(&self) -> bool {
        self.session.is_none() && self.turns.is_empty() && self.outcomes.is_empty()
    }

    /// The tokens that the main conversation used.
    ///
    /// Outcomes tell, but not of a run that was killed, nor of the last message of one that was
    /// stopped: then at least the tokens count that the messages tell of.
    pub fn usage(&self) -> Usage {
        let told = sum(self.outcomes.iter().map(|outcome| outcome.usage));
        match self.outcome() {
            Some(outcome) if !outcome.is_error => told,
            _ => larger(told, sum(self.used.values().copied())),
        }
    }

    fn hear_text(&mut self, line: &str) {
        let room = MOST_TEXT.saturating_sub(self.text.len());
        self.text.push_str(&line[..line.floor_char_boundary(room)]);
        self.text.push('\n');
    }

    fn hear_system(&mut self, object: &Map<String, Value>, tell: &mut dyn FnMut(&str)) {
        match text(object, "subtype") {
            Some("api_retry") => {
                let line = progress::retry(object);
                tell(&line);
                self.retry = Some(line);
            }
            _ => {
                if let Some(model) = text(object, "model") {
                    self.model = Some(model.to_owned());
                }
            }
        }
    }

    fn hear_assistant(&mut self, object: &Map<String, Value>, tell: &mut dyn FnMut(&str)) {
        if let Some(error) = text(object, "error") {
            self.error = Some(error.to_owned());
        }
        let Some(message) = object.get("message").and_then(Value::as_object) else {
            return;
        };
        let model = text(message, "model").filter(|model| *model != SYNTHETIC);
        if self.model.is_none() {
            self.model = model.map(str::to_owned);
        }
        let is_called = object
            .get("parent_tool_use_id")
            .is_some_and(Value::is_string);
        if let (false, Some(id), Some(usage)) =
            (is_called, text(message, "id"), message.get("usage"))
        {
            // One message comes as several objects, each with the same usage.
            self.used.insert(id.to_owned(), usage_of(usage));
        }
        let mut turn = Turn::text(if is_called { "subagent" } else { "assistant" }, "");
        for block in blocks(message) {
            match block {
                Block::Text(said) => {
                    tell(&progress::said(said));
                    append(&mut turn.content, said);
                }
                Block::Call { name, input } => {
                    tell(&progress::call(name, input));
                    let input = input.map_or_else(|| "{}".to_owned(), Value::to_string);
                    turn.tool_calls.push((name.to_owned(), kept(&input)));
                }
                Block::Result(_) => {}
            }
        }
        if !turn.content.is_empty() || !turn.tool_calls.is_empty() {
            turn.content = kept(&turn.content);
            self.turns.push(turn);
        }
    }

    fn hear_user(&mut self, object: &Map<String, Value>) {
        let Some(message) = object.get("message").and_then(Value::as_object) else {
            return;
        };
        for block in blocks(message) {
            let turn = match block {
                Block::Text(told) => Turn::text("user", kept(told)),
                Block::Result(result) => Turn::text("tool", self.kept_of_tool(&result)),
                Block::Call { .. } => continue,
            };
            self.turns.push(turn);
        }
    }

    fn kept_of_tool(&mut self, result: &str) -> String {
        let beginning = result.floor_char_boundary(BEGINNING);
        let result = if self.bytes_of_tools < MOST_OF_TOOLS || beginning == result.len() {
            kept(result)
        } else {
            let left_out = result.len() - beginning;
            format!("{}\n[{left_out} bytes left out here]", &result[..beginning])
        };
        self.bytes_of_tools += result.len();
        result
    }
}

fn sum(usages: impl Iterator<Item = Usage>) -> Usage {
    usages.fold(Usage::default(), |mut all, usage| {
        all += usage;
        all
    })
}

fn larger(one: Usage, other: Usage) -> Usage {
    Usage {
        input_tokens: one.input_tokens.max(other.input_tokens),
        output_tokens: one.output_tokens.max(other.output_tokens),
        cache_read_input_tokens: one
            .cache_read_input_tokens
            .max(other.cache_read_input_tokens),
        cache_creation_input_tokens: one
            .cache_creation_input_tokens
            .max(other.cache_creation_input_tokens),
    }
}

/// A part of a message that is of interest.
enum Block<'a> {
    Text(&'a str),
    Call {
        name: &'a str,
        input: Option<&'a Value>,
    },
    Result(String),
}

fn blocks(message: &Map<String, Value>) -> Vec<Block<'_>> {
    match message.get("content") {
        Some(Value::String(text)) => vec![Block::Text(text)],
        Some(Value::Array(blocks)) => blocks.iter().filter_map(block).collect(),
        _ => Vec::new(),
    }
}

fn block(block: &Value) -> Option<Block<'_>> {
    let block = block.as_object()?;
    match text(block, "type")? {
        "text" => Some(Block::Text(text(block, "text")?)),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => Some(Block::Call {
            name: text(block, "name")?,
            input: block.get("input"),
        }),
        "tool_result" => Some(Block::Result(result_of(block.get("content")))),
        _ => None,
    }
}

/// A tool's result: a text, or a list of texts and other things, which are named only.
fn result_of(content: Option<&Value>) -> String {
    let part = |part: &Value| {
        let part = part.as_object()?;
        match (text(part, "text"), text(part, "type")) {
            (Some(said), _) => Some(said.to_owned()),
            (None, Some(kind)) => Some(format!("[{kind}]")),
            (None, None) => None,
        }
    };
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let parts: Vec<_> = parts.iter().filter_map(part).collect();
            parts.join("\n")
        }
        _ => String::new(),
    }
}

fn append(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(more);
}

fn text<'v>(object: &'v Map<String, Value>, key: &str) -> Option<&'v str> {
    object.get(key).and_then(Value::as_str)
}

/// Whether a text can be the id of a session. It becomes an argument: it must not pass for an
/// option.
pub fn is_id(text: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=200).contains(&text.len()) && !text.starts_with('-') && text.bytes().all(is_plain)
}

#[cfg(test)]
pub(super) mod tests;
