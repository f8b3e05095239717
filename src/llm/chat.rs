//! Asking a model, again if need be, until there is an answer.

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::endpoint::Endpoint;
use super::error::{LlmClass, LlmError};
use super::exchange::{Call, Part};
use super::message::Message;
use super::pace::Pace;
use super::reading::Reading;
use super::refusal;
use super::reply::Reply;

/// How long a signal may go unseen while nothing comes.
const GLANCE: Duration = Duration::from_millis(50);
/// Pieces of an answer that may wait to be looked at.
const MOST_WAITING: usize = 16;
const STREAM_OPTIONS: &str = "stream_options";
const RESPONSE_FORMAT: &str = "response_format";

/// What a model is asked.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The conversation so far. Answers in it that are blank are left out.
    pub messages: &'a [Message],
    /// The tools it may call, each as the API describes one.
    pub tools: &'a [Value],
    /// Whether the answer has to be a JSON object.
    pub wants_json: bool,
}

/// Something a model said just now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text of the answer.
    Text(&'a str),
    /// A thought.
    Reasoning(&'a str),
    /// A part of the arguments of a tool.
    Call(&'a str),
}

/// Who a model is asked for.
pub trait Listener {
    /// Waits so long, or until a signal asks for an end: that one. Zero only looks.
    fn pause(&mut self, time: Duration) -> Option<i32>;
    /// The clock, in milliseconds since 1970.
    fn now_ms(&self) -> u64;
    /// The model said this.
    fn heard(&mut self, piece: Piece<'_>);
    /// This went wrong, and the service is asked again after so long. What was heard of its
    /// answer counts no more.
    fn retries(&mut self, error: &LlmError, wait: Duration);
}

/// A model that is asked, and what its service turned out not to understand.
#[derive(Debug, Clone)]
pub struct Chat {
    endpoint: Endpoint,
    pace: Pace,
    knows_stream_options: bool,
    knows_response_format: bool,
}

impl Chat {
    /// Asks nothing yet.
    pub fn new(endpoint: Endpoint, pace: Pace) -> Self {
        Self {
            endpoint,
            pace,
            knows_stream_options: true,
            knows_response_format: true,
        }
    }

    /// The model that is asked.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Asks until there is an answer, or it is given up.
    pub fn ask(
        &mut self,
        question: &Question<'_>,
        listener: &mut dyn Listener,
    ) -> Result<Reply, LlmError> {
        let mut tried = 0;
        loop {
            let error = match self.ask_once(question, listener) {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            if self.learns_from(&error) {
                continue;
            }
            tried += 1;
            let Some(wait) = self.pace.wait_after(tried, &error) else {
                return Err(self.given_up(error, tried, listener.now_ms()));
            };
            listener.retries(&error, wait);
            if let Some(signal) = listener.pause(wait) {
                return Err(LlmError::interrupted(signal));
            }
        }
    }

    /// Whether the service refused a part of the request that it can be asked without.
    fn learns_from(&mut self, error: &LlmError) -> bool {
        for (part, is_known) in [
            (STREAM_OPTIONS, &mut self.knows_stream_options),
            (RESPONSE_FORMAT, &mut self.knows_response_format),
        ] {
            if *is_known && error.is_about(part) {
                *is_known = false;
                return true;
            }
        }
        false
    }

    fn given_up(&self, error: LlmError, tried: u32, now: u64) -> LlmError {
        match error.retry_after {
            Some(wait) if error.is_passing && wait > self.pace.longest_wait => {
                refusal::too_long(&error, wait, now)
            }
            _ if tried > 1 => LlmError {
                message: format!("{}; it was tried {tried} times", error.message),
                ..error
            },
            _ => error,
        }
    }

    fn ask_once(
        &self,
        question: &Question<'_>,
        listener: &mut dyn Listener,
    ) -> Result<Reply, LlmError> {
        let body = self.request(question).to_string();
        let call = Call::new(&self.endpoint, "/chat/completions", Some(body))?.at(self.pace);
        let parts = send_beside(call)?;
        let mut reading = Reading::new(&self.endpoint);
        loop {
            if let Some(signal) = listener.pause(Duration::ZERO) {
                return Err(LlmError::interrupted(signal));
            }
            match parts.recv_timeout(GLANCE) {
                Ok(Ok(part)) => {
                    if reading
                        .take(part, &mut |piece| listener.heard(piece))?
                        .is_break()
                    {
                        break;
                    }
                }
                // What is whole already is not lost for how the connection ended.
                Ok(Err(_)) if reading.is_whole() => break,
                Ok(Err(error)) => return Err(error),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let prefix = format!("call_{}", question.messages.len());
        let now = listener.now_ms();
        let reply = reading.finish(&prefix, now, &mut |piece| listener.heard(piece))?;
        Ok(reply.without(self.endpoint.key.as_ref()))
    }

    fn request(&self, question: &Question<'_>) -> Value {
        let said = question.messages.iter();
        let messages: Vec<_> = said
            .filter(|message| !message.is_blank_answer())
            .map(Message::to_json)
            .collect();
        let mut request = Map::new();
        let mut set = |key: &str, value: Value| request.insert(key.to_owned(), value);
        set("model", self.endpoint.model.as_str().into());
        set("messages", messages.into());
        if !question.tools.is_empty() {
            set("tools", question.tools.to_vec().into());
        }
        if question.wants_json && self.knows_response_format {
            set(RESPONSE_FORMAT, json!({"type": "json_object"}));
        }
        set("stream", true.into());
        if self.knows_stream_options {
            set(STREAM_OPTIONS, json!({"include_usage": true}));
        }
        Value::Object(request)
    }
}

/// Sends a request from a thread of its own, so that signals are seen meanwhile. When nobody
/// listens any more, it ends with the next piece.
fn send_beside(call: Call) -> Result<Receiver<Result<Part, LlmError>>, LlmError> {
    let (sender, parts) = sync_channel(MOST_WAITING);
    let send = move || {
        let sent = call.send(&mut |part| match sender.send(Ok(part)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        });
        if let Err(error) = sent {
            // Nobody may be listening any more.
            let _ = sender.send(Err(error));
        }
    };
    let started = std::thread::Builder::new()
        .name("request".to_owned())
        .spawn(send);
    match started {
        Ok(_) => Ok(parts),
        Err(error) => Err(LlmError::new(
            LlmClass::Network,
            format!("cannot start a thread for the request: {error}"),
        )),
    }
}

#[cfg(test)]
mod tests;
