//! `uwf cas refs`.

use serde_json::json;

use crate::cli::context::Context;
use crate::cli::error::{CommandError, Result};
use crate::cli::parse::hash;

/// Print the nodes that a node refers to
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: {refs: [hash, ...]}")]
pub struct Arguments {
    /// The node's hash, or its beginning
    hash: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let refs = context
        .store
        .refs(&hash(&arguments.hash, context)?)
        .map_err(CommandError::of_stored_node)?;
    context.print_with_form(&json!({"refs": refs}), || json!(refs))
}
