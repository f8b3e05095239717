//! `uwf setup`: who serves the model, with which key, and which agent does the work.
//!
//! With flags nothing is asked; without any the questions are asked on the terminal. Either way
//! what is wanted becomes a plan, and the plan two files.

mod agents;
mod alias;
mod ask;
mod columns;
mod dialogue;
pub mod key;
mod plan;
mod presets;
mod standing;
mod write;

use std::time::Duration;

use serde_json::json;

use self::key::{KeyWish, Secret};
use self::plan::{Plan, Wish};
use self::write::Written;
use super::context::Context;
use super::error::Result;
use super::journal::Journal;
use super::limits::Limits;
use super::output::style::HINT;
use crate::config::{Config, DotEnv};
use crate::engine;
use crate::llm::{self, LlmClass};
use crate::log::{About, Entry};
use crate::model::in_full;

/// What stands for standard input.
const STDIN: &str = "-";

/// Set up the model, its key, and the agent that does the work
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Without options it asks on the terminal. What is set up already stays, in config.yaml and .env \
with all comments; of what is not said, as much as is known is kept. The model is then asked for \
one word; that it does not answer undoes nothing. UWF_PROBE_TIMEOUT=1m lets it take longer than \
15s.

Result: {configPath, envPath, provider, model, defaultAgent, validation: {ok, value or error}}; \
ok is null when the model was not asked, since nothing about it is new

Examples:
  uwf setup
  uwf setup --provider openai --model gpt-5 --api-key - < key.txt
  uwf setup --provider ollama --model qwen3
  uwf setup --provider mine --base-url http://[::1]:8080/v1 --api-key '' --model large
  uwf setup --provider groq --api-key-env MY_KEY --model llama
  uwf setup --agent claude-code")]
pub struct Arguments {
    /// Who serves the model: openai, xai, deepseek, openrouter, groq, mistral, together,
    /// fireworks, moonshot, dashscope, zhipu, siliconflow, ollama, or a name of your own
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    /// The address of its OpenAI-compatible API; for a name of your own
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Its key, kept in .env; `-` reads it from standard input, '' says that it needs none
    #[arg(long, value_name = "KEY")]
    api_key: Option<Secret>,
    /// The variable that holds the key, in .env or in the environment
    #[arg(long, value_name = "VARIABLE")]
    api_key_env: Option<String>,
    /// What the provider calls the model
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// The agent that does the work: builtin, claude-code, hermes, codex, gemini, one in
    /// config.yaml, or a `uwf-…` in PATH
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
}

impl Arguments {
    fn has_any(&self) -> bool {
        self.provider.is_some()
            || self.base_url.is_some()
            || self.api_key.is_some()
            || self.api_key_env.is_some()
            || self.model.is_some()
            || self.agent.is_some()
    }

    fn wish(&self, context: &Context) -> Result<Wish> {
        let trimmed = |text: &Option<String>| text.as_deref().map(|text| text.trim().to_owned());
        Ok(Wish {
            provider: trimmed(&self.provider),
            base_url: trimmed(&self.base_url),
            key: self.key(context)?,
            key_variable: trimmed(&self.api_key_env),
            model: trimmed(&self.model),
            agent: trimmed(&self.agent),
        })
    }

    fn key(&self, context: &Context) -> Result<KeyWish> {
        let Some(typed) = &self.api_key else {
            return Ok(KeyWish::Unsaid);
        };
        if typed.reveal() == STDIN {
            return if context.host.stdin_is_terminal {
                KeyWish::needed(&ask::hidden_line("API key (not shown): ", context)?)
            } else {
                KeyWish::from_stdin()
            };
        }
        let key = KeyWish::typed(typed.reveal())?;
        if key != KeyWish::NotNeeded {
            context.warn(
                "a key on the command line can be seen by every user of this machine while the \
                 command runs, and stays in the history of the shell: give it with `--api-key -` \
                 on standard input",
            );
        }
        Ok(key)
    }
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let limits = Limits::of(context)?;
    let is_asked = !arguments.has_any();
    let wish = if is_asked {
        dialogue::wish(limits.list, context)?
    } else {
        arguments.wish(context)?
    };
    let written = write::write(&wish, context)?;
    for warning in &written.plan.warnings {
        context.warn(warning);
    }
    if is_asked {
        dialogue::tell_written(&written, context);
    }
    log(&written, context);
    let validation = match answer(&written, limits.probe, context) {
        None => json!({"ok": null, "value": null}),
        Some(Ok(value)) => json!({"ok": true, "value": value}),
        Some(Err(silence)) => {
            silence.tell(context);
            json!({"ok": false, "error": silence.why})
        }
    };
    // Where nothing answers, the next thing is to mend that.
    if is_asked && validation["ok"] != false {
        dialogue::tell_answer(&validation, context);
        dialogue::tell_next(context);
    }
    let Plan {
        provider,
        model,
        agent,
        ..
    } = &written.plan;
    context.print(&json!({
        "configPath": Config::path_in(&context.root).display().to_string(),
        "envPath": DotEnv::path(&context.root).display().to_string(),
        "provider": provider,
        "model": model,
        "defaultAgent": agent,
        "validation": validation,
    }))
}

fn log(written: &Written, context: &Context) {
    if !written.is_changed {
        return;
    }
    let nobody = About {
        thread: None,
        workflow: None,
    };
    Journal::of("setup", nobody, context).write(&Entry::ConfigurationChanged {
        provider: written.plan.provider.as_deref(),
        agent: &written.plan.agent,
    });
}

/// Why the model does not answer.
struct Silence {
    why: String,
    /// Whether the address may be another one than the service's.
    may_be_address: bool,
}

impl Silence {
    fn tell(&self, context: &Context) {
        context.warn(&format!(
            "all is written, but the model does not answer: {}",
            self.why
        ));
        let again = "run `uwf setup` again: what is right stays";
        let advice = if self.may_be_address {
            format!("does the address end as the service says, such as in /v1? If not, {again}")
        } else {
            again.to_owned()
        };
        let label = context.error_colours().paint(HINT, "hint:");
        context.say_drawn(&format!("{label} {advice}\n"));
    }
}

/// Asks the model for a word, the way an agent will. None when nothing about it is new.
fn answer(
    written: &Written,
    limit: Duration,
    context: &Context,
) -> Option<std::result::Result<String, Silence>> {
    if !written.plan.is_about_model {
        return None;
    }
    let endpoint = match engine::model(&written.config, None, &context.root, &context.host) {
        Ok(endpoint) => endpoint,
        Err(error) => {
            return Some(Err(Silence {
                why: in_full(&error),
                may_be_address: false,
            }));
        }
    };
    Some(llm::probe(&endpoint, limit).map_err(|error| Silence {
        why: in_full(&error),
        may_be_address: matches!(error.class, LlmClass::Api | LlmClass::Malformed),
    }))
}
