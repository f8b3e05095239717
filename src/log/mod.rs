//! `logs/YYYY-MM-DD.jsonl`: what commands that change something did, one JSON object a line.
//!
//! A line has the keys of the original's and its tags: `ts`, `pid`, `tag`, `msg`, `thread`,
//! `workflow`. What can be said is a closed list of entries, none of which holds a prompt, an
//! answer, an argument of an agent or anything of its environment. When something is logged is
//! decided elsewhere.

mod days;
mod entry;
mod tag;
mod writer;

pub use days::{Day, Filter, days, entries};
pub use entry::{Entry, program_name};
pub use writer::{About, Process, ProcessLog};
