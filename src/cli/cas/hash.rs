//! `uwf cas hash`.

use clap::builder::NonEmptyStringValueParser;
use serde_json::json;

use super::payload::payload;
use crate::cas::hash_of;
use crate::cli::context::Context;
use crate::cli::error::Result;

/// Print the hash a node would have; nothing is stored or checked
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: {hash}")]
pub struct Arguments {
    /// The node's type: any text, as it is typed
    #[arg(value_name = "TYPE")]
    type_text: String,
    /// The payload: a JSON file, or JSON itself
    #[arg(
        value_name = "FILE_OR_JSON",
        allow_hyphen_values = true,
        value_parser = NonEmptyStringValueParser::new()
    )]
    payload: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let payload = payload(&arguments.payload, context)?;
    context.print(&json!({"hash": hash_of(&arguments.type_text, &payload)}))
}
