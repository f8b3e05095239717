//! Which model is meant, and where it is served.

use std::path::PathBuf;

use super::address;
use super::finding::{Finding, suggested};
use super::settings::{Config, Reference};
use crate::yaml::Mark;

/// A model as the configuration describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelChoice {
    /// The alias of its provider.
    pub provider: String,
    /// The address of the provider's API, without a slash at its end.
    pub base_url: String,
    /// The variable that holds the provider's key; none when it needs none.
    pub api_key_env: Option<String>,
    /// What the provider calls it.
    pub name: String,
}

/// Why there is no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelChoiceError {
    /// Nobody says which one.
    #[error("no model is set: {} has no `defaultModel`", .0.display())]
    NotSet(PathBuf),
    /// Something that is named is not described, or not wholly.
    #[error("{0}")]
    Incomplete(Finding),
}

/// The model of this alias, else the default one.
pub fn resolve_model(
    config: &Config,
    alias: Option<&str>,
) -> Result<ModelChoice, ModelChoiceError> {
    match (alias, &config.default_model) {
        (Some(alias), _) => described(config, "--model", alias, None),
        (None, Some(reference)) => {
            described(config, "defaultModel", &reference.name, Some(reference))
        }
        (None, None) => Err(ModelChoiceError::NotSet(config.path.clone())),
    }
}

/// The model for a purpose; none when no override names one for it.
pub fn resolve_model_for(
    config: &Config,
    purpose: &str,
) -> Option<Result<ModelChoice, ModelChoiceError>> {
    let reference = config.model_overrides.get(purpose)?;
    let key = format!("modelOverrides.{purpose}");
    Some(described(config, &key, &reference.name, Some(reference)))
}

fn described(
    config: &Config,
    key: &str,
    alias: &str,
    reference: Option<&Reference>,
) -> Result<ModelChoice, ModelChoiceError> {
    let incomplete = |mark: Mark, message: String| {
        ModelChoiceError::Incomplete(Finding {
            path: config.path.clone(),
            mark,
            message,
        })
    };
    let here = reference.map_or(Mark::START, |reference| reference.mark);
    let model = config.models.get(alias).ok_or_else(|| {
        let suggestion = suggested(alias, config.models.keys().map(String::as_str));
        incomplete(
            here,
            format!("`{key}` names `{alias}`, which is not in `models`{suggestion}"),
        )
    })?;
    let lacks = |what: &str| incomplete(model.mark, format!("the model `{alias}` has no `{what}`"));
    let provider_reference = model.provider.as_ref().ok_or_else(|| lacks("provider"))?;
    let name = model.name.clone().ok_or_else(|| lacks("name"))?;
    let provider_alias = &provider_reference.name;
    let provider = config.providers.get(provider_alias).ok_or_else(|| {
        let suggestion = suggested(provider_alias, config.providers.keys().map(String::as_str));
        incomplete(
            provider_reference.mark,
            format!(
                "the model `{alias}` is of provider `{provider_alias}`, which is not in \
                 `providers`{suggestion}"
            ),
        )
    })?;
    let base_url = provider.base_url.as_deref().ok_or_else(|| {
        incomplete(
            provider.mark,
            format!("the provider `{provider_alias}` has no `baseUrl`"),
        )
    })?;
    let base_url = address::address(base_url).map_err(|why| {
        incomplete(
            provider.mark,
            format!("the `baseUrl` of the provider `{provider_alias}` cannot be used: {why}"),
        )
    })?;
    Ok(ModelChoice {
        provider: provider_alias.clone(),
        base_url,
        api_key_env: provider.api_key_env.clone(),
        name,
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const CONFIG: &str = "\
providers:
  local: {baseUrl: \"http://127.0.0.1:1/v1/\"}
  paid: {baseUrl: \"https://api.example.org/v1\", apiKeyEnv: PAID_API_KEY}
  blank: {}
  torn: {baseUrl: 'https://me:secret@host/v1'}
models:
  small: {provider: local, name: small-1}
  large: {provider: paid, name: large-1}
  lost: {provider: payd, name: x}
  nowhere: {provider: blank, name: x}
  nobody: {name: x}
  nameless: {provider: local}
  open: {provider: torn, name: x}
defaultModel: small
modelOverrides: {extract: large, review: larg}
";

    fn config(text: &str) -> Config {
        Config::parse(text, Path::new("/root/config.yaml")).unwrap()
    }

    #[test]
    fn the_alias_counts_before_the_default() {
        let config = config(CONFIG);
        let small = ModelChoice {
            provider: "local".to_owned(),
            base_url: "http://127.0.0.1:1/v1".to_owned(),
            api_key_env: None,
            name: "small-1".to_owned(),
        };
        let large = ModelChoice {
            provider: "paid".to_owned(),
            base_url: "https://api.example.org/v1".to_owned(),
            api_key_env: Some("PAID_API_KEY".to_owned()),
            name: "large-1".to_owned(),
        };
        assert_eq!(resolve_model(&config, None), Ok(small));
        assert_eq!(resolve_model(&config, Some("large")), Ok(large.clone()));
        assert_eq!(resolve_model_for(&config, "extract"), Some(Ok(large)));
        assert_eq!(resolve_model_for(&config, "other"), None);
    }

    #[test]
    fn what_is_missing_is_named_with_its_place() {
        let config = config(CONFIG);
        let refusal = |alias| resolve_model(&config, Some(alias)).unwrap_err().to_string();
        for (alias, message) in [
            (
                "lost",
                "9:20: the model `lost` is of provider `payd`, which is not in `providers`: \
                 did you mean `paid`?",
            ),
            (
                "open",
                "5:3: the `baseUrl` of the provider `torn` cannot be used: it must not hold a name \
                 or a password: give the key with `--api-key -`",
            ),
            ("nowhere", "4:3: the provider `blank` has no `baseUrl`"),
            ("nobody", "11:3: the model `nobody` has no `provider`"),
            ("nameless", "12:3: the model `nameless` has no `name`"),
        ] {
            assert_eq!(refusal(alias), format!("/root/config.yaml:{message}"));
        }
        assert_eq!(
            resolve_model_for(&config, "review")
                .unwrap()
                .unwrap_err()
                .to_string(),
            "/root/config.yaml:15:42: `modelOverrides.review` names `larg`, which is not in \
             `models`: did you mean `large`?"
        );
        assert_eq!(
            resolve_model(&self::config(""), None)
                .unwrap_err()
                .to_string(),
            "no model is set: /root/config.yaml has no `defaultModel`"
        );
    }
}
