//! `uwf cas walk`.

use serde_json::json;

use crate::cli::context::Context;
use crate::cli::error::{CommandError, Result};
use crate::cli::parse::hash;

/// Print all nodes that can be reached from a node, itself first
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: {hashes: [hash, ...]}")]
pub struct Arguments {
    /// The node's hash, or its beginning
    hash: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let hashes = context
        .store
        .walk(&hash(&arguments.hash, context)?)
        .map_err(CommandError::of_stored_node)?;
    context.print_with_form(&json!({"hashes": hashes}), || json!(hashes))
}
