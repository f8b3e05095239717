//! What every agent in the binary is to the kit: somebody who answers, in a session of its own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use super::case::{Case, CaseError};
use super::sessions::Sessions;
use crate::agent::{FailureClass, Guard, Question};
use crate::cas::{self, Store};
use crate::model::{Hash, ThreadId, in_full};

/// Answers a role's turn, and corrections of it.
pub trait Respondent {
    /// Answers the turn: in the session of the role's last turn (`desk.session()`) where there is
    /// one that can be taken up, told [`Case::turn`] only; else in a new one, told
    /// [`Case::whole`]. A session is made known as soon as it is ([`Desk::begin_session`]).
    fn answer(&mut self, case: &Case<'_>, desk: &mut Desk<'_>) -> Result<String, Refusal>;

    /// Answers once more in the same session, told what is wrong with the last answer.
    fn correct(&mut self, correction: &str, desk: &mut Desk<'_>) -> Result<String, Refusal>;

    /// Stores all that was said so far; none when nothing was. Also asked for after a refusal.
    fn detail(&mut self, closing: &Closing<'_>, desk: &Desk<'_>) -> cas::Result<Option<Hash>>;

    /// The step is stored: nothing has to be kept elsewhere any more.
    fn conclude(&mut self, _desk: &mut Desk<'_>) {}

    /// There will be no step, for a reason of this class. `is_kept` says whether what
    /// [`Respondent::detail`] knows is stored: if not, it is nowhere but where the agent put it.
    fn give_up(&mut self, _class: FailureClass, _is_kept: bool, _desk: &mut Desk<'_>) {}

    /// Nothing more will be asked, however the turn ended: what was started for it is ended.
    fn leave(&mut self, _desk: &mut Desk<'_>) {}
}

/// What the kit knows of an answer when it is stored.
#[derive(Debug, Clone, Copy)]
pub struct Closing<'a> {
    /// How often the agent was asked again.
    pub corrections: usize,
    /// What a reader should know of how the answer came about.
    pub notes: &'a [String],
}

/// Who is told what goes on while an agent works.
pub trait Observer {
    /// Something a person should know though nothing failed.
    fn warning(&mut self, message: &str);
    /// Something that was done just now, on one line: a tool that is called, a retry. It also
    /// shows that the agent is alive.
    fn progress(&mut self, line: &str);
    /// A program that the agent runs wrote this on its error stream.
    fn program_stderr(&mut self, bytes: &[u8]);
    /// Puts a question to whoever watches, and waits for the answer.
    fn ask(&mut self, _question: &Question) -> Reply {
        Reply::NobodyThere
    }
}

/// What came of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The option of this id was chosen.
    Chosen(String),
    /// None was.
    NoneChosen,
    /// There is nobody to ask.
    NobodyThere,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What kind of failure it is.
    pub class: FailureClass,
    /// What happened, with the service's or program's own words where there are any.
    pub message: String,
    /// The signal to this process, when that was the reason.
    pub signal: Option<i32>,
}

impl Refusal {
    /// A failure of this class.
    pub fn new(class: FailureClass, message: impl Into<String>) -> Self {
        Self {
            class,
            message: message.into(),
            signal: None,
        }
    }

    /// A signal asked this process to end.
    pub fn interrupted(signal: i32) -> Self {
        Self {
            class: FailureClass::Interrupted,
            message: format!("interrupted by signal {signal}"),
            signal: Some(signal),
        }
    }
}

impl From<CaseError> for Refusal {
    fn from(error: CaseError) -> Self {
        Self::new(FailureClass::Store, in_full(&error))
    }
}

/// What a respondent has at hand.
pub struct Desk<'a> {
    /// The storage root, absolute.
    pub root: &'a Path,
    /// Where nodes are read and written.
    pub store: &'a Store,
    /// The thread.
    pub thread: ThreadId,
    /// The folder it works in, absolute.
    pub cwd: &'a Path,
    /// The environment for programs that it runs.
    pub environment: &'a BTreeMap<OsString, OsString>,
    /// How messages call the agent.
    pub agent: &'a str,
    /// The clock, in milliseconds since 1970.
    pub now_ms: &'a dyn Fn() -> u64,
    /// Signals that ask this process to end.
    pub signals: &'a mut Guard,
    /// Who is told what goes on.
    pub observer: &'a mut dyn Observer,
    pub(super) sessions: Sessions<'a>,
}

/// What whoever hears a program at work can do meanwhile.
pub struct Hearing<'d, 'a> {
    /// Who is told what goes on.
    pub observer: &'d mut (dyn Observer + 'a),
    sessions: &'d mut Sessions<'a>,
}

impl Hearing<'_, '_> {
    /// This is the session now: what is killed from here on can be taken up.
    pub fn begin_session(&mut self, session: &str) {
        if let Some(warning) = self.sessions.remember(session) {
            self.observer.warning(&warning);
        }
    }
}

impl<'a> Desk<'a> {
    /// The desk in two parts: signals, for the wait until a program ends, and what is needed to
    /// hear the program meanwhile.
    pub fn wait_and_hear(&mut self) -> (&mut Guard, Hearing<'_, 'a>) {
        let hearing = Hearing {
            observer: &mut *self.observer,
            sessions: &mut self.sessions,
        };
        (&mut *self.signals, hearing)
    }

    /// The session of the role's last turn with this agent, if it is known.
    pub fn session(&self) -> Option<&str> {
        self.sessions.known()
    }

    /// This is the session now: what is killed from here on can be taken up.
    pub fn begin_session(&mut self, session: &str) {
        self.wait_and_hear().1.begin_session(session);
    }
}
