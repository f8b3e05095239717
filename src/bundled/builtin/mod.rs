//! `uwf-builtin`: a loop of a model and tools, until the model answers.
//!
//! What is said stands on disk before the next request (`session.rs`), so a run that was killed is
//! taken up where it was. How models are asked is `llm`'s business, what tools do `tools/`'s.

mod conversation;
mod ear;
mod session;
#[cfg(test)]
mod tests;
mod tools;
mod turn;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;

use super::kit::{AgentDetail, Case, Closing, Desk, Refusal, Respondent, Usage};
use crate::agent::FailureClass;
use crate::cas;
use crate::llm::{Chat, Endpoint, LlmClass, LlmError, Message, Pace};
use crate::model::{Hash, in_full};
use conversation::Conversation;
use session::{Header, Occasion, Session};
use tools::{ToolSettings, Toolbox};
use turn::Turn;

/// The most turns of a correction, where the whole turn may have more.
const TURNS_OF_A_CORRECTION: usize = 10;

/// How the agent works.
#[derive(Debug, Clone)]
pub struct BuiltinSettings {
    /// The model.
    pub endpoint: Endpoint,
    /// How long it is waited for.
    pub pace: Pace,
    /// The most turns until it answers.
    pub max_turns: usize,
    /// What the tools may touch besides the working folder, absolute.
    pub allowed: Vec<PathBuf>,
    /// Whether commands are confined.
    pub sandbox: bool,
    /// Variables that no tool gets to see: they hold keys.
    pub hidden_variables: BTreeSet<String>,
    /// This program; none when it does not know where it is.
    pub own_program: Option<PathBuf>,
    /// The folder for temporary files, absolute.
    pub temp: PathBuf,
    /// The id that a new session gets, which no other has.
    pub session_id: String,
}

/// A loop of a model and tools.
pub struct Builtin {
    settings: BuiltinSettings,
    chat: Chat,
    work: Option<Work>,
}

/// What there is once the turn has begun.
struct Work {
    conversation: Conversation,
    toolbox: Toolbox,
    /// The role's schema.
    schema: serde_json::Value,
    started_ms: u64,
    notes: Vec<String>,
}

impl Builtin {
    /// Asks nothing yet.
    pub fn new(settings: BuiltinSettings) -> Self {
        Self {
            chat: Chat::new(settings.endpoint.clone(), settings.pace),
            settings,
            work: None,
        }
    }

    fn begin(&self, case: &Case<'_>, desk: &mut Desk<'_>) -> Result<Work, Refusal> {
        let started_ms = (desk.now_ms)();
        let toolbox = Toolbox::new(self.tool_settings(desk))
            .map_err(|why| Refusal::new(FailureClass::Configuration, why))?;
        let mut notes = vec![toolbox.note()];
        let conversation = match self.taken_up(case, desk) {
            Some(mut conversation) => {
                notes.push("taken up from a run that was interrupted".to_owned());
                desk.observer
                    .progress("taking up the session that was interrupted");
                conversation.close_calls(desk)?;
                conversation
            }
            None => self.new_conversation(case, started_ms, desk)?,
        };
        desk.begin_session(conversation.session_id());
        Ok(Work {
            conversation,
            toolbox,
            schema: case.form.schema().clone(),
            started_ms,
            notes,
        })
    }

    fn tool_settings(&self, desk: &Desk<'_>) -> ToolSettings {
        let environment = without(desk.environment, &self.settings.hidden_variables);
        ToolSettings {
            cwd: desk.cwd.to_owned(),
            allowed: self.settings.allowed.clone(),
            sandbox: self.settings.sandbox,
            environment,
            own_program: self.settings.own_program.clone(),
            temp: self.settings.temp.clone(),
            key: self.settings.endpoint.key.clone(),
        }
    }

    /// The conversation of an earlier run at the same step that came to no end.
    fn taken_up(&self, case: &Case<'_>, desk: &mut Desk<'_>) -> Option<Conversation> {
        let (found, warnings) = Session::find(desk.root, &occasion(case, desk), desk.session());
        for warning in &warnings {
            desk.observer.warning(warning);
        }
        found.map(Conversation::of)
    }

    /// What an agent is told that remembers nothing, in the form in which a model remembers: the
    /// same beginning in every turn of the role, so that the service's cache of prompts can keep
    /// it.
    fn new_conversation(
        &self,
        case: &Case<'_>,
        started_at: u64,
        desk: &Desk<'_>,
    ) -> Result<Conversation, Refusal> {
        let mut given = vec![Message::System(words::standing(case, desk.cwd))];
        for (told, answered) in case.earlier_turns()? {
            given.extend([Message::User(told), Message::assistant(answered)]);
        }
        given.push(Message::User(case.turn()));
        let header = Header {
            occasion: occasion(case, desk),
            started_at,
            model: self.settings.endpoint.model.clone(),
            given: given.len(),
        };
        Conversation::begin(desk.root, &self.settings.session_id, &header, given)
    }

    /// Lets the model work until it answers, in so many turns at most.
    fn work(&mut self, most_turns: usize, desk: &mut Desk<'_>) -> Result<String, Refusal> {
        let Some(work) = &mut self.work else {
            return Err(Refusal::new(FailureClass::Crash, "the turn has not begun"));
        };
        let mut turn = Turn {
            chat: &mut self.chat,
            toolbox: &mut work.toolbox,
            conversation: &mut work.conversation,
            schema: &work.schema,
            most_turns,
        };
        turn.play(desk)
    }

    fn remove_session(&self, desk: &mut Desk<'_>) {
        let Some(work) = &self.work else { return };
        if let Err(error) = work.conversation.remove() {
            let why = in_full(&error);
            desk.observer
                .warning(&format!("the session's file is not of use any more: {why}"));
        }
    }
}

impl Respondent for Builtin {
    fn answer(&mut self, case: &Case<'_>, desk: &mut Desk<'_>) -> Result<String, Refusal> {
        self.work = Some(self.begin(case, desk)?);
        self.work(self.settings.max_turns, desk)
    }

    fn correct(&mut self, correction: &str, desk: &mut Desk<'_>) -> Result<String, Refusal> {
        if let Some(work) = &mut self.work {
            work.conversation.begin_stretch();
            work.conversation
                .say(Message::User(correction.to_owned()))?;
        }
        self.work(TURNS_OF_A_CORRECTION.min(self.settings.max_turns), desk)
    }

    fn detail(&mut self, closing: &Closing<'_>, desk: &Desk<'_>) -> cas::Result<Option<Hash>> {
        let Some(work) = &self.work else {
            return Ok(None);
        };
        let turns = work.conversation.turns();
        if turns.is_empty() {
            return Ok(None);
        }
        let now = (desk.now_ms)();
        let detail = AgentDetail {
            session: work.conversation.session_id(),
            model: &self.settings.endpoint.model,
            duration_ms: now.saturating_sub(work.started_ms),
            turn_count: work.conversation.asked(),
            turns: &turns,
            usage: work.conversation.usage().map(|count| Usage {
                input_tokens: count.input.saturating_sub(count.cached),
                output_tokens: count.output,
                cache_read_input_tokens: count.cached,
                cache_creation_input_tokens: 0,
            }),
            cost_usd: None,
            notes: &work.notes,
        };
        detail.store(closing, desk.store, now).map(Some)
    }

    fn conclude(&mut self, desk: &mut Desk<'_>) {
        self.remove_session(desk);
    }

    fn give_up(&mut self, class: FailureClass, is_kept: bool, desk: &mut Desk<'_>) {
        let Some(work) = &self.work else { return };
        let is_over = is_kept && !class.can_be_taken_up();
        if is_over || work.conversation.turns().is_empty() {
            self.remove_session(desk);
        }
    }
}

/// What a session of this turn is for.
fn occasion(case: &Case<'_>, desk: &Desk<'_>) -> Occasion {
    Occasion {
        thread: desk.thread,
        role: case.role_name.clone(),
        agent: desk.agent.to_owned(),
        step: case.previous_step(),
    }
}

/// An environment without these variables.
fn without(
    environment: &BTreeMap<OsString, OsString>,
    hidden: &BTreeSet<String>,
) -> BTreeMap<OsString, OsString> {
    let is_hidden = |name: &OsString| name.to_str().is_some_and(|name| hidden.contains(name));
    let seen = environment.iter().filter(|(name, _)| !is_hidden(name));
    seen.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// Why the model gave no answer, as the kit tells it.
fn refusal_of(error: LlmError) -> Refusal {
    let class = match error.class {
        LlmClass::Interrupted(signal) => return Refusal::interrupted(signal),
        LlmClass::Configuration => FailureClass::Configuration,
        LlmClass::Authentication => FailureClass::Authentication,
        LlmClass::RateLimit => FailureClass::RateLimit,
        LlmClass::Spent => FailureClass::Budget,
        LlmClass::Overloaded => FailureClass::Overloaded,
        LlmClass::Api | LlmClass::Malformed => FailureClass::Api,
        LlmClass::Network => FailureClass::Network,
        LlmClass::Timeout => FailureClass::Timeout,
    };
    Refusal::new(class, error.message)
}
