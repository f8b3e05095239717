//! What happens in a step, told while it happens.

use super::plan::Plan;
use crate::agent;
use crate::model::{Hash, Place, RoleName};
use crate::thread::Archived;

/// Something that happened in a step. Whatever can be told of a failure is in its error.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// The thread was found and may be stepped.
    Found {
        /// The workflow it runs.
        workflow: Hash,
        /// Where it is.
        head: Hash,
    },
    /// The moderator said whose turn it is.
    RoleChosen {
        /// Where the thread is.
        from: &'a Place,
        /// Whose turn it is.
        role: &'a RoleName,
    },
    /// An agent is about to be run.
    AgentStarts(&'a Plan),
    /// The agent is done; its step is stored, and not yet part of the thread.
    AgentReturned {
        /// The step.
        step: Hash,
        /// How long it took.
        milliseconds: u64,
    },
    /// The thread was archived.
    Archived(&'a Archived),
}

/// Who is told what happens while it happens.
pub trait Observer: agent::Observer {
    /// This happened just now.
    fn happened(&mut self, event: Event<'_>);
}
