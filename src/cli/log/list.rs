//! `uwf log list`.

use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::log;

/// List the days of the log, the newest first
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: [{name, size, date}]")]
pub struct Arguments {}

pub fn run(_arguments: &Arguments, context: &Context) -> Result {
    let days = log::days(&context.root)?;
    let listed = days
        .iter()
        .map(|day| json!({"name": day.name(), "size": day.size, "date": day.date.to_string()}));
    context.print(&listed.collect::<Value>())
}
