//! The line to an agent's program, as the rest sees it: a request, what comes meanwhile, its answer.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use agent_client_protocol::{
    Error, UntypedMessage, is_connection_terminated, is_incoming_transport_closed,
};
use serde::Serialize;
use serde_json::Value;

use super::connection::{Connection, Event, Orders};
use super::failure::shown;
use crate::agent::{AgentError, Conversation, FailureClass, Finished, Invocation};
use crate::bundled::kit::Refusal;
use crate::model::in_full;
use crate::wording::{cut, harmless};

/// The most characters that a message shows of what a program said last.
const LAST_WORDS: usize = 2000;

/// Why a request has no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The agent refused it, in these words.
    Refused(Error),
    /// The agent is gone, or cannot be understood any more. Its end tells why.
    Gone,
}

/// A line to an agent.
pub struct Link {
    orders: Orders,
    events: Receiver<Event>,
    // The last: that no more orders come is what ends it.
    conversation: Conversation,
    /// What went wrong with the connection itself.
    broken: Option<String>,
    /// The last line on stdout that is none of the protocol.
    stray: Option<String>,
}

impl Link {
    /// Starts the program and talks to it.
    pub fn begin(invocation: Invocation) -> std::io::Result<Self> {
        let (told, events) = channel();
        let stderr = told.clone();
        let (connection, orders) = Connection::new(told)?;
        let conversation = Conversation::begin(invocation, connection, move |bytes| {
            // It fails when nobody wants to know it any more.
            let _ = stderr.send(Event::Stderr(bytes.to_vec()));
        })?;
        Ok(Self {
            orders,
            events,
            conversation,
            broken: None,
            stray: None,
        })
    }

    /// Makes a request; what comes before its answer goes to `hear`.
    pub fn request(
        &mut self,
        method: &str,
        parameters: impl Serialize,
        hear: &mut dyn FnMut(Event),
    ) -> Result<Value, NoAnswer> {
        let order = UntypedMessage::new(method, parameters).map_err(NoAnswer::Refused)?;
        if self.orders.unbounded_send(order).is_err() {
            return Err(NoAnswer::Gone);
        }
        loop {
            match self.events.recv() {
                Ok(Event::Reply(Ok(answer))) => return Ok(answer),
                Ok(Event::Reply(Err(error))) => return Err(self.refused(error)),
                Ok(Event::Stray(line)) => {
                    hear(Event::Stray(line.clone()));
                    self.stray = Some(line);
                }
                Ok(Event::Broken(error)) => {
                    self.broken = Some(words_of(&error));
                    return Err(NoAnswer::Gone);
                }
                Ok(event) => hear(event),
                Err(_) => return Err(NoAnswer::Gone),
            }
        }
    }

    /// Hears what still comes, until nothing has come for so long.
    pub fn settle(&mut self, quiet: Duration, hear: &mut dyn FnMut(Event)) {
        while let Ok(event) = self.events.recv_timeout(quiet) {
            match event {
                Event::Broken(error) => self.broken = Some(words_of(&error)),
                event => hear(event),
            }
        }
    }

    fn refused(&mut self, error: Error) -> NoAnswer {
        if is_incoming_transport_closed(&error) {
            return NoAnswer::Gone;
        }
        if !is_connection_terminated(&error) {
            return NoAnswer::Refused(error);
        }
        // Why, is told next.
        while let Ok(event) = self.events.recv() {
            if let Event::Broken(error) = event {
                self.broken = Some(words_of(&error));
                break;
            }
        }
        NoAnswer::Gone
    }

    /// Ends the conversation and its program, whatever the program says to that.
    pub fn end(self) -> Ended {
        drop(self.orders);
        // Whoever listens to nobody is told nothing: what comes now comes too late.
        drop(self.events);
        Ended {
            how: self.conversation.end(),
            broken: self.broken,
            stray: self.stray,
        }
    }
}

/// How the program ended.
pub struct Ended {
    how: Result<Finished, AgentError>,
    broken: Option<String>,
    stray: Option<String>,
}

impl Ended {
    /// The signal to this process that ended it.
    pub fn interruption(&self) -> Option<i32> {
        self.how.as_ref().err().and_then(AgentError::interruption)
    }

    /// Why the conversation could not go on.
    pub fn refusal(&self, agent: &str) -> Refusal {
        let finished = match &self.how {
            Err(error) => match error.finished() {
                Some(finished) => finished,
                None => return unstarted(error),
            },
            Ok(finished) => finished,
        };
        let how = match (&self.broken, finished.exit_code) {
            (Some(why), _) => format!("cannot be understood any more: {}", shown(why)),
            (None, Some(code)) => {
                format!("ended in the middle of the conversation, with exit code {code}")
            }
            (None, None) => "broke the conversation off".to_owned(),
        };
        let mut message = format!("{agent} {how}");
        let words = [
            ("it had written on stderr", finished.stderr_tail.as_str()),
            ("on stdout", self.stray.as_deref().unwrap_or_default()),
        ];
        for (place, words) in words.into_iter().filter(|(_, words)| !words.is_empty()) {
            message.push_str(&format!("; {place}: {}", last_words(words)));
        }
        Refusal::new(FailureClass::Crash, message)
    }
}

fn unstarted(error: &AgentError) -> Refusal {
    let class = match error {
        AgentError::Start { .. } => FailureClass::Configuration,
        _ => FailureClass::Crash,
    };
    let hint = error.hint().map(|hint| format!(" ({hint})"));
    Refusal::new(class, in_full(error) + &hint.unwrap_or_default())
}

/// What an error says, with its data.
pub fn words_of(error: &Error) -> String {
    let data = match &error.data {
        None | Some(Value::Null) => return error.message.clone(),
        Some(Value::String(text)) => text.clone(),
        Some(data) => data.to_string(),
    };
    format!("{}: {data}", error.message)
}

/// The end of a text, on one line.
fn last_words(text: &str) -> String {
    let surplus = text.chars().count().saturating_sub(LAST_WORDS);
    let end: String = text.chars().skip(surplus).collect();
    let lines: Vec<_> = end
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    harmless(&cut(&lines.join(" | "), LAST_WORDS))
}
