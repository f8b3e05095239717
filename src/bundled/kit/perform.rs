//! The course of a step that an agent in the binary makes.

use std::collections::BTreeMap;
use std::ffi::OsStr;

use super::case::{Call, Case, CaseError};
use super::respondent::{Closing, Desk, Observer, Refusal, Respondent};
use super::sessions::{LastAgent, Sessions};
use crate::agent::{
    Answer, Correspondent, FailureClass, FailureReport, Fitting, Guard, LastResort, Surroundings,
    Unfitting, answer_that_fits, child_environment,
};
use crate::cas::{self, CasError, known};
use crate::host::{AGENT_VARIABLE, MAX_BUDGET_VARIABLE, STORAGE_ROOT_VARIABLE};
use crate::model::{Hash, StepNode, in_full};

/// Why an agent made no step.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// It cannot tell what it is asked to do.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// It was at work by then.
    #[error("{}", .report.message)]
    AtWork {
        /// What happened, for the engine.
        report: FailureReport,
        /// All that is wrong with the last answer, each with its place.
        faults: Vec<String>,
        /// The signal to this process, when that was the reason.
        signal: Option<i32>,
    },
}

/// Lets the agent do a role's turn; the hash of the step that was made.
pub fn perform(
    call: &Call<'_>,
    respondent: &mut dyn Respondent,
    last_resort: Option<&mut (dyn LastResort + '_)>,
    signals: &mut Guard,
    observer: &mut dyn Observer,
) -> Result<Hash, Failed> {
    let case = Case::read(call)?;
    let last_agent = match case.agent_of_last_turn()? {
        None => LastAgent::Nobody,
        Some(agent) if agent == call.label => LastAgent::This,
        Some(_) => LastAgent::Another,
    };
    let key = format!("{}:{}", call.thread, call.role);
    let alias = call.alias();
    let (sessions, warning) = Sessions::read(call.root, key, alias.clone(), last_agent);
    if let Some(warning) = warning {
        observer.warning(&warning);
    }
    let mut environment = child_environment(&Surroundings {
        caller: &call.host.environment,
        root_variable: STORAGE_ROOT_VARIABLE,
        root: call.root,
        cwd: &call.host.cwd,
        edge_prompt: None,
        granted: &BTreeMap::new(),
    })
    .map_err(crate::engine::StepError::from)
    .map_err(CaseError::from)?;
    // They are this step's, not those of a step that is made within it.
    for name in [AGENT_VARIABLE, MAX_BUDGET_VARIABLE] {
        environment.remove(OsStr::new(name));
    }
    let now_ms = || call.host.now_ms();
    let mut dialogue = Dialogue {
        case: &case,
        respondent,
        desk: Desk {
            root: call.root,
            store: call.store,
            thread: call.thread,
            cwd: &call.host.cwd,
            environment: &environment,
            agent: &alias,
            now_ms: &now_ms,
            signals,
            observer,
            sessions,
        },
        corrections: 0,
    };
    let outcome = match answer_that_fits(&mut dialogue, &case.form, last_resort) {
        Ok(fitting) => dialogue.store(&fitting, call),
        Err(Unfitting::Refused(refusal)) => Err(dialogue.refused(refusal)),
        Err(Unfitting::DoesNotFit {
            corrections,
            faults,
        }) => Err(match dialogue.desk.signals.interruption() {
            // It ended the last resort, too.
            Some(signal) => dialogue.refused(Refusal::interrupted(signal)),
            None => dialogue.does_not_fit(corrections, faults),
        }),
    };
    dialogue.respondent.leave(&mut dialogue.desk);
    outcome
}

struct Dialogue<'a, 'd> {
    case: &'a Case<'a>,
    respondent: &'a mut dyn Respondent,
    desk: Desk<'d>,
    corrections: usize,
}

impl Correspondent for Dialogue<'_, '_> {
    type Error = Refusal;

    fn begin(&mut self) -> Result<Answer, Refusal> {
        let answer = self.respondent.answer(self.case, &mut self.desk)?;
        Ok(Answer::Markdown(answer))
    }

    fn correct(&mut self, correction: &str) -> Result<Answer, Refusal> {
        self.corrections += 1;
        self.desk
            .observer
            .progress("the answer does not fit the role: asking again");
        let answer = self.respondent.correct(correction, &mut self.desk)?;
        Ok(Answer::Markdown(answer))
    }
}

impl Dialogue<'_, '_> {
    fn store(&mut self, fitting: &Fitting, call: &Call<'_>) -> Result<Hash, Failed> {
        let notes = &fitting.extracted.warnings;
        for note in notes {
            self.desk.observer.warning(note);
        }
        match self.put(fitting, call) {
            Ok(step) => {
                if let Some(warning) = self.desk.sessions.forget_others() {
                    self.desk.observer.warning(&warning);
                }
                self.respondent.conclude(&mut self.desk);
                Ok(step)
            }
            Err(error) => Err(self.failed(FailureClass::Store, in_full(&error), Vec::new(), None)),
        }
    }

    fn put(&mut self, fitting: &Fitting, call: &Call<'_>) -> cas::Result<Hash> {
        let (store, now) = (self.desk.store, (self.desk.now_ms)());
        let (schema, start, prev) = self.case.links();
        let closing = Closing {
            corrections: fitting.corrections,
            notes: &fitting.extracted.warnings,
        };
        let detail = match self.respondent.detail(&closing, &self.desk)? {
            Some(detail) => detail,
            None => store.put_text(fitting.answer.text(), now)?,
        };
        let step = StepNode {
            start,
            prev,
            role: self.case.role_name.clone(),
            output: store.put(&schema, &fitting.extracted.value, now)?,
            detail,
            agent: call.label.to_owned(),
            edge_prompt: Some(self.case.instruction.clone()),
        };
        store.put(&known::STEP_NODE, &step.to_payload(), now)
    }

    fn refused(&mut self, refusal: Refusal) -> Failed {
        if !refusal.class.can_be_taken_up()
            && let Some(warning) = self.desk.sessions.forget_new()
        {
            self.desk.observer.warning(&warning);
        }
        self.failed(refusal.class, refusal.message, Vec::new(), refusal.signal)
    }

    fn does_not_fit(&mut self, corrections: usize, faults: Vec<String>) -> Failed {
        let after = crate::wording::counted(corrections, "correction");
        let message = format!(
            "the answer does not fit the role, even after {after}: {}",
            faults.join("; ")
        );
        self.failed(FailureClass::Output, message, faults, None)
    }

    /// A failure with what was said kept, so that the attempt can be looked at.
    fn failed(
        &mut self,
        class: FailureClass,
        message: String,
        faults: Vec<String>,
        signal: Option<i32>,
    ) -> Failed {
        let closing = Closing {
            corrections: self.corrections,
            notes: &[],
        };
        let output = match self.respondent.detail(&closing, &self.desk) {
            Ok(output) => output,
            Err(error) => {
                self.tell_unkept(&error);
                None
            }
        };
        self.respondent
            .give_up(class, output.is_some(), &mut self.desk);
        Failed::AtWork {
            report: FailureReport {
                class,
                message,
                output,
            },
            faults,
            signal,
        }
    }

    fn tell_unkept(&mut self, error: &CasError) {
        let why = in_full(error);
        let warning = format!("what the agent said cannot be kept: {why}");
        self.desk.observer.warning(&warning);
    }
}
