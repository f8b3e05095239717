//! `uwf log`: the process log of all commands that changed something.

mod clean;
mod list;
mod show;

use clap::Subcommand;

use super::context::Context;
use super::error::Result;

#[derive(Debug, Subcommand)]
pub enum Command {
    List(list::Arguments),
    Show(show::Arguments),
    Clean(clean::Arguments),
}

impl Command {
    pub fn run(&self, context: &Context) -> Result {
        match self {
            Self::List(arguments) => list::run(arguments, context),
            Self::Show(arguments) => show::run(arguments, context),
            Self::Clean(arguments) => clean::run(arguments, context),
        }
    }
}
