//! `uwf agent`: the agents that ship in the binary, each called as the engine calls any agent on
//! protocol `cas`, with the thread and the role last.
//!
//! A program that is called by an agent's name, such as `uwf-builtin` (a link to this one), is
//! that agent.

mod acp;
mod builtin;
mod claude_code;
mod codex;
pub mod confined;
mod gemini;
mod hermes;
mod mock;
mod perform;

use std::ffi::OsString;
use std::path::Path;

use clap::Subcommand;

use super::context::Context;
use super::error::Result;
use crate::agent::Shipped;

#[derive(Debug, Subcommand)]
pub enum Command {
    Builtin(builtin::Arguments),
    ClaudeCode(claude_code::Arguments),
    Hermes(hermes::Arguments),
    Codex(codex::Arguments),
    Gemini(gemini::Arguments),
    Acp(acp::Arguments),
    Mock(mock::Arguments),
}

impl Command {
    pub fn run(&self, context: &Context) -> Result {
        match self {
            Self::Builtin(arguments) => builtin::run(arguments, context),
            Self::ClaudeCode(arguments) => claude_code::run(arguments, context),
            Self::Hermes(arguments) => hermes::run(arguments, context),
            Self::Codex(arguments) => codex::run(arguments, context),
            Self::Gemini(arguments) => gemini::run(arguments, context),
            Self::Acp(arguments) => acp::run(arguments, context),
            Self::Mock(arguments) => mock::run(arguments, context),
        }
    }
}

/// What every agent is called with, behind its own options.
#[derive(Debug, clap::Args)]
pub struct Turn {
    /// The thread
    thread: String,
    /// The role whose turn it is
    role: String,
}

/// The arguments as they stand for a program that was called by an agent's name:
/// `uwf-builtin …` is `uwf agent builtin …`.
pub fn by_program_name(arguments: Vec<OsString>) -> Vec<OsString> {
    let shipped = arguments
        .first()
        .and_then(|program| Shipped::from_program(Path::new(program)));
    let Some(shipped) = shipped else {
        return arguments;
    };
    let itself = ["uwf", "agent", shipped.name()].map(OsString::from);
    itself
        .into_iter()
        .chain(arguments.into_iter().skip(1))
        .collect()
}
