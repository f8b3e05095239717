//! Talking to models over an OpenAI-compatible chat API.
//!
//! The only room that opens connections. What is said to a model and what is made of its answers
//! is the caller's business, and so is how a wait ends early: the room knows no signals.

mod assembly;
mod chat;
mod endpoint;
mod error;
mod events;
mod exchange;
mod message;
mod models;
mod pace;
mod reading;
mod refusal;
mod reply;
#[cfg(test)]
#[path = "../../tests/suite/model_server.rs"]
mod scripted;
mod thought;

pub use chat::{Chat, Listener, Piece, Question};
pub use endpoint::{Endpoint, Key};
pub use error::{LlmClass, LlmError};
pub use message::{Message, ToolCall};
pub use models::{list_models, probe};
pub use pace::{Pace, in_words};
pub use reply::{Finish, Reply, TokenCount};
