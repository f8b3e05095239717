//! `uwf cas put`.

use serde_json::json;

use super::payload::payload;
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::parse::hash;

/// Store a node and print its hash; its payload must fit the type
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The hash of the node's type, a schema node, or its beginning
    #[arg(value_name = "TYPE")]
    type_hash: String,
    /// The payload: a JSON file, or JSON itself
    #[arg(value_name = "FILE_OR_JSON", allow_hyphen_values = true)]
    payload: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let type_hash = hash(&arguments.type_hash, context)?;
    let payload = payload(&arguments.payload, context)?;
    let hash = context
        .store
        .put(&type_hash, &payload, context.host.now_ms())?;
    context.print(&json!({"hash": hash}))
}
