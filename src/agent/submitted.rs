//! Protocol `cas`: the agent reads the chain itself, writes the step and says its hash.
//!
//! The hash is only a claim. The step it names must be the one that was asked for, follow the
//! step that was the head, and carry an output that fits the role.

use super::assignment::{Assignment, Failure, Reason, Workbench};
use super::error::{AgentError, ProtocolError};
use super::invocation::{Capture, Stdin};
use super::last_hash::last_hash;
use super::process;
use super::text::decode_text;
use crate::cas::{CasError, known};
use crate::model::{Hash, StepNode};

/// Runs the agent; the hash of the step it made.
pub fn perform(assignment: &Assignment<'_>, bench: &mut Workbench<'_>) -> Result<Hash, Failure> {
    let mut invocation = assignment.invocation(Stdin::Empty, Capture::LAST_LINES);
    invocation.arguments.push(assignment.thread.as_str().into());
    invocation
        .arguments
        .push(assignment.role_name.as_str().into());
    let observer = &mut *bench.observer;
    let result = process::run(&invocation, bench.signals, &mut |lines| {
        observer.agent_stderr(lines);
    });
    let result = result.and_then(|finished| {
        last_hash(&finished).map_err(|cause| AgentError::Protocol {
            agent: invocation.agent.clone(),
            cause: ProtocolError::Hash(cause),
            finished: Box::new(finished),
        })
    });
    let step = match result {
        Ok(step) => step,
        Err(error) => return Err(with_output(error, bench)),
    };
    match accept(assignment, step, bench) {
        Ok(()) => Ok(step),
        Err(reason) => Err(Failure {
            reason,
            output: None,
            step: Some(step),
        }),
    }
}

/// Keeps what the agent had said, so that it can be looked at.
fn with_output(error: AgentError, bench: &Workbench<'_>) -> Failure {
    let said = error
        .finished()
        .map(|finished| decode_text(&finished.stdout).0);
    let output = match said.filter(|text| !text.is_empty()) {
        Some(text) => match bench.store.put_text(&text, (bench.now_ms)()) {
            Ok(hash) => Some(hash),
            Err(lost) => {
                return Failure {
                    reason: lost.into(),
                    output: None,
                    step: None,
                };
            }
        },
        None => None,
    };
    Failure {
        reason: error.into(),
        output,
        step: None,
    }
}

fn accept(
    assignment: &Assignment<'_>,
    hash: Hash,
    bench: &mut Workbench<'_>,
) -> Result<(), Reason> {
    let refuse = |why: String| {
        Err(Reason::WrongStep {
            agent: assignment.agent.name.clone(),
            step: hash,
            why,
        })
    };
    let Some(node) = bench.store.find(&hash)? else {
        return refuse("is not in the store".to_owned());
    };
    if !known::is_step_node(&node.type_hash) {
        return refuse(format!(
            "is not a StepNode but a node of type {}",
            node.type_hash
        ));
    }
    let step: StepNode = match serde_json::from_value(node.payload) {
        Ok(step) => step,
        Err(error) => return refuse(format!("does not hold what a StepNode holds: {error}")),
    };
    if step.start != assignment.start {
        return refuse(format!(
            "belongs to another thread, the one that starts at {}",
            step.start
        ));
    }
    if step.prev != assignment.prev {
        return refuse(format!(
            "follows {}, while the head of the thread is {}",
            step_or_start(step.prev),
            step_or_start(assignment.prev)
        ));
    }
    if step.role != *assignment.role_name {
        return refuse(format!(
            "is of role `{}`, while it is the turn of `{}`",
            step.role, assignment.role_name
        ));
    }
    let Some(output) = bench.store.find(&step.output)? else {
        return refuse(format!(
            "has the output {}, which is not in the store",
            step.output
        ));
    };
    if !bench.store.contains(&step.detail)? {
        bench.observer.warning(&format!(
            "the step {hash} has the detail {}, which is not in the store: its answer cannot be shown",
            step.detail
        ));
    }
    match bench
        .store
        .validate(&assignment.role.frontmatter, &output.payload)
    {
        Err(CasError::Unfit { violations, .. }) => Err(Reason::DoesNotFit {
            agent: assignment.agent.name.clone(),
            corrections: 0,
            faults: violations
                .into_iter()
                .map(|violation| violation.message)
                .collect(),
        }),
        other => Ok(other?),
    }
}

fn step_or_start(step: Option<Hash>) -> String {
    step.map_or_else(|| "the start".to_owned(), |hash| hash.to_string())
}
