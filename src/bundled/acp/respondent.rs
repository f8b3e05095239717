//! The respondent: one program, one session, as many prompts as it takes.

use std::ffi::OsString;
use std::time::Duration;

use agent_client_protocol::ErrorCode;
use agent_client_protocol::v1::schema::{
    InitializeResponse, LoadSessionRequest, NewSessionRequest, PromptRequest, PromptResponse,
    ResumeSessionRequest, StopReason,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::failure::{refused, shown};
use super::hearing::Hearing;
use super::link::{Link, NoAnswer, words_of};
use super::opening;
use super::permission::Permissions;
use super::stopping::{fault_of_answer, is_of_unknown_session, stopped};
use super::usage::Counting;
use crate::agent::{Capture, FailureClass, Invocation, Patience, Stdin};
use crate::bundled::kit::{AgentDetail, Case, Closing, Desk, Refusal, Respondent};
use crate::cas;
use crate::config::Limits;
use crate::model::Hash;

/// An agent over the Agent Client Protocol.
pub struct Acp {
    program: OsString,
    arguments: Vec<OsString>,
    /// None before the program was started, and when it has ended.
    link: Option<Link>,
    agent: Option<InitializeResponse>,
    hearing: Hearing,
    /// The role's schema: what a block looks like.
    schema: Value,
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
            schema: Value::Null,
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

    /// Takes the session up; inside, why that was not done.
    fn take_up(
        &mut self,
        session: &str,
        desk: &mut Desk<'_>,
    ) -> Result<Result<(), String>, Refusal> {
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
            None => return Ok(Err("it can take up none".to_owned())),
        };
        match opened {
            (way, Ok(opened)) => {
                if way == "session/load" {
                    self.settle(desk);
                }
                self.note_model(&opened);
                Ok(match opening::session_in(&opened) {
                    Some(opened) if opened != session => {
                        Err("it opened another one in its place".to_owned())
                    }
                    _ => Ok(()),
                })
            }
            // What it says of a session that it does not know is not agreed upon. Whatever else is
            // wrong, it says once more when a new one is opened.
            (_, Err(NoAnswer::Refused(error))) if error.code != ErrorCode::AUTH_REQUIRED => {
                Ok(Err(shown(&words_of(&error))))
            }
            (_, Err(NoAnswer::Gone)) => self.broken_on(desk).map(Err),
            (way, Err(no_answer)) => Err(self.failed(way, no_answer, desk)),
        }
    }

    /// The program has ended, and it may be the session that it breaks on: how it ended.
    fn broken_on(&mut self, desk: &Desk<'_>) -> Result<String, Refusal> {
        let refusal = self.failed(PROMPT, NoAnswer::Gone, desk);
        match refusal.class {
            FailureClass::Crash => Ok(refusal.message),
            _ => Err(refusal),
        }
    }

    /// Lets an agent tell a session's history to its end. It should have done so before it said
    /// that the session is loaded; Gemini does not wait.
    fn settle(&mut self, desk: &mut Desk<'_>) {
        let hearing = &mut self.hearing;
        if let Some(link) = &mut self.link {
            link.settle(QUIET, &mut |event| {
                hearing.hear(event, (desk.now_ms)(), desk.observer);
            });
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

    /// The session of the role's last turn is lost: says so, and begins a new one.
    fn begin_again(&mut self, why: &str, desk: &mut Desk<'_>) -> Result<(), Refusal> {
        let note = format!(
            "the session of the role's last turn could not be taken up ({why}): a new one is \
             begun, and told everything"
        );
        desk.observer.progress(&format!("{}: {note}", desk.agent));
        self.notes.push(note);
        if self.link.is_none() {
            self.begin(desk)?;
        }
        self.begin_session(desk)
    }

    fn prompt(&mut self, text: String, desk: &mut Desk<'_>) -> Result<PromptResponse, NoAnswer> {
        self.prompts += 1;
        self.hearing.prompt();
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
            fault_of_answer(desk.agent, answer, &self.schema, is_error)
        } else {
            Some(stopped(
                desk.agent,
                response.stop_reason,
                self.hearing.was_denied,
                answer,
            ))
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

/// What the agent is told in a session that it has taken up. One that was begun for a turn that
/// came to no end may hold nothing at all: the agent was ended before it heard or kept the prompt.
fn told_in(case: &Case<'_>, session: &str) -> Result<String, Refusal> {
    let is_empty = case.details_in(session)?.is_empty();
    Ok(if is_empty { case.whole() } else { case.turn() })
}

const PROMPT: &str = "session/prompt";

/// How long an agent is silent that has told all its history.
const QUIET: Duration = Duration::from_millis(500);

impl Respondent for Acp {
    fn answer(&mut self, case: &Case<'_>, desk: &mut Desk<'_>) -> Result<String, Refusal> {
        self.schema = case.form.schema().clone();
        self.started_ms.get_or_insert((desk.now_ms)());
        self.begin(desk)?;
        let known = desk.session().map(str::to_owned);
        let Some(known) = known else {
            self.begin_session(desk)?;
            let response = self.prompt(case.whole(), desk);
            return self.judged(response, desk);
        };
        let why = match self.take_up(&known, desk)? {
            Ok(()) => {
                let response = self.prompt(told_in(case, &known)?, desk);
                match &response {
                    _ if self.hearing.record.has_anything() => return self.judged(response, desk),
                    Err(NoAnswer::Gone) => self.broken_on(desk)?,
                    _ if is_of_unknown_session(&response) => {
                        "it refused the first prompt there, without a word".to_owned()
                    }
                    _ => return self.judged(response, desk),
                }
            }
            Err(why) => why,
        };
        self.begin_again(&why, desk)?;
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
