//! What can go wrong between a hash and its node.

use std::path::PathBuf;

use super::cbor::Unreadable;
use crate::fsx::FileError;
use crate::model::Hash;
use crate::schema::{SchemaFault, Violation};

/// Why the store could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum CasError {
    /// There is no node of that name.
    #[error("the node {hash} is not in the store ({})", path.display())]
    Missing {
        /// The node.
        hash: Hash,
        /// Where it would be.
        path: PathBuf,
    },
    /// There is no node at all: nothing was ever stored under this root.
    #[error("the node {hash} is not in the store: there is no folder {}", folder.display())]
    NoStore {
        /// The node.
        hash: Hash,
        /// The folder of the nodes.
        folder: PathBuf,
    },
    /// The node's file does not hold the node.
    #[error("the node {hash} is damaged ({})", path.display())]
    Damaged {
        /// The node.
        hash: Hash,
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        why: Damage,
    },
    /// Two different nodes have one hash.
    #[error("another node is stored under the hash {hash} already ({})", path.display())]
    Collision {
        /// The hash of both.
        hash: Hash,
        /// The file of the first.
        path: PathBuf,
    },
    /// The type of a node is not stored, so nothing is known of it.
    #[error("the type {type_hash} is not in the store")]
    UnknownType {
        /// The type.
        type_hash: Hash,
    },
    /// The node is there, and is no schema.
    #[error("the node {hash} is not a schema")]
    NotASchema {
        /// The node.
        hash: Hash,
    },
    /// What is to be stored as a schema is none.
    #[error("the payload is not a schema: {}", listed(faults.iter().map(|fault| &fault.message)))]
    IllegalSchema {
        /// All that is wrong with it.
        faults: Vec<SchemaFault>,
    },
    /// A stored schema cannot be used to check anything.
    #[error("the schema {hash} cannot be used: {}", listed(faults.iter().map(|fault| &fault.message)))]
    UnusableSchema {
        /// The schema.
        hash: Hash,
        /// All that is wrong with it.
        faults: Vec<SchemaFault>,
    },
    /// The payload does not fit the type.
    #[error("the payload does not fit its type {type_hash}: {}", listed(violations.iter().map(|violation| &violation.message)))]
    Unfit {
        /// The type.
        type_hash: Hash,
        /// All that does not fit.
        violations: Vec<Violation>,
    },
    /// A line of a type's list of members is no hash.
    #[error("{}:{line}: `{text}` is not a hash", path.display())]
    BadIndex {
        /// The list.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What stands there, its beginning.
        text: String,
    },
    /// The operating system refused.
    #[error(transparent)]
    File(#[from] FileError),
}

/// What is wrong with the file of a node.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It is not CBOR, or not such CBOR as nodes are made of.
    #[error("it cannot be read: {0}")]
    Unreadable(Unreadable),
    /// It is CBOR, and not a node.
    #[error("it does not hold a node: {0}")]
    NotANode(String),
    /// It holds another node.
    #[error("what it holds has the hash {actual}")]
    WrongHash {
        /// The hash of what it holds.
        actual: Hash,
    },
}

impl From<Unreadable> for Damage {
    /// Not as a source: its words are in the message already.
    fn from(unreadable: Unreadable) -> Self {
        Self::Unreadable(unreadable)
    }
}

/// Result of an operation on the store.
pub type Result<T> = std::result::Result<T, CasError>;

/// The first few of several messages.
fn listed<'m>(messages: impl Iterator<Item = &'m String>) -> String {
    const MOST: usize = 5;
    let messages: Vec<_> = messages.map(String::as_str).collect();
    let shown = messages[..messages.len().min(MOST)].join("; ");
    match messages.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown}; and {more} more"),
    }
}
