//! The one edge error: what failed, of which kind, and what to do next.
//!
//! Every room has its own typed errors; here they get the exit code they mean and their hints.
//! This file is the only place that knows exit codes.

use std::error::Error;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::output::style::{Colours, ERROR, HEADING, HINT};
use super::output::{json, terminal};
use crate::model::causes;
use crate::wording::one_line;

/// What each code means that the process may end with.
pub const EXIT_CODES: [(&str, &str); 9] = [
    ("0", "done"),
    (
        "1",
        "the request cannot be met: not found, invalid workflow or configuration",
    ),
    ("2", "usage"),
    ("3", "the agent failed"),
    (
        "4",
        "its output does not fit the role, after all corrections",
    ),
    (
        "5",
        "routing failed: no edge, an unknown condition, an expression that failed",
    ),
    (
        "6",
        "busy: another step runs on this thread, or it was moved or killed meanwhile",
    ),
    ("7", "the store is damaged"),
    (
        "128 + n",
        "interrupted by signal n: 130 by Ctrl-C, 143 by TERM",
    ),
];

/// What went wrong, in the terms of the exit codes that scripts act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The request cannot be met: not found, or an invalid workflow or configuration.
    Request,
    /// The command line makes no sense.
    Usage,
    /// The agent failed.
    Agent,
    /// The agent's output does not fit the role, after all corrections.
    Output,
    /// No edge of the graph could be chosen.
    Routing,
    /// Someone else is at work on the thread, or it moved or was killed meanwhile.
    Busy,
    /// The store is damaged.
    Damaged,
    /// A signal ended the command.
    Interrupted(i32),
    /// A script asks for this code.
    Scripted(u8),
}

impl Kind {
    /// The code the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Self::Request => 1,
            Self::Usage => 2,
            Self::Agent => 3,
            Self::Output => 4,
            Self::Routing => 5,
            Self::Busy => 6,
            Self::Damaged => 7,
            Self::Scripted(code) => code,
            Self::Interrupted(signal) => 128_u8.saturating_add(u8::try_from(signal).unwrap_or(0)),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Usage => "usage",
            Self::Agent => "agent",
            Self::Output => "output",
            Self::Routing => "routing",
            Self::Busy => "busy",
            Self::Damaged => "damaged",
            Self::Interrupted(_) => "interrupted",
            Self::Scripted(_) => "scripted",
        }
    }
}

/// A command that failed.
#[derive(Debug)]
pub struct CommandError(Box<Told>);

#[derive(Debug)]
struct Told {
    kind: Kind,
    message: String,
    causes: Vec<String>,
    /// Text that belongs under the message as it is, such as the lines of a file with carets;
    /// harmless already.
    excerpt: Option<String>,
    /// The same for programs.
    details: Option<Value>,
    hints: Vec<String>,
}

/// Result of a command.
pub type Result<T = ()> = std::result::Result<T, CommandError>;

impl CommandError {
    /// An error with a message of its own.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self(Box::new(Told {
            kind,
            message: message.into(),
            causes: Vec::new(),
            excerpt: None,
            details: None,
            hints: Vec::new(),
        }))
    }

    /// A "no" that stands on stdout already: it has an exit code and nothing to say.
    pub fn silent(kind: Kind) -> Self {
        Self::new(kind, "")
    }

    /// Whether there is anything to say.
    pub fn is_silent(&self) -> bool {
        self.0.message.is_empty()
    }

    /// An error of a room, with the causes it names.
    pub fn from_error(kind: Kind, error: &dyn Error) -> Self {
        let mut made = Self::new(kind, error.to_string());
        made.0.causes = causes(error);
        made
    }

    /// Adds one more cause.
    pub fn cause(mut self, cause: impl Into<String>) -> Self {
        self.0.causes.push(cause.into());
        self
    }

    /// Adds what to do next.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hints.push(hint.into());
        self
    }

    /// Adds lines of a text of others, and the same for programs.
    pub fn excerpt(self, text: &str, details: Value) -> Self {
        self.drawing(terminal::sanitize(text).into_owned(), details)
    }

    /// Adds text that is harmless and may have colours, and the same for programs.
    pub fn drawing(mut self, text: String, details: Value) -> Self {
        self.0.excerpt = Some(text);
        self.0.details = Some(details);
        self
    }

    /// What failed, without its causes.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What failed, why, and what to do, on one line.
    pub fn in_one_line(&self) -> String {
        let told = &self.0;
        let because = std::iter::once(&told.message).chain(&told.causes);
        let said: Vec<_> = because.map(String::as_str).collect();
        let said = said.join(": ");
        match told.hints.as_slice() {
            [] => one_line(&said),
            hints => one_line(&format!("{said}: {}", hints.join("; "))),
        }
    }

    /// What to do next, on one line; none when nobody knows.
    pub fn hints_in_one_line(&self) -> Option<String> {
        (!self.0.hints.is_empty()).then(|| one_line(&self.0.hints.join("; ")))
    }

    /// What the process ends with.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.0.kind.code())
    }

    /// The error as text for the error stream; ends with a line break.
    pub fn to_text(&self, colours: Colours) -> String {
        let line = |style, label, said: &str| {
            let label = colours.paint(style, label);
            format!("{label} {}\n", terminal::sanitize(said))
        };
        let mut text = line(ERROR, "error:", &self.0.message);
        for cause in &self.0.causes {
            let cause = cause.trim_end().replace('\n', "\n    ");
            text.push_str(&line(HEADING, "  because:", &cause));
        }
        if let Some(excerpt) = &self.0.excerpt {
            text.push_str(excerpt);
            if !excerpt.ends_with('\n') {
                text.push('\n');
            }
        }
        for hint in &self.0.hints {
            text.push_str(&line(HINT, "hint:", &hint.replace('\n', "\n  ")));
        }
        text
    }

    /// The error as one JSON object on one line; ends with a line break.
    pub fn to_json(&self) -> String {
        let mut object = json!({
            "error": self.0.message,
            "kind": self.0.kind.name(),
            "exitCode": self.0.kind.code(),
            "causes": self.0.causes,
            "hints": self.0.hints,
        });
        if let Some(details) = &self.0.details {
            object["details"] = details.clone();
        }
        json::to_string(&object) + "\n"
    }
}
