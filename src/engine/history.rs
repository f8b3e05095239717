//! What happened in a thread, as the moderator and the roles are told it.

use serde_json::{Value, json};

use super::error::StepError;
use super::transcript::{Transcript, transcript};
use crate::agent::Background;
use crate::cas::Store;
use crate::model::RoleName;
use crate::moderator::Context;
use crate::prompt::PastStep;
use crate::thread::{Chain, ChainError, Step};

/// The thread as conditions see it: `{start, steps}`, oldest step first, outputs as stored.
pub fn routing_context(chain: &Chain<'_>) -> Result<Context, ChainError> {
    let start = &chain.start().node;
    let steps = chain
        .steps_oldest_first()?
        .into_iter()
        .map(|step| {
            Ok(json!({
                "role": step.node.role,
                "output": chain.output(&step)?,
                "detail": step.node.detail,
                "agent": step.node.agent,
                "edgePrompt": step.node.edge_prompt.unwrap_or_default(),
            }))
        })
        .collect::<Result<Vec<Value>, ChainError>>()?;
    Ok(Context {
        start: json!({"workflow": start.workflow, "prompt": start.prompt}),
        steps,
    })
}

/// What a role is told besides its own part: the task and the steps since its last turn.
pub fn background(
    chain: &Chain<'_>,
    store: &Store,
    role: &RoleName,
) -> Result<Background, StepError> {
    let steps = chain.steps_oldest_first()?;
    let turns = steps.iter().filter(|step| step.node.role == *role).count();
    let since = steps
        .iter()
        .rposition(|step| step.node.role == *role)
        .map_or(0, |last| last + 1);
    let history = steps
        .iter()
        .enumerate()
        .skip(since)
        .map(|(position, step)| past_step(position + 1, step, chain, store))
        .collect::<Result<_, StepError>>()?;
    Ok(Background {
        task: chain.start().node.prompt.clone(),
        history,
        visit: turns + 1,
        step: steps.len() + 1,
    })
}

/// A turn that the role had before.
#[derive(Debug)]
pub struct PastTurn {
    /// The steps it was told, oldest first.
    pub history: Vec<PastStep>,
    /// The instruction it was given.
    pub instruction: String,
    /// Which turn of the role it was, from 1.
    pub visit: usize,
    /// Which step of the thread it is, from 1.
    pub step: usize,
    /// What it answered, as far as that was kept: else its output as a block of fields.
    pub answer: String,
}

/// All turns that a role had, oldest first.
pub fn past_turns(
    chain: &Chain<'_>,
    store: &Store,
    role: &RoleName,
) -> Result<Vec<PastTurn>, StepError> {
    let steps = chain.steps_oldest_first()?;
    let mut turns = Vec::new();
    let mut since = 0;
    for (position, step) in steps.iter().enumerate() {
        if step.node.role != *role {
            continue;
        }
        let history = steps[since..position]
            .iter()
            .enumerate()
            .map(|(index, told)| past_step(since + index + 1, told, chain, store))
            .collect::<Result<_, StepError>>()?;
        since = position + 1;
        turns.push(PastTurn {
            history,
            instruction: step.node.edge_prompt.clone().unwrap_or_default(),
            visit: turns.len() + 1,
            step: position + 1,
            answer: answer_of(step, chain, store)?,
        });
    }
    Ok(turns)
}

fn answer_of(step: &Step, chain: &Chain<'_>, store: &Store) -> Result<String, StepError> {
    let block = |body: &str| -> Result<String, StepError> {
        // JSON is YAML.
        let output = chain.output(step)?;
        Ok(format!("---\n{output}\n---\n{body}"))
    };
    match transcript(store, &step.node.detail)? {
        Transcript::Answer {
            text,
            is_body: false,
        } => Ok(text),
        Transcript::Answer {
            text,
            is_body: true,
        } => block(&text),
        Transcript::Silent | Transcript::Missing(_) => block(""),
    }
}

fn past_step(
    number: usize,
    step: &Step,
    chain: &Chain<'_>,
    store: &Store,
) -> Result<PastStep, StepError> {
    Ok(PastStep {
        number,
        role: step.node.role.clone(),
        agent: step.node.agent.clone(),
        output: chain.output(step)?,
        body: transcript(store, &step.node.detail)?.into_body(),
    })
}
