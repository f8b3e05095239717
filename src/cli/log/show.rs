//! `uwf log show`.

use serde_json::Value;

use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::parse;
use crate::log::{self, Filter};
use crate::model::Date;

/// Print entries of the log in the order of their time
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only those about this thread
    #[arg(long, value_name = "THREAD")]
    thread: Option<String>,
    /// Only those of this process, as `pid` names it
    #[arg(long, value_name = "PID")]
    process: Option<String>,
    /// Only those in the file of this day, YYYY-MM-DD
    #[arg(long, value_name = "DATE")]
    date: Option<Date>,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let thread = arguments
        .thread
        .as_deref()
        .map(|thread| parse::thread(thread, context))
        .transpose()?;
    let filter = Filter {
        date: arguments.date,
        thread,
        process: arguments.process.clone(),
    };
    let found = log::entries(&context.root, &filter)?;
    for line in &found.skipped {
        context.warn(&line.to_string());
    }
    context.print(&Value::Array(found.records))
}
