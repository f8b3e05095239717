//! From what was typed for a workflow to the workflow.

use super::file;
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::parse;
use crate::model::Hash;
use crate::workflow::{self, Found, Registry, ResolveError, resolve};

/// Where the workflow is that was asked for: names come before beginnings of hashes.
pub fn sought(text: &str, context: &Context) -> Result<Found> {
    let registry = Registry::at(&context.root);
    match resolve(text, &context.host.cwd, &registry) {
        Err(ResolveError::NotFound(not_found)) => match parse::find_workflow(text, context)? {
            Some(hash) => Ok(Found::Stored(hash)),
            None => Err(ResolveError::NotFound(not_found).into()),
        },
        other => Ok(other?),
    }
}

/// The node of the workflow that was asked for; a file becomes one.
pub fn stored(text: &str, context: &Context) -> Result<Hash> {
    match sought(text, context)? {
        Found::File(path) => {
            let definition = file::definition(&path, context)?;
            Ok(definition.store(&context.store, context.host.now_ms())?)
        }
        Found::Stored(hash) | Found::Registered { hash, .. } => {
            workflow::stored(&context.store, &hash)?;
            Ok(hash)
        }
    }
}
