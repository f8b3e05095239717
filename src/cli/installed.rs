//! Which agents, programs and keys there are, as a step would find them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::context::Context;
use crate::agent::{Search, Shipped};
use crate::config::DotEnv;
use crate::host::Host;

/// What the names of programs begin with that are agents.
pub const PREFIX: &str = "uwf-";

/// The program of an agent of which nothing else is said.
pub fn usual_command(name: &str) -> String {
    format!("{PREFIX}{name}")
}

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
    own_program: Option<PathBuf>,
}

impl<'c> Installed<'c> {
    /// As this process sees it.
    pub fn of(context: &'c Context) -> Self {
        Self {
            search: Search {
                cwd: &context.host.cwd,
                environment: &context.host.environment,
            },
            own_program: context.host.program(),
        }
    }

    /// What a command runs.
    pub fn program(&self, command: &str) -> Program {
        if command.contains('/') && !Path::new(command).is_absolute() {
            return Program::OfThread;
        }
        let own_program = self.own_program.as_deref();
        match Shipped::of(OsStr::new(command), self.search, own_program) {
            Some(shipped) => Program::Shipped(shipped),
            None => self.file(command).map_or(Program::Missing, Program::File),
        }
    }

    /// Whether an agent asks the model that is set, and no other.
    pub fn asks_default_model(&self, command: &str, args: &[String]) -> bool {
        let names_one = |arg: &String| arg == "--model" || arg.starts_with("--model=");
        !args.iter().any(names_one) && self.program(command) == Program::Shipped(Shipped::Builtin)
    }

    /// The file that a name in `PATH` or an absolute path means.
    pub fn file(&self, command: &str) -> Option<PathBuf> {
        self.search.program(OsStr::new(command))
    }

    /// The names of the agents on `PATH`, without the `uwf-` before them.
    pub fn agents(&self) -> Vec<String> {
        let programs = self.search.agents();
        let names = programs.iter().filter_map(|it| it.strip_prefix(PREFIX));
        names.map(str::to_owned).collect()
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
