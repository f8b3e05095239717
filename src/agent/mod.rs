//! Agents: running their programs, speaking their protocols, and making steps of what they do.
//!
//! An agent is a program that is run once for a step. This room starts it, watches over it, ends
//! it when it must be ended, reads its answer as its protocol says, and stores what came of it or
//! checks what the agent stored. Whose turn it is, and what becomes of the step, is the engine's
//! business.

mod answer_json;
mod assignment;
mod confinement;
mod conversation;
mod corrections;
mod environment;
mod error;
mod failure_class;
mod failure_report;
mod group;
mod invocation;
mod last_hash;
mod leash;
mod process;
mod prompted;
mod question;
mod search;
mod shipped;
mod signals;
mod start;
mod streams;
mod submitted;
mod terminate;
mod text;
mod version;

pub use assignment::{
    AnswerFormat, Assignment, Background, Failure, Observer, Reason, Request, Workbench, perform,
};
pub use confinement::{
    BecomeError, become_confined, confined, confined_call, confined_work, landlock_version,
};
pub use conversation::{Conversation, Talker};
pub use corrections::{
    Answer, Correspondent, Fitting, LastResort, Reading, Unfitting, answer_that_fits,
};
pub use environment::{EDGE_PROMPT_VARIABLE, EnvironmentError, Surroundings, child_environment};
pub use error::{AgentError, Ending};
pub use failure_class::FailureClass;
pub use failure_report::FailureReport;
pub use invocation::{Capture, Finished, Invocation, Patience, Stdin};
pub use process::{Done, run_heard, run_until_done};
pub use question::{Choice, QUESTIONS_ON_STDIN, QUESTIONS_VARIABLE, Question};
pub use search::Search;
pub use shipped::Shipped;
/// For the tests of those that run programs.
#[cfg(test)]
pub use signals::tests::{guard_for, quiet_guard};
pub use signals::{Guard, end_with_parent};
pub use terminate::{TerminateError, terminate};
pub use version::version;
