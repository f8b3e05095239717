//! A role's turn: its agent works, and the head moves to the step it made.
//!
//! What fails is put on record before it is told.

use super::error::{StepError, Stranded};
use super::history::background;
use super::observer::{Event, Observer};
use super::plan::Plan;
use super::step::Workshop;
use crate::agent::{
    self, AnswerFormat, Assignment, Failure, Guard, LastResort, Request, Workbench,
};
use crate::config::Protocol;
use crate::model::{Hash, ThreadId, in_full};
use crate::thread::{AdvanceError, Attempt, Chain, Heads, RecordedAttempt};

impl Workshop<'_> {
    /// Lets the agent work and moves the head to the step it made. A failure is put on record.
    pub(super) fn take_turn(
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
                    ..self.attempt(plan, chain.head())
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
            own_program: plan.own_program.as_deref(),
            request,
        };
        let now_ms = || self.host.now_ms();
        let mut extractor = plan.extractor.clone();
        let mut bench = Workbench {
            store: self.store,
            now_ms: &now_ms,
            signals,
            observer,
            last_resort: extractor
                .as_mut()
                .map(|extractor| extractor as &mut dyn LastResort),
        };
        Ok(agent::perform(&assignment, &mut bench))
    }

    /// An attempt at a turn of which nothing is known yet but whose it was.
    fn attempt(&self, plan: &Plan, head: Hash) -> Attempt {
        Attempt {
            time: self.host.now_ms(),
            head: Some(head),
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
            ..self.attempt(plan, head)
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
}
