//! `uwf agent confined`, by which a command of an agent's tool is confined.
//!
//! Nobody types it, so it is no part of what can be typed: it is in no help, and needs neither a
//! storage root nor anything else that commands have at hand.

use std::ffi::OsString;

use crate::agent::{BecomeError, become_confined, confined_call};
use crate::cli::error::{CommandError, Kind};

/// Becomes the program, if that is what the arguments ask for: comes back only when that fails, or
/// when they ask for something else.
pub fn run(arguments: &[OsString]) -> Option<CommandError> {
    let error = become_confined(confined_call(arguments)?);
    let kind = match error {
        BecomeError::Called => Kind::Usage,
        BecomeError::Unconfined { .. } | BecomeError::Program { .. } => Kind::Request,
    };
    Some(CommandError::from_error(kind, &error))
}
