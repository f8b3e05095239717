//! What `config.yaml` says, as values. Every key may be missing until something needs it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use super::finding::Finding;
use super::read;
use crate::fsx::{self, FileError};
use crate::model::RoleName;
use crate::yaml::Mark;

const FILE: &str = "config.yaml";

/// What the user set up.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Config {
    /// The file, also when there is none yet.
    pub path: PathBuf,
    /// Where models are served.
    pub providers: BTreeMap<String, Provider>,
    /// The models, by the names they have here.
    pub models: BTreeMap<String, Model>,
    /// The agents, by the names they have here.
    pub agents: BTreeMap<String, AgentEntry>,
    /// The agent for every role that no override names.
    pub default_agent: Option<Reference>,
    /// The agent for a role of a workflow: by the workflow's name, then by the role's.
    pub agent_overrides: BTreeMap<String, BTreeMap<RoleName, Reference>>,
    /// The model where no override names one.
    pub default_model: Option<Reference>,
    /// The model for a purpose, such as `extract`.
    pub model_overrides: BTreeMap<String, Reference>,
    /// What looks like a slip, such as a key that is not known.
    pub warnings: Vec<Finding>,
}

/// Where a model is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// The address of its API.
    pub base_url: Option<String>,
    /// The variable that holds its key.
    pub api_key_env: Option<String>,
    /// Where its name stands.
    pub mark: Mark,
}

/// A model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// The provider that serves it.
    pub provider: Option<Reference>,
    /// What the provider calls it.
    pub name: Option<String>,
    /// Where its name stands.
    pub mark: Mark,
}

/// An agent that can be chosen by its name.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentEntry {
    /// The program.
    pub command: Option<String>,
    /// Its first arguments.
    pub args: Vec<String>,
    /// How it is spoken to.
    pub protocol: Protocol,
    /// The variables of `.env` that it gets.
    pub env: Vec<String>,
    /// How its prompt reaches it, where the entry says so.
    pub prompt: Option<PromptBy>,
    /// How long a step may take in all; none: as long as it likes.
    pub timeout: Option<Duration>,
    /// How long it may be silent; none: as long as it likes.
    pub idle_timeout: Option<Duration>,
    /// What a step may cost, in US dollars; none: as much as it likes.
    pub max_budget_usd: Option<f64>,
    /// Where its name stands.
    pub mark: Mark,
}

/// The name of another entry, and where it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub mark: Mark,
}

/// How an agent is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protocol {
    /// It reads and writes the content-addressed store itself.
    #[default]
    Cas,
    /// It gets the prompt and answers with one JSON object.
    Json,
    /// It gets the prompt on its standard input and answers with frontmatter and text.
    Markdown,
}

impl Protocol {
    /// All of them, as they are written.
    pub const NAMES: [&'static str; 3] = ["cas", "json", "markdown"];

    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Cas => "cas",
            Self::Json => "json",
            Self::Markdown => "markdown",
        }
    }
}

/// How a prompt reaches an agent that is given one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptBy {
    /// As an argument, as long as it is not too long for one.
    Argument,
    /// On its standard input.
    Stdin,
}

impl PromptBy {
    /// Both, as they are written.
    pub const NAMES: [&'static str; 2] = ["argument", "stdin"];
}

/// The text is no way for a prompt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("write `argument` or `stdin`, not `{0}`")]
pub struct InvalidPromptBy(pub String);

impl FromStr for PromptBy {
    type Err = InvalidPromptBy;

    fn from_str(text: &str) -> Result<Self, InvalidPromptBy> {
        match text {
            "argument" => Ok(Self::Argument),
            "stdin" => Ok(Self::Stdin),
            _ => Err(InvalidPromptBy(text.to_owned())),
        }
    }
}

/// The text is not the name of a protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a protocol: write `cas`, `json` or `markdown`")]
pub struct InvalidProtocol(pub String);

impl FromStr for Protocol {
    type Err = InvalidProtocol;

    fn from_str(text: &str) -> Result<Self, InvalidProtocol> {
        match text {
            "cas" => Ok(Self::Cas),
            "json" => Ok(Self::Json),
            "markdown" => Ok(Self::Markdown),
            _ => Err(InvalidProtocol(text.to_owned())),
        }
    }
}

/// Why the configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The operating system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// Something in the file is wrong. All of it is told at once.
    #[error("{}", lines(.0))]
    Invalid(Vec<Finding>),
}

fn lines(findings: &[Finding]) -> String {
    let lines: Vec<_> = findings.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

impl Config {
    /// The file of a storage root, whether it is there or not.
    pub fn path_in(root: &Path) -> PathBuf {
        root.join(FILE)
    }

    /// Reads the configuration of a storage root. No file: nothing is set up.
    ///
    /// A file that is wrong is an error even for a command that could do without it: what it
    /// would have said cannot be known.
    pub fn load(root: &Path) -> Result<Self, ConfigError> {
        let path = Self::path_in(root);
        match fsx::read_text_optional(&path)? {
            Some(text) => Self::parse(&text, &path),
            None => Ok(Self {
                path,
                ..Self::default()
            }),
        }
    }

    /// Reads a configuration from its text; `path` is what messages call it.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        read::config(text, path).map_err(ConfigError::Invalid)
    }
}
