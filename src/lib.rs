//! uwf, a stateless workflow engine for AI agents.
//!
//! This library is the inside of the `uwf` program. Its only public item is [`run`]; everything
//! else may change in any release. Each module is a room with one concern; which room may use
//! which is written in `docs/ARCHITECTURE.md` and held by `tests/layers.rs`.

mod agent;
mod bundled;
mod cas;
mod cli;
mod config;
mod engine;
mod extract;
mod fsx;
mod host;
mod jsonl;
mod llm;
mod log;
mod model;
mod moderator;
mod pointers;
mod prompt;
mod schema;
mod suggestion;
mod thread;
mod wording;
mod workflow;
mod yaml;

pub use cli::run;
