//! `uwf thread`: starting threads, stepping them, reading them.

mod attempts;
mod diff;
mod follow;
mod fork;
mod form;
mod kill;
mod list;
mod long;
mod lookup;
mod markdown;
mod onlooker;
mod read;
mod show;
mod start;
mod step;
mod step_details;
mod steps;
mod usage;
mod wanted;

use clap::Subcommand;

use super::context::Context;
use super::error::Result;

pub use lookup::{not_found, unknown};

#[derive(Debug, Subcommand)]
pub enum Command {
    Start(start::Arguments),
    Step(step::Arguments),
    Show(show::Arguments),
    List(list::Arguments),
    Kill(kill::Arguments),
    Steps(steps::Arguments),
    Read(read::Arguments),
    Fork(fork::Arguments),
    Diff(diff::Arguments),
    StepDetails(step_details::Arguments),
    Attempts(attempts::Arguments),
}

impl Command {
    pub fn run(&self, context: &Context) -> Result {
        match self {
            Self::Start(arguments) => start::run(arguments, context),
            Self::Step(arguments) => step::run(arguments, context),
            Self::Show(arguments) => show::run(arguments, context),
            Self::List(arguments) => list::run(arguments, context),
            Self::Kill(arguments) => kill::run(arguments, context),
            Self::Steps(arguments) => steps::run(arguments, context),
            Self::Read(arguments) => read::run(arguments, context),
            Self::Fork(arguments) => fork::run(arguments, context),
            Self::Diff(arguments) => diff::run(arguments, context),
            Self::StepDetails(arguments) => step_details::run(arguments, context),
            Self::Attempts(arguments) => attempts::run(arguments, context),
        }
    }
}
