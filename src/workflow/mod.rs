//! Workflows: finding the one that was asked for, and telling what is wrong with a file.

mod diagnostic;
mod discover;
mod registry;
mod render;
mod resolve;
mod words;

#[cfg(test)]
mod tests;

pub use diagnostic::{Code, Diagnostic, Report, Severity};
pub use discover::{LocalWorkflow, SearchError, local_workflows};
pub use registry::{Registered, Registry, RegistryError};
pub use resolve::{Found, NotFound, Request, ResolveError, resolve};
