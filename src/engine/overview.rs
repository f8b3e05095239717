//! How a thread stands: everything that is known of it beyond its head, without changing anything.
//!
//! What cannot be found out is told, each thing for itself, and hides nothing else: a thread that
//! is damaged can be looked at like any other.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde_json::Number;

use super::step::{Workshop, decide};
use crate::model::{Decision, Hash, RoleName, ThreadId, in_full};
use crate::moderator::RoutingError;
use crate::thread::{
    Archived, Attempt, Attempts, Chain, ChainError, Metadata, Running, Status, StepLock,
};
use crate::workflow::{self, StoredError};

/// How a thread stands.
#[derive(Debug)]
pub struct Overview {
    /// In one word.
    pub state: State,
    /// What is wrong with its chain or its workflow.
    pub damage: Option<Damage>,
    /// The workflow it runs; none when the chain does not tell.
    pub workflow: Option<Hash>,
    /// The step that is being run.
    pub running: Option<Running>,
    /// Who is next.
    pub next: Next,
    /// How many steps there are; none when the chain does not tell.
    pub steps: Option<usize>,
    /// The step that failed last.
    pub last_attempt: Option<Attempt>,
    /// The folder its agents work in; none when none was written down.
    pub cwd: Option<PathBuf>,
    /// When it began, in milliseconds since 1970; none when nothing tells.
    pub started_at: Option<u64>,
    /// When something happened to it last, in milliseconds since 1970.
    pub updated_at: Option<u64>,
    /// What could not be read beside the chain, in words.
    pub warnings: Vec<String>,
}

/// How a thread stands, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It can be stepped.
    Active,
    /// A step of it is being run.
    Running,
    /// It can be stepped; the last try failed.
    Failed,
    /// It came to its end.
    Completed,
    /// It was ended before.
    Killed,
    /// Its chain or its workflow cannot be read.
    Damaged,
}

/// Whose turn it is.
#[derive(Debug, Default)]
pub enum Next {
    /// This role's.
    Role(RoleName),
    /// Nobody's: the thread is done, or it is not known how it goes on because it is damaged.
    #[default]
    Nobody,
    /// The moderator could not decide.
    Undecided(Box<RoutingError<ChainError>>),
}

/// Why not all of a thread can be read.
#[derive(Debug, thiserror::Error)]
pub enum Damage {
    /// The chain is not whole.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// The workflow cannot be used.
    #[error(transparent)]
    Workflow(#[from] StoredError),
}

impl State {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Active,
        Self::Running,
        Self::Failed,
        Self::Completed,
        Self::Killed,
        Self::Damaged,
    ];

    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Running => "running",
            Self::Failed => "failed",
            Self::Completed => "completed",
            Self::Killed => "killed",
            Self::Damaged => "damaged",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// The text is none of the words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a status is one of {}", State::ALL.map(State::as_str).join(", "))]
pub struct InvalidState;

impl FromStr for State {
    type Err = InvalidState;

    fn from_str(text: &str) -> Result<Self, InvalidState> {
        let named = |state: &Self| state.as_str() == text;
        Self::ALL.into_iter().find(named).ok_or(InvalidState)
    }
}

impl Workshop<'_> {
    /// How a thread stands at a head; `archived` when it ended there.
    pub fn overview(&self, thread: ThreadId, head: Hash, archived: Option<&Archived>) -> Overview {
        let mut warnings = Vec::new();
        let running = told(StepLock::running(self.root, &thread), &mut warnings).flatten();
        let metadata = told(Metadata::read(self.root, &thread), &mut warnings).flatten();
        let last_attempt = self.last_attempt(thread, &mut warnings);
        let mut chain = Seen::default();
        let damage = self.look_at_chain(head, archived, &mut chain).err();
        let recorded = metadata.as_ref().and_then(|metadata| metadata.started_at);
        let started_at = recorded.or(chain.started_at);
        let failed_at = last_attempt.as_ref().map(|attempt| attempt.time);
        let state = match archived {
            Some(entry) => state_of_ended(entry, damage.is_some(), &chain.next),
            None if damage.is_some() => State::Damaged,
            None if running.is_some() => State::Running,
            None if last_attempt
                .as_ref()
                .is_some_and(|last| has_failed(last, head, &chain)) =>
            {
                State::Failed
            }
            None => State::Active,
        };
        let moments = [
            started_at,
            chain.moved_at,
            failed_at,
            archived.map(|entry| entry.completed_at),
            running.and_then(|running| Some(running.holder?.started_at)),
        ];
        Overview {
            state,
            damage,
            workflow: chain.workflow.or(archived.and_then(|entry| entry.workflow)),
            running,
            next: match archived {
                Some(_) => Next::Nobody,
                None => chain.next,
            },
            steps: chain.steps,
            last_attempt,
            cwd: metadata.map(|metadata| metadata.cwd),
            started_at,
            updated_at: moments.into_iter().flatten().max(),
            warnings,
        }
    }

    fn last_attempt(&self, thread: ThreadId, warnings: &mut Vec<String>) -> Option<Attempt> {
        let mut attempts = told(Attempts::read(self.root, &thread), warnings)?;
        warnings.extend(attempts.skipped.iter().map(ToString::to_string));
        attempts.entries.pop().map(|(_, attempt)| attempt)
    }

    /// Notes what the chain tells, as far as it does.
    fn look_at_chain(
        &self,
        head: Hash,
        archived: Option<&Archived>,
        seen: &mut Seen,
    ) -> Result<(), Damage> {
        let chain = Chain::load(self.store, head)?;
        let start = chain.start();
        seen.workflow = Some(start.node.workflow);
        seen.started_at = Some(milliseconds(&start.timestamp));
        let last = chain.last_step().map(|step| &step.timestamp);
        seen.moved_at = Some(milliseconds(last.unwrap_or(&start.timestamp)));
        let steps = chain.steps().collect::<Result<Vec<_>, _>>()?;
        seen.steps = Some(steps.len());
        // How a thread ended is on record, unless the original ended it.
        if archived.is_some_and(|entry| entry.status.is_some()) {
            return Ok(());
        }
        let workflow = workflow::stored(self.store, &start.node.workflow)?;
        seen.next = match decide(&workflow, &chain) {
            Ok(Decision::End) => Next::Nobody,
            Ok(Decision::Next { role, .. }) => Next::Role(role),
            Err(error) => match *error {
                RoutingError::Context(damage) => return Err(damage.into()),
                other => Next::Undecided(Box::new(other)),
            },
        };
        Ok(())
    }
}

/// What the chain of a thread tells.
#[derive(Debug, Default)]
struct Seen {
    workflow: Option<Hash>,
    started_at: Option<u64>,
    moved_at: Option<u64>,
    steps: Option<usize>,
    next: Next,
}

/// The original writes down the same for both ends. But a thread that comes to its end is archived
/// by the step that brought it there: one whose turn is still somebody's was killed.
fn state_of_ended(entry: &Archived, is_damaged: bool, next: &Next) -> State {
    match (entry.status, next) {
        (Some(Status::Completed), _) => State::Completed,
        (Some(Status::Killed), _) => State::Killed,
        (None, _) if is_damaged => State::Damaged,
        (None, Next::Role(_)) => State::Killed,
        (None, Next::Nobody | Next::Undecided(_)) => State::Completed,
    }
}

/// The value, or a warning that tells why there is none.
fn told<T, E: Error>(result: Result<T, E>, warnings: &mut Vec<String>) -> Option<T> {
    result.map_err(|error| warnings.push(in_full(&error))).ok()
}

fn milliseconds(timestamp: &Number) -> u64 {
    let rounded = || timestamp.as_f64().unwrap_or_default() as u64;
    timestamp.as_u64().unwrap_or_else(rounded)
}

/// Whether an attempt was made at the step that is next now. Records of early versions do not say
/// where the thread was; when the head was written tells, unless the same node was there before.
fn has_failed(last: &Attempt, head: Hash, chain: &Seen) -> bool {
    match last.head {
        Some(at) => at == head,
        None => Some(last.time) > chain.moved_at,
    }
}

#[cfg(test)]
mod tests;
