//! `uwf thread step-details`.

use super::lookup::{chain_at, not_a_step};
use crate::cas::known;
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Result};
use crate::cli::output::Format;
use crate::cli::parse::hash;

/// Print how a step's answer came about: its detail, turn by turn
#[derive(Debug, clap::Args)]
#[command(after_help = "Result: the detail node, what it refers to in its place; YAML by default")]
pub struct Arguments {
    /// The hash of a step, or of what a step that failed had answered; its beginning is enough
    step: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let hash = hash(&arguments.step, context)?;
    let type_hash = context.store.get(&hash)?.type_hash;
    let detail = if known::is_answer_kept(&type_hash) {
        context.store.expand(&hash)?
    } else {
        let chain = chain_at(hash, context)?;
        let Some(step) = chain.last_step() else {
            return Err(not_a_step(hash));
        };
        context.store.expand(&step.node.detail).map_err(|error| {
            CommandError::damaged(&error)
                .cause(format!("it is the detail of the step {}", step.hash))
        })?
    };
    context.print_as(context.chosen_format().unwrap_or(Format::Yaml), &detail)
}
