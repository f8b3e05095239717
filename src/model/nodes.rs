//! The two nodes a thread's chain is made of.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Hash, RoleName};

/// How a thread begins: the workflow it runs and what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartNode {
    /// The Workflow node.
    pub workflow: Hash,
    /// The user's words.
    pub prompt: String,
}

/// One step of a thread: who did what, after which step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepNode {
    /// The thread's StartNode.
    pub start: Hash,
    /// The step before; none for the first.
    pub prev: Option<Hash>,
    /// The role that was at work.
    pub role: RoleName,
    /// The node with the role's answer; its type is the role's schema.
    pub output: Hash,
    /// The node that tells how the answer came about; its type is the agent's own.
    pub detail: Hash,
    /// Which agent did it.
    pub agent: String,
    /// The instruction of the edge that led here. Steps of early versions have none.
    #[serde(
        rename = "edgePrompt",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub edge_prompt: Option<String>,
}

impl StepNode {
    /// The payload of its node.
    pub fn to_payload(&self) -> Value {
        json!({
            "start": self.start,
            "prev": self.prev,
            "role": self.role,
            "output": self.output,
            "detail": self.detail,
            "agent": self.agent,
            "edgePrompt": self.edge_prompt,
        })
    }
}
