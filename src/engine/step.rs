//! `thread step`: decide, run, store, advance, decide again.

use std::path::Path;

use super::error::{StepError, Stranded};
use super::history::{background, routing_context};
use super::observer::{Event, Observer};
use super::plan::Plan;
use crate::agent::{self, AnswerFormat, Assignment, Failure, Guard, Request, Workbench};
use crate::cas::Store;
use crate::config::{AgentFlag, Protocol};
use crate::host::Host;
use crate::model::{Decision, Hash, Place, ThreadId, Workflow, in_full};
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

    /// Lets the agent work and moves the head to the step it made. A failure is put on record.
    fn take_turn(
        &self,
        plan: &Plan,
        chain: &Chain<'_>,
        thread: ThreadId,
        signals: &mut Guard,
        observer: &mut dyn Observer,
    ) -> Result<Hash, StepError> {
        observer.happened(Event::AgentStarts(plan));
        let started_ms = self.host.now_ms();
        let step = match self.perform(plan, chain, thread, signals, observer)? {
            Ok(step) => step,
            Err(failure) => {
                let attempt = Attempt {
                    class: failure.reason.class().to_owned(),
                    message: failure.reason.in_full(),
                    output: failure.output,
                    step: failure.step,
                    exit_code: failure.run.as_ref().and_then(|run| run.exit_code),
                    duration_ms: failure.run.as_ref().map(|run| run.duration_ms),
                    stderr: failure.run.as_ref().map(|run| run.stderr.clone()),
                    ..self.attempt(plan)
                };
                let attempt = self.record(thread, &attempt, observer);
                let role = plan.role_name.clone();
                return Err(StepError::Agent {
                    role,
                    failure,
                    attempt,
                });
            }
        };
        observer.happened(Event::AgentReturned {
            step,
            milliseconds: self.host.now_ms().saturating_sub(started_ms),
        });
        self.advance(plan, thread, chain.head(), step, observer)?;
        Ok(step)
    }

    fn perform(
        &self,
        plan: &Plan,
        chain: &Chain<'_>,
        thread: ThreadId,
        signals: &mut Guard,
        observer: &mut dyn Observer,
    ) -> Result<Result<Hash, Box<Failure>>, StepError> {
        let prompt = |format| -> Result<Request, StepError> {
            let background = background(chain, self.store, &plan.role_name)?;
            Ok(Request::Prompt { format, background })
        };
        let request = match plan.agent.protocol {
            Protocol::Cas => Request::OwnReading,
            Protocol::Json => prompt(AnswerFormat::Json)?,
            Protocol::Markdown => prompt(AnswerFormat::Markdown)?,
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
            request,
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

    /// An attempt at a turn of which nothing is known yet but whose it was.
    fn attempt(&self, plan: &Plan) -> Attempt {
        Attempt {
            time: self.host.now_ms(),
            role: plan.role_name.clone(),
            agent: plan.agent.name.clone(),
            class: String::new(),
            message: String::new(),
            output: None,
            step: None,
            exit_code: None,
            duration_ms: None,
            stderr: None,
        }
    }

    /// Writes down an attempt. That it cannot be is no reason to hide why the attempt failed.
    fn record(
        &self,
        thread: ThreadId,
        attempt: &Attempt,
        observer: &mut dyn Observer,
    ) -> Option<RecordedAttempt> {
        match attempt.record(self.root, &thread) {
            Ok(recorded) => Some(recorded),
            Err(error) => {
                observer.warning(&format!(
                    "the attempt is not on record: {}",
                    in_full(&error)
                ));
                None
            }
        }
    }

    fn advance(
        &self,
        plan: &Plan,
        thread: ThreadId,
        head: Hash,
        step: Hash,
        observer: &mut dyn Observer,
    ) -> Result<(), StepError> {
        let advanced = Heads::locked(self.root)
            .map_err(AdvanceError::from)
            .and_then(|mut heads| heads.advance(thread, head, step));
        let stranded = match advanced {
            Ok(()) => return Ok(()),
            Err(AdvanceError::Heads(error)) if self.stands_at(thread, step) => {
                // The new list is in its place; only that it survives a power cut is not certain.
                observer.warning(&in_full(&error));
                return Ok(());
            }
            Err(AdvanceError::Heads(error)) => Stranded::NotWritten(error),
            Err(AdvanceError::Gone { .. }) => Stranded::Killed,
            Err(AdvanceError::Moved { now, .. }) => Stranded::Moved { now },
        };
        let attempt = Attempt {
            class: stranded.class().to_owned(),
            message: format!("the thread {stranded}"),
            step: Some(step),
            ..self.attempt(plan)
        };
        let attempt = self.record(thread, &attempt, observer);
        Err(StepError::Stranded {
            thread,
            why: Box::new(stranded),
            step,
            attempt,
        })
    }

    /// Whether a thread's head is this one, as far as can be read.
    fn stands_at(&self, thread: ThreadId, head: Hash) -> bool {
        Heads::read(self.root).is_ok_and(|heads| heads.get(&thread) == Some(head))
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
