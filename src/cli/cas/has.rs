//! `uwf cas has`.

use serde_json::json;

use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::parse;

/// Tell whether a node exists; exit code 1 when it does not
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: {exists}")]
pub struct Arguments {
    /// The node's hash, or its beginning
    hash: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let exists = match parse::find_hash(&arguments.hash, context)? {
        Some(hash) => context.store.contains(&hash)?,
        None => false,
    };
    context.print(&json!({"exists": exists}))?;
    if exists {
        Ok(())
    } else {
        Err(CommandError::silent(Kind::Request))
    }
}
