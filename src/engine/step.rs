//! `thread step`: decide, run, store, advance, decide again.

use std::path::Path;

use super::error::{Overtaken, StepError};
use super::history::{background, routing_context};
use super::plan::Plan;
use crate::agent::{self, Assignment, Failure, Guard, Workbench};
use crate::cas::Store;
use crate::config::{AgentFlag, Protocol};
use crate::host::Host;
use crate::model::{Decision, Hash, Place, ThreadId, Workflow};
use crate::moderator::{self, RoutingError};
use crate::thread::{
    AdvanceError, Attempt, Chain, ChainError, Heads, Holder, Located, RecordedAttempt, Status,
    StepLock, locate,
};
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

/// Who is told what happens while it happens.
pub trait Observer: agent::Observer {
    /// An agent is about to be run.
    fn agent_starts(&mut self, plan: &Plan);
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

impl Workshop<'_> {
    /// Runs one step of a thread. When no role is left to run, the thread is archived and the
    /// result says `done`.
    pub fn step(
        &self,
        thread: ThreadId,
        flag: AgentFlag<'_>,
        observer: &mut dyn Observer,
    ) -> Result<StepResult, StepFailure> {
        // Asked before the lock is taken, so that a wrong id leaves no file behind.
        self.active_head(thread)?;
        let holder = Holder {
            pid: std::process::id(),
            started_at: self.host.now_ms(),
        };
        let _lock = StepLock::try_acquire(self.root, thread, &holder)?;
        let head = self.active_head(thread)?;
        let chain = Chain::load(self.store, head)?;
        let workflow_hash = chain.start().node.workflow;
        let workflow = workflow::stored(self.store, &workflow_hash)?;
        let result = |head, done| StepResult {
            workflow: workflow_hash,
            thread,
            head,
            done,
        };

        let turn = match decide(&workflow, &chain)? {
            Decision::End => {
                self.archive(thread, workflow_hash, head)?;
                return Ok(result(head, true));
            }
            Decision::Next { role, prompt } => (role, prompt),
        };
        let plan = self.plan(&workflow, thread, turn, flag)?;
        let (step, signal) = self.take_turn(&plan, &chain, thread, observer)?;

        let after = |error| StepFailure {
            error: Box::new(error),
            happened: Some(result(step, false)),
        };
        let chain = Chain::load(self.store, step).map_err(|error| after(error.into()))?;
        let done = decide(&workflow, &chain).map_err(|error| after(error.into()))? == Decision::End;
        if done {
            self.archive(thread, workflow_hash, step).map_err(after)?;
        }
        match signal {
            None => Ok(result(step, done)),
            Some(signal) => Err(StepFailure {
                error: Box::new(StepError::Interrupted { signal, step }),
                happened: Some(result(step, done)),
            }),
        }
    }

    fn active_head(&self, thread: ThreadId) -> Result<Hash, StepError> {
        match locate(self.root, &thread)? {
            Located::Active { head } => Ok(head),
            Located::Archived { entry } => Err(StepError::Archived(entry)),
            Located::NotFound { skipped } => Err(StepError::UnknownThread { thread, skipped }),
        }
    }

    /// Lets the agent work and moves the head to the step it made. A failure is put on record.
    ///
    /// With the step comes the signal that asked this program to end when all was done already.
    fn take_turn(
        &self,
        plan: &Plan,
        chain: &Chain<'_>,
        thread: ThreadId,
        observer: &mut dyn Observer,
    ) -> Result<(Hash, Option<i32>), StepError> {
        for warning in &plan.warnings {
            observer.warning(warning);
        }
        observer.agent_starts(plan);
        // From here on, a signal waits until the agent is ended or its step is part of the thread.
        let mut signals = Guard::install().map_err(StepError::Signals)?;
        let step = match self.perform(plan, chain, thread, &mut signals, observer)? {
            Ok(step) => step,
            Err(failure) => {
                let (message, class) = (failure.reason.in_full(), failure.reason.class());
                let kept = (failure.output, failure.step);
                let attempt = self.record(plan, thread, message, class, kept)?;
                let role = plan.role_name.clone();
                return Err(StepError::Agent {
                    role,
                    failure: Box::new(failure),
                    attempt,
                });
            }
        };
        self.advance(plan, thread, chain.head(), step)?;
        Ok((step, signals.interruption()))
    }

    fn perform(
        &self,
        plan: &Plan,
        chain: &Chain<'_>,
        thread: ThreadId,
        signals: &mut Guard,
        observer: &mut dyn Observer,
    ) -> Result<Result<Hash, Failure>, StepError> {
        let background = match plan.agent.protocol {
            Protocol::Cas => None,
            Protocol::Json | Protocol::Markdown => {
                Some(background(chain, self.store, &plan.role_name)?)
            }
        };
        let assignment = Assignment {
            thread,
            start: chain.start().hash,
            prev: chain.last_step().map(|step| step.hash),
            role_name: &plan.role_name,
            role: &plan.role,
            form: &plan.form,
            instruction: &plan.instruction,
            agent: &plan.agent,
            cwd: &plan.cwd,
            environment: plan.environment.clone(),
            background,
        };
        let now_ms = || self.host.now_ms();
        let mut bench = Workbench {
            store: self.store,
            now_ms: &now_ms,
            signals,
            observer,
        };
        Ok(agent::perform(&assignment, &mut bench))
    }

    fn record(
        &self,
        plan: &Plan,
        thread: ThreadId,
        message: String,
        class: &str,
        (output, step): (Option<Hash>, Option<Hash>),
    ) -> Result<RecordedAttempt, StepError> {
        let attempt = Attempt {
            time: self.host.now_ms(),
            role: plan.role_name.clone(),
            agent: plan.agent.name.clone(),
            class: class.to_owned(),
            message,
            output,
            step,
        };
        Ok(attempt.record(self.root, &thread)?)
    }

    fn advance(
        &self,
        plan: &Plan,
        thread: ThreadId,
        head: Hash,
        step: Hash,
    ) -> Result<(), StepError> {
        let overtaken = match Heads::locked(self.root)?.advance(thread, head, step) {
            Ok(()) => return Ok(()),
            Err(AdvanceError::Heads(error)) => return Err(error.into()),
            Err(AdvanceError::Gone { .. }) => Overtaken::Killed,
            Err(AdvanceError::Moved { now, .. }) => Overtaken::Moved { now },
        };
        let message = format!("the thread {overtaken} while the agent was at work");
        let attempt = self.record(plan, thread, message, overtaken.class(), (None, Some(step)))?;
        Err(StepError::Overtaken {
            thread,
            how: overtaken,
            step,
            attempt,
        })
    }

    /// Ends a thread that is done, unless it was killed or moved by now.
    fn archive(&self, thread: ThreadId, workflow: Hash, head: Hash) -> Result<(), StepError> {
        let mut heads = Heads::locked(self.root)?;
        match heads.get(&thread) {
            Some(now) if now == head => {
                heads.archive(
                    thread,
                    Some(workflow),
                    Status::Completed,
                    self.host.now_ms(),
                )?;
                Ok(())
            }
            _ => Err(StepError::NotArchived { thread, head }),
        }
    }
}

/// What comes next in a thread.
pub(super) fn decide(
    workflow: &Workflow,
    chain: &Chain<'_>,
) -> Result<Decision, Box<RoutingError<ChainError>>> {
    let at = chain
        .last_step()
        .map_or(Place::Start, |step| Place::Role(step.node.role.clone()));
    moderator::decide(workflow, &at, &mut || routing_context(chain)).map_err(Box::new)
}
