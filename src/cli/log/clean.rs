//! `uwf log clean`.

use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::log::{self, Day};
use crate::model::Date;

/// Delete the files of the log of the days before a date
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The first day that is kept, YYYY-MM-DD
    #[arg(long, value_name = "DATE")]
    before: Date,
    /// Print what would be deleted, and delete nothing
    #[arg(long)]
    dry_run: bool,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let mut days = log::days(&context.root)?;
    days.retain(|day| day.date < arguments.before);
    if arguments.dry_run {
        let names: Value = days.iter().map(Day::name).collect();
        return context.print(&json!({"deleted": 0, "wouldDelete": names}));
    }
    let mut deleted = 0;
    // The oldest first: a failure leaves no gap.
    for day in days.iter().rev() {
        deleted += u32::from(day.remove()?);
    }
    context.print(&json!({"deleted": deleted}))
}
