//! The chain of a thread: from its head back to its start, one node at a time.
//!
//! The one walker. It reads what it is asked for and no more: where a thread stands takes two
//! nodes, however long it is. A chain that is not whole is an error, never a shorter chain.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::{Number, Value};

use crate::cas::{CasError, Node, Store, known};
use crate::model::{Hash, StartNode, StepNode};

/// A chain whose head and start have been read.
#[derive(Debug)]
pub struct Chain<'s> {
    store: &'s Store,
    start: Start,
    last: Option<Step>,
}

/// How a thread began.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// Its hash.
    pub hash: Hash,
    /// The node.
    pub node: StartNode,
    /// When it was written, in milliseconds since 1970.
    pub timestamp: Number,
}

/// One step of a thread.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its hash.
    pub hash: Hash,
    /// The node.
    pub node: StepNode,
    /// When it was written, in milliseconds since 1970.
    pub timestamp: Number,
}

/// What led to a node of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// The chain begins with it.
    Head,
    /// It is the start of this step's thread.
    StartOf(Hash),
    /// It is the step before this one.
    PrevOf(Hash),
    /// It is what this step answered.
    OutputOf(Hash),
}

impl fmt::Display for Link {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Head => formatter.write_str("the head"),
            Self::StartOf(step) => write!(formatter, "the start of step {step}"),
            Self::PrevOf(step) => write!(formatter, "the step before {step}"),
            Self::OutputOf(step) => write!(formatter, "the output of step {step}"),
        }
    }
}

/// In what way a chain is not whole.
#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    /// A node is not in the store.
    #[error("{link} is missing: there is no node {hash}")]
    Missing {
        /// What led to it.
        link: Link,
        /// Its hash.
        hash: Hash,
    },
    /// A node cannot be read, or is not what its hash says.
    #[error("cannot read {link}, the node {hash}")]
    Unreadable {
        /// What led to it.
        link: Link,
        /// Its hash.
        hash: Hash,
        /// Why not.
        source: CasError,
    },
    /// A node of another type stands where a step or a start should.
    #[error("{link} is not {wanted}: the node {hash} is of the type {found}")]
    WrongType {
        /// What led to it.
        link: Link,
        /// Its hash.
        hash: Hash,
        /// What it should be.
        wanted: &'static str,
        /// The type it has.
        found: Hash,
    },
    /// A node of the right type does not hold what its type says.
    #[error("{link} is not {wanted}: the node {hash} does not hold what one holds")]
    Malformed {
        /// What led to it.
        link: Link,
        /// Its hash.
        hash: Hash,
        /// What it should be.
        wanted: &'static str,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A step says that it belongs to another thread's start.
    #[error("step {step} belongs to the start {found}, and the chain it stands in to {expected}")]
    OtherStart {
        /// The step.
        step: Hash,
        /// The start it names.
        found: Hash,
        /// The start that the head names.
        expected: Hash,
    },
}

const A_START: &str = "a start";
const A_STEP: &str = "a step";

impl<'s> Chain<'s> {
    /// Reads where a chain stands: its head, which is a step or a start, and its start.
    pub fn load(store: &'s Store, head: Hash) -> Result<Self, ChainError> {
        let node = fetch(store, Link::Head, head)?;
        if known::is_start_node(&node.type_hash) {
            let start = start(Link::Head, head, node)?;
            let last = None;
            return Ok(Self { store, start, last });
        }
        if !known::is_step_node(&node.type_hash) {
            return Err(ChainError::WrongType {
                link: Link::Head,
                hash: head,
                wanted: "a step or a start",
                found: node.type_hash,
            });
        }
        let last = step(Link::Head, head, node)?;
        let (link, hash) = (Link::StartOf(head), last.node.start);
        let start = start(link, hash, fetch(store, link, hash)?)?;
        Ok(Self {
            store,
            start,
            last: Some(last),
        })
    }

    /// The newest node: the last step, or the start when there is no step.
    pub fn head(&self) -> Hash {
        self.last.as_ref().map_or(self.start.hash, |step| step.hash)
    }

    /// How the thread began.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// The newest step; none when there is no step yet.
    pub fn last_step(&self) -> Option<&Step> {
        self.last.as_ref()
    }

    /// The steps, newest first. Each is read when it is asked for; nothing follows an error.
    pub fn steps(&self) -> Steps<'_> {
        Steps {
            chain: self,
            next: self.last.clone().map(Next::Loaded),
        }
    }

    /// All steps, oldest first.
    pub fn steps_oldest_first(&self) -> Result<Vec<Step>, ChainError> {
        let mut steps = self.steps().collect::<Result<Vec<_>, _>>()?;
        steps.reverse();
        Ok(steps)
    }

    /// What a step answered, as it is stored: hashes inside stay hashes.
    pub fn output(&self, step: &Step) -> Result<Value, ChainError> {
        let link = Link::OutputOf(step.hash);
        fetch(self.store, link, step.node.output).map(|node| node.payload)
    }

    fn step_before(&self, step_after: Hash, hash: Hash) -> Result<Step, ChainError> {
        let link = Link::PrevOf(step_after);
        let node = fetch(self.store, link, hash)?;
        let step = step(link, hash, node)?;
        if step.node.start != self.start.hash {
            return Err(ChainError::OtherStart {
                step: hash,
                found: step.node.start,
                expected: self.start.hash,
            });
        }
        Ok(step)
    }
}

/// The steps of a chain, newest first.
#[derive(Debug)]
pub struct Steps<'c> {
    chain: &'c Chain<'c>,
    next: Option<Next>,
}

#[derive(Debug)]
enum Next {
    /// The last step, which was read with the chain.
    Loaded(Step),
    /// A step that is still to be read.
    Before { after: Hash, hash: Hash },
}

impl Iterator for Steps<'_> {
    type Item = Result<Step, ChainError>;

    fn next(&mut self) -> Option<Self::Item> {
        let step = match self.next.take()? {
            Next::Loaded(step) => Ok(step),
            Next::Before { after, hash } => self.chain.step_before(after, hash),
        };
        if let Ok(step) = &step {
            let after = step.hash;
            self.next = step.node.prev.map(|hash| Next::Before { after, hash });
        }
        Some(step)
    }
}

fn fetch(store: &Store, link: Link, hash: Hash) -> Result<Node, ChainError> {
    match store.find(&hash) {
        Ok(Some(node)) => Ok(node),
        Ok(None) => Err(ChainError::Missing { link, hash }),
        Err(source) => Err(ChainError::Unreadable { link, hash, source }),
    }
}

fn start(link: Link, hash: Hash, node: Node) -> Result<Start, ChainError> {
    let timestamp = node.timestamp.clone();
    let node = typed(link, hash, node, A_START, known::is_start_node)?;
    Ok(Start {
        hash,
        node,
        timestamp,
    })
}

fn step(link: Link, hash: Hash, node: Node) -> Result<Step, ChainError> {
    let timestamp = node.timestamp.clone();
    let node = typed(link, hash, node, A_STEP, known::is_step_node)?;
    Ok(Step {
        hash,
        node,
        timestamp,
    })
}

fn typed<T: DeserializeOwned>(
    link: Link,
    hash: Hash,
    node: Node,
    wanted: &'static str,
    is_wanted: impl Fn(&Hash) -> bool,
) -> Result<T, ChainError> {
    if !is_wanted(&node.type_hash) {
        return Err(ChainError::WrongType {
            link,
            hash,
            wanted,
            found: node.type_hash,
        });
    }
    serde_json::from_value(node.payload).map_err(|source| ChainError::Malformed {
        link,
        hash,
        wanted,
        source,
    })
}

#[cfg(test)]
mod tests;
