//! Workflows: from a YAML file to what is stored, everything that is wrong with it told at once,
//! and finding the workflow that was asked for.
//!
//! A file is read into a draft with places (`read`), its words are checked against each other
//! (`check`, `graph`), and a draft without faults is a [`Definition`] with a hash. Routing by a
//! workflow is not done here, nor are expressions evaluated: the caller brings what knows about them.

mod check;
mod condition;
mod definition;
mod diagnostic;
mod discover;
mod draft;
mod fields;
mod graph;
mod inspect;
mod place;
mod read;
mod registry;
mod render;
mod resolve;
mod stored;

#[cfg(test)]
mod tests;

pub use definition::Definition;
pub use diagnostic::{Diagnostic, Report, Severity};
pub use discover::{SearchError, local_workflows};
pub use inspect::{Expressions, LoadError, load};
pub use registry::{Registry, RegistryError};
pub use resolve::{Found, NotFound, ResolveError, resolve};
pub use stored::{StoredError, stored};

/// Bytes of an edge's prompt that can be handed to an agent: it goes through the environment.
pub const MAX_PROMPT_BYTES: usize = 100_000;

/// Bytes of a workflow file, and of the nodes it becomes.
pub const MAX_BYTES: usize = 4 << 20;
