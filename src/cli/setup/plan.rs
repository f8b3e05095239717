//! From what is wanted and what there is to what is to be written. Nothing is written here.

use super::agents::{Choice, ChosenAgent};
use super::alias::Alias;
use super::key::{self, KeyWish, Secret};
use super::presets;
use super::standing::Standing;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::installed::{Installed, usual_command};
use crate::config::{Setting, address};
use crate::host::Host;
use crate::suggestion::did_you_mean;
use crate::wording::{listed, quoted};

/// Characters that a name may have.
const LONGEST_NAME: usize = 200;

/// What is wanted; what is not said stays, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wish {
    /// Who serves the model.
    pub provider: Option<String>,
    /// The address of its API.
    pub base_url: Option<String>,
    /// Its key.
    pub key: KeyWish,
    /// The variable that holds the key.
    pub key_variable: Option<String>,
    /// What the provider calls the model.
    pub model: Option<String>,
    /// The agent that does the work.
    pub agent: Option<String>,
}

impl Wish {
    /// Whether it says anything about the model.
    fn is_about_model(&self) -> bool {
        self.provider.is_some()
            || self.base_url.is_some()
            || self.key != KeyWish::Unsaid
            || self.key_variable.is_some()
            || self.model.is_some()
    }
}

/// What is to be written, and what is told of it.
#[derive(Debug)]
pub struct Plan {
    /// What `config.yaml` is to say.
    pub settings: Vec<Setting>,
    /// A variable for `.env`.
    pub key: Option<(String, Secret)>,
    /// Who serves the model; none when none is set.
    pub provider: Option<String>,
    /// What the provider calls it; none when none is set.
    pub model: Option<String>,
    /// The agent that does the work.
    pub agent: String,
    /// Whether something about the model is new, so that it has to be asked.
    pub is_about_model: bool,
    /// What a person should know.
    pub warnings: Vec<String>,
}

/// What is known of the surroundings.
pub struct Surroundings<'s> {
    /// What is set up.
    pub standing: &'s Standing,
    /// What the machine has.
    pub installed: &'s Installed<'s>,
    /// The environment.
    pub host: &'s Host,
}

impl Surroundings<'_> {
    /// Works out what is to be written.
    pub fn plan(&self, wish: &Wish) -> Result<Plan> {
        let mut plan = if wish.is_about_model() {
            self.model(wish)?
        } else {
            self.model_as_it_is()
        };
        let choice = Choice {
            standing: self.standing,
            installed: self.installed,
            new_variable: plan.key.as_ref().map(|(variable, _)| variable.as_str()),
        };
        let ChosenAgent {
            name,
            settings,
            warnings,
        } = match &wish.agent {
            Some(word) => choice.named(word)?,
            None => choice.kept()?,
        };
        plan.settings.extend(settings);
        plan.warnings.extend(warnings);
        if plan.model.is_none() && self.needs_model(&name) {
            plan.warnings.push(format!(
                "the agent {} needs a model, and none is set: `uwf setup --provider … --model …`",
                quoted(&name)
            ));
        }
        plan.agent = name;
        Ok(plan)
    }

    /// Whether an agent asks the model of the configuration.
    fn needs_model(&self, agent: &str) -> bool {
        let entry = self.standing.config.agents.get(agent);
        let command = entry.and_then(|entry| entry.command.clone());
        let command = command.unwrap_or_else(|| usual_command(agent));
        let args = entry.map_or(&[][..], |entry| &entry.args);
        self.installed.asks_default_model(&command, args)
    }

    fn model_as_it_is(&self) -> Plan {
        let model = self.standing.default_model();
        Plan {
            settings: Vec::new(),
            key: None,
            provider: self.standing.present_provider().map(str::to_owned),
            model: model.and_then(|model| model.name.clone()),
            agent: String::new(),
            is_about_model: false,
            warnings: Vec::new(),
        }
    }

    fn model(&self, wish: &Wish) -> Result<Plan> {
        let config = &self.standing.config;
        let mut missing = Vec::new();
        let provider = wish.provider.clone().or_else(|| self.usual_provider());
        let model = provider
            .as_deref()
            .and_then(|provider| Alias::of(provider, wish.model.as_deref(), config));
        let Some(provider) = provider else {
            missing.push("`--provider` (who serves the model)".to_owned());
            if wish.model.is_none() {
                missing.push("`--model` (what the provider calls it)".to_owned());
            }
            return Err(lacking(&missing, None));
        };
        let provider = checked_name("provider", &provider)?;
        let mut settings = Vec::new();
        let mut warnings = Vec::new();
        let address = self.address(&provider, wish, &mut missing, &mut settings)?;
        if model.is_none() {
            missing.push(format!(
                "`--model` (what {} calls the model)",
                quoted(&provider)
            ));
        }
        let address = address.as_deref();
        let key = self.key(&provider, address, wish, &mut missing)?;
        let Some(model) = model.filter(|_| missing.is_empty()) else {
            let names = presets::PRESETS.iter().map(|preset| preset.name);
            let meant = address.is_none().then(|| did_you_mean(&provider, names));
            return Err(lacking(&missing, meant.flatten()));
        };
        checked_name("model", &model.name)?;
        settings.push(key.setting(&provider));
        settings.extend(model.settings(&provider));
        warnings.extend(self.doubts(&provider, &key, address.unwrap_or_default()));
        Ok(Plan {
            settings,
            key: key.new.zip(key.variable).map(|(key, name)| (name, key)),
            provider: Some(provider),
            model: Some(model.name),
            agent: String::new(),
            is_about_model: true,
            warnings,
        })
    }

    /// The provider of the model that is set, else the only one there is.
    fn usual_provider(&self) -> Option<String> {
        let mut all = self.standing.config.providers.keys();
        let only = all.next().filter(|_| all.next().is_none());
        let present = self.standing.present_provider();
        present.or(only.map(String::as_str)).map(str::to_owned)
    }

    /// The address of the provider's API: as it was said, is configured, or is known.
    fn address(
        &self,
        provider: &str,
        wish: &Wish,
        missing: &mut Vec<String>,
        settings: &mut Vec<Setting>,
    ) -> Result<Option<String>> {
        let entry = self.standing.config.providers.get(provider);
        let configured = entry.and_then(|entry| entry.base_url.clone());
        let preset = || presets::find(provider).map(|preset| preset.base_url.to_owned());
        let said = wish.base_url.clone().or_else(|| configured.clone());
        let Some(text) = said.or_else(preset) else {
            missing.push(format!(
                "`--base-url` (the address of {}, which is no provider that uwf knows)",
                quoted(provider)
            ));
            return Ok(None);
        };
        let address = address::address(&text).map_err(|why| {
            let message = format!("the address {} cannot be used: {why}", shown(&text));
            CommandError::new(Kind::Request, message)
                .hint("it looks like `https://api.openai.com/v1`")
        })?;
        if configured.is_none_or(|known| known.trim().trim_end_matches('/') != address) {
            settings.push(Setting::text(&["providers", provider, "baseUrl"], &address));
        }
        Ok(Some(address))
    }

    fn key(
        &self,
        provider: &str,
        address: Option<&str>,
        wish: &Wish,
        missing: &mut Vec<String>,
    ) -> Result<KeyPlan> {
        let entry = self.standing.config.providers.get(provider);
        let named = wish.key_variable.clone();
        let named = named.or_else(|| entry.and_then(|entry| entry.api_key_env.clone()));
        let is_named = named.is_some();
        let variable = named.unwrap_or_else(|| key::variable_of(provider));
        if !key::is_variable(&variable) {
            return Err(CommandError::new(
                Kind::Request,
                format!("{} cannot be the name of a variable", quoted(&variable)),
            )
            .hint("write letters, digits and `_`, no digit first"));
        }
        if key::is_everywhere(&variable) {
            return Err(CommandError::new(
                Kind::Request,
                format!("{variable} cannot hold a key: every environment has it"),
            )
            .hint(format!(
                "name the variable that has the key of {}, such as {}",
                quoted(provider),
                key::variable_of(provider)
            )));
        }
        wish.key.check_for(&variable)?;
        let is_local = address.is_some_and(address::is_local);
        let is_set = self.standing.place_of(&variable, self.host).is_some();
        let (variable, new) = match &wish.key {
            KeyWish::Given(key) => (Some(variable), Some(key.clone())),
            KeyWish::NotNeeded => (None, None),
            KeyWish::Unsaid if is_set && (is_named || !is_local) => (Some(variable), None),
            KeyWish::Unsaid if is_local && wish.key_variable.is_none() => (None, None),
            KeyWish::Unsaid => {
                missing.push(format!(
                    "`--api-key` ({variable} is set neither in .env nor in the environment)"
                ));
                (Some(variable), None)
            }
        };
        Ok(KeyPlan { variable, new })
    }

    /// What may go wrong with a key though nothing is wrong with it.
    fn doubts(&self, provider: &str, key: &KeyPlan, address: &str) -> Vec<String> {
        let mut doubts = Vec::new();
        if key.variable.is_none() && !address::is_local(address) {
            doubts.push(format!(
                "{} is asked without a key; if it wants one: `uwf setup --provider {} --api-key - \
                 < key.txt`",
                quoted(provider),
                shell_words::quote(provider)
            ));
        }
        let known = self.standing.config.providers.get(provider);
        let known = known.and_then(|known| known.base_url.as_deref());
        if let (Some(variable), None, Some(known)) = (&key.variable, &key.new, known)
            && known.trim().trim_end_matches('/') != address
        {
            doubts.push(format!(
                "the key in {variable}, given for another address, is sent to {address} from now on"
            ));
        }
        if let (Some(variable), Some(new)) = (&key.variable, &key.new)
            && let Some(other) = self.host.variable(variable)
            && other != new.reveal()
        {
            doubts.push(format!(
                "{variable} is another one in the environment, and counts before the one in .env"
            ));
        }
        if key.variable.is_some() && address::is_open(address) {
            doubts.push(format!(
                "{address} is not encrypted: the key can be read on its way"
            ));
        }
        doubts
    }
}

/// Where the key is.
struct KeyPlan {
    /// The variable that holds it; none when none is needed.
    variable: Option<String>,
    /// One that is to be written.
    new: Option<Secret>,
}

impl KeyPlan {
    fn setting(&self, provider: &str) -> Setting {
        let path = ["providers", provider, "apiKeyEnv"];
        match &self.variable {
            Some(variable) => Setting::text(&path, variable),
            None => Setting::nothing(&path),
        }
    }
}

/// A name that can stand in a file and in a message.
fn checked_name(what: &str, name: &str) -> Result<String> {
    let refused = |why| {
        let message = format!("the name of the {what} {why}");
        Err(CommandError::new(Kind::Request, message))
    };
    let trimmed = name.trim();
    if trimmed.is_empty() {
        refused("is blank")
    } else if trimmed.contains(char::is_control) {
        refused("holds a line break or another control character")
    } else if trimmed.chars().count() > LONGEST_NAME {
        refused("is longer than any name")
    } else {
        Ok(trimmed.to_owned())
    }
}

/// An address that was typed, without what may be a password in it.
fn shown(address: &str) -> String {
    match address.rsplit_once('@') {
        Some((_, rest)) => quoted(&format!("…@{rest}")),
        None => quoted(address.split(['?', '#']).next().unwrap_or_default()),
    }
}

fn lacking(missing: &[String], meant: Option<String>) -> CommandError {
    let flags = listed(missing.iter().cloned(), "and");
    let error = CommandError::new(Kind::Usage, format!("`uwf setup` needs {flags}"));
    let error = meant.into_iter().fold(error, CommandError::hint);
    error.hint(
        "`uwf setup --provider openai --model gpt-5 --api-key -` reads the key from standard \
         input; `--api-key ''` is for a provider that wants none",
    )
}
