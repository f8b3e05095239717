//! The loop: what was said last decides what comes next.
//!
//! Nothing is remembered beside the conversation, so one that is taken up goes on as if it had
//! never stopped.

use serde_json::Value;

use super::conversation::{Conversation, Last};
use super::ear::Ear;
use super::refusal_of;
use super::tools::Toolbox;
use super::words;
use crate::agent::FailureClass;
use crate::bundled::kit::{Desk, Refusal};
use crate::extract;
use crate::llm::{Chat, Finish, Message, Question, ToolCall};
use crate::wording::{counted, excerpt};

/// How often in all the model is told that what it said is no answer.
const MOST_NUDGES: usize = 3;
/// How often it is told to be shorter.
const MOST_CUTS: usize = 2;

/// A stretch of work: until the model answers, or may not go on.
pub struct Turn<'w> {
    pub chat: &'w mut Chat,
    pub toolbox: &'w mut Toolbox,
    pub conversation: &'w mut Conversation,
    /// The role's schema: what a block looks like.
    pub schema: &'w Value,
    /// The most turns of the model.
    pub most_turns: usize,
}

impl Turn<'_> {
    /// Goes on until the model answers.
    pub fn play(&mut self, desk: &mut Desk<'_>) -> Result<String, Refusal> {
        loop {
            match self.conversation.last() {
                Last::Told => self.ask(desk)?,
                Last::Calls(calls) => self.call(&calls, desk)?,
                Last::Said { text, finish } => {
                    if let Some(answer) = self.judge(text, finish)? {
                        return Ok(answer);
                    }
                }
            }
        }
    }

    fn ask(&mut self, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let asked = self.conversation.asked_in_this_stretch();
        let left = self.most_turns.saturating_sub(asked);
        if left == 0 {
            let turns = counted(self.most_turns as u64, "turn");
            return Err(Refusal::new(
                FailureClass::Turns,
                format!("the model did not come to an answer within {turns}"),
            ));
        }
        if left == words::WARNED_BEFORE
            && asked > 0
            && !self.conversation.ends_with(words::LAST_TURNS)
        {
            self.tell(words::LAST_TURNS)?;
        }
        desk.observer.progress(&format!(
            "turn {} of {}: asking {}",
            asked + 1,
            self.most_turns,
            self.chat.endpoint().model
        ));
        let tools = self.toolbox.definitions();
        let question = Question {
            messages: self.conversation.messages(),
            tools: &tools,
            wants_json: false,
        };
        let reply = self
            .chat
            .ask(&question, &mut Ear::new(desk))
            .map_err(refusal_of)?;
        self.conversation.hear(&reply)
    }

    fn call(&mut self, calls: &[ToolCall], desk: &mut Desk<'_>) -> Result<(), Refusal> {
        for call in calls {
            let summary = self.toolbox.summary(&call.name, &call.arguments);
            desk.observer.progress(&summary);
            let content = self
                .toolbox
                .call(&call.name, &call.arguments, desk.signals, desk.observer)
                .map_err(Refusal::interrupted)?;
            self.conversation.say(Message::Tool {
                id: call.id.clone(),
                content,
            })?;
        }
        Ok(())
    }

    /// The answer, when what the model said is one; else it is told what is wrong with it.
    fn judge(&mut self, text: String, finish: Finish) -> Result<Option<String>, Refusal> {
        match finish {
            Finish::Refused => {
                let why = if text.trim().is_empty() {
                    "the service let nothing of its answer through".to_owned()
                } else {
                    excerpt(&text)
                };
                let message = format!("the model refused to answer: {why}");
                return Err(Refusal::new(FailureClass::Refused, message));
            }
            Finish::Length => {
                let cuts = self.conversation.times_told(words::TOO_LONG);
                if cuts == MOST_CUTS {
                    let message = format!(
                        "the model's answers were cut off for their length, {} times in all",
                        cuts + 1
                    );
                    return Err(Refusal::new(FailureClass::Api, message));
                }
                self.tell(words::TOO_LONG)?;
                return Ok(None);
            }
            Finish::Done => {}
        }
        let is_empty = text.trim().is_empty();
        if !is_empty && extract::has_block(&text, self.schema) {
            return Ok(Some(text));
        }
        let nudges =
            [words::NO_BLOCK, words::NOTHING].map(|nudge| self.conversation.times_told(nudge));
        let may_nudge = nudges.iter().sum::<usize>() < MOST_NUDGES;
        match (may_nudge, is_empty) {
            (true, true) => self.tell(words::NOTHING)?,
            (true, false) => self.tell(words::NO_BLOCK)?,
            (false, true) => {
                let message = "the model gave an empty answer, also when it was asked again";
                return Err(Refusal::new(FailureClass::Empty, message));
            }
            // What is missing is told once more, in the words of a correction.
            (false, false) => return Ok(Some(text)),
        }
        Ok(None)
    }

    fn tell(&mut self, words: &str) -> Result<(), Refusal> {
        self.conversation.say(Message::User(words.to_owned()))
    }
}
