//! What is set up already: both files, read before anything is decided and again before anything
//! is written.

use std::path::{Path, PathBuf};

use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::installed::place_of;
use crate::config::{Config, ConfigError, DotEnv, DotEnvError, Model, Setting, edited};
use crate::fsx::{self, FileError};
use crate::host::Host;

/// What both files say.
pub struct Standing {
    /// What `config.yaml` says, with its path.
    pub config: Config,
    config_text: String,
    /// Where the keys are.
    pub env_path: PathBuf,
    /// The keys.
    pub env: DotEnv,
    env_text: String,
    /// Whether others may read the keys.
    pub is_env_shared: bool,
}

impl Standing {
    /// Reads both files of a storage root. One that cannot be read is an error that names it.
    pub fn read(root: &Path) -> Result<Self> {
        let path = Config::path_in(root);
        let text = fsx::read_text_optional(&path).map_err(|error| unreadable(&error))?;
        let config_text = text.unwrap_or_default();
        let config = Config::parse(&config_text, &path).map_err(|error| invalid(&error))?;
        let env_path = DotEnv::path(root);
        let text = fsx::read_text_optional(&env_path).map_err(|error| unreadable(&error))?;
        let env_text = text.unwrap_or_default();
        Ok(Self {
            config,
            config_text,
            env: DotEnv::parse(&env_text, &env_path).map_err(|error| no_keys(&error))?,
            is_env_shared: fsx::is_shared(&env_path)?,
            env_path,
            env_text,
        })
    }

    /// Where a variable is set that holds something; none when it is set nowhere.
    pub fn place_of(&self, variable: &str, host: &Host) -> Option<&'static str> {
        place_of(variable, &self.env, host)
    }

    /// The model that is set, when there is such a one.
    pub fn default_model(&self) -> Option<&Model> {
        let reference = self.config.default_model.as_ref()?;
        self.config.models.get(&reference.name)
    }

    /// The provider of the model that is set.
    pub fn present_provider(&self) -> Option<&str> {
        let provider = self.default_model()?.provider.as_ref()?;
        Some(&provider.name)
    }

    /// The text of `config.yaml` with these settings, when that changes it. It is read as the
    /// configuration that it is to be.
    pub fn config_with(&self, settings: &[Setting]) -> Result<Option<(String, Config)>> {
        let path = &self.config.path;
        let text = edited(&self.config_text, path, settings).map_err(|error| {
            let by_hand = error.by_hand.clone();
            let details = serde_json::json!({"write": by_hand});
            CommandError::from_error(Kind::Request, &error)
                .excerpt(&by_hand, details)
                .hint("write these lines into it by hand; nothing was changed")
        })?;
        if text == self.config_text {
            return Ok(None);
        }
        let config = Config::parse(&text, path).map_err(|error| invalid(&error))?;
        Ok(Some((text, config)))
    }

    /// The text of `.env` with this variable, when that changes it.
    pub fn env_with(&self, variable: &str, value: &str) -> Result<Option<String>> {
        let text = DotEnv::with(&self.env_text, &self.env_path, variable, value)
            .map_err(|error| no_keys(&error))?;
        Ok((text != self.env_text).then_some(text))
    }

    /// The text of `.env` as it stands.
    pub fn env_text(&self) -> &str {
        &self.env_text
    }
}

fn unreadable(error: &FileError) -> CommandError {
    CommandError::unreadable(error).hint("nothing was changed")
}

fn invalid(error: &ConfigError) -> CommandError {
    CommandError::from_error(Kind::Request, error).hint("mend the file first; nothing was changed")
}

fn no_keys(error: &DotEnvError) -> CommandError {
    let hint = error.hint();
    let made = CommandError::from_error(Kind::Request, error);
    let made = match hint {
        Some(hint) => made.hint(hint),
        None => made,
    };
    made.hint("nothing was changed")
}
