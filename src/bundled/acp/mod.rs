//! `uwf-hermes`, `uwf-codex`, `uwf-gemini` and `uwf-acp`: agents that speak the Agent Client
//! Protocol over their standard streams.
//!
//! They are one agent with different programs. Its program lives as long as the role's turn, so
//! that corrections are made in the session that they are about; an earlier turn's session is
//! taken up where the program can do that and proves that it did.

mod connection;
mod failure;
mod hearing;
mod lines;
mod link;
mod opening;
mod permission;
mod record;
#[cfg(test)]
mod recordings;
mod respondent;
mod stopping;
mod usage;

pub use permission::Permissions;
pub use respondent::Acp;
