//! The models that the configuration names, ready to be asked.

use std::path::Path;

use crate::config::{
    Config, DotEnv, DotEnvError, ModelChoice, ModelChoiceError, resolve_model, resolve_model_for,
};
use crate::host::{Host, HostError, MODEL_IDLE_VARIABLE, RETRY_BASE_VARIABLE};
use crate::llm::{Endpoint, Key, Pace};

/// The purpose for which `modelOverrides` names the model that extracts fields.
const EXTRACT: &str = "extract";

/// Why a model cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The configuration names none, or not wholly.
    #[error(transparent)]
    Choice(#[from] ModelChoiceError),
    /// The keys cannot be read.
    #[error(transparent)]
    DotEnv(#[from] DotEnvError),
    /// The environment does not tell how long it is waited for.
    #[error(transparent)]
    Host(#[from] HostError),
    /// Its key is not set.
    #[error("the key of provider `{provider}` is not set: {variable} is neither in {} nor in the environment", dotenv.display())]
    NoKey {
        /// The provider.
        provider: String,
        /// The variable that should hold it.
        variable: String,
        /// The file that may hold it.
        dotenv: std::path::PathBuf,
    },
}

/// The model of this alias, else the default one.
pub fn model(
    config: &Config,
    alias: Option<&str>,
    root: &Path,
    host: &Host,
) -> Result<Endpoint, ModelError> {
    endpoint(resolve_model(config, alias)?, root, host)
}

/// The model that extracts fields from answers that do not fit; none when none is set up.
pub fn extraction_model(
    config: &Config,
    root: &Path,
    host: &Host,
) -> Option<Result<Endpoint, ModelError>> {
    let choice = resolve_model_for(config, EXTRACT)?;
    let endpoint = choice
        .map_err(ModelError::from)
        .and_then(|choice| endpoint(choice, root, host));
    Some(endpoint)
}

/// How long models are waited for.
pub fn pace(host: &Host) -> Result<Pace, ModelError> {
    let usual = Pace::default();
    Ok(Pace {
        first_wait: host
            .milliseconds(RETRY_BASE_VARIABLE)?
            .unwrap_or(usual.first_wait),
        idle: host
            .milliseconds(MODEL_IDLE_VARIABLE)?
            .unwrap_or(usual.idle),
        ..usual
    })
}

/// The key of the environment counts before the one in `.env`.
fn endpoint(choice: ModelChoice, root: &Path, host: &Host) -> Result<Endpoint, ModelError> {
    let key = match &choice.api_key_env {
        None => None,
        Some(variable) => Some(key(variable, &choice.provider, root, host)?),
    };
    Ok(Endpoint {
        provider: choice.provider,
        base_url: choice.base_url,
        key,
        model: choice.name,
    })
}

fn key(variable: &str, provider: &str, root: &Path, host: &Host) -> Result<Key, ModelError> {
    if let Some(key) = host.variable(variable) {
        return Ok(Key::new(key.to_string_lossy()));
    }
    let file = DotEnv::load(root)?;
    let key = file.get(variable).filter(|key| !key.trim().is_empty());
    key.map(Key::new).ok_or_else(|| ModelError::NoKey {
        provider: provider.to_owned(),
        variable: variable.to_owned(),
        dotenv: DotEnv::path(root),
    })
}
