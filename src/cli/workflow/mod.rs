//! `uwf workflow`: registering workflows and looking at them.

mod file;
mod form;
mod list;
mod put;
pub mod resolve;
mod show;

use clap::Subcommand;

use super::context::Context;
use super::error::Result;

#[derive(Debug, Subcommand)]
pub enum Command {
    Put(put::Arguments),
    Show(show::Arguments),
    List(list::Arguments),
}

impl Command {
    pub fn run(&self, context: &Context) -> Result {
        match self {
            Self::Put(arguments) => put::run(arguments, context),
            Self::Show(arguments) => show::run(arguments, context),
            Self::List(arguments) => list::run(arguments, context),
        }
    }
}
