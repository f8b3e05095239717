//! The tools as the model is told of them: names, what they are for, parameters.

use serde_json::{Map, Value, json};

use super::{command, read};

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// Text of a file.
    ReadFile,
    /// A file, whole.
    WriteFile,
    /// A part of a file.
    EditFile,
    /// What a folder holds.
    ListDir,
    /// Lines that fit a pattern.
    Grep,
    /// A command of the shell.
    RunCommand,
}

/// What a tool can be told.
#[derive(Debug)]
pub struct Parameter {
    /// Its key.
    pub name: &'static str,
    /// What its value has to be.
    pub kind: Kind,
    /// Whether a call without it makes no sense.
    pub is_required: bool,
    /// What it means.
    pub description: &'static str,
}

/// What a value has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// A whole number, 1 or more.
    Count,
    /// True or false.
    Flag,
}

impl Kind {
    /// The kind, as a sentence names it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Count => "a whole number, 1 or more",
            Self::Flag => "true or false",
        }
    }

    fn schema(self, description: &str) -> Value {
        match self {
            Self::Text => json!({"type": "string", "description": description}),
            Self::Count => json!({"type": "integer", "minimum": 1, "description": description}),
            Self::Flag => json!({"type": "boolean", "description": description}),
        }
    }
}

const fn required(name: &'static str, kind: Kind, description: &'static str) -> Parameter {
    Parameter {
        name,
        kind,
        is_required: true,
        description,
    }
}

const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Parameter {
    Parameter {
        name,
        kind,
        is_required: false,
        description,
    }
}

const FILE: Parameter = required(
    "path",
    Kind::Text,
    "The file, relative to the working folder",
);

const READ_FILE: &[Parameter] = &[
    FILE,
    optional(
        "offset",
        Kind::Count,
        "The first line to read, counted from 1",
    ),
    optional("limit", Kind::Count, "How many lines to read"),
];
const WRITE_FILE: &[Parameter] = &[
    FILE,
    required("content", Kind::Text, "All that the file is to hold"),
];
const EDIT_FILE: &[Parameter] = &[
    FILE,
    required(
        "old_text",
        Kind::Text,
        "The text to replace, exactly as it stands in the file, white space included",
    ),
    required("new_text", Kind::Text, "What is to stand there instead"),
    optional(
        "replace_all",
        Kind::Flag,
        "Replace it wherever it stands, not only if it stands there once",
    ),
];
const LIST_DIR: &[Parameter] = &[optional(
    "path",
    Kind::Text,
    "The folder, relative to the working folder, which is meant without it",
)];
const GREP: &[Parameter] = &[
    required(
        "pattern",
        Kind::Text,
        "A regular expression as Rust and RE2 have them, without look-around and back-references",
    ),
    optional(
        "path",
        Kind::Text,
        "The folder or file to search, relative to the working folder, which is meant without it",
    ),
    optional(
        "glob",
        Kind::Text,
        "Which files to search, by their paths below `path`, such as *.rs or src/**/*.ts; one \
         that begins with ! says which to leave out",
    ),
    optional(
        "ignore_case",
        Kind::Flag,
        "Take small and capital letters for the same",
    ),
];
const RUN_COMMAND: &[Parameter] = &[
    required("command", Kind::Text, "The command, as the shell takes it"),
    optional(
        "timeout_seconds",
        Kind::Count,
        "How long it may take: {USUAL} without this, {LONGEST} at most",
    ),
];

impl Tool {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::ReadFile,
        Self::WriteFile,
        Self::EditFile,
        Self::ListDir,
        Self::Grep,
        Self::RunCommand,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadFile => "read_file",
            Self::WriteFile => "write_file",
            Self::EditFile => "edit_file",
            Self::ListDir => "list_dir",
            Self::Grep => "grep",
            Self::RunCommand => "run_command",
        }
    }

    /// The one of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// What it can be told.
    pub fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::ReadFile => READ_FILE,
            Self::WriteFile => WRITE_FILE,
            Self::EditFile => EDIT_FILE,
            Self::ListDir => LIST_DIR,
            Self::Grep => GREP,
            Self::RunCommand => RUN_COMMAND,
        }
    }

    /// The parameter that says best what a call is about.
    pub fn subject(self) -> &'static str {
        match self {
            Self::ReadFile | Self::WriteFile | Self::EditFile | Self::ListDir => "path",
            Self::Grep => "pattern",
            Self::RunCommand => "command",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::ReadFile => {
                "Read a text file. At most {MOST} bytes are given at once; a longer file is read \
                 on with `offset`."
            }
            Self::WriteFile => {
                "Write a whole file, new or in place of what is there. Folders on the way to it \
                 are made."
            }
            Self::EditFile => {
                "Replace a text in a file by another. The text has to stand in it exactly once, \
                 or replace_all is set."
            }
            Self::ListDir => {
                "List what a folder holds: folders end with /, files have their sizes in bytes, \
                 links say where they lead."
            }
            Self::Grep => {
                "Find the lines of files that match a regular expression. What .gitignore names, \
                 .git and files that are not text are left out."
            }
            Self::RunCommand => {
                "Run a command by /bin/sh in the working folder. Its output and its exit code are \
                 given; of a long output the beginning and the end. It has nothing to read on its \
                 standard input. What it leaves in the background is ended with it."
            }
        }
    }

    /// As a service is told of it, with one more sentence.
    pub fn definition(self, more: &str) -> Value {
        let parameters = self.parameters();
        let properties: Map<String, Value> = parameters
            .iter()
            .map(|it| {
                (
                    it.name.to_owned(),
                    it.kind.schema(&with_limits(it.description)),
                )
            })
            .collect();
        let required: Vec<&str> = parameters
            .iter()
            .filter(|parameter| parameter.is_required)
            .map(|parameter| parameter.name)
            .collect();
        json!({
            "type": "function",
            "function": {
                "name": self.name(),
                "description": with_limits(self.description()) + more,
                "parameters": {
                    "type": "object",
                    "properties": properties,
                    "required": required,
                    "additionalProperties": false,
                },
            },
        })
    }
}

/// A text with the limits that it names in braces.
fn with_limits(text: &str) -> String {
    text.replace("{USUAL}", &command::USUAL.to_string())
        .replace("{LONGEST}", &command::LONGEST.to_string())
        .replace("{MOST}", &read::MOST.to_string())
}
