//! The body of an answer while it comes: a stream, or one JSON object though a stream was asked
//! for, or an error. Pure.

use std::ops::ControlFlow;

use serde_json::Value;

use super::assembly::{Assembly, Excess, MOST_SAID};
use super::chat::Piece;
use super::endpoint::Endpoint;
use super::error::{LlmClass, LlmError};
use super::events::{Event, Events};
use super::exchange::{Head, MOST_BYTES, Part};
use super::refusal;
use super::reply::Reply;

/// The most bytes of an error that are read.
const MOST_WORDS: usize = 64 * 1024;

/// An answer that is not at its end yet.
pub struct Reading<'a> {
    endpoint: &'a Endpoint,
    head: Option<Head>,
    /// The body as far as it is no stream.
    body: Vec<u8>,
    /// None until it is known whether it is one.
    events: Option<Events>,
    assembly: Assembly,
    bytes: usize,
    is_done: bool,
}

impl<'a> Reading<'a> {
    /// Nothing has come.
    pub fn new(endpoint: &'a Endpoint) -> Self {
        Self {
            endpoint,
            head: None,
            body: Vec::new(),
            events: None,
            assembly: Assembly::default(),
            bytes: 0,
            is_done: false,
        }
    }

    /// Takes a piece; break when no more is needed.
    pub fn take(
        &mut self,
        part: Part,
        heard: &mut dyn FnMut(Piece<'_>),
    ) -> Result<ControlFlow<()>, LlmError> {
        let bytes = match part {
            Part::Head(head) => {
                self.head = Some(head);
                return Ok(ControlFlow::Continue(()));
            }
            Part::Bytes(bytes) => bytes,
        };
        self.bytes += bytes.len();
        if self.is_refusal() {
            self.body.extend(bytes);
            return Ok(broken_when(self.body.len() >= MOST_WORDS));
        }
        if self.bytes > MOST_BYTES {
            let address = self.endpoint.address();
            let message = format!("{address} answered more than {} MiB", MOST_BYTES >> 20);
            return Err(LlmError::new(LlmClass::Malformed, message));
        }
        self.take_body(&bytes, heard)?;
        Ok(broken_when(self.is_done))
    }

    fn take_body(
        &mut self,
        bytes: &[u8],
        heard: &mut dyn FnMut(Piece<'_>),
    ) -> Result<(), LlmError> {
        if let Some(events) = &mut self.events {
            let events = events.take(bytes);
            return self.take_events(events, heard);
        }
        let was_empty = self.body.trim_ascii_start().is_empty();
        self.body.extend_from_slice(bytes);
        // The first character tells: lines of a stream begin with a word or a colon.
        match self.body.trim_ascii_start().first() {
            Some(b'{' | b'[' | b'<') | None => Ok(()),
            Some(_) if was_empty => {
                let body = std::mem::take(&mut self.body);
                let mut events = Events::default();
                let first = events.take(&body);
                self.events = Some(events);
                self.take_events(first, heard)
            }
            Some(_) => Ok(()),
        }
    }

    fn take_events(
        &mut self,
        events: Vec<Event>,
        heard: &mut dyn FnMut(Piece<'_>),
    ) -> Result<(), LlmError> {
        for event in events {
            match event {
                Event::Data(chunk) => {
                    self.take_chunk(&chunk, heard)?;
                }
                Event::Done => self.is_done = true,
                Event::Unreadable(text) => {
                    return Err(refusal::malformed(self.endpoint, text.as_bytes()));
                }
            }
        }
        Ok(())
    }

    fn take_chunk(
        &mut self,
        chunk: &Value,
        heard: &mut dyn FnMut(Piece<'_>),
    ) -> Result<(), LlmError> {
        if let Err(error) = self.assembly.take(chunk, heard) {
            return Err(refusal::in_answer(self.endpoint, error));
        }
        match self.assembly.excess() {
            Some(excess) => Err(refusal::endless(self.endpoint, excess)),
            None => Ok(()),
        }
    }

    fn is_refusal(&self) -> bool {
        self.head.as_ref().is_some_and(Head::is_refusal)
    }

    /// Whether the model has said all that it will.
    pub fn is_whole(&self) -> bool {
        self.is_done || self.assembly.is_finished() || (self.is_refusal() && !self.body.is_empty())
    }

    /// There is no more. `prefix` is for calls of tools that came without an id, `now` is in
    /// milliseconds since 1970.
    pub fn finish(
        mut self,
        prefix: &str,
        now: u64,
        heard: &mut dyn FnMut(Piece<'_>),
    ) -> Result<Reply, LlmError> {
        if let Some(head) = self.head.take_if(|head| head.is_refusal()) {
            return Err(refusal::of_status(self.endpoint, &head, &self.body, now));
        }
        if let Some(events) = &mut self.events {
            let last = events.finish();
            // A last line that was cut is no answer, but no nonsense of the service either.
            let last = last
                .into_iter()
                .filter(|event| !matches!(event, Event::Unreadable(_)));
            let last = last.collect();
            self.take_events(last, heard)?;
            if !self.is_whole() {
                return Err(self.cut());
            }
            return self.into_reply(prefix);
        }
        self.finish_whole(prefix, heard)
    }

    /// The answer did not come as a stream.
    fn finish_whole(
        mut self,
        prefix: &str,
        heard: &mut dyn FnMut(Piece<'_>),
    ) -> Result<Reply, LlmError> {
        let body = std::mem::take(&mut self.body);
        let answer: Value = match serde_json::from_slice(&body) {
            Ok(answer) => answer,
            Err(error) if error.is_eof() => return Err(self.cut()),
            Err(_) => return Err(refusal::malformed(self.endpoint, &body)),
        };
        self.take_chunk(&answer, heard)?;
        if !self.assembly.is_chat() {
            return Err(refusal::malformed(self.endpoint, &body));
        }
        self.into_reply(prefix)
    }

    fn into_reply(self, prefix: &str) -> Result<Reply, LlmError> {
        let reply = self.assembly.into_reply(prefix);
        if reply.content.len() > MOST_SAID {
            return Err(refusal::endless(
                self.endpoint,
                Excess::Text(&reply.content),
            ));
        }
        Ok(reply)
    }

    fn cut(&self) -> LlmError {
        let address = self.endpoint.address();
        LlmError::passing(
            LlmClass::Network,
            format!("the answer of {address} broke off before its end"),
        )
    }
}

fn broken_when(is_enough: bool) -> ControlFlow<()> {
    if is_enough {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}
