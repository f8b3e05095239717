//! The name that a model has in the configuration: one that it has already, or one that is free.

use crate::config::{Config, Model, Setting};

/// The name of the model that a fresh configuration has.
const FIRST_ALIAS: &str = "default";

/// A model by the name that the configuration has for it.
pub struct Alias {
    alias: String,
    /// What the provider calls it.
    pub name: String,
}

impl Alias {
    /// The model of this name, or the one that is set already; none when nobody says which.
    pub fn of(provider: &str, name: Option<&str>, config: &Config) -> Option<Self> {
        let is_of_provider = |model: &Model| {
            let of = model.provider.as_ref();
            of.is_some_and(|of| of.name == provider) && model.name.is_some()
        };
        let mut known: Vec<(&String, &str)> = config
            .models
            .iter()
            .filter(|(_, model)| is_of_provider(model))
            .filter_map(|(alias, model)| Some((alias, model.name.as_deref()?)))
            .filter(|(_, known)| name.is_none_or(|name| name == *known))
            .collect();
        let present = config.default_model.as_ref().map(|model| &model.name);
        // The one that is used now, then the usual one.
        known.sort_by_key(|(alias, _)| (Some(*alias) != present, *alias != FIRST_ALIAS));
        let is_certain = match name {
            Some(_) => true,
            None => known.len() == 1 || known.first().map(|(alias, _)| *alias) == present,
        };
        match (known.first(), name) {
            (Some((alias, name)), _) if is_certain => Some(Self {
                alias: (*alias).clone(),
                name: (*name).to_owned(),
            }),
            (_, Some(name)) => Some(Self {
                alias: new_alias(provider, name, config),
                name: name.to_owned(),
            }),
            _ => None,
        }
    }

    /// What the configuration is to say of it.
    pub fn settings(&self, provider: &str) -> [Setting; 3] {
        let alias = self.alias.as_str();
        [
            Setting::text(&["models", alias, "provider"], provider),
            Setting::text(&["models", alias, "name"], &self.name),
            Setting::text(&["defaultModel"], alias),
        ]
    }
}

/// A name that no model has: what is there may be meant by somebody, and stays.
fn new_alias(provider: &str, name: &str, config: &Config) -> String {
    let usual = [
        FIRST_ALIAS.to_owned(),
        name.to_owned(),
        format!("{provider}/{name}"),
    ];
    let numbered = (2..).map(|number| format!("{provider}/{name} {number}"));
    let mut aliases = usual.into_iter().chain(numbered);
    let is_free = |alias: &String| !config.models.contains_key(alias);
    aliases.find(is_free).unwrap_or_default()
}
