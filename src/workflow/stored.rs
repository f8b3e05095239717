//! From a hash to the workflow that is stored under it.

use crate::cas::{CasError, Store, known};
use crate::model::{Hash, Workflow};

/// Why a node is no workflow that can be used.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// The node is of another type.
    #[error("the node {hash} is not a workflow: its type is {type_hash}")]
    OtherType {
        /// The node.
        hash: Hash,
        /// What it is.
        type_hash: Hash,
    },
    /// The node is a workflow, and has names that none can have.
    #[error("the workflow {hash} cannot be used")]
    Unusable {
        /// The node.
        hash: Hash,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// There is no such node, or it cannot be read.
    #[error(transparent)]
    Store(#[from] CasError),
}

/// The workflow that is stored under a hash, whichever of the two type hashes it has.
pub fn stored(store: &Store, hash: &Hash) -> Result<Workflow, StoredError> {
    let node = store.get(hash)?;
    if !known::is_workflow(&node.type_hash) {
        return Err(StoredError::OtherType {
            hash: *hash,
            type_hash: node.type_hash,
        });
    }
    serde_json::from_value(node.payload).map_err(|source| StoredError::Unusable {
        hash: *hash,
        source,
    })
}
