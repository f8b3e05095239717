//! The words of the domain as plain values: hashes, ids, roles, workflows, nodes, decisions.
//!
//! Nothing here reads or writes anything, and nothing here knows another room.

mod hash;
mod names;
mod nodes;
mod prefix;
mod workflow;

pub use hash::Hash;
pub use names::{Place, RoleName, ThreadId};
pub use nodes::{StartNode, StepNode};
pub use prefix::Prefix;
pub use workflow::{Condition, Decision, Edge, ExpressionError, Role, Workflow};
