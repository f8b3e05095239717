//! Systems whose process table is not shown without calls that Rust cannot check, and where
//! orphans get out of reach: macOS.

use rustix::process::{Pid, Signal};

/// Nobody is adopted here.
#[derive(Debug)]
pub struct Adoption;

impl Adoption {
    pub fn begin() -> Self {
        Self
    }
}

/// Processes of an agent outside of its group, of which none is found here.
#[derive(Debug)]
pub struct Detached;

impl Detached {
    pub fn new(_adoption: Adoption) -> Self {
        Self
    }

    pub fn find(&mut self, _leader: Pid, _signals: &[Signal]) -> bool {
        false
    }

    pub fn send(&self, _signals: &[Signal]) {}

    pub fn are_gone(&mut self) -> bool {
        true
    }

    pub fn reap(&self, _leader: Pid) {}
}

/// Whether the members of a group have all ended. Not to be told apart here.
pub fn is_all_dead(_group: Pid) -> bool {
    false
}
