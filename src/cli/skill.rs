//! `uwf skill`: what an agent has to know, in markdown.

use clap::Subcommand;

use super::error::Result;
use super::{context, reference};

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print the reference of every command as markdown
    Cli,
}

impl Command {
    pub fn run(&self) -> Result {
        match self {
            Self::Cli => context::print_document(&reference::markdown(&super::definition())),
        }
    }
}
