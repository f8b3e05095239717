//! `uwf agent hermes`, also called `uwf-hermes`.

use std::ffi::OsString;

use super::{Turn, acp};
use crate::agent::Shipped;
use crate::cli::context::Context;
use crate::cli::error::Result;

/// Let Hermes do a role's turn, over the Agent Client Protocol
#[derive(Debug, clap::Args)]
#[command(after_help = "\
It runs `hermes acp`, logged in and set up as it is, in the thread's folder.

Example, in config.yaml:
  agents:
    hermes: {command: uwf-hermes}")]
pub struct Arguments {
    /// The program
    #[arg(long, value_name = "PATH", default_value = "hermes")]
    pub program: OsString,
    #[command(flatten)]
    permissions: acp::Permission,
    #[command(flatten)]
    turn: Turn,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    acp::make_step(
        Shipped::Hermes,
        arguments.program.clone(),
        vec!["acp".into()],
        &arguments.permissions,
        &arguments.turn,
        context,
    )
}
