//! Why a step did not happen, or why it is not known what follows it.

use std::fmt;

use crate::agent::{EnvironmentError, Failure};
use crate::cas::CasError;
use crate::config::{AgentChoiceError, ConfigError, DotEnvError};
use crate::model::{Hash, RoleName, ThreadId};
use crate::moderator::RoutingError;
use crate::schema::SchemaFault;
use crate::thread::{
    ArchiveError, Archived, BadLine, ChainError, HeadsError, LookupError, MetadataError,
    RecordedAttempt, StepLockError,
};
use crate::workflow::StoredError;

/// Why a step that an agent made did not become part of its thread.
#[derive(Debug)]
pub enum Stranded {
    /// The thread was killed while the agent was at work.
    Killed,
    /// Somebody moved the thread's head meanwhile.
    Moved {
        /// Where it is now.
        now: Hash,
    },
    /// The list of active threads could not be read or written.
    NotWritten(HeadsError),
}

impl Stranded {
    /// The class of the failure as it stands in attempt records. These words never change.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::Moved { .. } => "moved",
            Self::NotWritten(_) => "heads",
        }
    }
}

impl fmt::Display for Stranded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Killed => formatter.write_str("was killed while its agent was at work"),
            Self::Moved { now } => {
                write!(formatter, "was moved to {now} while its agent was at work")
            }
            Self::NotWritten(_) => formatter.write_str("could not be moved on"),
        }
    }
}

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// The id is of no thread.
    #[error("there is no thread {thread}")]
    UnknownThread {
        /// The id.
        thread: ThreadId,
        /// Lines of the history that could not be read and may have told of it.
        skipped: Vec<BadLine>,
    },
    /// The thread ended.
    #[error("thread {} is not active any more", .0.thread)]
    Archived(Archived),
    /// Another process runs a step of this thread, or its lock cannot be taken.
    #[error(transparent)]
    Lock(#[from] StepLockError),
    /// The threads cannot be looked up.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// The list of active threads cannot be changed.
    #[error(transparent)]
    Heads(#[from] HeadsError),
    /// The thread is done, and cannot be archived.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The thread is done, and was killed or moved before it could be archived.
    #[error(
        "thread {thread} is done at {head}, but was killed or moved before it could be archived"
    )]
    NotArchived {
        /// The thread.
        thread: ThreadId,
        /// Where it was done.
        head: Hash,
    },
    /// The chain is not whole.
    #[error(transparent)]
    Chain(#[from] ChainError),
    /// A node cannot be read or written.
    #[error(transparent)]
    Store(#[from] CasError),
    /// The thread's workflow cannot be used.
    #[error(transparent)]
    Workflow(#[from] StoredError),
    /// The graph leads to a role that the workflow does not have.
    #[error("workflow `{workflow}` has no role `{role}`, to which its graph leads")]
    NoSuchRole {
        /// The role.
        role: RoleName,
        /// The workflow's name.
        workflow: String,
    },
    /// The role's schema is stored and cannot be used.
    #[error("the schema {schema} of role `{role}` cannot be used: {}", first(.faults))]
    Schema {
        /// The role.
        role: RoleName,
        /// Its schema's node.
        schema: Hash,
        /// All that is wrong with it.
        faults: Vec<SchemaFault>,
    },
    /// The moderator could not decide what comes next.
    #[error("{0}")]
    Routing(#[from] Box<RoutingError<ChainError>>),
    /// The configuration cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// No agent could be chosen.
    #[error(transparent)]
    AgentChoice(#[from] AgentChoiceError),
    /// The keys cannot be read.
    #[error(transparent)]
    DotEnv(#[from] DotEnvError),
    /// The agent cannot be given its environment.
    #[error(transparent)]
    Environment(#[from] EnvironmentError),
    /// The working folder cannot be used.
    #[error(transparent)]
    WorkingFolder(#[from] MetadataError),
    /// The agent failed, or what it answered does not fit.
    #[error("the step of role `{role}` failed")]
    Agent {
        /// The role whose turn it was.
        role: RoleName,
        /// What went wrong.
        failure: Box<Failure>,
        /// Where it is on record.
        attempt: Option<RecordedAttempt>,
    },
    /// The agent made its step, and it did not become part of the thread.
    #[error("thread {thread} {why}: the step {step} is stored, and not part of it")]
    Stranded {
        /// The thread.
        thread: ThreadId,
        /// Why not.
        why: Box<Stranded>,
        /// The step that was made.
        step: Hash,
        /// Where it is on record.
        attempt: Option<RecordedAttempt>,
    },
}

impl StepError {
    /// The class of the failure, in one word, for the process log. These words never change.
    pub fn class(&self) -> &'static str {
        match self {
            Self::UnknownThread { .. } => "unknown-thread",
            Self::Archived(_) => "archived",
            Self::Lock(StepLockError::Busy { .. }) => "busy",
            Self::Lock(StepLockError::File(_)) => "lock",
            Self::Lookup(_) | Self::Heads(_) | Self::Archive(_) => "threads",
            Self::NotArchived { .. } => "overtaken",
            Self::Chain(_) => "chain",
            Self::Store(_) => "store",
            Self::Workflow(_) | Self::NoSuchRole { .. } | Self::Schema { .. } => "workflow",
            Self::Routing(_) => "routing",
            Self::Config(_) | Self::AgentChoice(_) | Self::DotEnv(_) => "configuration",
            Self::Environment(_) => "environment",
            Self::WorkingFolder(_) => "working-folder",
            Self::Agent { failure, .. } => failure.reason.class(),
            Self::Stranded { why, .. } => why.class(),
        }
    }
}

fn first(faults: &[SchemaFault]) -> &str {
    faults
        .first()
        .map_or("it is no schema", |fault| &fault.message)
}
