//! What was said between the agent and the model, in memory and on disk alike.

use std::path::Path;

use super::session::{Entry, Found, Header, Session};
use super::words;
use crate::agent::FailureClass;
use crate::bundled::kit::{Desk, Refusal, Turn};
use crate::fsx::{self, FileError};
use crate::llm::{Finish, Message, Reply, TokenCount, ToolCall};
use crate::model::in_full;

/// A conversation with a model.
pub struct Conversation {
    session: Session,
    messages: Vec<Message>,
    /// Messages that were there before the model was asked.
    given: usize,
    /// Why the model stopped when it spoke last.
    finish: Finish,
    usage: Option<TokenCount>,
    /// Where the stretch began whose turns are counted.
    stretch: usize,
}

/// What was said last.
pub enum Last {
    /// Something to the model.
    Told,
    /// The model wants these tools to be called; they have no result yet.
    Calls(Vec<ToolCall>),
    /// The model said this.
    Said {
        /// Its text.
        text: String,
        /// Why it stopped.
        finish: Finish,
    },
}

impl Conversation {
    /// A new one, which begins with what is given.
    pub fn begin(
        root: &Path,
        id: &str,
        header: &Header,
        given: Vec<Message>,
    ) -> Result<Self, Refusal> {
        let session = Session::begin(root, id, header, &given).map_err(|error| unkept(&error))?;
        Ok(Self {
            session,
            given: given.len(),
            stretch: given.len(),
            messages: given,
            finish: Finish::Done,
            usage: None,
        })
    }

    /// One that was interrupted.
    pub fn of(found: Found) -> Self {
        let mut conversation = Self {
            session: found.session,
            given: found.header.given,
            stretch: found.header.given,
            messages: Vec::new(),
            finish: Finish::Done,
            usage: None,
        };
        for entry in found.entries {
            conversation.take(entry);
        }
        conversation
    }

    /// Gives every call that was begun and has no result one that says so.
    pub fn close_calls(&mut self, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let Last::Calls(calls) = self.last() else {
            return Ok(());
        };
        for call in calls {
            let line = format!("{}: {}", call.name, words::UNKNOWN_OUTCOME);
            desk.observer.progress(&line);
            self.say(Message::Tool {
                id: call.id,
                content: words::UNKNOWN_OUTCOME.to_owned(),
            })?;
        }
        Ok(())
    }

    /// Something is said to the model.
    pub fn say(&mut self, message: Message) -> Result<(), Refusal> {
        self.add(Entry {
            message,
            finish: Finish::Done,
            usage: None,
        })
    }

    /// The model said something.
    pub fn hear(&mut self, reply: &Reply) -> Result<(), Refusal> {
        self.add(Entry {
            message: reply.to_message(),
            finish: reply.finish,
            usage: reply.usage,
        })
    }

    /// Turns are counted from here.
    pub fn begin_stretch(&mut self) {
        self.stretch = self.messages.len();
    }

    fn add(&mut self, entry: Entry) -> Result<(), Refusal> {
        self.session
            .append(&entry)
            .map_err(|error| unkept(&error))?;
        self.take(entry);
        Ok(())
    }

    fn take(&mut self, entry: Entry) {
        self.finish = entry.finish;
        if let Some(more) = entry.usage {
            *self.usage.get_or_insert_default() += more;
        }
        self.messages.push(entry.message);
    }

    /// What was said last.
    pub fn last(&self) -> Last {
        let results = self
            .messages
            .iter()
            .rev()
            .map_while(|message| match message {
                Message::Tool { id, .. } => Some(id),
                _ => None,
            });
        let results: Vec<_> = results.collect();
        let before = self.messages.len().checked_sub(results.len() + 1);
        match before.and_then(|at| self.messages.get(at)) {
            Some(Message::Assistant {
                content,
                tool_calls,
                ..
            }) => {
                let open = tool_calls
                    .iter()
                    .filter(|call| !results.contains(&&call.id));
                let open: Vec<_> = open.cloned().collect();
                if !open.is_empty() {
                    Last::Calls(open)
                } else if tool_calls.is_empty() {
                    Last::Said {
                        text: content.clone(),
                        finish: self.finish,
                    }
                } else {
                    Last::Told
                }
            }
            _ => Last::Told,
        }
    }

    /// All of it, as the model is told it.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// How often the model spoke.
    pub fn asked(&self) -> usize {
        count_answers(&self.messages[self.given.min(self.messages.len())..])
    }

    /// How often the model spoke in this stretch.
    pub fn asked_in_this_stretch(&self) -> usize {
        count_answers(&self.messages[self.stretch.min(self.messages.len())..])
    }

    /// How often the model was told this.
    pub fn times_told(&self, words: &str) -> usize {
        let told = self.messages.iter().skip(self.given);
        told.filter(|message| is_told(message, words)).count()
    }

    /// Whether the model was told this last.
    pub fn ends_with(&self, words: &str) -> bool {
        self.messages
            .last()
            .is_some_and(|message| is_told(message, words))
    }

    /// The id of the session.
    pub fn session_id(&self) -> &str {
        self.session.id()
    }

    /// Counted over all that the model was asked; none when the service does not tell.
    pub fn usage(&self) -> Option<TokenCount> {
        self.usage
    }

    /// What was said after what was given, for the detail.
    pub fn turns(&self) -> Vec<Turn> {
        let said = self.messages.iter().skip(self.given);
        said.map(|message| match message {
            Message::Assistant {
                content,
                reasoning,
                tool_calls,
            } => Turn {
                tool_calls: tool_calls
                    .iter()
                    .map(|call| (call.name.clone(), call.arguments.clone()))
                    .collect(),
                reasoning: reasoning.as_ref().map(|(_, thought)| thought.clone()),
                ..Turn::assistant(content.clone())
            },
            Message::System(content) | Message::User(content) | Message::Tool { content, .. } => {
                Turn::tool(content.clone())
            }
        })
        .collect()
    }

    /// Removes it from the disk.
    pub fn remove(&self) -> fsx::Result<()> {
        self.session.remove()
    }
}

fn count_answers(messages: &[Message]) -> usize {
    let is_answer = |message: &&Message| matches!(message, Message::Assistant { .. });
    messages.iter().filter(is_answer).count()
}

fn is_told(message: &Message, words: &str) -> bool {
    matches!(message, Message::User(told) if told == words)
}

/// What cannot be kept is not said.
fn unkept(error: &FileError) -> Refusal {
    Refusal::new(
        FailureClass::Store,
        format!("what is said cannot be kept: {}", in_full(error)),
    )
}
