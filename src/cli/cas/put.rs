//! `uwf cas put`.

use clap::builder::NonEmptyStringValueParser;
use serde_json::json;

use super::payload::payload;
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::parse::hash;

/// Store a node and print its hash; its payload must fit the type
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Result: {hash}

Examples:
  uwf cas put 86N29KJ2R9X6K '\"a text\"'
  uwf cas put BCC0VRPJG3H5P output.json")]
pub struct Arguments {
    /// The hash of its type, a schema node, or its beginning
    #[arg(value_name = "TYPE")]
    type_hash: String,
    /// The payload: a JSON file, or JSON itself
    #[arg(
        value_name = "FILE_OR_JSON",
        allow_hyphen_values = true,
        value_parser = NonEmptyStringValueParser::new()
    )]
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
