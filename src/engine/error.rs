//! Why a step did not happen, or why it is not known what follows it.

use std::fmt;
use std::io;

use crate::agent::{EnvironmentError, Failure};
use crate::cas::CasError;
use crate::config::{AgentChoiceError, ConfigError, DotEnvError};
use crate::fsx::FileError;
use crate::model::{Hash, RoleName, ThreadId};
use crate::moderator::RoutingError;
use crate::schema::SchemaFault;
use crate::thread::{
    ArchiveError, Archived, BadLine, ChainError, HeadsError, LookupError, MetadataError,
    RecordedAttempt, StepLockError,
};
use crate::workflow::StoredError;

/// What became of a thread while its agent was at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overtaken {
    /// It was killed.
    Killed,
    /// Somebody moved its head.
    Moved {
        /// Where it is now.
        now: Hash,
    },
}

impl Overtaken {
    /// The class of the failure as it stands in attempt records. These words never change.
    pub fn class(self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::Moved { .. } => "moved",
        }
    }
}

impl fmt::Display for Overtaken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Killed => formatter.write_str("was killed"),
            Self::Moved { now } => write!(formatter, "was moved to {now}"),
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
    /// Signals could not be watched for.
    #[error("cannot watch for signals")]
    Signals(#[source] io::Error),
    /// The attempt could not be put on record.
    #[error(transparent)]
    Record(#[from] FileError),
    /// The agent failed, or what it answered does not fit.
    #[error("the step of role `{role}` failed")]
    Agent {
        /// The role whose turn it was.
        role: RoleName,
        /// What went wrong.
        failure: Box<Failure>,
        /// Where it is on record.
        attempt: RecordedAttempt,
    },
    /// The step was made, but the thread did not wait for it.
    #[error(
        "thread {thread} {how} while its agent was at work: the step {step} is stored, and not part of it"
    )]
    Overtaken {
        /// The thread.
        thread: ThreadId,
        /// What became of it.
        how: Overtaken,
        /// The step that was made.
        step: Hash,
        /// Where it is on record.
        attempt: RecordedAttempt,
    },
    /// A signal came after the agent had done its work; the step is part of the thread.
    #[error("interrupted after the step {step}")]
    Interrupted {
        /// The signal.
        signal: i32,
        /// The step.
        step: Hash,
    },
}

fn first(faults: &[SchemaFault]) -> &str {
    faults
        .first()
        .map_or("it is no schema", |fault| &fault.message)
}
