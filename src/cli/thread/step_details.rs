//! `uwf thread step-details`.

use super::lookup::{chain_at, not_a_step};
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Result};
use crate::cli::output::Format;
use crate::cli::parse::hash;

/// Print how a step's answer came about: its detail, turn by turn
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: the detail node as YAML, what it refers to in its place")]
pub struct Arguments {
    /// The step's hash
    step: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let step = hash(&arguments.step)?;
    let chain = chain_at(step, context)?;
    let Some(step) = chain.last_step() else {
        return Err(not_a_step(step));
    };
    let detail = context.store.expand(&step.node.detail).map_err(|error| {
        CommandError::damaged(&error).cause(format!("it is the detail of the step {}", step.hash))
    })?;
    context.print_as(context.chosen_format().unwrap_or(Format::Yaml), &detail)
}
