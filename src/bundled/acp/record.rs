//! What an agent said and did in a turn: its answer, and the turns that are kept.
//!
//! Text comes as one stream. What stands before a tool call is a turn of its own, what comes after
//! the last one is the answer.

use std::collections::HashMap;

use agent_client_protocol::v1::schema::{
    ContentBlock, ContentChunk, EmbeddedResourceResource, SessionUpdate, ToolCallContent,
    ToolCallStatus, ToolCallUpdate, ToolCallUpdateFields, ToolKind,
};
use serde_json::{Value, json};

use crate::bundled::kit::{Turn, kept};

/// The most bytes of an answer. No model writes as much in one turn.
const MOST_OF_ANSWER: usize = 16 << 20;

/// The most bytes of all results of tools that are kept in memory.
const MOST_OF_RESULTS: usize = 64 << 20;

/// The turns so far, and what is being said.
#[derive(Debug)]
pub struct Record {
    turns: Vec<Turn>,
    said: String,
    thought: String,
    is_too_long: bool,
    /// The calls that were begun, by the agent's id.
    calls: HashMap<String, Call>,
    /// The call that was begun last and has not ended.
    open: Option<String>,
    /// The room that is left for results.
    room: usize,
}

/// Where a call stands in the turns, and what is known of it.
#[derive(Debug, Default)]
struct Call {
    turn: usize,
    position: usize,
    title: String,
    kind: Option<ToolKind>,
    input: Option<Value>,
    status: Option<ToolCallStatus>,
}

/// Something worth a line while it goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// A tool is called.
    Called(String),
    /// What a tool does is done, or was not.
    Ended(String),
    /// The agent thinks.
    Thinking,
    /// Nothing to speak of, and yet it is at work.
    AtWork,
}

impl Default for Record {
    fn default() -> Self {
        Self {
            turns: Vec::new(),
            said: String::new(),
            thought: String::new(),
            is_too_long: false,
            calls: HashMap::new(),
            open: None,
            room: MOST_OF_RESULTS,
        }
    }
}

impl Record {
    /// All turns so far, with what is being said.
    pub fn turns(&mut self) -> &[Turn] {
        self.close();
        &self.turns
    }

    /// What came until now, from this turn on, was no part of what is being answered: it is history
    /// that is told again.
    pub fn forget_since(&mut self, turn: usize) {
        self.turns.truncate(turn);
        self.calls.retain(|_, call| call.turn < turn);
        self.open = None;
        self.said.clear();
        self.thought.clear();
    }

    /// The agent is told something besides its first prompt.
    pub fn tell(&mut self, text: &str) {
        self.close();
        self.turns.push(Turn::tool(text));
    }

    /// What goes on in the session.
    pub fn update(&mut self, update: SessionUpdate) -> News {
        match update {
            SessionUpdate::AgentMessageChunk(chunk) => {
                self.say(&text_of(&chunk));
                News::AtWork
            }
            SessionUpdate::AgentThoughtChunk(chunk) => {
                append(&mut self.thought, &text_of(&chunk));
                News::Thinking
            }
            SessionUpdate::ToolCall(call) => {
                let id = call.tool_call_id.to_string();
                let fields = ToolCallUpdateFields::new()
                    .title(call.title)
                    .kind(call.kind)
                    .status(call.status)
                    .content(call.content)
                    .raw_input(call.raw_input)
                    .raw_output(call.raw_output);
                self.call(&id, fields)
            }
            SessionUpdate::ToolCallUpdate(update) => {
                self.call(&update.tool_call_id.to_string(), update.fields)
            }
            _ => News::AtWork,
        }
    }

    /// The agent asked for a permission, and this was decided. Some agents ask about a call that
    /// they tell of, some tell of a call by asking.
    pub fn permission(&mut self, asked: ToolCallUpdate, decision: &str) -> String {
        let id = asked.tool_call_id.to_string();
        let fields = asked.fields;
        let about = fields.title.clone().unwrap_or_else(|| id.clone());
        let known = self.calls.contains_key(&id).then_some(id.clone());
        self.close();
        match known.or_else(|| self.open.clone()) {
            Some(known) => {
                if let Some(call) = self.calls.get_mut(&known)
                    && call.input.is_none()
                {
                    call.input = fields.raw_input;
                    self.write(&known);
                }
            }
            None => self.begin(&id, &fields),
        }
        let words = format!("asked for permission, {about}: {decision}");
        self.turns.push(Turn::tool(words.clone()));
        words
    }

    /// The answer that stands now: what was said after the last call of a tool.
    pub fn answer(&self) -> &str {
        &self.said
    }

    /// Whether anything was said or done.
    pub fn has_anything(&self) -> bool {
        !self.turns.is_empty() || !self.said.trim().is_empty() || !self.thought.trim().is_empty()
    }

    /// Whether the answer was longer than an answer may be.
    pub fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    fn say(&mut self, text: &str) {
        if self.said.len() + text.len() > MOST_OF_ANSWER {
            self.is_too_long = true;
        } else {
            self.said.push_str(text);
        }
    }

    /// What was said is a turn of its own.
    fn close(&mut self) {
        let (said, thought) = (
            std::mem::take(&mut self.said),
            std::mem::take(&mut self.thought),
        );
        let reasoning = Some(thought).filter(|thought| !thought.trim().is_empty());
        if !said.trim().is_empty() || reasoning.is_some() {
            let turn = Turn {
                reasoning,
                ..Turn::assistant(said)
            };
            self.turns.push(turn);
        }
    }

    fn call(&mut self, id: &str, fields: ToolCallUpdateFields) -> News {
        self.close();
        let is_new = !self.calls.contains_key(id);
        if is_new {
            self.begin(id, &fields);
        }
        let Some(call) = self.calls.get_mut(id) else {
            return News::AtWork;
        };
        if let Some(title) = fields.title {
            call.title = title;
        }
        call.kind = fields.kind.or(call.kind);
        if fields.raw_input.is_some() {
            call.input = fields.raw_input;
        }
        let title = call.title.clone();
        let ended = ending(fields.status).filter(|_| ending(call.status).is_none());
        call.status = fields.status.or(call.status);
        self.write(id);
        let Some(word) = ended else {
            return if is_new {
                News::Called(title)
            } else {
                News::AtWork
            };
        };
        if self.open.as_deref() == Some(id) {
            self.open = None;
        }
        let content = fields.content.unwrap_or_default();
        let result = result_of(&content, fields.raw_output.as_ref());
        let result = self.within_room(&result);
        self.turns.push(Turn::tool(if word == "failed" {
            format!("failed: {result}")
        } else {
            result
        }));
        News::Ended(format!("{title}: {word}"))
    }

    /// A call joins the turn that was said before it, and other calls of that turn.
    fn begin(&mut self, id: &str, fields: &ToolCallUpdateFields) {
        if !self.turns.last().is_some_and(|turn| turn.is_assistant) {
            self.turns.push(Turn::assistant(""));
        }
        let turn = self.turns.len() - 1;
        let calls = &mut self.turns[turn].tool_calls;
        calls.push((String::new(), String::new()));
        let call = Call {
            turn,
            position: calls.len() - 1,
            title: fields.title.clone().unwrap_or_default(),
            kind: fields.kind,
            input: fields.raw_input.clone(),
            status: None,
        };
        self.open = Some(id.to_owned());
        self.calls.insert(id.to_owned(), call);
        self.write(id);
    }

    /// Writes into the turn what is known of the call.
    fn write(&mut self, id: &str) {
        let Some(call) = self.calls.get(id) else {
            return;
        };
        let name = match call.kind.map(serde_json::to_value) {
            Some(Ok(Value::String(kind))) => kind,
            _ => "other".to_owned(),
        };
        let arguments = match &call.input {
            Some(input) => json!({"title": call.title, "input": input}),
            None => json!({"title": call.title}),
        };
        self.turns[call.turn].tool_calls[call.position] = (name, kept(&arguments.to_string()));
    }

    fn within_room(&mut self, result: &str) -> String {
        let mut result = kept(result);
        if result.len() > self.room {
            result = format!("[{} bytes left out here]", result.len());
        }
        self.room = self.room.saturating_sub(result.len());
        result
    }
}

fn append(text: &mut String, more: &str) {
    if text.len() + more.len() <= MOST_OF_ANSWER {
        text.push_str(more);
    }
}

fn ending(status: Option<ToolCallStatus>) -> Option<&'static str> {
    match status? {
        ToolCallStatus::Completed => Some("completed"),
        ToolCallStatus::Failed => Some("failed"),
        _ => None,
    }
}

fn text_of(chunk: &ContentChunk) -> String {
    text_of_block(&chunk.content)
}

fn text_of_block(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(_) => "[image]".to_owned(),
        ContentBlock::Audio(_) => "[audio]".to_owned(),
        ContentBlock::ResourceLink(link) => format!("[{}]", link.uri),
        ContentBlock::Resource(resource) => match &resource.resource {
            EmbeddedResourceResource::TextResourceContents(contents) => contents.text.clone(),
            _ => "[resource]".to_owned(),
        },
        _ => String::new(),
    }
}

/// What a tool gave, as text: of changes to files only how large they are.
fn result_of(content: &[ToolCallContent], raw: Option<&Value>) -> String {
    let texts: Vec<String> = content
        .iter()
        .map(|content| match content {
            ToolCallContent::Content(content) => text_of_block(&content.content),
            ToolCallContent::Diff(diff) => {
                let old = diff.old_text.as_deref().unwrap_or_default();
                format!(
                    "{}: {} lines became {}",
                    diff.path.display(),
                    old.lines().count(),
                    diff.new_text.lines().count()
                )
            }
            _ => String::new(),
        })
        .filter(|text| !text.is_empty())
        .collect();
    match raw {
        Some(Value::String(text)) if texts.is_empty() => text.clone(),
        Some(raw) if texts.is_empty() && !raw.is_null() => raw.to_string(),
        _ => texts.join("\n"),
    }
}
