//! `uwf cas get`.

use serde_json::json;

use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::parse::hash;

/// Print a node
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: {type, payload}, with --timestamp {type, payload, timestamp}")]
pub struct Arguments {
    /// The node's hash
    hash: String,
    /// Print when it was first written as well, in ms since 1970
    #[arg(long)]
    timestamp: bool,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let node = context.store.get(&hash(&arguments.hash)?)?;
    let mut result = json!({"type": node.type_hash, "payload": node.payload});
    if arguments.timestamp {
        result["timestamp"] = node.timestamp.into();
    }
    context.print(&result)
}
