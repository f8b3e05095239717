//! The agents that ship in the binary, by the names their programs have.
//!
//! A command of such a name is the program of that name where `PATH` has one, else this program
//! itself. A link to this program is this program.

use std::ffi::OsStr;
use std::path::Path;

use super::invocation::Invocation;
use super::search::{Search, is_same_file};

/// An agent in the binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shipped {
    /// A loop of a model and tools.
    Builtin,
    /// Claude Code.
    ClaudeCode,
    /// Hermes, over the Agent Client Protocol.
    Hermes,
    /// Codex, over the Agent Client Protocol.
    Codex,
    /// Gemini, over the Agent Client Protocol.
    Gemini,
    /// Any agent that speaks the Agent Client Protocol.
    Acp,
    /// Answers from a script.
    Mock,
}

impl Shipped {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Builtin,
        Self::ClaudeCode,
        Self::Hermes,
        Self::Codex,
        Self::Gemini,
        Self::Acp,
        Self::Mock,
    ];

    /// Its name after `uwf agent`.
    pub fn name(self) -> &'static str {
        &self.command()[4..]
    }

    /// Its name as a program.
    pub fn command(self) -> &'static str {
        match self {
            Self::Builtin => "uwf-builtin",
            Self::ClaudeCode => "uwf-claude-code",
            Self::Hermes => "uwf-hermes",
            Self::Codex => "uwf-codex",
            Self::Gemini => "uwf-gemini",
            Self::Acp => "uwf-acp",
            Self::Mock => "uwf-mock",
        }
    }

    /// The program of others that it runs; none when it needs none, or its arguments name it.
    pub fn runs(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some("claude"),
            Self::Hermes => Some("hermes"),
            Self::Codex => Some("codex-acp"),
            Self::Gemini => Some("gemini"),
            Self::Builtin | Self::Acp | Self::Mock => None,
        }
    }

    /// Whether it can do nothing without arguments of its own.
    pub fn needs_arguments(self) -> bool {
        matches!(self, Self::Acp | Self::Mock)
    }

    /// The one whose program has this name.
    pub fn from_command(command: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|shipped| shipped.command() == command)
    }

    /// The one that a command means which leaves out the `uwf-`. A name that one of them runs means
    /// the program of others.
    pub fn meant_by(command: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|shipped| shipped.name() == command && shipped.runs() != Some(command))
    }

    /// The one that a program is, wherever it lies.
    pub fn from_program(program: &Path) -> Option<Self> {
        Self::from_command(program.file_name()?.to_str()?)
    }

    /// The one that a command runs; none when the command runs another program, or nothing.
    pub fn of(command: &OsStr, search: Search<'_>, own_program: Option<&Path>) -> Option<Self> {
        match search.program(command) {
            Some(file) if is_same_file(&file, own_program?) => Self::from_program(&file),
            Some(_) => None,
            None => Self::from_command(command.to_str()?),
        }
    }
}

/// Lets this program do it, when it is to be done by an agent that ships in it.
pub(super) fn resolve(invocation: &mut Invocation, own_program: &Path) {
    let search = Search {
        cwd: &invocation.cwd,
        environment: &invocation.environment,
    };
    let Some(shipped) = Shipped::of(&invocation.program, search, Some(own_program)) else {
        return;
    };
    invocation.program = own_program.into();
    let itself = ["agent", shipped.name()].map(Into::into);
    invocation.arguments.splice(0..0, itself);
}
