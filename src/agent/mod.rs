//! Running an agent's program, and reading what it says.
//!
//! An agent is a program that is run once for a step. This room starts it, watches over it, ends
//! it when it must be ended, and reads its answer as its protocol says. What is done with the
//! answer is the engine's business.

mod answer_json;
mod command_line;
mod environment;
mod error;
mod group;
mod invocation;
mod last_hash;
mod leash;
mod process;
mod signals;
mod start;
mod streams;
mod text;

pub use answer_json::{Answer, AnswerError, parse_answer};
pub use command_line::{CommandLineError, display_name, split_command};
pub use environment::{EnvironmentError, Surroundings, child_environment};
pub use error::{AgentError, Ending, ProtocolError};
pub use invocation::{Capture, Finished, Invocation, Limits, Patience, Stdin};
pub use last_hash::{NoHash, last_hash};
pub use process::run;
pub use signals::Guard;
pub use start::StartError;
pub use text::decode_text;
