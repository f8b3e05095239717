//! The program as its users run it: the built binary, a private home, real programs as agents.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out files and run programs, and what fails in one fails it"
)]

mod acp;
mod agents;
mod answers;
mod builtin;
mod claude_code;
#[cfg(target_os = "linux")]
mod confined;
mod damage;
mod descendants;
mod details;
mod diff;
mod doctor;
mod drop_in;
mod environment;
mod follow;
mod golden;
mod hostile_schemas;
mod kill;
mod limits;
mod logs;
mod long;
mod mock;
mod model_server;
mod prefixes;
mod raw;
mod readme;
mod reference;
mod routing;
mod schemas;
mod setup;
mod snapshot;
mod state;
mod stepping;
mod tasks;
mod terminal;
mod text;
mod usage;
mod workflows;
