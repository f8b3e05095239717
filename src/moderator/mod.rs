//! Who is next: the way through a workflow's graph, and the JSONata conditions on it.
//!
//! [`decide`] takes values and returns a value. What it evaluates was written by somebody else, so
//! an expression that runs on, crashes or takes all memory is an error like any other: see
//! `bounds`. Only `jsonata` names the JSONata crate.

mod blame;
mod bounds;
mod check;
mod failure;
mod jsonata;
mod judge;
mod memory;
mod routing;
mod tokens;
mod words;

pub use check::{compile, doubts};
pub use routing::{Context, RoutingError, decide};

#[cfg(test)]
mod tests;
