//! The program as its users run it: the built binary, a private home, real programs as agents.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot go on fails, and writes what the program is to find"
)]

mod drop_in;
mod environment;
mod golden;
mod prefixes;
mod readme;
