//! Workflows: finding the one that was asked for.

mod discover;
mod registry;
mod resolve;
mod words;

#[cfg(test)]
mod tests;

pub use discover::{LocalWorkflow, SearchError, local_workflows};
pub use registry::{Registered, Registry, RegistryError};
pub use resolve::{Found, NotFound, Request, ResolveError, resolve};
