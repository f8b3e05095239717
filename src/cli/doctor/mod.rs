//! `uwf doctor`: whether everything is there that a step needs. It writes nothing.

mod agents;
mod files;
mod models;
mod report;

use std::time::Duration;

use serde_json::Value;

use self::agents::Ward;
use self::report::Report;
use super::context::Context;
use super::error::{CommandError, Kind, Result};
use super::limits::Limits;
use crate::agent::Guard;

/// Check that everything is there that a step needs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The storage root, config.yaml, .env, providers and their keys, models, agents with the versions of \
their programs, agents that are here and not set up, and what agentOverrides names. Nothing is \
written, and no key is shown.

Result: {root, ok, checks: [{check, ok, message, hint}]}; ok is null where there is nothing to \
judge. The exit code is 1 when something is wrong.

Examples:
  uwf doctor --format text
  uwf doctor --probe")]
pub struct Arguments {
    /// Ask each model for one word as well
    #[arg(long)]
    probe: bool,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let limits = Limits::of(context)?;
    let root = &context.root;
    let mut report = Report::default();
    report.add(files::root(root));
    // In what is no folder there is nothing else to look at.
    if root.is_dir() || !root.exists() {
        look_inside(
            &mut report,
            arguments.probe.then_some(limits.probe),
            context,
        )?;
    }
    context.print_with_form(&report.to_value(root), || Value::String(report.to_text()))?;
    if report.is_well() {
        Ok(())
    } else {
        Err(CommandError::silent(Kind::Request))
    }
}

/// The files, and what they name. With a limit, each model is asked and may take so long.
fn look_inside(report: &mut Report, probe: Option<Duration>, context: &Context) -> Result {
    let (checks, config) = files::config(&context.root);
    report.add(checks);
    let (checks, env) = files::env(&context.root);
    report.add(checks);
    let Some(config) = &config else {
        return Ok(());
    };
    let env = env.as_ref();
    report.add(models::checks(config, env, context));
    let ward = Ward {
        config,
        env,
        context,
    };
    report.add(agents_of(&ward)?);
    if let Some(limit) = probe {
        report.add(models::probes(config, limit, context));
    }
    Ok(())
}

/// Programs are run for it, so a signal is waited for.
fn agents_of(ward: &Ward<'_>) -> Result<Vec<report::Check>> {
    let mut signals = Guard::install().map_err(|error| {
        CommandError::new(Kind::Request, "cannot watch for signals").cause(error.to_string())
    })?;
    let checks = ward.checks(&mut signals);
    match signals.interruption() {
        Some(signal) => Err(CommandError::new(Kind::Interrupted(signal), "interrupted")),
        None => Ok(checks),
    }
}
