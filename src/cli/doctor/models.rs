//! Who serves models, with which key, and whether the models that are named can be asked.

use std::time::Duration;

use super::report::Check;
use crate::cli::context::Context;
use crate::cli::installed::{Installed, place_of};
use crate::cli::setup::key::why_no_key;
use crate::config::{
    Config, DotEnv, ModelChoice, ModelChoiceError, address, resolve_model, resolve_model_for,
};
use crate::engine;
use crate::llm;
use crate::model::in_full;
use crate::wording::{excerpt, one_line, quoted};

/// Everything about models. `env` is none when it cannot be read.
pub fn checks(config: &Config, env: Option<&DotEnv>, context: &Context) -> Vec<Check> {
    let mut checks = Vec::new();
    for (name, provider) in &config.providers {
        let what = format!("provider {name}");
        let address = provider.base_url.as_deref();
        checks.push(match address.map(address::address) {
            None => Check::wrong(&what, "it has no `baseUrl`").hint(to_give_address(name)),
            Some(Err(why)) => Check::wrong(&what, format!("its `baseUrl` cannot be used: {why}"))
                .hint(to_give_address(name)),
            Some(Ok(address)) => key(
                &what,
                name,
                &address,
                provider.api_key_env.as_deref(),
                env,
                context,
            ),
        });
    }
    for alias in config.models.keys() {
        checks.push(resolved(
            format!("model {alias}"),
            resolve_model(config, Some(alias)),
        ));
    }
    checks.push(match resolve_model(config, None) {
        Err(error @ ModelChoiceError::NotSet(_)) => match who_needs_it(config, context) {
            Some(agent) => Check::wrong(
                "default model",
                format!("{error}, and the agent {} needs one", quoted(agent)),
            )
            .hint("`uwf setup --provider … --model …`"),
            None => Check::open("default model", error.to_string()),
        },
        choice => resolved("default model".to_owned(), choice),
    });
    for purpose in config.model_overrides.keys() {
        if let Some(choice) = resolve_model_for(config, purpose) {
            checks.push(resolved(format!("model override {purpose}"), choice));
        }
    }
    checks
}

/// Asks each model that can be asked for one word.
pub fn probes(config: &Config, limit: Duration, context: &Context) -> Vec<Check> {
    let askable = |alias: &&String| resolve_model(config, Some(alias)).is_ok();
    let probe = |alias: &String| {
        let what = format!("probe {alias}");
        let answered = engine::model(config, Some(alias), &context.root, &context.host)
            .map_err(|error| in_full(&error))
            .and_then(|endpoint| llm::probe(&endpoint, limit).map_err(|error| in_full(&error)));
        match answered {
            Ok(word) => Check::well(what, format!("answers {}", excerpt(&one_line(&word)))),
            Err(why) => Check::wrong(what, why),
        }
    };
    config.models.keys().filter(askable).map(probe).collect()
}

fn key(
    what: &str,
    provider: &str,
    address: &str,
    variable: Option<&str>,
    env: Option<&DotEnv>,
    context: &Context,
) -> Check {
    let Some(variable) = variable else {
        return Check::well(what, format!("{address}, without a key"));
    };
    let nothing = DotEnv::default();
    match (
        place_of(variable, env.unwrap_or(&nothing), &context.host),
        env,
    ) {
        (Some(place), _) => {
            let of_caller = context.host.variable(variable);
            let of_caller = of_caller.map(|key| key.to_string_lossy().into_owned());
            let of_file = || env.and_then(|env| env.get(variable)).map(str::to_owned);
            let key = of_caller.or_else(of_file).unwrap_or_default();
            if let Some(why) = why_no_key(&key) {
                let message = format!("its key, {variable} in {place}, cannot be used: {why}");
                return Check::wrong(what, message).hint(to_give_key(provider));
            }
            Check::well(what, format!("{address}, its key is {variable} in {place}"))
        }
        (None, None) => Check::open(
            what,
            format!(
                "{address}; whether {variable} is set cannot be told, since .env cannot be read"
            ),
        ),
        (None, Some(_)) => Check::wrong(
            what,
            format!("its key is not set: {variable} is neither in .env nor in the environment"),
        )
        .hint(to_give_key(provider)),
    }
}

fn to_give_address(provider: &str) -> String {
    format!(
        "{} --base-url …`",
        to_set_up(provider).trim_end_matches('`')
    )
}

fn to_give_key(provider: &str) -> String {
    format!(
        "{} --api-key - < key.txt`",
        to_set_up(provider).trim_end_matches('`')
    )
}

fn resolved(what: String, choice: Result<ModelChoice, ModelChoiceError>) -> Check {
    match choice {
        Ok(choice) => Check::well(what, format!("{} of {}", choice.name, choice.provider)),
        Err(error) => Check::wrong(what, error.to_string()).hint("`uwf setup`, or mend it there"),
    }
}

/// The first agent that asks the model that is set.
fn who_needs_it<'c>(config: &'c Config, context: &Context) -> Option<&'c str> {
    let installed = Installed::of(context);
    let needs_it = config.agents.iter().find(|(_, entry)| {
        let command = entry.command.as_deref();
        command.is_some_and(|command| installed.asks_default_model(command, &entry.args))
    });
    needs_it.map(|(name, _)| name.as_str())
}

fn to_set_up(provider: &str) -> String {
    format!("`uwf setup --provider {}`", shell_words::quote(provider))
}
