//! `uwf workflow list`.

use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::workflow::{Registry, local_workflows};

/// List the workflows of the project and the registered ones
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: [{name, hash, origin}]")]
pub struct Arguments {}

pub fn run(_arguments: &Arguments, context: &Context) -> Result {
    let local = local_workflows(&context.host.cwd)?;
    let registered = Registry::at(&context.root).read()?;
    let local = local
        .iter()
        .map(|workflow| json!({"name": workflow.name, "hash": "(local)", "origin": "local"}));
    let global = registered
        .entries
        .iter()
        .map(|(name, hash)| json!({"name": name, "hash": hash, "origin": "global"}));
    context.print(&local.chain(global).collect::<Value>())
}
