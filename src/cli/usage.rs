//! What is wrong with a command line, in our words: what was meant, and what to type instead.
//!
//! Parsing is clap's; it says what it stumbled over, here that becomes a sentence.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use super::error::{CommandError, Kind};
use super::reference::{self, full_name};
use crate::suggestion::nearest;
use crate::wording::{listed, quoted};

/// The usage error for what clap refused.
pub fn explain(error: &clap::Error, arguments: &[OsString]) -> CommandError {
    let definition = super::definition();
    let refused = Refused {
        error,
        definition: &definition,
        command: innermost(&definition, arguments),
        escaped: arguments
            .split(|text| text == "--")
            .skip(1)
            .flatten()
            .collect(),
    };
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let name = refused.text(ContextKind::InvalidSubcommand);
            no_such_command(&definition, refused.command, name.unwrap_or_default())
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            missing_command(refused.command)
        }
        ErrorKind::UnknownArgument => refused.unknown_argument(),
        ErrorKind::MissingRequiredArgument => refused.missing_argument(),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => refused.bad_value(),
        ErrorKind::ArgumentConflict => refused.conflict(),
        ErrorKind::TooManyValues => refused.needless_value(),
        ErrorKind::InvalidUtf8 => usage("an argument is not valid UTF-8"),
        _ => usage(plain(error)),
    }
}

/// The command has no command of that name.
pub fn no_such_command(definition: &Command, command: &Command, name: &str) -> CommandError {
    let group = full_name(command);
    if name.is_empty() {
        return usage(format!("`{group}` needs a command, not an empty text"))
            .hint(names_of_commands(command));
    }
    let error = usage(format!("`{group}` has no command {}", quoted(name)));
    if name == "help" {
        let names = group.split_once(' ').map_or("", |(_, names)| names);
        return error.hint(format!("did you mean `uwf help {names}`?"));
    }
    let named = || command.get_subcommands().map(Command::get_name);
    let is_named = |meant: &&&str| named().any(|known| known == **meant);
    let meant = nearest(name, named()).or(synonyms(name).iter().find(is_named).copied());
    let is_in_no_group = command.get_name() == definition.get_name();
    // What other tools call a command may mean another one in another group.
    let synonyms = if is_in_no_group { synonyms(name) } else { &[] };
    let elsewhere: Vec<_> = std::iter::once(&name)
        .chain(synonyms)
        .flat_map(|name| places_of(name, definition))
        .collect();
    if let Some(meant) = meant {
        error.hint(format!("did you mean `{group} {meant}`?"))
    } else if !elsewhere.is_empty() {
        error.hint(format!("did you mean {}?", listed(elsewhere, "or")))
    } else {
        error.hint(names_of_commands(command))
    }
}

/// What other tools call the commands of this one.
fn synonyms(name: &str) -> &'static [&'static str] {
    match name {
        "ls" => &["list"],
        "add" | "create" | "new" | "register" => &["put", "start"],
        "cat" => &["read", "get", "show"],
        "run" | "next" | "continue" | "resume" => &["step"],
        "status" | "info" => &["show"],
        "rm" | "remove" | "delete" | "stop" | "cancel" | "abort" => &["kill", "clean"],
        "log" | "history" => &["steps"],
        _ => &[],
    }
}

/// The command is a group, and which of its commands is meant was not said.
pub fn missing_command(command: &Command) -> CommandError {
    usage(format!("`{}` needs a command", full_name(command))).hint(names_of_commands(command))
}

fn names_of_commands(command: &Command) -> String {
    let names: Vec<_> = command
        .get_subcommands()
        .map(|command| command.get_name().to_owned())
        .collect();
    format!("its commands are {}", sentence(&names, "and"))
}

/// The command that was meant, as far as its name was right.
fn innermost<'d>(definition: &'d Command, arguments: &[OsString]) -> &'d Command {
    let mut command = definition;
    let mut arguments = arguments.iter().skip(1).map(|text| text.to_string_lossy());
    while let Some(argument) = arguments.next() {
        if let Some(option) = argument.strip_prefix('-') {
            if takes_next(command, option) {
                arguments.next();
            }
            continue;
        }
        match command.find_subcommand(&*argument) {
            Some(inner) => command = inner,
            None => break,
        }
    }
    command
}

/// Whether what follows the option is its value. `option` is without its first dash.
fn takes_next(command: &Command, option: &str) -> bool {
    let is_it = |argument: &&Arg| match option.strip_prefix('-') {
        Some(long) => argument.get_long() == Some(long),
        None => argument
            .get_short()
            .is_some_and(|short| option == short.to_string()),
    };
    let known = command.get_arguments().find(is_it);
    known.is_some_and(|argument| argument.get_action().takes_values())
}

/// What clap refused, and where.
struct Refused<'e> {
    error: &'e clap::Error,
    definition: &'e Command,
    command: &'e Command,
    /// What follows `--`, which is no option whatever it looks like.
    escaped: Vec<&'e OsString>,
}

impl Refused<'_> {
    fn text(&self, kind: ContextKind) -> Option<&str> {
        match self.error.get(kind)? {
            ContextValue::String(text) => Some(text),
            _ => None,
        }
    }

    fn texts(&self, kind: ContextKind) -> &[String] {
        match self.error.get(kind) {
            Some(ContextValue::Strings(texts)) => texts,
            _ => &[],
        }
    }

    fn unknown_argument(&self) -> CommandError {
        let typed = self.text(ContextKind::InvalidArg).unwrap_or_default();
        let name = full_name(self.command);
        if !typed.starts_with('-') || self.escaped.iter().any(|text| *text == typed) {
            return self.one_too_many(typed);
        }
        let option = typed.trim_start_matches('-');
        let mut longs = self.command.get_arguments().filter_map(Arg::get_long);
        if typed.starts_with("--") && longs.any(|long| long == option) {
            return usage(format!(
                "`--{option}` stands before the command it belongs to"
            ))
            .hint(format!("write it behind `{name}`"));
        }
        let error = usage(format!("`{name}` has no option {}", quoted(typed)));
        let mut longs = self.command.get_arguments().filter_map(Arg::get_long);
        let meant = if option.len() == 1 {
            longs.find(|long| long.starts_with(option))
        } else {
            nearest(option, longs)
        };
        if let Some(meant) = meant {
            return error.hint(format!("did you mean `--{meant}`?"));
        }
        let elsewhere: Vec<_> = commands(self.definition)
            .into_iter()
            .filter(|command| {
                let mut arguments = command.get_arguments();
                arguments.any(|argument| argument.get_long() == Some(option))
            })
            .map(|command| format!("`{}`", full_name(command)))
            .collect();
        let error = if elsewhere.is_empty() {
            error
        } else {
            let verb = if elsewhere.len() == 1 { "has" } else { "have" };
            let places = listed(elsewhere, "and");
            error.hint(format!("{places} {verb} such an option"))
        };
        error.hint(format!("`{name} --help` lists its options"))
    }

    /// An argument more than the command takes.
    fn one_too_many(&self, typed: &str) -> CommandError {
        let taken: Vec<_> = self.command.get_positionals().map(Arg::to_string).collect();
        let name = full_name(self.command);
        let typed = quoted(typed);
        let error = if taken.is_empty() && self.takes_key() {
            // The option before it may have been forgotten, and others may read what is said.
            usage(format!(
                "`{name}` takes no argument, but was given one, which is not shown: it may be a key"
            ))
        } else if taken.is_empty() {
            usage(format!("`{name}` takes no argument, but was given {typed}"))
        } else {
            let taken = taken.join(" ");
            usage(format!(
                "`{name}` takes `{taken}` alone, but was given {typed} as well"
            ))
        };
        let mut arguments = self.command.get_arguments();
        if arguments.any(Arg::is_allow_hyphen_values_set) {
            error
                .hint("put a text of several words between quotes")
                .hint(how_it_is_used(self.command))
        } else {
            error.hint(how_it_is_used(self.command))
        }
    }

    fn takes_key(&self) -> bool {
        let mut longs = self.command.get_arguments().filter_map(Arg::get_long);
        longs.any(|long| long == "api-key")
    }

    fn missing_argument(&self) -> CommandError {
        let named = self.texts(ContextKind::InvalidArg);
        let missing: Vec<_> = reference::in_order(self.command)
            .filter(|argument| named.contains(&argument.to_string()))
            .map(|argument| match argument.get_help() {
                Some(help) => format!("`{argument}` ({})", uncapitalised(&help.to_string())),
                None => format!("`{argument}`"),
            })
            .collect();
        let name = full_name(self.command);
        usage(format!("`{name}` needs {}", listed(missing, "and")))
            .hint(how_it_is_used(self.command))
    }

    fn bad_value(&self) -> CommandError {
        let named = self.text(ContextKind::InvalidArg).unwrap_or_default();
        let value = self.text(ContextKind::InvalidValue).unwrap_or_default();
        let option = named.split(' ').next().unwrap_or_default();
        let allowed = self.texts(ContextKind::ValidValue);
        let source = std::error::Error::source(self.error);
        let wanted = match source {
            Some(source) if source.is::<std::num::ParseIntError>() => {
                "must be a whole number, 0 or more".to_owned()
            }
            Some(source) => source.to_string(),
            None => format!("must be {}", sentence(allowed, "or")),
        };
        let error = if value.is_empty() && source.is_none() {
            if !option.starts_with('-') {
                usage(format!("`{option}` must not be empty"))
            } else if allowed.is_empty() {
                usage(format!("`{option}` needs a value: `{named}`"))
            } else {
                usage(format!(
                    "`{option}` needs a value: {}",
                    sentence(allowed, "or")
                ))
            }
        } else {
            let typed = if value.is_empty() {
                "an empty text".to_owned()
            } else {
                quoted(value)
            };
            // Our own parsers say what a value must be; others, what is wrong with this one.
            if wanted.starts_with("must ") {
                usage(format!("`{option}` {wanted}, not {typed}"))
            } else {
                usage(format!("`{option}` cannot be {typed}: {wanted}"))
            }
        };
        match nearest(value, allowed.iter().map(String::as_str)) {
            Some(meant) => error.hint(format!("did you mean `{meant}`?")),
            None => error,
        }
    }

    fn conflict(&self) -> CommandError {
        let typed = self.text(ContextKind::InvalidArg).unwrap_or_default();
        let option = |named: &str| named.split(' ').next().unwrap_or_default().to_owned();
        let others: Vec<_> = match self.error.get(ContextKind::PriorArg) {
            Some(ContextValue::String(other)) => vec![option(other)],
            Some(ContextValue::Strings(others)) => {
                others.iter().map(|other| option(other)).collect()
            }
            _ => Vec::new(),
        };
        let typed = option(typed);
        if others.iter().all(|other| *other == typed) {
            usage(format!("`{typed}` is given twice")).hint("leave one of them out")
        } else {
            let others = sentence(&others, "and");
            usage(format!("`{typed}` and {others} exclude each other"))
                .hint("leave one of them out")
        }
    }

    fn needless_value(&self) -> CommandError {
        let named = self.text(ContextKind::InvalidArg).unwrap_or_default();
        let value = self.text(ContextKind::InvalidValue).unwrap_or_default();
        usage(format!(
            "`{named}` takes no value, but was given {}",
            quoted(value)
        ))
    }
}

fn usage(message: impl Into<String>) -> CommandError {
    CommandError::new(Kind::Usage, message)
}

/// What clap would say, for the kinds of errors that our definition does not provoke.
fn plain(error: &clap::Error) -> String {
    let text = error.to_string();
    let message = text.strip_prefix("error: ").unwrap_or(&text);
    message.trim_end().to_owned()
}

fn how_it_is_used(command: &Command) -> String {
    format!("usage: `{}`", reference::usage(command))
}

/// The command and all below it.
fn commands(command: &Command) -> Vec<&Command> {
    let mut all = vec![command];
    all.extend(command.get_subcommands().flat_map(commands));
    all
}

/// The commands of that name, wherever they are.
fn places_of(name: &str, definition: &Command) -> Vec<String> {
    commands(definition)
        .into_iter()
        .filter(|command| command.get_name() == name && command.get_bin_name() != Some(name))
        .map(|command| format!("`{}`", full_name(command)))
        .collect()
}

/// `a`, `b` and `c`.
fn sentence(words: &[String], conjunction: &str) -> String {
    listed(words.iter().map(|word| quoted(word)), conjunction)
}

fn uncapitalised(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if !text.starts_with("JSON") => {
            first.to_lowercase().chain(characters).collect()
        }
        _ => text.to_owned(),
    }
}
