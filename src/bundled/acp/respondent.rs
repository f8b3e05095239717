//! The respondent: one program, one session, as many prompts as it takes.

use std::ffi::OsString;

use agent_client_protocol::ErrorCode;
use agent_client_protocol::v1::schema::{
    InitializeResponse, LoadSessionRequest, NewSessionRequest, PromptRequest, PromptResponse,
    ResumeSessionRequest, StopReason,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::failure::{class_of_words, refused, shown};
use super::hearing::Hearing;
use super::link::{Link, NoAnswer};
use super::opening;
use super::permission::Permissions;
use super::usage::Counting;
use crate::agent::{Capture, FailureClass, Invocation, Patience, Stdin};
use crate::bundled::kit::{AgentDetail, Case, Closing, Desk, Refusal, Respondent};
use crate::cas;
use crate::config::Limits;
use crate::extract;
use crate::model::Hash;

/// An agent over the Agent Client Protocol.
pub struct Acp {
    program: OsString,
    arguments: Vec<OsString>,
    /// None before the program was started, and when it has ended.
    link: Option<Link>,
    agent: Option<InitializeResponse>,
    hearing: Hearing,
    model: String,
    prompts: usize,
    started_ms: Option<u64>,
    notes: Vec<String>,
}

impl Acp {
    /// The agent that this program is, with these permissions.
    pub fn new(program: OsString, arguments: Vec<OsString>, permissions: Permissions) -> Self {
        Self {
            program,
            arguments,
            link: None,
            agent: None,
            hearing: Hearing::new(permissions),
            model: String::new(),
            prompts: 0,
            started_ms: None,
            notes: Vec::new(),
        }
    }

    fn begin(&mut self, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let invocation = Invocation {
            agent: desk.agent.to_owned(),
            program: self.program.clone(),
            arguments: self.arguments.clone(),
            cwd: desk.cwd.to_owned(),
            environment: desk.environment.clone(),
            stdin: Stdin::Conversation,
            capture: Capture::LAST_LINES,
            limits: Limits::default(),
            patience: Patience::AGENT,
        };
        let link = Link::begin(invocation).map_err(|error| {
            let message = format!("cannot begin a conversation with {}: {error}", desk.agent);
            Refusal::new(FailureClass::Crash, message)
        })?;
        self.link = Some(link);
        self.hearing.begin(desk.agent, (desk.now_ms)());
        let agent = self.ask("initialize", opening::introduction(), desk)?;
        self.agent = Some(self.understood("initialize", agent, desk)?);
        Ok(())
    }

    /// Takes the session up; false where that cannot be done, or was not.
    fn take_up(&mut self, session: &str, desk: &mut Desk<'_>) -> Result<bool, Refusal> {
        self.hearing.open_session(session, false);
        let cwd = desk.cwd.to_owned();
        let opened = match self.agent.as_ref().and_then(opening::way_back) {
            Some(way @ "session/resume") => {
                let request = ResumeSessionRequest::new(session.to_owned(), cwd);
                (way, self.request(way, request, desk))
            }
            Some(way) => {
                let request = LoadSessionRequest::new(session.to_owned(), cwd);
                (way, self.request(way, request, desk))
            }
            None => return Ok(false),
        };
        match opened {
            (_, Ok(opened)) => {
                self.note_model(&opened);
                Ok(opening::session_in(&opened).is_none_or(|opened| opened == session))
            }
            // What it says of a session that it does not know is not agreed upon. Whatever else is
            // wrong, it says once more when a new one is opened.
            (_, Err(NoAnswer::Refused(error))) if error.code != ErrorCode::AUTH_REQUIRED => {
                Ok(false)
            }
            (way, Err(no_answer)) => Err(self.failed(way, no_answer, desk)),
        }
    }

    fn begin_session(&mut self, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let request = NewSessionRequest::new(desk.cwd.to_owned());
        let opened = self.ask("session/new", request, desk)?;
        let Some(session) = opened["sessionId"].as_str().filter(|id| !id.is_empty()) else {
            let message = format!("{} opened a session without an id", desk.agent);
            return Err(self.give_up(Refusal::new(FailureClass::Crash, message)));
        };
        self.note_model(&opened);
        self.hearing.open_session(session, true);
        desk.begin_session(session);
        Ok(())
    }

    fn note_model(&mut self, opened: &Value) {
        if let Some(model) = opening::model_in(opened) {
            model.clone_into(&mut self.model);
        }
    }

    /// The session of the role's last turn is not there any more: says so, and begins a new one.
    fn begin_again(&mut self, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let note = "the session of the role's last turn could not be taken up: a new one was \
                    begun, and told everything";
        desk.observer.progress(&format!("{}: {note}", desk.agent));
        self.notes.push(note.to_owned());
        self.begin_session(desk)
    }

    fn prompt(&mut self, text: String, desk: &mut Desk<'_>) -> Result<PromptResponse, NoAnswer> {
        self.prompts += 1;
        self.hearing.is_prompted = true;
        let request = PromptRequest::new(self.hearing.session.clone(), vec![text.into()]);
        let answer = self.request(PROMPT, request, desk)?;
        serde_json::from_value(answer).map_err(|error| NoAnswer::Refused(error.into()))
    }

    /// What the answer to a prompt is worth.
    fn judged(
        &mut self,
        response: Result<PromptResponse, NoAnswer>,
        desk: &mut Desk<'_>,
    ) -> Result<String, Refusal> {
        let response = match response {
            Ok(response) => response,
            Err(no_answer) => return Err(self.failed(PROMPT, no_answer, desk)),
        };
        let program = self.program.to_string_lossy();
        let counting = self.agent.as_ref();
        let counting = counting.map_or(Counting::ByPrompt, |it| opening::counting(it, &program));
        let tells_usage = self.hearing.account.add(&response, counting);
        let answer = self.hearing.record.answer();
        let refusal = if self.hearing.record.is_too_long() {
            let message = format!("{} answered more than an answer may have", desk.agent);
            Some(Refusal::new(FailureClass::Crash, message))
        } else if response.stop_reason == StopReason::EndTurn {
            // Hermes makes an answer of what a service refused.
            let is_error = counting == Counting::OnAndOn && !tells_usage;
            fault_of_answer(desk.agent, answer, is_error)
        } else {
            Some(stopped(desk.agent, response.stop_reason, answer))
        };
        match refusal {
            None => Ok(answer.to_owned()),
            Some(refusal) => Err(self.give_up(refusal)),
        }
    }

    /// A request that has to be answered.
    fn ask(
        &mut self,
        method: &str,
        parameters: impl Serialize,
        desk: &mut Desk<'_>,
    ) -> Result<Value, Refusal> {
        self.request(method, parameters, desk)
            .map_err(|no_answer| self.failed(method, no_answer, desk))
    }

    fn request(
        &mut self,
        method: &str,
        parameters: impl Serialize,
        desk: &mut Desk<'_>,
    ) -> Result<Value, NoAnswer> {
        let hearing = &mut self.hearing;
        match &mut self.link {
            Some(link) => link.request(method, parameters, &mut |event| {
                hearing.hear(event, (desk.now_ms)(), desk.observer);
            }),
            None => Err(NoAnswer::Gone),
        }
    }

    fn understood<T: DeserializeOwned>(
        &mut self,
        method: &str,
        answer: Value,
        desk: &Desk<'_>,
    ) -> Result<T, Refusal> {
        serde_json::from_value(answer)
            .map_err(|error| self.failed(method, NoAnswer::Refused(error.into()), desk))
    }

    fn failed(&mut self, method: &str, no_answer: NoAnswer, desk: &Desk<'_>) -> Refusal {
        match no_answer {
            NoAnswer::Refused(error) => {
                let agent = self.agent.as_ref();
                let ways = agent.map_or(&[][..], |agent| &agent.auth_methods);
                let refusal = refused(desk.agent, &format!("`{method}`"), &error, ways);
                self.give_up(refusal)
            }
            NoAnswer::Gone => match self.link.take() {
                Some(link) => {
                    let ended = link.end();
                    let signal = ended.interruption().map(Refusal::interrupted);
                    signal.unwrap_or_else(|| ended.refusal(desk.agent))
                }
                None => {
                    let message = format!("{} has ended already", desk.agent);
                    Refusal::new(FailureClass::Crash, message)
                }
            },
        }
    }

    /// Ends the program. Where it was a signal that ended the conversation, that is the reason.
    fn give_up(&mut self, refusal: Refusal) -> Refusal {
        let signal = self.link.take().and_then(|link| link.end().interruption());
        signal.map_or(refusal, Refusal::interrupted)
    }
}

const PROMPT: &str = "session/prompt";

/// What is wrong with an answer, besides what it says.
fn fault_of_answer(agent: &str, answer: &str, may_be_error: bool) -> Option<Refusal> {
    if answer.trim().is_empty() {
        let message = format!("{agent} ended its turn without an answer");
        return Some(Refusal::new(FailureClass::Empty, message));
    }
    if !may_be_error || extract::has_block(answer) {
        return None;
    }
    let class = class_of_words(answer).unwrap_or(FailureClass::Api);
    let message = format!("{agent} answered with an error: {}", shown(answer));
    Some(Refusal::new(class, message))
}

/// Why a turn that did not come to its end has no answer.
fn stopped(agent: &str, reason: StopReason, said: &str) -> Refusal {
    let (class, why) = match reason {
        StopReason::MaxTokens => (
            FailureClass::Api,
            "was cut off: the model may write no more tokens",
        ),
        StopReason::MaxTurnRequests => (
            FailureClass::Turns,
            "may make no more requests in this turn",
        ),
        StopReason::Refusal => (FailureClass::Refused, "refused to go on"),
        StopReason::Cancelled => (
            FailureClass::Interrupted,
            "says that its turn was cancelled",
        ),
        _ => (FailureClass::Crash, "stopped for an unknown reason"),
    };
    let said = shown(said);
    let said = if said.is_empty() {
        said
    } else {
        format!("; it had said: {said}")
    };
    Refusal::new(class, format!("{agent} {why}{said}"))
}

/// A session that the agent does not know, as it says on the first prompt in it.
fn is_unknown(response: &Result<PromptResponse, NoAnswer>, has_said: bool) -> bool {
    match response {
        Ok(response) => response.stop_reason == StopReason::Refusal && !has_said,
        Err(NoAnswer::Refused(error)) => error.code == ErrorCode::RESOURCE_NOT_FOUND && !has_said,
        Err(NoAnswer::Gone) => false,
    }
}

impl Respondent for Acp {
    fn answer(&mut self, case: &Case<'_>, desk: &mut Desk<'_>) -> Result<String, Refusal> {
        self.started_ms.get_or_insert((desk.now_ms)());
        self.begin(desk)?;
        let known = desk.session().map(str::to_owned);
        let Some(known) = known else {
            self.begin_session(desk)?;
            let response = self.prompt(case.whole(), desk);
            return self.judged(response, desk);
        };
        if self.take_up(&known, desk)? {
            let response = self.prompt(case.turn(), desk);
            let has_said = self.hearing.record.has_anything();
            if !is_unknown(&response, has_said) {
                return self.judged(response, desk);
            }
        }
        self.begin_again(desk)?;
        let response = self.prompt(case.whole(), desk);
        self.judged(response, desk)
    }

    fn correct(&mut self, correction: &str, desk: &mut Desk<'_>) -> Result<String, Refusal> {
        self.hearing.record.tell(correction);
        let response = self.prompt(correction.to_owned(), desk);
        self.judged(response, desk)
    }

    fn detail(&mut self, closing: &Closing<'_>, desk: &Desk<'_>) -> cas::Result<Option<Hash>> {
        let turns = self.hearing.record.turns();
        if turns.is_empty() {
            return Ok(None);
        }
        let now = (desk.now_ms)();
        let detail = AgentDetail {
            session: &self.hearing.session,
            model: &self.model,
            duration_ms: now.saturating_sub(self.started_ms.unwrap_or(now)),
            turn_count: self.prompts,
            turns,
            usage: self.hearing.account.tokens(),
            cost_usd: self.hearing.account.cost_usd(),
            notes: &self.notes,
        };
        detail.store(closing, desk.store, now).map(Some)
    }

    fn leave(&mut self, _desk: &mut Desk<'_>) {
        if let Some(link) = self.link.take() {
            // The turn is over: how its program ends does not matter any more.
            let _ = link.end();
        }
    }
}
