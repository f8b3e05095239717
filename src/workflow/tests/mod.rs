//! Workflows are found where they are, and nowhere else.

mod registry;
mod resolve;
