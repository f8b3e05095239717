//! Who is next: the way through a workflow's graph, and the JSONata conditions on it.
//!
//! Only `jsonata` names the JSONata crate.

mod blame;
mod jsonata;
mod tokens;
mod words;
