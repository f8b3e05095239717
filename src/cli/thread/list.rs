//! `uwf thread list`.

use serde_json::{Value, json};

use super::form;
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::model::in_full;
use crate::thread::{Chain, Listing};

/// List the active threads
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: [{thread, workflow, head}], active ones first")]
pub struct Arguments {
    /// List the threads that ended as well
    #[arg(long)]
    all: bool,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let listing = Listing::read(&context.root, arguments.all)?;
    for line in &listing.skipped {
        context.warn(&line.to_string());
    }
    let active = listing.active.iter().map(|(thread, head)| {
        match Chain::load(&context.store, *head) {
            Ok(chain) => {
                json!({"thread": thread, "workflow": chain.start().node.workflow, "head": head})
            }
            Err(damage) => {
                json!({"thread": thread, "workflow": null, "head": head, "error": in_full(&damage)})
            }
        }
    });
    let archived = listing.archived.iter().map(
        |ended| json!({"thread": ended.thread, "workflow": ended.workflow, "head": ended.head}),
    );
    let mut listed: Vec<Value> = active.chain(archived).collect();
    if context.is_for_people() {
        let ended = listing.archived.iter().map(Some);
        let endings = listing.active.iter().map(|_| None).chain(ended);
        for (thread, ending) in listed.iter_mut().zip(endings) {
            let is_damaged = thread.get("error").is_some();
            let status = if is_damaged {
                "damaged"
            } else {
                form::status(ending)
            };
            thread["status"] = status.into();
        }
    }
    context.print(&listed.into())
}
