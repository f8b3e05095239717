//! `uwf thread step-details`.

use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::output::Format;
use crate::cli::parse::hash;
use crate::thread::Chain;

/// Print how the answer of a step came about, as YAML: its detail node with the turns in it
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The step's hash, or its beginning
    step: String,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let step = hash(&arguments.step, context)?;
    context.store.get(&step)?;
    let chain = Chain::load(&context.store, step)?;
    let Some(step) = chain.last_step() else {
        return Err(super::lookup::not_a_step(step));
    };
    let detail = context.store.expand(&step.node.detail)?;
    context.print_text(
        &context
            .chosen_format()
            .unwrap_or(Format::Yaml)
            .render(&detail),
    )
}
