//! From what was typed for a workflow to the workflow.

use super::file;
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Result};
use crate::cli::parse;
use crate::model::Hash;
use crate::workflow::{self, Found, NotFound, Registry, ResolveError, StoredError, resolve};

/// Where the workflow is that was asked for: names come before beginnings of hashes.
pub fn sought(text: &str, context: &Context) -> Result<Found> {
    sought_if_any(text, context)?.map_err(|not_found| ResolveError::NotFound(not_found).into())
}

/// The same, apart from the errors that there is no such workflow.
pub fn sought_if_any(
    text: &str,
    context: &Context,
) -> Result<std::result::Result<Found, Box<NotFound>>> {
    let found = match resolve(text, &context.host.cwd, &Registry::at(&context.root)) {
        Err(ResolveError::NotFound(not_found)) => match parse::find_workflow(text, context)? {
            Some(hash) => Found::Stored(hash),
            None => return Ok(Err(not_found)),
        },
        other => other?,
    };
    context.debug(|| match &found {
        Found::File(path) => format!("the workflow is the file {}", path.display()),
        Found::Stored(hash) => format!("the workflow is the node {hash}"),
        Found::Registered { hash, .. } => {
            format!("the workflow is the node {hash}, registered by that name")
        }
    });
    Ok(Ok(found))
}

/// The node of the workflow that was asked for; a file becomes one.
pub fn stored(text: &str, context: &Context) -> Result<Hash> {
    match sought(text, context)? {
        Found::File(path) => {
            let definition = file::definition(&path, context)?;
            Ok(definition.store(&context.store, context.host.now_ms())?)
        }
        Found::Stored(hash) => {
            workflow::stored(&context.store, &hash)?;
            Ok(hash)
        }
        Found::Registered { name, hash } => {
            workflow::stored(&context.store, &hash).map_err(|error| registered(&name, error))?;
            Ok(hash)
        }
    }
}

/// What is registered must be there: that it is not is damage, not a wrong name.
pub fn registered(name: &str, error: StoredError) -> CommandError {
    let hint = "register it again: `uwf workflow put <file>`";
    CommandError::damaged_workflow(error)
        .cause(format!("the registry names it for `{name}`"))
        .hint(hint)
}
