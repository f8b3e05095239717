//! `uwf cas get`.

use serde_json::json;

use crate::cas::{Node, known};
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::parse;
use crate::model::Hash;

/// Print a node
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: {type, payload}, with --timestamp {type, payload, timestamp}")]
pub struct Arguments {
    /// The node's hash, or its beginning
    hash: String,
    /// Print when it was first written as well, in ms since 1970
    #[arg(long)]
    timestamp: bool,
    /// Of a text, print the text itself and nothing else
    #[arg(long, conflicts_with = "timestamp")]
    raw: bool,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let hash = parse::hash(&arguments.hash, context)?;
    let node = context.store.get(&hash)?;
    if arguments.raw {
        return context.print_text(text(hash, &node)?);
    }
    let mut result = json!({"type": node.type_hash, "payload": node.payload});
    if arguments.timestamp {
        result["timestamp"] = node.timestamp.into();
    }
    context.print(&result)
}

fn text(hash: Hash, node: &Node) -> Result<&str> {
    let text = node.payload.as_str();
    text.filter(|_| known::is_text(&node.type_hash))
        .ok_or_else(|| {
            CommandError::new(
                Kind::Request,
                format!(
                    "the node {hash} is not a text: its type is {}",
                    node.type_hash
                ),
            )
            .hint(format!("print it as it is: `uwf cas get {hash}`"))
        })
}
