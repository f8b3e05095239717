//! What all agents in the binary share: from a thread and a role to a step that is stored.

mod case;
mod detail;
mod literal;
mod perform;
mod respondent;
mod service;
mod sessions;

pub use case::{Call, Case, CaseError};
pub use detail::{AgentDetail, Turn, Usage, kept};
pub use literal::Literal;
pub use perform::{Failed, perform};
pub use respondent::{Closing, Desk, Observer, Refusal, Reply, Respondent};
pub use service::{class_of_status, class_of_words};
