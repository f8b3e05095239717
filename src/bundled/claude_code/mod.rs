//! `uwf-claude-code`: a role's turn is done by Claude Code, one run of `claude` for each question,
//! all of a role in one session.
//!
//! What a run prints is heard while it is printed; a session is remembered as soon as it has a
//! name. Models, keys and permissions are the program's own business.

mod accounts;
mod command_line;
mod conversation;
mod documents;
mod outcome;
mod progress;
mod record;
mod run;
mod verdict;

use super::kit::{Case, Closing, Desk, Refusal, Respondent};
use crate::agent::FailureClass;
use crate::cas;
use crate::model::Hash;
use crate::prompt;

use accounts::Spent;
pub use command_line::Settings;
use conversation::Conversation;
use record::is_id;
use verdict::Verdict;

/// Claude Code, in one turn of a role.
#[derive(Debug)]
pub struct ClaudeCode {
    settings: Settings,
    conversation: Conversation,
    /// The whole prompt of the turn.
    whole: String,
    /// The last answer.
    answer: String,
}

impl ClaudeCode {
    /// Run like this.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            conversation: Conversation::default(),
            whole: String::new(),
            answer: String::new(),
        }
    }

    /// Asks in a session; none when it cannot be gone on with.
    fn go_on(
        &mut self,
        session: &str,
        prompt: &str,
        desk: &mut Desk<'_>,
    ) -> Result<Option<String>, Refusal> {
        let why = if is_id(session) {
            match self.run(Some(session), prompt, desk)? {
                Verdict::Answer(answer) => return Ok(Some(answer)),
                Verdict::Refused(refusal) => return Err(refusal),
                Verdict::Gone(why) => why,
            }
        } else {
            "that is no name of a session".to_owned()
        };
        let session = crate::wording::quoted(session);
        let told = format!("the session {session} cannot be gone on with ({why}): beginning anew");
        desk.observer.progress(&format!("claude: {told}"));
        self.conversation.note(&told);
        Ok(None)
    }

    /// Asks in a session of its own.
    fn begin(&mut self, prompt: &str, desk: &mut Desk<'_>) -> Result<String, Refusal> {
        match self.run(None, prompt, desk)? {
            Verdict::Answer(answer) => Ok(answer),
            Verdict::Refused(refusal) => Err(refusal),
            Verdict::Gone(why) => Err(Refusal::new(FailureClass::Crash, why)),
        }
    }
}

impl Respondent for ClaudeCode {
    fn answer(&mut self, case: &Case<'_>, desk: &mut Desk<'_>) -> Result<String, Refusal> {
        self.whole = case.whole();
        let known = desk.session().map(str::to_owned);
        let resumed = match known {
            Some(session) => {
                let before = case.details_in(&session)?;
                let before = before.iter().map(Spent::in_detail).sum();
                self.conversation.accounts.take_up(before);
                self.go_on(&session, &case.turn(), desk)?
            }
            None => None,
        };
        self.answer = match resumed {
            Some(answer) => answer,
            None => self.begin(&case.whole(), desk)?,
        };
        Ok(self.answer.clone())
    }

    fn correct(&mut self, correction: &str, desk: &mut Desk<'_>) -> Result<String, Refusal> {
        self.conversation.note(correction);
        let resumed = match self.conversation.session() {
            Some(session) => self.go_on(&session, correction, desk)?,
            None => None,
        };
        self.answer = match resumed {
            Some(answer) => answer,
            None => {
                let prompt = prompt::correction_prompt(&self.whole, &self.answer, correction);
                self.begin(&prompt, desk)?
            }
        };
        Ok(self.answer.clone())
    }

    fn detail(&mut self, closing: &Closing<'_>, desk: &Desk<'_>) -> cas::Result<Option<Hash>> {
        self.conversation
            .store(closing.notes, desk.store, (desk.now_ms)())
    }
}
