//! `uwf thread diff`.

use serde_json::{Value, json};

use super::lookup::{FoundThread, find};
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::model::Hash;
use crate::thread::{Chain, Comparison, Pair, Side, Start, compare};
use crate::workflow;

/// Compare two threads of a workflow: where they part, what differs then
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Result: {workflow, a, b, common, parting: {a, b}, after: [{step, a, b, differs}, ...]}\n\n\
                  The steps that both have are counted (`common`); those after are paired by \
                        their number (`after`). `differs` names what a pair does not share: role, \
                        agent, edgePrompt, and places in the output such as output/score. Threads \
                        with different prompts part at step 0, their start."
)]
pub struct Arguments {
    /// The one thread: its id, the beginning of its id, or @ for the last one
    a: String,
    /// The other thread
    b: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let (a, b) = (find(&arguments.a, context)?, find(&arguments.b, context)?);
    let (a_chain, b_chain) = (a.chain(context)?, b.chain(context)?);
    let (a_start, b_start) = (a_chain.start(), b_chain.start());
    let workflow = a_start.node.workflow;
    if workflow != b_start.node.workflow {
        return Err(different_workflows((&a, &a_chain), (&b, &b_chain), context));
    }
    let compared = compare(&a_chain, &b_chain)?;
    let mut after: Vec<Value> = compared.after.iter().map(pair).collect();
    if !compared.same_start {
        after.insert(0, starts(a_start, b_start));
    }
    context.print(&json!({
        "workflow": workflow,
        "a": a.thread,
        "b": b.thread,
        "common": compared.common,
        "parting": parting(&compared, a_start, b_start),
        "after": after,
    }))
}

/// What each thread has first for itself.
fn parting(compared: &Comparison, a: &Start, b: &Start) -> Value {
    if !compared.same_start {
        return json!({"a": a.hash, "b": b.hash});
    }
    let first = compared.after.first();
    let hash = |side: Option<&Side>| side.map(|side| side.step.hash);
    json!({
        "a": hash(first.and_then(|pair| pair.a.as_ref())),
        "b": hash(first.and_then(|pair| pair.b.as_ref())),
    })
}

fn starts(a: &Start, b: &Start) -> Value {
    let start = |start: &Start| json!({"hash": start.hash, "prompt": start.node.prompt});
    let differs = (a.node.prompt != b.node.prompt).then_some("prompt");
    json!({"step": 0, "a": start(a), "b": start(b), "differs": Vec::from_iter(differs)})
}

fn pair(pair: &Pair) -> Value {
    json!({
        "step": pair.number,
        "a": pair.a.as_ref().map(side),
        "b": pair.b.as_ref().map(side),
        "differs": pair.differs,
    })
}

fn side(side: &Side) -> Value {
    let node = &side.step.node;
    json!({
        "hash": side.step.hash,
        "role": node.role,
        "output": side.output,
        "agent": node.agent,
    })
}

fn different_workflows(
    (a, a_chain): (&FoundThread, &Chain<'_>),
    (b, b_chain): (&FoundThread, &Chain<'_>),
    context: &Context,
) -> CommandError {
    let runs = |found: &FoundThread, chain: &Chain<'_>| {
        let hash = chain.start().node.workflow;
        format!("thread {} runs {}", found.thread, named(hash, context))
    };
    CommandError::new(
        Kind::Request,
        "cannot compare the threads: they do not run the same workflow",
    )
    .cause(runs(a, a_chain))
    .cause(runs(b, b_chain))
}

/// A workflow by its name and its hash; one that cannot be read by its hash alone.
fn named(hash: Hash, context: &Context) -> String {
    match workflow::stored(&context.store, &hash) {
        Ok(workflow) => format!("`{}` ({hash})", workflow.name),
        Err(_) => hash.to_string(),
    }
}
