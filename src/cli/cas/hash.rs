//! `uwf cas hash`.

use serde_json::json;

use super::payload::payload;
use crate::cas::hash_of;
use crate::cli::context::Context;
use crate::cli::error::Result;

/// Print the hash a node would have; nothing is stored or checked
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The node's type: any text, as it is typed
    #[arg(value_name = "TYPE")]
    type_text: String,
    /// The payload: a JSON file, or JSON itself
    #[arg(value_name = "FILE_OR_JSON", allow_hyphen_values = true)]
    payload: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let payload = payload(&arguments.payload, context)?;
    context.print(&json!({"hash": hash_of(&arguments.type_text, &payload)}))
}
