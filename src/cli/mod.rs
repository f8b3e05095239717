//! The command line.

mod output;

use std::ffi::OsString;
use std::process::ExitCode;

/// Runs one command.
pub fn run(_args: impl IntoIterator<Item = OsString>) -> ExitCode {
    ExitCode::SUCCESS
}
