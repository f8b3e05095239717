//! `thread step`: decide, run, store, advance, decide again.

use std::path::Path;

use super::error::StepError;
use super::history::routing_context;
use super::observer::{Event, Observer};
use crate::agent::Guard;
use crate::cas::Store;
use crate::config::AgentFlag;
use crate::host::Host;
use crate::model::{Decision, Hash, Place, ThreadId, Workflow};
use crate::moderator::{self, RoutingError};
use crate::thread::{Chain, ChainError, Heads, Holder, Located, Status, StepLock, locate};
use crate::workflow;

/// Where a step is run: the surroundings, the storage root and its store.
#[derive(Debug, Clone, Copy)]
pub struct Workshop<'a> {
    /// The surroundings.
    pub host: &'a Host,
    /// The storage root, absolute.
    pub root: &'a Path,
    /// The store under it.
    pub store: &'a Store,
}

/// A thread after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepResult {
    /// The workflow it runs.
    pub workflow: Hash,
    /// The thread.
    pub thread: ThreadId,
    /// Where it is now.
    pub head: Hash,
    /// Nothing is left to do, and the thread is archived.
    pub done: bool,
}

/// What stopped a step.
#[derive(Debug)]
pub struct StepFailure {
    /// Why.
    pub error: Box<StepError>,
    /// The step itself happened, and this is where the thread is: only what follows could not be
    /// found out.
    pub happened: Option<StepResult>,
}

impl<E: Into<StepError>> From<E> for StepFailure {
    fn from(error: E) -> Self {
        Self {
            error: Box::new(error.into()),
            happened: None,
        }
    }
}

/// Where a thread stands before a step.
enum Standing {
    /// It is active, with this head.
    At(Hash),
    /// It is done already.
    Done(StepResult),
}

impl Workshop<'_> {
    /// Runs one step of a thread. When no role is left to run, the thread is archived and the
    /// result says `done`.
    ///
    /// A signal that `signals` notes ends the agent at work. One that comes when the agent has
    /// done its work stays noted: the step is brought to its end first.
    pub fn step(
        &self,
        thread: ThreadId,
        flag: AgentFlag<'_>,
        signals: &mut Guard,
        observer: &mut dyn Observer,
    ) -> Result<StepResult, StepFailure> {
        // Asked before the lock is taken, so that a wrong id leaves no file behind.
        if let Standing::Done(result) = self.standing(thread, observer)? {
            return Ok(result);
        }
        let holder = Holder {
            pid: std::process::id(),
            started_at: self.host.now_ms(),
        };
        let _lock = StepLock::try_acquire(self.root, thread, &holder)?;
        let head = match self.standing(thread, observer)? {
            Standing::At(head) => head,
            Standing::Done(result) => return Ok(result),
        };
        let chain = Chain::load(self.store, head)?;
        let workflow_hash = chain.start().node.workflow;
        observer.happened(Event::Found {
            workflow: workflow_hash,
            head,
        });
        let workflow = workflow::stored(self.store, &workflow_hash)?;
        let result = |head, done| StepResult {
            workflow: workflow_hash,
            thread,
            head,
            done,
        };

        let turn = match decide(&workflow, &chain)? {
            Decision::End => {
                self.archive(thread, workflow_hash, head, observer)?;
                return Ok(result(head, true));
            }
            Decision::Next { role, prompt } => (role, prompt),
        };
        observer.happened(Event::RoleChosen {
            from: &place(&chain),
            role: &turn.0,
        });
        let mut warnings = Vec::new();
        let plan = self.plan(&workflow, thread, turn, flag, &mut warnings);
        for warning in &warnings {
            observer.warning(warning);
        }
        let plan = plan?;
        let step = self.take_turn(&plan, &chain, thread, signals, observer)?;

        let after = |error| StepFailure {
            error: Box::new(error),
            happened: Some(result(step, false)),
        };
        let chain = Chain::load(self.store, step).map_err(|error| after(error.into()))?;
        let done = decide(&workflow, &chain).map_err(|error| after(error.into()))? == Decision::End;
        if done {
            self.archive(thread, workflow_hash, step, observer)
                .map_err(after)?;
        }
        Ok(result(step, done))
    }

    /// Where a thread stands before the step.
    ///
    /// One whose end is written down, and whose head is still on the list, was ended by a process
    /// that was stopped half-way: the other half is done here, and no agent is run.
    fn standing(
        &self,
        thread: ThreadId,
        observer: &mut dyn Observer,
    ) -> Result<Standing, StepError> {
        let (entry, is_listed) = match locate(self.root, &thread)? {
            Located::Active { head } => return Ok(Standing::At(head)),
            Located::Archived { entry, is_listed } => (entry, is_listed),
            Located::NotFound { skipped } => {
                return Err(StepError::UnknownThread { thread, skipped });
            }
        };
        if !is_listed {
            return Err(StepError::Archived(entry));
        }
        let (status, now) = (Status::Completed, self.host.now_ms());
        let entry = Heads::locked(self.root)?.archive(thread, entry.workflow, status, now)?;
        observer.happened(Event::Archived(&entry));
        match (entry.status, entry.workflow) {
            (Some(Status::Completed), Some(workflow)) => Ok(Standing::Done(StepResult {
                workflow,
                thread,
                head: entry.head,
                done: true,
            })),
            _ => Err(StepError::Archived(entry)),
        }
    }

    /// Ends a thread that is done, unless it was killed or moved by now.
    fn archive(
        &self,
        thread: ThreadId,
        workflow: Hash,
        head: Hash,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        let mut heads = Heads::locked(self.root)?;
        if heads.get(&thread) != Some(head) {
            return Err(StepError::NotArchived { thread, head });
        }
        let (status, now) = (Status::Completed, self.host.now_ms());
        let entry = heads.archive(thread, Some(workflow), status, now)?;
        drop(heads);
        observer.happened(Event::Archived(&entry));
        Ok(())
    }
}

fn place(chain: &Chain<'_>) -> Place {
    chain
        .last_step()
        .map_or(Place::Start, |step| Place::Role(step.node.role.clone()))
}

/// What comes next in a thread.
pub(super) fn decide(
    workflow: &Workflow,
    chain: &Chain<'_>,
) -> Result<Decision, Box<RoutingError<ChainError>>> {
    moderator::decide(workflow, &place(chain), &mut || routing_context(chain)).map_err(Box::new)
}
