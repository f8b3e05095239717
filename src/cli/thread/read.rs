//! `uwf thread read`.

use super::lookup::find;
use super::markdown::{self, Heading, ReadStep};
use crate::cas::CasError;
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::parse;
use crate::engine::last_answer;
use crate::model::Workflow;
use crate::thread::{Step, utc_text};
use crate::workflow;

/// Print a thread as a page of markdown
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The thread: its id, the beginning of its id, or @ for the last one
    thread: String,
    /// How many characters of steps to print; the newest step is always printed
    #[arg(long, value_name = "CHARACTERS", default_value_t = 4000)]
    quota: usize,
    /// Print only steps before this one, and no heading
    #[arg(long, value_name = "STEP")]
    before: Option<String>,
    /// Print the heading also with --before
    #[arg(long)]
    start: bool,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let found = find(&arguments.thread, context)?;
    let chain = found.chain(context)?;
    let workflow = workflow::stored(&context.store, &chain.start().node.workflow)
        .map_err(CommandError::damaged_workflow)?;
    let mut steps = chain.steps_oldest_first()?;
    if let Some(before) = &arguments.before {
        let hashes = steps.iter().map(|step| step.hash);
        let meant = parse::hash_among(before, hashes)?;
        let Some(position) = steps.iter().position(|step| Some(step.hash) == meant) else {
            let before = before.trim();
            return Err(CommandError::new(
                Kind::Request,
                format!("thread {} has no step {before}", found.thread),
            )
            .hint(format!(
                "`uwf thread steps {}` lists its steps",
                found.thread
            )));
        };
        steps.truncate(position);
    }
    let read = steps
        .iter()
        .enumerate()
        .map(|(position, step)| read_step(position + 1, step, &workflow, context))
        .collect::<Result<Vec<_>>>()?;
    let heading = Heading {
        thread: found.thread,
        workflow_name: &workflow.name,
        workflow: chain.start().node.workflow,
        prompt: &chain.start().node.prompt,
    };
    let shown_heading = (arguments.before.is_none() || arguments.start).then_some(&heading);
    context.print_text(&markdown::page(
        shown_heading,
        found.thread,
        &read,
        arguments.quota,
    ))
}

fn read_step(
    number: usize,
    step: &Step,
    workflow: &Workflow,
    context: &Context,
) -> Result<ReadStep> {
    let content = match last_answer(&context.store, &step.node.detail) {
        Ok(answer) => answer,
        // As the original does; but it is said.
        Err(CasError::Missing { hash, .. }) => {
            context.warn(&format!(
                "the answer of step {} cannot be shown: there is no node {hash}",
                step.hash
            ));
            None
        }
        Err(error) => return Err(CommandError::damaged(&error)),
    };
    Ok(ReadStep {
        number,
        role: step.node.role.to_string(),
        hash: step.hash,
        agent: step.node.agent.clone(),
        time: utc_text(step.timestamp.as_u64().unwrap_or(0)),
        goal: workflow
            .roles
            .get(&step.node.role)
            .map(|role| role.goal.clone()),
        content,
    })
}
