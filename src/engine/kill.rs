//! `thread kill`: a thread is ended where it stands, and with it the step that is being run.
//!
//! The thread is archived first. Whatever becomes of the step from then on, it finds no head to
//! move and cannot bring the thread back; what it made is on record as an attempt.

use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::step::Workshop;
use crate::agent::{self, TerminateError};
use crate::fsx::FileError;
use crate::model::ThreadId;
use crate::thread::{
    ArchiveError, Archived, BadLine, Chain, ChainError, Heads, HeadsError, Located, LookupError,
    Running, Status, StepLock, locate,
};

/// How long to wait for the end of a step that was asked to end. It gives its agent some seconds,
/// and ends it by force after that.
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// How often to look whether it has ended, of which there is no news.
const GLANCE: Duration = Duration::from_millis(20);

/// A thread that was killed.
#[derive(Debug)]
pub struct Killed {
    /// How it is in the history.
    pub entry: Archived,
    /// Why it is not known which workflow it ran.
    pub damage: Option<ChainError>,
}

/// What became of a step that was being run when its thread was killed.
#[derive(Debug)]
pub enum RunningStep {
    /// There was none, or it has ended.
    Gone,
    /// It was asked to end, and has not ended yet.
    Ending(Running),
    /// It could not be asked to end.
    Unreachable(Unreachable),
}

/// Why a running step was not asked to end.
#[derive(Debug, thiserror::Error)]
pub enum Unreachable {
    /// It does not say which process runs it.
    #[error("the lock's file does not tell which process runs it")]
    Unnamed,
    /// Its process cannot be asked.
    #[error(transparent)]
    Process(#[from] TerminateError),
    /// It is not known whether there is a step at all.
    #[error(transparent)]
    Lock(#[from] FileError),
}

/// Why a thread was not killed.
#[derive(Debug, thiserror::Error)]
pub enum KillError {
    /// The id is of no thread.
    #[error("there is no thread {thread}")]
    UnknownThread {
        /// The id.
        thread: ThreadId,
        /// Lines of the history that could not be read and may have told of it.
        skipped: Vec<BadLine>,
    },
    /// It has ended before.
    #[error("thread {} is not active any more", .entry.thread)]
    Ended {
        /// How it ended.
        entry: Archived,
        /// The step of it that is being run all the same, or why that is not known.
        running: Result<Option<Running>, FileError>,
    },
    /// The threads cannot be looked up.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// The list of active threads cannot be changed.
    #[error(transparent)]
    Heads(#[from] HeadsError),
    /// It could not be archived.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}

impl Workshop<'_> {
    /// Ends a thread where it stands. A step of it that is being run is another matter.
    pub fn kill(&self, thread: ThreadId) -> Result<Killed, KillError> {
        match locate(self.root, &thread)? {
            Located::Active { .. }
            | Located::Archived {
                is_listed: true, ..
            } => {}
            Located::Archived { entry, .. } => {
                return Err(self.ended(entry));
            }
            Located::NotFound { skipped } => {
                return Err(KillError::UnknownThread { thread, skipped });
            }
        }
        let mut heads = Heads::locked(self.root)?;
        let chain = heads
            .get(&thread)
            .map(|head| Chain::load(self.store, head))
            .transpose();
        // A thread too damaged to tell its workflow can be killed all the same.
        let (workflow, damage) = match chain {
            Ok(chain) => (chain.map(|chain| chain.start().node.workflow), None),
            Err(damage) => (None, Some(damage)),
        };
        let archived = heads.archive(thread, workflow, Status::Killed, self.host.now_ms());
        // Whether a step is being run is asked under the lock that the heads have.
        drop(heads);
        match archived {
            Ok(entry) => Ok(Killed { entry, damage }),
            Err(ArchiveError::Ended(entry)) => Err(self.ended(entry)),
            Err(other) => Err(other.into()),
        }
    }

    fn ended(&self, entry: Archived) -> KillError {
        let running = StepLock::running(self.root, &entry.thread);
        KillError::Ended { entry, running }
    }

    /// Ends the step of a killed thread that is being run, and waits for it.
    pub fn end_step(&self, thread: ThreadId) -> RunningStep {
        self.ask_step_to_end(thread)
            .unwrap_or_else(RunningStep::Unreachable)
    }

    fn ask_step_to_end(&self, thread: ThreadId) -> Result<RunningStep, Unreachable> {
        let deadline = Instant::now() + LONGEST_WAIT;
        let Some(running) = self.running_step(thread, deadline)? else {
            return Ok(RunningStep::Gone);
        };
        let holder = running.holder.ok_or(Unreachable::Unnamed)?;
        let asked = agent::terminate(holder.pid, &StepLock::path(self.root, &thread));
        while let Some(running) = self.running_step(thread, deadline)? {
            // That it could not be asked counts when it has not ended by itself.
            if let Err(why) = asked {
                return Err(why.into());
            }
            if Instant::now() >= deadline {
                return Ok(RunningStep::Ending(running));
            }
            sleep(GLANCE);
        }
        Ok(RunningStep::Gone)
    }

    /// The step of the thread that is being run. That others hold the lock for longer than a look
    /// is waited for tells nothing before the deadline.
    fn running_step(
        &self,
        thread: ThreadId,
        deadline: Instant,
    ) -> Result<Option<Running>, FileError> {
        loop {
            match StepLock::running(self.root, &thread) {
                Err(error)
                    if error.kind() == io::ErrorKind::TimedOut && Instant::now() < deadline => {}
                looked => return looked,
            }
        }
    }
}
