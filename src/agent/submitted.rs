//! Protocol `cas`: the agent reads the chain itself, writes the step and says its hash.
//!
//! The hash is only a claim. The step it names must be the one that was asked for, follow the
//! step that was the head, and carry an output that fits the role.

use std::cell::RefCell;

use super::assignment::{Assignment, Failure, LastRun, Reason, Workbench};
use super::error::{AgentError, Ending, ProtocolError};
use super::failure_report::FailureReport;
use super::invocation::{Capture, Finished, Invocation, Stdin};
use super::last_hash::last_hash;
use super::process;
use super::question::{QUESTIONS_ON_STDIN, QUESTIONS_VARIABLE, Question, Questions};
use super::signals::Guard;
use super::text::decode_text;
use crate::cas::{CasError, Node, known};
use crate::model::{Hash, StepNode};

/// Runs the agent; the hash of the step it made.
pub fn perform(
    assignment: &Assignment<'_>,
    bench: &mut Workbench<'_>,
) -> Result<Hash, Box<Failure>> {
    let mut invocation = assignment.invocation(Stdin::Empty, Capture::LAST_LINES);
    invocation.arguments.push(assignment.thread.as_str().into());
    invocation
        .arguments
        .push(assignment.role_name.as_str().into());
    let finished = match run(&mut invocation, assignment, bench) {
        Ok(finished) => finished,
        Err(error) => return Err(explained(error, assignment, bench)),
    };
    let step = match last_hash(&finished) {
        Ok(step) => step,
        Err(cause) => {
            let reason = AgentError::Protocol {
                agent: invocation.agent,
                cause: ProtocolError::Hash(cause),
                finished: Box::new(finished.clone()),
            };
            return Err(failure(reason.into(), None, Some(&finished), bench));
        }
    };
    match accept(assignment, step, bench) {
        Ok(()) => Ok(step),
        Err(reason) => Err(failure(reason, Some(step), Some(&finished), bench)),
    }
}

/// Runs the program, which may have questions when it is this one and somebody is there to answer.
fn run(
    invocation: &mut Invocation,
    assignment: &Assignment<'_>,
    bench: &mut Workbench<'_>,
) -> Result<Finished, AgentError> {
    let is_this_program = assignment
        .own_program
        .is_some_and(|own| invocation.program == own);
    let observer = RefCell::new(&mut *bench.observer);
    let stderr = &mut |lines: &[u8]| observer.borrow_mut().agent_stderr(lines);
    if !is_this_program || !observer.borrow().can_answer() {
        return process::run(invocation, bench.signals, stderr);
    }
    let mut unheard = |_: &[u8]| {};
    let mut answerer = |question: &Question, signals: &mut Guard, until| {
        observer.borrow_mut().answer(question, signals, until)
    };
    let (questions, stdin) = Questions::new(&mut answerer).map_err(|cause| AgentError::Lost {
        agent: invocation.agent.clone(),
        cause,
    })?;
    invocation.stdin = stdin;
    let environment = &mut invocation.environment;
    environment.insert(QUESTIONS_VARIABLE.into(), QUESTIONS_ON_STDIN.into());
    process::run_answered(invocation, bench.signals, questions, &mut unheard, stderr)
}

/// A failure of the program, in the agent's own words where it has any.
fn explained(
    error: AgentError,
    assignment: &Assignment<'_>,
    bench: &mut Workbench<'_>,
) -> Box<Failure> {
    let finished = error.finished().cloned();
    let report = finished
        .as_ref()
        .and_then(|finished| FailureReport::among_last_lines(&finished.stdout));
    let Some(report) = report else {
        return failure(error.into(), None, finished.as_ref(), bench);
    };
    let ended_by_itself = matches!(
        error,
        AgentError::Ended {
            ending: Ending::Exit(_),
            ..
        }
    );
    let reason = if ended_by_itself {
        Reason::Reported {
            agent: assignment.agent.name.clone(),
            class: report.class,
            message: report.message,
        }
    } else {
        // It was ended, whatever it says of that; what it kept by then is of use all the same.
        error.into()
    };
    Box::new(Failure {
        reason,
        output: report.output,
        step: None,
        run: finished.as_ref().map(LastRun::from),
    })
}

/// A failure, with what the agent had said kept so that it can be looked at.
fn failure(
    reason: Reason,
    step: Option<Hash>,
    finished: Option<&Finished>,
    bench: &mut Workbench<'_>,
) -> Box<Failure> {
    let said = finished.map(|finished| decode_text(&finished.stdout).0);
    let output = said
        .filter(|text| !text.is_empty())
        .map(|text| bench.store.put_text(&text, (bench.now_ms)()))
        .and_then(|stored| bench.kept(stored));
    Box::new(Failure {
        reason,
        output,
        step,
        run: finished.map(LastRun::from),
    })
}

/// Takes the step, or says why it is not taken.
fn accept(
    assignment: &Assignment<'_>,
    hash: Hash,
    bench: &mut Workbench<'_>,
) -> Result<(), Reason> {
    let wrong = |why: String| Reason::WrongStep {
        agent: assignment.agent.name.clone(),
        step: hash,
        why,
    };
    let step = read_step(hash, bench)?.map_err(wrong)?;
    follows(assignment, &step).map_err(wrong)?;
    let output = match named(step.output, bench)? {
        Ok(output) => output.payload,
        Err(why) => {
            return Err(wrong(format!(
                "has the output {}, which {why}",
                step.output
            )));
        }
    };
    if !bench.store.contains(&step.detail)? {
        bench.observer.warning(&format!(
            "the step {hash} has the detail {}, which is not in the store: its answer cannot be shown",
            step.detail
        ));
    }
    assignment
        .form
        .check(&output)
        .map_err(|faults| Reason::DoesNotFit {
            agent: assignment.agent.name.clone(),
            corrections: 0,
            faults,
        })
}

/// A node that the agent named; inside, why it is of no use. What else fails is not the agent's.
fn named(hash: Hash, bench: &Workbench<'_>) -> Result<Result<Node, String>, Reason> {
    match bench.store.find(&hash) {
        Ok(Some(node)) => Ok(Ok(node)),
        Ok(None) => Ok(Err("is not in the store".to_owned())),
        Err(CasError::Damaged { why, .. }) => Ok(Err(format!("is damaged: {why}"))),
        Err(other) => Err(other.into()),
    }
}

fn read_step(hash: Hash, bench: &Workbench<'_>) -> Result<Result<StepNode, String>, Reason> {
    let node = match named(hash, bench)? {
        Ok(node) => node,
        Err(why) => return Ok(Err(why)),
    };
    if !known::is_step_node(&node.type_hash) {
        let found = node.type_hash;
        return Ok(Err(format!("is not a StepNode but a node of type {found}")));
    }
    Ok(serde_json::from_value(node.payload)
        .map_err(|error| format!("does not hold what a StepNode holds: {error}")))
}

/// Whether it is the step that was asked for.
fn follows(assignment: &Assignment<'_>, step: &StepNode) -> Result<(), String> {
    if step.start != assignment.start {
        let start = step.start;
        return Err(format!(
            "belongs to another thread, the one that starts at {start}"
        ));
    }
    if step.prev != assignment.prev {
        return Err(format!(
            "follows {}, while the head of the thread is {}",
            step_or_start(step.prev),
            step_or_start(assignment.prev)
        ));
    }
    if step.role != *assignment.role_name {
        return Err(format!(
            "is of role `{}`, while it is the turn of `{}`",
            step.role, assignment.role_name
        ));
    }
    Ok(())
}

fn step_or_start(step: Option<Hash>) -> String {
    step.map_or_else(|| "the start".to_owned(), |hash| hash.to_string())
}
