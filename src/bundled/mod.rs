//! The agents that ship in the binary: the builtin loop of model and tools, Claude Code, whatever
//! speaks the Agent Client Protocol, and answers from a script.
//!
//! Each is a respondent that answers a role's turn and its corrections; what they share is the
//! kit: the case they are given, sessions, corrections, the step that is stored. They run in a
//! process of their own that the engine starts on protocol `cas`. How they are called from a
//! command line is `cli`'s business, talking to models `llm`'s.

mod builtin;
mod kit;
mod mock;

pub use kit::{Call, Case, CaseError, Failed, Observer, Respondent, perform};
pub use mock::{Mock, Scene, Script, ScriptError};
