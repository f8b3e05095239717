//! `uwf workflow put`.

use std::path::PathBuf;

use serde_json::json;

use super::file;
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::journal::Journal;
use crate::log::{About, Entry};
use crate::workflow::Registry;

/// Check a workflow file, store it, and register it under its name
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The workflow file, `<name>.yaml`
    file: PathBuf,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let path = context.host.absolute(&arguments.file);
    let definition = file::definition(&path, context)?;
    let registry = Registry::at(&context.root);
    // A registry that cannot be read is found out before anything is stored.
    registry.read()?;
    let hash = definition.store(&context.store, context.host.now_ms())?;
    let name = &definition.workflow().name;
    registry.set(name, hash)?;
    let about = About {
        thread: None,
        workflow: Some(hash),
    };
    Journal::of("workflow put", about, context).write(&Entry::WorkflowRegistered { name });
    context.print(&json!({"name": name, "hash": hash}))
}
