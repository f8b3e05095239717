//! `uwf log show`.

use serde_json::{Value, json};

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
    /// Print only those of this process: its `pid` in the log, or the id the system gave it
    #[arg(long, value_name = "PID")]
    process: Option<String>,
    /// Print only those of this day, YYYY-MM-DD
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
    let entries = Value::Array(found.records);
    context.print_with_form(&entries, || for_people(&entries))
}

/// What happened when to which thread, and room for it on a terminal.
fn for_people(entries: &Value) -> Value {
    let rows = entries.as_array().into_iter().flatten();
    rows.map(|entry| json!({"ts": entry["ts"], "thread": entry["thread"], "msg": entry["msg"]}))
        .collect()
}
