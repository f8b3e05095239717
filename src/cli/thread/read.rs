//! `uwf thread read`.

use super::follow::follow;
use super::lookup::find;
use super::markdown::{Heading, Page, ReadStep};
use crate::cas::CasError;
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::parse;
use crate::engine::last_answer;
use crate::model::{ThreadId, Workflow};
use crate::thread::{Chain, Step, utc_text};
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
    /// Go on printing steps as they come, until the thread ends
    #[arg(long, conflicts_with = "before")]
    follow: bool,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let found = find(&arguments.thread, context)?;
    if arguments.follow {
        return follow_page(found.thread, arguments.quota, context);
    }
    let chain = found.chain(context)?;
    let workflow = workflow_of(&chain, context)?;
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
    let read = read_steps(0, &steps, &workflow, context)?;
    let heading = heading(found.thread, &workflow, &chain);
    let shown_heading = (arguments.before.is_none() || arguments.start).then_some(&heading);
    let mut page = Page::default();
    context.print_text(&page.begin(shown_heading, found.thread, &read, arguments.quota))
}

fn follow_page(thread: ThreadId, quota: usize, context: &Context) -> Result {
    let mut growing: Option<(Page, Workflow, usize)> = None;
    follow(thread, context, |news| {
        let Some((page, workflow, printed)) = &mut growing else {
            let workflow = workflow_of(&news.chain, context)?;
            let read = read_steps(0, &news.steps, &workflow, context)?;
            let mut page = Page::default();
            let heading = heading(thread, &workflow, &news.chain);
            context.print_text(&page.begin(Some(&heading), thread, &read, quota))?;
            growing = Some((page, workflow, read.len()));
            return Ok(());
        };
        for step in read_steps(*printed, &news.steps, workflow, context)? {
            context.print_text(&page.add(&step))?;
            *printed += 1;
        }
        Ok(())
    })
}

fn workflow_of(chain: &Chain<'_>, context: &Context) -> Result<Workflow> {
    workflow::stored(&context.store, &chain.start().node.workflow)
        .map_err(CommandError::damaged_workflow)
}

fn heading<'a>(thread: ThreadId, workflow: &'a Workflow, chain: &'a Chain<'_>) -> Heading<'a> {
    let start = &chain.start().node;
    Heading {
        thread,
        workflow_name: &workflow.name,
        workflow: start.workflow,
        prompt: &start.prompt,
    }
}

/// Steps that come after so many others.
fn read_steps(
    before: usize,
    steps: &[Step],
    workflow: &Workflow,
    context: &Context,
) -> Result<Vec<ReadStep>> {
    let numbered = steps.iter().zip(before + 1..);
    numbered
        .map(|(step, number)| read_step(number, step, workflow, context))
        .collect()
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
