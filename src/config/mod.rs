//! What the user set up: `config.yaml` and `.env` in the storage root, and the agent that follows
//! from them for a step; and their texts with something changed in them.
//!
//! Nothing here writes a file, and no key of `.env` ever reaches the environment of this process.

pub mod address;
mod agent;
mod dotenv;
mod duration;
mod edit;
mod finding;
mod model;
mod read;
mod reader;
mod settings;

pub use agent::{
    Agent, AgentChoiceError, AgentFlag, Limits, check_variable_name, parse_budget, resolve_agent,
};
pub use dotenv::{DotEnv, DotEnvError};
pub use duration::parse as parse_duration;
pub use edit::{Setting, edited};
pub use model::{ModelChoice, ModelChoiceError, resolve_model, resolve_model_for};
pub use settings::{Config, ConfigError, Model, PromptBy, Protocol, Reference};
