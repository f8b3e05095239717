//! The questions that `uwf setup` asks, and what it tells afterwards.

use std::time::Duration;

use serde_json::Value;

use super::agents::Choice;
use super::ask;
use super::columns;
use super::key::{self, KeyWish};
use super::plan::Wish;
use super::presets::{self, PRESETS};
use super::standing::Standing;
use super::write::Written;
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::installed::Installed;
use crate::config::{Config, DotEnv, address};
use crate::llm::{self, Endpoint, Key};
use crate::wording::{excerpt, one_line};

/// Asks what is wanted. Nothing is written.
pub fn wish(limit: Duration, context: &Context) -> Result<Wish> {
    if !context.host.can_ask() {
        return Err(CommandError::new(
            Kind::Usage,
            "`uwf setup` asks its questions on a terminal, and there is none here",
        )
        .hint(
            "say it with options: `uwf setup --provider openai --model gpt-5 --api-key - < key.txt`",
        )
        .hint("`uwf setup --help` tells them all"));
    }
    let standing = Standing::read(&context.root)?;
    let dialogue = Dialogue {
        standing: &standing,
        context,
    };
    context.say(
        "Who serves the model, and which agent does the work. Nothing is written before the last \
         answer.\n\n",
    );
    let (provider, base_url) = dialogue.provider()?;
    let (key, endpoint) = dialogue.key(&provider, &base_url)?;
    let model = dialogue.model(&endpoint, limit)?;
    let agent = dialogue.agent()?;
    context.say("\n");
    Ok(Wish {
        provider: Some(provider),
        base_url: Some(base_url),
        key,
        key_variable: None,
        model: Some(model),
        agent: Some(agent),
    })
}

/// Tells what was written.
pub fn tell_written(written: &Written, context: &Context) {
    let plan = &written.plan;
    let said = |text: &Option<String>| text.as_deref().map_or_else(String::new, excerpt);
    let heading = if written.is_changed {
        "Written:"
    } else {
        "As before:"
    };
    let files = [Config::path_in(&context.root), DotEnv::path(&context.root)];
    let files = files.iter().filter(|path| path.exists());
    let files: String = files
        .map(|path| format!("  {}\n", path.display()))
        .collect();
    context.say(&format!(
        "{heading}\n{files}\n  provider  {}\n  model     {}\n  agent     {}\n\n",
        said(&plan.provider),
        said(&plan.model),
        excerpt(&plan.agent),
    ));
}

/// Tells that the model answers.
pub fn tell_answer(validation: &Value, context: &Context) {
    let answer = validation["value"].as_str().unwrap_or_default();
    context.say(&format!(
        "The model answers: {}\n",
        excerpt(&one_line(answer))
    ));
}

/// Tells what can be done now.
pub fn tell_next(context: &Context) {
    context.say(
        "\nWhat comes next:\n  uwf workflow put <file.yaml>\n  uwf thread start <workflow> -p \
         '<task>'\n  uwf thread step @\n  uwf doctor\n\n",
    );
}

struct Dialogue<'d> {
    standing: &'d Standing,
    context: &'d Context,
}

impl Dialogue<'_> {
    /// A provider's name and address.
    fn provider(&self) -> Result<(String, String)> {
        let providers = &self.standing.config.providers;
        let labels = PRESETS.iter().map(|preset| preset.label.len());
        let width = labels.max().unwrap_or(0);
        for (position, preset) in PRESETS.iter().enumerate() {
            let known = providers.get(preset.name);
            let known = known.map_or("", |_| "  (set up)");
            self.context.say(&format!(
                "{:>3}) {:width$}  {}{known}\n",
                position + 1,
                preset.label,
                preset.base_url,
            ));
        }
        let count = PRESETS.len() + 1;
        self.context.say(&format!(
            "{count:>3}) Another one, by its name and address\n\n"
        ));
        let present = self.standing.present_provider().map(str::to_owned);
        let question = format!("Choose [1-{count}]{}: ", on_enter(present.as_deref()));
        let chosen = ask::until(&question, self.context, |typed| match typed.parse() {
            Ok(number) if (1..count).contains(&number) => {
                Ok(Some(PRESETS[number - 1].name.to_owned()))
            }
            Ok(number) if number == count => Ok(None),
            Err(_) if typed.is_empty() && present.is_some() => Ok(present.clone()),
            Err(_) if presets::find(typed).is_some() || providers.contains_key(typed) => {
                Ok(Some(typed.to_owned()))
            }
            _ => Err(format!("Type a number from 1 to {count}.")),
        })?;
        let is_own = chosen.is_none();
        let name = match chosen {
            Some(name) => name,
            None => ask::until("Its name, such as my-proxy: ", self.context, some_name)?,
        };
        let configured = providers
            .get(&name)
            .and_then(|known| known.base_url.clone());
        let preset = presets::find(&name).map(|preset| preset.base_url.to_owned());
        let known = configured.or(preset);
        if let Some(known) = known.clone().filter(|_| !is_own) {
            return Ok((name, known));
        }
        if known.is_some() {
            let name = excerpt(&name);
            self.context
                .say(&format!("{name} is a provider that is known here.\n"));
        }
        let question = format!(
            "The address of its OpenAI-compatible API{}: ",
            on_enter(known.as_deref())
        );
        let address = ask::until(&question, self.context, |typed| {
            let known = known.as_deref().filter(|_| typed.is_empty());
            let text = known.unwrap_or(typed);
            address::address(text).map_err(|why| format!("That is no address: {why}."))
        })?;
        Ok((name, address))
    }

    /// The key, and where it can be used.
    fn key(&self, provider: &str, base_url: &str) -> Result<(KeyWish, Endpoint)> {
        let known = self.standing.config.providers.get(provider);
        let named = known.and_then(|known| known.api_key_env.clone());
        let is_local = address::is_local(base_url);
        let variable = named.clone().unwrap_or_else(|| key::variable_of(provider));
        let set = self.standing.place_of(&variable, &self.context.host);
        let set = set.filter(|_| named.is_some() || !is_local);
        let hint = match set {
            Some(place) => format!("not shown; Enter: {variable} in {place}"),
            None if is_local => "not shown; Enter: none".to_owned(),
            None => "not shown".to_owned(),
        };
        let question = format!("API key ({hint}): ");
        let wish = loop {
            let typed = ask::hidden_line(&question, self.context)?;
            let wish = KeyWish::typed(&typed);
            let wish = wish.and_then(|wish| wish.check_for(&variable).map(|()| wish));
            match wish {
                Ok(KeyWish::NotNeeded) if set.is_some() => break KeyWish::Unsaid,
                Ok(KeyWish::NotNeeded) if !is_local => {
                    self.context.say("Type the key, or Ctrl-C to end.\n");
                }
                Ok(wish) => break wish,
                Err(error) => self.context.say(&format!("{}\n", error.message())),
            }
        };
        let key = match &wish {
            KeyWish::Given(key) => Some(Key::new(key.reveal())),
            KeyWish::NotNeeded => None,
            KeyWish::Unsaid => self.set_key(&variable),
        };
        let endpoint = Endpoint {
            provider: provider.to_owned(),
            base_url: base_url.trim_end_matches('/').to_owned(),
            key,
            model: String::new(),
        };
        Ok((wish, endpoint))
    }

    fn set_key(&self, variable: &str) -> Option<Key> {
        let of_caller = self.context.host.variable(variable);
        let of_caller = of_caller.map(|key| Key::new(key.to_string_lossy()));
        of_caller.or_else(|| self.standing.env.get(variable).map(Key::new))
    }

    fn model(&self, endpoint: &Endpoint, limit: Duration) -> Result<String> {
        let address = endpoint.address();
        self.context
            .say(&format!("\nAsking {address} for its models…\n"));
        let models = match llm::list_models(endpoint, limit) {
            Ok(models) => models,
            Err(error) => {
                self.context
                    .warn(&format!("there is no list of models: {error}"));
                Vec::new()
            }
        };
        let shown: Vec<_> = models.iter().map(|model| excerpt(model)).collect();
        let width = self.context.host.stderr_width();
        self.context.say(&columns::numbered(&shown, width));
        let present = self.present_model(&endpoint.provider);
        let which = match models.len() {
            0 => "The name of the model".to_owned(),
            count => format!("Model [1-{count}, or its name]"),
        };
        let question = format!("{which}{}: ", on_enter(present.as_deref()));
        ask::until(&question, self.context, |typed| {
            if let Some(present) = present.clone().filter(|_| typed.is_empty()) {
                return Ok(present);
            }
            let position = typed.parse::<usize>().ok();
            let listed = position.and_then(|position| models.get(position.checked_sub(1)?));
            some_name(listed.map_or(typed, String::as_str))
        })
    }

    /// The model that is set, when it is of this provider.
    fn present_model(&self, provider: &str) -> Option<String> {
        let is_present = self.standing.present_provider() == Some(provider);
        let model = self.standing.default_model().filter(|_| is_present)?;
        model.name.clone()
    }

    fn agent(&self) -> Result<String> {
        let installed = Installed::of(self.context);
        let choice = Choice {
            standing: self.standing,
            installed: &installed,
            // It decides over an entry only, and the plan makes that.
            new_variable: None,
        };
        let names = choice.names();
        let width = names.iter().map(|name| name.chars().count()).max();
        let width = width.unwrap_or(0);
        self.context.say("\nWhich agent does the work:\n\n");
        for (position, name) in names.iter().enumerate() {
            let told = choice.told(name);
            let name = excerpt(name);
            self.context
                .say(&format!("{:>3}) {name:width$}  {told}\n", position + 1));
        }
        let present = choice.kept()?.name;
        let question = format!("\nAgent [1-{}]{}: ", names.len(), on_enter(Some(&present)));
        ask::until(&question, self.context, |typed| {
            if typed.is_empty() {
                return Ok(present.clone());
            }
            let position = typed.parse::<usize>().ok();
            let listed = position.and_then(|position| names.get(position.checked_sub(1)?));
            let name = listed.map_or(typed, String::as_str);
            match choice.named(name) {
                Ok(_) => Ok(name.to_owned()),
                Err(error) => Err(error.message().to_owned()),
            }
        })
    }
}

/// What Enter alone means.
fn on_enter(present: Option<&str>) -> String {
    present.map_or_else(String::new, |name| format!(" (Enter: {})", excerpt(name)))
}

fn some_name(typed: &str) -> std::result::Result<String, String> {
    if typed.is_empty() {
        return Err("Type a name.".to_owned());
    }
    if typed.contains(char::is_control) {
        return Err("That is no name: it holds control characters.".to_owned());
    }
    Ok(typed.to_owned())
}
