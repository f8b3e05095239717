//! `uwf thread steps`.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::follow::follow;
use super::form;
use super::lookup::find;
use super::usage;
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::output::{Format, json as json_output};
use crate::model::{RoleName, ThreadId};
use crate::thread::{Chain, Step};

/// Print all steps of a thread, oldest first
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Result: {thread, workflow, steps: [{hash, workflow, prompt, timestamp}, \
{hash, role, output, detail, agent, timestamp}, ...]}; with --long each step also has {edgePrompt, \
durationMs, visit, model, turns, usage: {inputTokens, outputTokens, cacheReadInputTokens, \
cacheCreationInputTokens, costUsd}}, null where the agent does not tell; with --follow each of the list alone")]
pub struct Arguments {
    /// The thread: its id, the beginning of its id, or @ for the last one
    thread: String,
    /// Print each step's instruction, time, turns and cost as well
    #[arg(long)]
    long: bool,
    /// Print start and steps as they come, one a line, until the thread ends
    #[arg(long)]
    follow: bool,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let found = find(&arguments.thread, context)?;
    let mut items = Items::new(arguments.long, context);
    if arguments.follow {
        return follow_steps(found.thread, items, context);
    }
    let chain = found.chain(context)?;
    let mut steps = vec![start(&chain)];
    for step in chain.steps_oldest_first()? {
        steps.push(items.step(&chain, &step)?);
    }
    let workflow = chain.start().node.workflow;
    let result = json!({"thread": found.thread, "workflow": workflow, "steps": steps});
    context.print_with_form(&result, || form::steps(&result))
}

fn follow_steps(thread: ThreadId, mut items: Items, context: &Context) -> Result {
    let mut is_first = true;
    let mut number = 0;
    follow(thread, context, |news| {
        if is_first {
            print_item(0, start(&news.chain), context)?;
            is_first = false;
        }
        for step in &news.steps {
            number += 1;
            print_item(number, items.step(&news.chain, step)?, context)?;
        }
        Ok(())
    })
}

fn print_item(number: usize, item: Value, context: &Context) -> Result {
    match context.format() {
        Format::Json => context.print_text(&(json_output::to_string(&item) + "\n")),
        // What is printed one after the other is one list in the end.
        Format::Yaml => context.print(&Value::Array(vec![item])),
        Format::Text => context.print_line(&form::item(number, &item)),
    }
}

fn start(chain: &Chain<'_>) -> Value {
    let start = chain.start();
    json!({
        "hash": start.hash,
        "workflow": start.node.workflow,
        "prompt": start.node.prompt,
        "timestamp": start.timestamp,
    })
}

/// The steps as they are printed, oldest first.
struct Items<'c> {
    context: &'c Context,
    long: bool,
    /// How many turns each role has had.
    visits: BTreeMap<RoleName, usize>,
}

impl<'c> Items<'c> {
    fn new(long: bool, context: &'c Context) -> Self {
        Self {
            context,
            long,
            visits: BTreeMap::new(),
        }
    }

    fn step(&mut self, chain: &Chain<'_>, step: &Step) -> Result<Value> {
        let node = &step.node;
        let mut item = json!({
            "hash": step.hash,
            "role": node.role,
            "output": chain.output(step)?,
            "detail": node.detail,
            "agent": node.agent,
            "timestamp": step.timestamp,
        });
        if self.long {
            item["edgePrompt"] = json!(node.edge_prompt);
            let usage = usage::of_step(&node.detail, self.context)?;
            item["durationMs"] = json!(usage.duration_ms);
            let visits = self.visits.entry(node.role.clone()).or_default();
            *visits += 1;
            item["visit"] = json!(visits);
            item["model"] = json!(usage.model);
            item["turns"] = json!(usage.turns);
            item["usage"] = usage::to_value(&usage);
        }
        Ok(item)
    }
}
