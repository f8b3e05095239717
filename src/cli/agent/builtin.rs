//! `uwf agent builtin`, also called `uwf-builtin`.

use std::collections::BTreeSet;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::builder::NonEmptyStringValueParser;

use super::{Turn, perform};
use crate::agent::{FailureClass, Shipped};
use crate::bundled::{Builtin, BuiltinSettings};
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::parse;
use crate::config::{Config, resolve_model};
use crate::engine;
use crate::host::Host;
use crate::model::in_full;

/// Let a model of your own do it, with tools for files and commands
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The model comes from `providers` and `models` of config.yaml, its key from .env or the \
environment. The tools may read and write the thread's working folder and what --allow names.

Examples, in config.yaml:
  agents:
    builtin: {command: uwf-builtin}
    large: {command: uwf-builtin, args: [--model, large-1, --max-turns, \"60\"]}")]
pub struct Arguments {
    /// The model: a name in `models` of config.yaml [default: `defaultModel`]
    #[arg(long, value_name = "ALIAS", value_parser = NonEmptyStringValueParser::new())]
    model: Option<String>,
    /// The most turns until the model answers
    #[arg(
        long,
        value_name = "N",
        default_value = "30",
        value_parser = parse::count,
        allow_negative_numbers = true
    )]
    max_turns: NonZeroU64,
    /// A file or folder besides the working folder that the tools may read and write
    #[arg(long, value_name = "PATH")]
    allow: Vec<PathBuf>,
    /// Whether commands are confined to those folders
    #[arg(
        long,
        value_name = "on|off",
        default_value = "on",
        value_enum,
        hide_possible_values = true
    )]
    sandbox: Switch,
    #[command(flatten)]
    turn: Turn,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Switch {
    On,
    Off,
}

pub fn run(arguments: &Arguments, context: &Context) -> Result {
    let call = perform::call(&arguments.turn, Shipped::Builtin, context)?;
    match settings(arguments, context) {
        Ok(settings) => perform::make_step(&call, &mut Builtin::new(settings), context),
        Err(why) => Err(perform::not_begun(
            FailureClass::Configuration,
            &why,
            context,
        )?),
    }
}

/// Whether the model that the arguments name is described, and what they allow is there. Where they
/// name no model, the one that is set is meant, which is no matter of the arguments; a path in each
/// thread's own folder cannot be looked for here.
pub fn check(arguments: &Arguments, context: &Context) -> std::result::Result<(), String> {
    for path in &arguments.allow {
        if path.is_absolute() || path.starts_with("~") {
            let path = allowed(path, &context.host)?;
            path.metadata().map_err(|error| {
                format!("cannot use the allowed path {}: {error}", path.display())
            })?;
        }
    }
    let Some(alias) = arguments.model.as_deref() else {
        return Ok(());
    };
    let config = Config::load(&context.root).map_err(|error| in_full(&error))?;
    resolve_model(&config, Some(alias))
        .map(|_| ())
        .map_err(|error| in_full(&error))
}

fn settings(
    arguments: &Arguments,
    context: &Context,
) -> std::result::Result<BuiltinSettings, String> {
    let (host, root) = (&context.host, &context.root);
    let config = Config::load(root).map_err(|error| in_full(&error))?;
    let endpoint = engine::model(&config, arguments.model.as_deref(), root, host)
        .map_err(|error| in_full(&error))?;
    let providers = config.providers.values();
    let hidden_variables: BTreeSet<_> = providers
        .filter_map(|provider| provider.api_key_env.clone())
        .collect();
    let temp = host
        .variable("TMPDIR")
        .map_or_else(|| Path::new("/tmp"), Path::new);
    Ok(BuiltinSettings {
        endpoint,
        pace: engine::pace(host).map_err(|error| in_full(&error))?,
        max_turns: usize::try_from(arguments.max_turns.get()).unwrap_or(usize::MAX),
        allowed: arguments
            .allow
            .iter()
            .map(|path| allowed(path, host))
            .collect::<std::result::Result<_, _>>()?,
        sandbox: arguments.sandbox == Switch::On,
        hidden_variables,
        own_program: host.program(),
        temp: host.absolute(temp),
        session_id: host.new_session_id(),
    })
}

/// A path of `--allow`, absolute. No shell sees the arguments of an entry, so `~` is ours to read.
fn allowed(path: &Path, host: &Host) -> std::result::Result<PathBuf, String> {
    let Ok(inner) = path.strip_prefix("~") else {
        return Ok(host.absolute(path));
    };
    let home = host.variable("HOME").ok_or_else(|| {
        let shown = path.display();
        format!("cannot use the allowed path {shown}: HOME is not set, so ~ has no meaning")
    })?;
    Ok(host.absolute(&Path::new(home).join(inner)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilde_is_the_home_of_whoever_runs_the_agent() {
        let host = |home: &[(&str, &str)]| Host {
            cwd: PathBuf::from("/work"),
            environment: home.iter().map(|(k, v)| (k.into(), v.into())).collect(),
            stdin_is_terminal: false,
            stdout_is_terminal: false,
            stderr_is_terminal: false,
        };
        let home = [("HOME", "/home/me")];
        for (path, absolute) in [
            ("~", "/home/me"),
            ("~/.cargo", "/home/me/.cargo"),
            ("~me/a", "/work/~me/a"),
            ("a/~", "/work/a/~"),
            ("/a", "/a"),
        ] {
            assert_eq!(
                allowed(Path::new(path), &host(&home)),
                Ok(PathBuf::from(absolute))
            );
        }
        assert_eq!(
            allowed(Path::new("~/a"), &host(&[])),
            Err("cannot use the allowed path ~/a: HOME is not set, so ~ has no meaning".to_owned())
        );
    }
}
