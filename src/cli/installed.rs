//! Which agents, programs and keys there are, as a step would find them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::context::Context;
use crate::agent::{Search, Shipped};
use crate::config::DotEnv;
use crate::host::Host;

/// What a command runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Program {
    /// This file.
    File(PathBuf),
    /// An agent in this program.
    Shipped(Shipped),
    /// A file in the folder of each thread, so nobody can tell now.
    OfThread,
    /// Nothing: there is no such program.
    Missing,
}

/// What there is to run.
pub struct Installed<'c> {
    search: Search<'c>,
}

impl<'c> Installed<'c> {
    /// As this process sees it.
    pub fn of(context: &'c Context) -> Self {
        Self {
            search: Search {
                cwd: &context.host.cwd,
                environment: &context.host.environment,
            },
        }
    }

    /// What a command runs.
    pub fn program(&self, command: &str) -> Program {
        if command.contains('/') && !Path::new(command).is_absolute() {
            return Program::OfThread;
        }
        match (self.file(command), Shipped::from_command(command)) {
            (Some(file), _) => Program::File(file),
            (None, Some(shipped)) => Program::Shipped(shipped),
            (None, None) => Program::Missing,
        }
    }

    /// The file that a name in `PATH` or an absolute path means.
    pub fn file(&self, command: &str) -> Option<PathBuf> {
        self.search.program(OsStr::new(command))
    }

    /// The names of the agents on `PATH`, each with the `uwf-` before it.
    pub fn agents(&self) -> Vec<String> {
        self.search.agents()
    }
}

/// Where a variable is set that holds something; none when it is set nowhere.
pub fn place_of(variable: &str, env: &DotEnv, host: &Host) -> Option<&'static str> {
    let in_file = env.get(variable);
    if host.variable(variable).is_some() {
        Some("the environment")
    } else if in_file.is_some_and(|value| !value.trim().is_empty()) {
        Some(".env")
    } else {
        None
    }
}
