//! `uwf log show`.

use serde_json::Value;

use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::parse;
use crate::log::{self, Filter};
use crate::model::Date;

/// Print the entries of the log in the order of their time
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: [{ts, pid, tag, msg, thread, workflow}]")]
pub struct Arguments {
    /// Print only those about this thread
    #[arg(long, value_name = "THREAD")]
    thread: Option<String>,
    /// Print only those of this process
    #[arg(long, value_name = "PID")]
    process: Option<String>,
    /// Print only those of this day, YYYY-MM-DD
    #[arg(long, value_name = "DATE")]
    date: Option<Date>,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let thread = arguments.thread.as_deref().map(parse::thread).transpose()?;
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
