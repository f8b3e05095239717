//! `uwf cas refs`.

use serde_json::json;

use crate::cli::context::Context;
use crate::cli::error::{CommandError, Result};
use crate::cli::parse::hash;

/// Print the nodes that a node refers to
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The node's hash, or its beginning
    hash: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let refs = context
        .store
        .refs(&hash(&arguments.hash, context)?)
        .map_err(CommandError::of_stored_node)?;
    context.print(&json!({"refs": refs}))
}
