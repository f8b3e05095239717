//! `uwf log list`.

use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::log;

/// List the files of the log, one a day, the newest first
#[derive(Debug, clap::Args)]
pub struct Arguments {}

pub fn run(_arguments: &Arguments, context: &Context) -> Result {
    let days = log::days(&context.root)?;
    let listed = days
        .iter()
        .map(|day| json!({"name": day.name(), "size": day.size, "date": day.date.to_string()}));
    context.print(&listed.collect::<Value>())
}
