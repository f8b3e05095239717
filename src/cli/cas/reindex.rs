//! `uwf cas reindex`.

use serde_json::json;

use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::model::in_full;

/// Rebuild the lists of nodes by type from the nodes
#[derive(Debug, clap::Args)]
pub struct Arguments {}

pub fn run(_arguments: &Arguments, context: &Context) -> Result {
    let done = context.store.reindex()?;
    context.print(&json!({"status": "reindexed"}))?;
    if done.damaged.is_empty() {
        return Ok(());
    }
    let (nodes, they) = match done.damaged.len() {
        1 => ("1 node".to_owned(), "it stays"),
        count => (format!("{count} nodes"), "they stay"),
    };
    let message = format!("{nodes} cannot be read; {they} listed as before");
    let error = CommandError::new(Kind::Damaged, message);
    Err(done
        .damaged
        .iter()
        .fold(error, |error, damage| error.cause(in_full(damage))))
}
