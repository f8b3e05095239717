//! What an agent is asked to do, and how it can fail at it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Instant;

use super::corrections::LastResort;
use super::error::AgentError;
use super::failure_class::FailureClass;
use super::invocation::{Capture, Finished, Invocation, Patience, Stdin};
use super::question::Question;
use super::shipped;
use super::signals::Guard;
use crate::cas::{self, CasError, Store};
use crate::config::Agent;
use crate::extract::Form;
use crate::model::{Hash, Role, RoleName, ThreadId, in_full};
use crate::prompt::PastStep;

/// One role's turn in a thread.
#[derive(Debug)]
pub struct Assignment<'a> {
    /// The thread.
    pub thread: ThreadId,
    /// Its StartNode.
    pub start: Hash,
    /// The step the new one follows; none for the first.
    pub prev: Option<Hash>,
    /// Whose turn it is.
    pub role_name: &'a RoleName,
    /// What the role is told.
    pub role: &'a Role,
    /// What the answer must fit: the schema of the node `role.frontmatter`.
    pub form: &'a Form,
    /// The instruction of the edge that led here.
    pub instruction: &'a str,
    /// Who does the work.
    pub agent: &'a Agent,
    /// The folder the agent works in.
    pub cwd: &'a Path,
    /// The whole environment of the agent.
    pub environment: BTreeMap<OsString, OsString>,
    /// This program, which has agents in it; none when it does not know where it is.
    pub own_program: Option<&'a Path>,
    /// How the agent is asked.
    pub request: Request,
}

/// How an agent is asked for its step.
#[derive(Debug)]
pub enum Request {
    /// It reads the chain itself, and names the step it made.
    OwnReading,
    /// It is given the whole prompt, and its answer is made a step.
    Prompt {
        /// What its answer looks like.
        format: AnswerFormat,
        /// What the prompt tells besides the role.
        background: Background,
    },
}

/// What the answer to a prompt looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerFormat {
    /// One JSON object, `{"meta": {…}, "content": "…"}`.
    Json,
    /// A block of YAML, and Markdown below it.
    Markdown,
}

/// What happened so far, as a role is told it.
#[derive(Debug)]
pub struct Background {
    /// What the thread was asked.
    pub task: String,
    /// The steps since the role's last turn, oldest first.
    pub history: Vec<PastStep>,
    /// Which turn of the role this is, from 1.
    pub visit: usize,
    /// Which step of the thread this is, from 1.
    pub step: usize,
}

/// Who is told what happens while an agent works.
pub trait Observer {
    /// Something a person should know though nothing failed.
    fn warning(&mut self, message: &str);
    /// The agent wrote these lines on its error stream.
    fn agent_stderr(&mut self, bytes: &[u8]);

    /// Whether questions can be answered.
    fn can_answer(&self) -> bool {
        false
    }

    /// The agent has a question: the id of the option that is chosen, none when none is. Signals
    /// are watched while somebody thinks, and nothing is answered after this instant.
    fn answer(
        &mut self,
        _question: &Question,
        _signals: &mut Guard,
        _until: Option<Instant>,
    ) -> Option<String> {
        None
    }
}

/// What the room needs while an agent works.
pub struct Workbench<'a> {
    /// Where nodes are read and written.
    pub store: &'a Store,
    /// The clock, in milliseconds since 1970.
    pub now_ms: &'a dyn Fn() -> u64,
    /// Signals that ask this program to end.
    pub signals: &'a mut Guard,
    /// Who is told what happens.
    pub observer: &'a mut dyn Observer,
    /// Who reads the fields out of an answer that does not fit after all corrections.
    pub last_resort: Option<&'a mut dyn LastResort>,
}

/// Why an agent's turn gave no step.
#[derive(Debug)]
pub struct Failure {
    /// What went wrong.
    pub reason: Reason,
    /// A node with all the agent had said by then.
    pub output: Option<Hash>,
    /// The step the agent named and that was not taken.
    pub step: Option<Hash>,
    /// How the program's last run went; none when it never ran.
    pub run: Option<LastRun>,
}

/// How a run of an agent's program went, for the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastRun {
    /// Its exit code; none when it did not end by itself.
    pub exit_code: Option<i32>,
    /// How long it took.
    pub duration_ms: u64,
    /// The last it said on stderr.
    pub stderr: String,
}

impl From<&Finished> for LastRun {
    fn from(finished: &Finished) -> Self {
        Self {
            exit_code: finished.exit_code,
            duration_ms: u64::try_from(finished.duration.as_millis()).unwrap_or(u64::MAX),
            stderr: finished.stderr_tail.clone(),
        }
    }
}

/// What went wrong in a turn.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// The program did not start, did not end well, or did not keep to its protocol.
    #[error(transparent)]
    Program(#[from] AgentError),
    /// It says itself why it failed.
    #[error("agent `{agent}` failed: {message}")]
    Reported {
        /// The agent, as the user knows it.
        agent: String,
        /// What kind of failure it is.
        class: FailureClass,
        /// What happened, in its own words.
        message: String,
    },
    /// The step it named is not the one that was asked for.
    #[error("agent `{agent}` named the step {step}, which {why}")]
    WrongStep {
        /// The agent, as the user knows it.
        agent: String,
        /// The step.
        step: Hash,
        /// What is wrong with it.
        why: String,
    },
    /// The last answer does not fit the role, after all corrections.
    #[error("the answer of agent `{agent}` does not fit the role{}", after(*.corrections))]
    DoesNotFit {
        /// The agent, as the user knows it.
        agent: String,
        /// How often it was asked again.
        corrections: usize,
        /// All that is wrong with the last answer, each with its place.
        faults: Vec<String>,
    },
    /// What the agent made could not be read or written.
    #[error(transparent)]
    Store(#[from] CasError),
}

fn after(corrections: usize) -> String {
    match corrections {
        0 => String::new(),
        1 => ", even after 1 correction".to_owned(),
        _ => format!(", even after {corrections} corrections"),
    }
}

impl Reason {
    /// Everything there is to say about it, on one line: for the record.
    pub fn in_full(&self) -> String {
        let mut text = in_full(self);
        if let Self::DoesNotFit { faults, .. } = self {
            text.push_str(": ");
            text.push_str(&faults.join("; "));
        }
        text
    }

    /// The class of the failure as it stands in attempt records. These words never change.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Program(error) => error.class(),
            Self::Reported { class, .. } => class.as_str(),
            Self::WrongStep { .. } => "protocol",
            Self::DoesNotFit { .. } => "output",
            Self::Store(_) => "store",
        }
    }
}

impl Workbench<'_> {
    /// Keeps what an agent said, so that it can be looked at. That it cannot be kept is no reason
    /// to hide why the turn failed.
    pub(super) fn kept(&mut self, stored: cas::Result<Hash>) -> Option<Hash> {
        stored
            .map_err(|error| {
                let why = in_full(&error);
                self.observer
                    .warning(&format!("what the agent said cannot be kept: {why}"));
            })
            .ok()
    }
}

impl Assignment<'_> {
    /// The agent's program with the arguments of its entry, and what every protocol shares.
    pub(super) fn invocation(&self, stdin: Stdin, capture: Capture) -> Invocation {
        let agent = self.agent;
        let mut invocation = Invocation {
            agent: agent.name.clone(),
            program: agent.command.clone().into(),
            arguments: agent.args.iter().map(OsString::from).collect(),
            cwd: self.cwd.to_owned(),
            environment: self.environment.clone(),
            stdin,
            capture,
            limits: agent.limits,
            patience: Patience::ENGINE,
        };
        if let Some(own_program) = self.own_program {
            shipped::resolve(&mut invocation, own_program);
        }
        invocation
    }
}

/// Hands the turn to the agent, as its protocol asks; the hash of the step that was made.
pub fn perform(
    assignment: &Assignment<'_>,
    bench: &mut Workbench<'_>,
) -> Result<Hash, Box<Failure>> {
    match &assignment.request {
        Request::OwnReading => super::submitted::perform(assignment, bench),
        Request::Prompt { format, background } => {
            super::prompted::perform(assignment, *format, background, bench)
        }
    }
}
