//! The program as its users run it: the built binary, a private home, real programs as agents.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out files and run programs, and what fails in one fails it"
)]

mod agents;
mod answers;
#[cfg(target_os = "linux")]
mod confined;
mod damage;
mod descendants;
mod details;
mod diff;
mod drop_in;
mod environment;
mod follow;
mod golden;
mod hostile_schemas;
mod kill;
mod logs;
mod long;
mod prefixes;
mod raw;
mod readme;
mod reference;
mod routing;
mod schemas;
mod snapshot;
mod state;
mod stepping;
mod tasks;
mod terminal;
mod text;
mod usage;
mod workflows;
