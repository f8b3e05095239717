//! `uwf agent codex`, also called `uwf-codex`.

use std::ffi::OsString;

use super::{Turn, acp};
use crate::agent::Shipped;
use crate::cli::context::Context;
use crate::cli::error::Result;

/// Let Codex do a role's turn, over the Agent Client Protocol
#[derive(Debug, clap::Args)]
#[command(after_help = "\
It runs `codex-acp`, logged in and set up as it is, in the thread's folder.

Example, in config.yaml:
  agents:
    codex: {command: uwf-codex}")]
pub struct Arguments {
    /// The program
    #[arg(long, value_name = "PATH", default_value = "codex-acp")]
    pub program: OsString,
    #[command(flatten)]
    permissions: acp::Permission,
    #[command(flatten)]
    turn: Turn,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    acp::make_step(
        Shipped::Codex,
        arguments.program.clone(),
        Vec::new(),
        &arguments.permissions,
        &arguments.turn,
        context,
    )
}
