//! Who watches a step: the person at the terminal, the process log, and whoever wants details.

use std::io::{self, Write};
use std::time::Instant;

use crate::agent::{self, Guard, Question};
use crate::cli::context::Context;
use crate::cli::journal::Journal;
use crate::cli::questions;
use crate::engine::{Event, Observer, Plan, StepError};
use crate::log::{About, Entry, program_name};
use crate::model::ThreadId;

/// Tells a person at the terminal what goes on, and keeps the process log.
pub struct Onlooker<'c> {
    context: &'c Context,
    thread: ThreadId,
    journal: Journal<'c>,
    /// The agent's last line on stderr is not ended yet.
    is_within_line: bool,
}

impl<'c> Onlooker<'c> {
    /// Of the steps of a thread.
    pub fn of(thread: ThreadId, context: &'c Context) -> Self {
        let about = About {
            thread: Some(thread),
            workflow: None,
        };
        let journal = Journal::of("thread step", about, context);
        Self {
            context,
            thread,
            journal,
            is_within_line: false,
        }
    }

    /// What is said next begins on a line of its own.
    pub fn end_line(&mut self) {
        if std::mem::take(&mut self.is_within_line) {
            self.context.say("\n");
        }
    }

    fn agent_starts(&self, plan: &Plan) {
        let agent = &plan.agent;
        self.context.debug(|| {
            format!(
                "agent {} runs {} on protocol {} in {}",
                program_name(&agent.name),
                program_name(&agent.command),
                agent.protocol.as_str(),
                plan.cwd.display()
            )
        });
        if self.context.host.stderr_is_terminal {
            self.context.say(&format!(
                "uwf: {} is at work ({})\n",
                plan.role_name, agent.name
            ));
        }
    }

    /// The step failed.
    pub fn failed(&mut self, error: &StepError) {
        // A step that is refused before its thread was read changes nothing, the log neither.
        if self.journal.about.workflow.is_some() {
            let class = error.class();
            self.journal.write(&Entry::StepFailed { class });
        }
    }
}

impl agent::Observer for Onlooker<'_> {
    fn warning(&mut self, message: &str) {
        self.end_line();
        self.context.warn(message);
    }

    fn agent_stderr(&mut self, bytes: &[u8]) {
        if let Some(last) = bytes.last() {
            self.is_within_line = *last != b'\n';
        }
        if self.context.host.stderr_is_terminal {
            self.context.say(&String::from_utf8_lossy(bytes));
        } else {
            // When the error stream is gone there is nobody left to tell.
            let _ = io::stderr().write_all(bytes);
        }
    }

    fn can_answer(&self) -> bool {
        self.context.host.can_ask()
    }

    fn answer(
        &mut self,
        question: &Question,
        signals: &mut Guard,
        until: Option<Instant>,
    ) -> Option<String> {
        self.end_line();
        questions::ask(question, signals, until, self.context)
    }
}

impl Observer for Onlooker<'_> {
    fn happened(&mut self, event: Event<'_>) {
        match event {
            Event::Found { workflow, head } => {
                self.journal.about.workflow = Some(workflow);
                self.context
                    .debug(|| format!("the thread is at {head}, its workflow is {workflow}"));
            }
            Event::RoleChosen { from, role } => {
                self.journal.write(&Entry::RoleChosen { role });
                self.context.debug(|| format!("edge {from} -> {role}"));
            }
            Event::AgentStarts(plan) => {
                let command = &plan.agent.command;
                self.journal.write(&Entry::AgentStarted { command });
                // Not only when it is done: whoever wants to look at it meanwhile says `@`.
                self.context.remember(self.thread);
                self.agent_starts(plan);
            }
            Event::AgentReturned { step, milliseconds } => {
                self.journal
                    .write(&Entry::AgentReturned { step, milliseconds });
                self.context
                    .debug(|| format!("the agent made step {step} in {milliseconds} ms"));
            }
            Event::Archived(entry) => {
                self.journal.about.workflow = entry.workflow;
                self.journal.archived(entry);
                self.context
                    .debug(|| format!("the thread is archived at {}", entry.head));
            }
        }
    }
}
