//! `uwf cas get`.

use serde_json::json;

use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::parse::hash;

/// Print a node
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The node's hash
    hash: String,
    /// Also print when the node was first written, in milliseconds since 1970
    #[arg(long)]
    timestamp: bool,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let node = context.store.get(&hash(&arguments.hash, context)?)?;
    let mut result = json!({"type": node.type_hash, "payload": node.payload});
    if arguments.timestamp {
        result["timestamp"] = node.timestamp.into();
    }
    context.print(&result)
}
