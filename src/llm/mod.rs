//! Talking to models over an OpenAI-compatible chat API.
//!
//! The only room that opens connections. What is said to a model and what is made of its answers
//! is the caller's business.

mod endpoint;

pub use endpoint::{Endpoint, Key};
