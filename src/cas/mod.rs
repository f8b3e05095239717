//! The content-addressed store: nodes named by the hash of what they say.
//!
//! A node is written once and never changed, so nodes need no lock; only the lists of a type's
//! members are kept in step under one. What is stored is checked before it is written, and what
//! is read is checked against its name. Files are those of the original, byte for byte.

mod cbor;
mod error;
mod expand;
mod hash;
mod index;
mod listing;
mod node;
mod refs;
mod reindex;
mod shape;
mod store;
mod validate;
mod walk;

pub mod json_cas_workflow;
pub mod known;

#[cfg(test)]
mod tests;

pub use cbor::in_stored_order;
pub use error::{CasError, Result};
pub use hash::hash_of;
pub use node::Node;
pub use store::Store;
