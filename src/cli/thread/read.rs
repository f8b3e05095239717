//! `uwf thread read`.

use super::follow::follow;
use super::lookup::find;
use super::markdown::{Heading, Page, Quota, ReadStep};
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::parse;
use crate::engine::{Transcript, transcript};
use crate::model::{ThreadId, Workflow, utc_text};
use crate::thread::{Chain, Step};
use crate::workflow;

/// Print a thread as a page of markdown
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: a page of markdown")]
pub struct Arguments {
    /// The thread: its id, the beginning of its id, or @ for the last one
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
    let shown = read_within(arguments.quota, &steps, &workflow, context)?;
    let left_out = steps.len() - shown.len();
    let heading = heading(found.thread, &workflow, &chain);
    let shown_heading = (arguments.before.is_none() || arguments.start).then_some(&heading);
    let mut page = Page::default();
    context.print_text(&page.begin(shown_heading, found.thread, &shown, left_out))
}

fn follow_page(thread: ThreadId, quota: usize, context: &Context) -> Result {
    let mut growing: Option<(Page, Workflow, usize)> = None;
    follow(thread, context, |news| {
        let Some((page, workflow, read)) = &mut growing else {
            let workflow = workflow_of(&news.chain, context)?;
            let shown = read_within(quota, &news.steps, &workflow, context)?;
            let left_out = news.steps.len() - shown.len();
            let heading = heading(thread, &workflow, &news.chain);
            let mut page = Page::default();
            context.print_text(&page.begin(Some(&heading), thread, &shown, left_out))?;
            growing = Some((page, workflow, news.steps.len()));
            return Ok(());
        };
        for step in &news.steps {
            *read += 1;
            let step = read_step(*read, step, workflow, context)?;
            context.print_text(&page.add(&step))?;
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

/// The newest of the steps, as many as so many characters hold, oldest first. They are read from
/// the newest, so that no answer is read that is not shown.
fn read_within(
    quota: usize,
    steps: &[Step],
    workflow: &Workflow,
    context: &Context,
) -> Result<Vec<ReadStep>> {
    let mut quota = Quota::new(quota);
    let mut shown = Vec::new();
    for (position, step) in steps.iter().enumerate().rev() {
        let step = read_step(position + 1, step, workflow, context)?;
        if !quota.takes(&step) {
            break;
        }
        shown.push(step);
    }
    shown.reverse();
    Ok(shown)
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
