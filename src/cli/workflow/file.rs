//! A workflow file, inspected: its findings told, its definition given.

use std::path::Path;

use serde_json::{Value, json};

use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::output::style::Colours;
use crate::moderator;
use crate::workflow::{Definition, Diagnostic, Expressions, Report, Severity, load};

/// The definition in a workflow file. Warnings are said; an error tells everything that is wrong.
pub fn definition(path: &Path, context: &Context) -> Result<Definition> {
    let expressions = Expressions {
        compile: &moderator::compile,
        doubts: &moderator::doubts,
    };
    let inspection = load(path, expressions)?;
    let report = inspection.report;
    match inspection.definition {
        Some(definition) => {
            if !report.diagnostics.is_empty() {
                context.say_drawn(&format!("{}\n", drawn(&report, context)));
            }
            Ok(definition)
        }
        None => Err(refused(&report, context)),
    }
}

fn drawn(report: &Report, context: &Context) -> String {
    match context.error_colours() {
        Colours::On => report.render_in_colour(),
        Colours::Off => report.render(),
    }
}

fn refused(report: &Report, context: &Context) -> CommandError {
    let errors = report.count(Severity::Error);
    let word = if errors == 1 { "error" } else { "errors" };
    let message = format!(
        "the workflow file {} has {errors} {word}",
        report.path.display()
    );
    let details: Vec<Value> = report
        .diagnostics
        .iter()
        .map(|found| details(found, report))
        .collect();
    CommandError::new(Kind::Request, message)
        .drawing(format!("\n{}\n", drawn(report, context)), details.into())
}

fn details(found: &Diagnostic, report: &Report) -> Value {
    json!({
        "severity": match found.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "code": found.code.as_str(),
        "message": found.message,
        "file": report.path.to_string_lossy(),
        "line": found.span.start.line,
        "column": found.span.start.column,
        "help": found.help,
    })
}
