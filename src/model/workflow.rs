//! A workflow as it is stored: roles, conditions and the graph between them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Hash, Place, RoleName};

/// The payload of a Workflow node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Workflow {
    /// The name it is registered under.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Who works in it.
    pub roles: BTreeMap<RoleName, Role>,
    /// The conditions its edges may name.
    pub conditions: BTreeMap<String, Condition>,
    /// The edges out of each place, in the order in which they are tried.
    pub graph: BTreeMap<Place, Vec<Edge>>,
}

/// What a role is told, and what it must answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Role {
    /// One line for a reader of the workflow.
    pub description: String,
    /// What the role is to achieve.
    pub goal: String,
    /// What the role is able to do.
    pub capabilities: Vec<String>,
    /// How it goes about it.
    pub procedure: String,
    /// What its answer should hold, in words.
    pub output: String,
    /// The schema node its answer must fit.
    pub frontmatter: Hash,
}

/// A named JSONata expression over the thread so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Condition {
    /// What it means that it holds.
    pub description: String,
    /// The expression.
    pub expression: String,
}

/// One way out of a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// Where it leads: a role, or [`Place::End`].
    pub role: Place,
    /// The name of the condition that must hold; none: always.
    pub condition: Option<String>,
    /// The instruction for the role it leads to.
    pub prompt: String,
}

/// What the moderator says comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// This role, with the edge's instruction.
    Next {
        /// The role whose turn it is.
        role: RoleName,
        /// The instruction of the edge that was taken.
        prompt: String,
    },
    /// Nothing: the thread is done.
    End,
}

/// What is wrong with a JSONata expression, found before or while it is evaluated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExpressionError {
    /// The JSONata error code, such as `S0201`, where there is one.
    pub code: Option<String>,
    /// What is wrong, in words.
    pub message: String,
    /// Where in the expression, in bytes from its start, where that is known.
    pub offset: Option<usize>,
}
