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
pub mod entry;
mod gemini;
mod hermes;
mod mock;
pub mod perform;

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::Subcommand;

use super::context::Context;
use super::error::{CommandError, Kind, Result};
use crate::agent::Shipped;

#[derive(Debug, Subcommand)]
pub enum Command {
    #[command(alias = "uwf-builtin")]
    Builtin(builtin::Arguments),
    #[command(alias = "uwf-claude-code")]
    ClaudeCode(claude_code::Arguments),
    #[command(alias = "uwf-hermes")]
    Hermes(hermes::Arguments),
    #[command(alias = "uwf-codex")]
    Codex(codex::Arguments),
    #[command(alias = "uwf-gemini")]
    Gemini(gemini::Arguments),
    #[command(alias = "uwf-acp")]
    Acp(acp::Arguments),
    #[command(alias = "uwf-mock")]
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

    /// Whether what its arguments name is there, as far as that can be told without a thread.
    pub fn check(&self, context: &Context) -> Result {
        let named = match self {
            Self::Builtin(arguments) => builtin::check(arguments, context),
            Self::Mock(arguments) => mock::check(arguments),
            Self::Acp(arguments) => return acp::check(arguments),
            Self::ClaudeCode(_) | Self::Hermes(_) | Self::Codex(_) | Self::Gemini(_) => Ok(()),
        };
        named.map_err(|why| {
            CommandError::new(Kind::Request, why).hint("mend its `args`, or what they name")
        })
    }

    /// The program of others that it runs; none when it needs none.
    pub fn program(&self) -> Option<&OsStr> {
        match self {
            Self::Builtin(_) | Self::Mock(_) => None,
            Self::ClaudeCode(arguments) => Some(&arguments.program),
            Self::Hermes(arguments) => Some(&arguments.program),
            Self::Codex(arguments) => Some(&arguments.program),
            Self::Gemini(arguments) => Some(&arguments.program),
            Self::Acp(arguments) => arguments.program(),
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
