//! One step of a thread, how a thread stands, and its end by force: the only place where moderator,
//! agent, store and heads meet.
//!
//! A step either happened or did not. Everything an agent made is in the store before the head
//! moves; the head moves by compare-and-set; a step that fails leaves the thread as it was and
//! a record of the attempt.

mod error;
mod extractor;
mod history;
mod kill;
mod model;
mod observer;
mod overview;
mod plan;
mod step;
mod transcript;
mod turn;
mod usage;

pub use error::{StepError, Stranded};
pub use extractor::Extractor;
pub use history::{PastTurn, background, past_turns};
pub use kill::{KillError, Killed, RunningStep};
pub use model::{model, pace};
pub use observer::{Event, Observer};
pub use overview::{Damage, Next, Overview, State};
pub use plan::Plan;
pub use step::{StepFailure, StepResult, Workshop};
pub use transcript::{Transcript, transcript};
pub use usage::{TOKENS, Usage, usage};
