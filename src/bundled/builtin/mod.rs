//! `uwf-builtin`: a loop of a model and tools.

pub mod tools;
