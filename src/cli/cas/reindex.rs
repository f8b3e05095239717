//! `uwf cas reindex`.

use serde_json::json;

use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};

/// Rebuild the lists of each type's nodes from the nodes
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: {status}")]
pub struct Arguments {}

pub fn run(_arguments: &Arguments, context: &Context) -> Result {
    let done = context.store.reindex()?;
    context.print(&json!({"status": "reindexed"}))?;
    if done.damaged.is_empty() {
        return Ok(());
    }
    let word = if done.damaged.len() == 1 {
        "node"
    } else {
        "nodes"
    };
    let error = CommandError::new(
        Kind::Damaged,
        format!(
            "{} {word} cannot be read; they stay listed where they were",
            done.damaged.len()
        ),
    );
    Err(done
        .damaged
        .iter()
        .fold(error, |error, damage| error.cause(damage.to_string())))
}
