//! `uwf thread read`.

use super::lookup::find;
use super::markdown::{self, Heading, ReadStep};
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::parse;
use crate::engine::{Transcript, transcript};
use crate::model::{Workflow, utc_text};
use crate::thread::Step;
use crate::workflow;

/// Print a thread as a page of markdown
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: a page of markdown")]
pub struct Arguments {
    /// The thread's id
    thread: String,
    /// Print the newest steps within so many characters
    #[arg(
        long,
        value_name = "CHARACTERS",
        default_value_t = 4000,
        allow_negative_numbers = true
    )]
    quota: usize,
    /// Print what comes before this step, without the heading
    #[arg(long, value_name = "STEP")]
    before: Option<String>,
    /// Print the heading with --before as well
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
        let before = parse::hash(before)?;
        let Some(position) = steps.iter().position(|step| step.hash == before) else {
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
    // From the newest, so that no answer is read that is not shown.
    let mut quota = markdown::Quota::new(arguments.quota);
    let mut shown = Vec::new();
    for (position, step) in steps.iter().enumerate().rev() {
        let step = read_step(position + 1, step, &workflow, context)?;
        if !quota.takes(&step) {
            break;
        }
        shown.push(step);
    }
    shown.reverse();
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
        &shown,
        steps.len() - shown.len(),
    ))
}

fn read_step(
    number: usize,
    step: &Step,
    workflow: &Workflow,
    context: &Context,
) -> Result<ReadStep> {
    let content = match transcript(&context.store, &step.node.detail) {
        Ok(Transcript::Answer { text, .. }) => Some(text),
        Ok(Transcript::Silent) => None,
        // As the original does; but it is said.
        Ok(Transcript::Missing(node)) => {
            let step = step.hash;
            context.warn(&format!(
                "the answer of step {step} cannot be shown: there is no node {node}"
            ));
            None
        }
        Err(error) => return Err(CommandError::damaged(&error)),
    };
    let written = step.timestamp.as_u64();
    Ok(ReadStep {
        number,
        role: step.node.role.to_string(),
        hash: step.hash,
        agent: step.node.agent.clone(),
        time: written.map_or_else(|| step.timestamp.to_string(), utc_text),
        goal: workflow
            .roles
            .get(&step.node.role)
            .map(|role| role.goal.clone()),
        content,
    })
}
