//! What the user set up: `config.yaml` and `.env` in the storage root, and the agent that follows
//! from them for a step.
//!
//! Nothing here writes, and no key of `.env` ever reaches the environment of this process.

mod agent;
mod dotenv;
mod duration;
mod finding;
mod model;
mod read;
mod reader;
mod settings;

pub use agent::{Agent, AgentChoiceError, AgentFlag, Limits, parse_budget, resolve_agent};
pub use dotenv::{DotEnv, DotEnvError};
pub use duration::parse as parse_duration;
pub use model::{ModelChoice, ModelChoiceError, resolve_model, resolve_model_for};
pub use settings::{Config, ConfigError, PromptBy, Protocol};
