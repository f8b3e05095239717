//! The words of the domain as plain values: hashes, ids, roles, workflows, nodes, decisions, days.
//!
//! Nothing here reads or writes anything, and nothing here knows another room, but for the wording
//! of errors.

mod causes;
mod hash;
mod names;
mod nodes;
mod prefix;
mod text;
mod utc;
mod workflow;

pub use causes::{causes, in_full};
pub use hash::Hash;
pub use names::{Place, RoleName, ThreadId};
pub use nodes::{StartNode, StepNode};
pub use prefix::Prefix;
pub use utc::{Date, http_date_ms, utc_text, utc_timestamp};
pub use workflow::{Condition, Decision, Edge, ExpressionError, Role, Workflow};
