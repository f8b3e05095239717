//! `uwf cas has`.

use serde_json::json;

use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::parse::hash;

/// Tell whether a node exists; exit code 1 when it does not
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: {exists}")]
pub struct Arguments {
    /// The node's hash
    hash: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let exists = context.store.contains(&hash(&arguments.hash)?)?;
    context.print(&json!({"exists": exists}))?;
    if exists {
        Ok(())
    } else {
        Err(CommandError::silent(Kind::Request))
    }
}
