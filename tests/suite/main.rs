//! The program as its users run it: the built binary, a private home, real programs as agents.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out files and run programs, and what fails in one fails it"
)]

mod agents;
mod answers;
mod damage;
mod details;
mod drop_in;
mod environment;
mod golden;
mod logs;
mod prefixes;
mod readme;
mod routing;
mod schemas;
mod state;
mod stepping;
mod workflows;
