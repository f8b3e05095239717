//! Which agent is to do the work by default, and the entry that lets it run.

use std::collections::BTreeSet;

use super::standing::Standing;
use crate::agent::Shipped;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::installed::{Installed, PREFIX, Program, usual_command};
use crate::config::Setting;
use crate::suggestion::did_you_mean;
use crate::wording::{listed, quoted};

/// The agent where nobody says which.
const USUAL: &str = "builtin";

/// The agent that was chosen.
pub struct ChosenAgent {
    /// Its name in the configuration.
    pub name: String,
    /// What the configuration is to say about it.
    pub settings: Vec<Setting>,
    /// What a person should know.
    pub warnings: Vec<String>,
}

/// What agents are chosen from.
pub struct Choice<'s> {
    /// What is set up.
    pub standing: &'s Standing,
    /// What the machine has.
    pub installed: &'s Installed<'s>,
    /// A variable that `.env` is about to get.
    pub new_variable: Option<&'s str>,
}

impl Choice<'_> {
    /// The agent of this name, with or without the `uwf-` before it.
    pub fn named(&self, word: &str) -> Result<ChosenAgent> {
        let word = word.trim();
        let bare = word.strip_prefix(PREFIX).unwrap_or(word);
        let command = usual_command(bare);
        let agents = &self.standing.config.agents;
        let known = [word, bare, &command]
            .into_iter()
            .find(|name| agents.contains_key(*name));
        if let Some(name) = known {
            return self.described(name, &command);
        }
        match self.installed.program(&command) {
            _ if bare.is_empty() => Err(self.unknown(word)),
            Program::Shipped(shipped) if shipped.needs_arguments() => {
                Err(self.needs_arguments(shipped))
            }
            Program::Shipped(shipped) => Ok(self.new_entry(bare, &command, self.lacking(shipped))),
            Program::File(_) => Ok(self.new_entry(bare, &command, None)),
            Program::OfThread | Program::Missing => Err(self.unknown(word)),
        }
    }

    /// The agent that is set now, when it can run, else the one in this program.
    pub fn kept(&self) -> Result<ChosenAgent> {
        let usual = || self.named(USUAL);
        let Some(present) = &self.standing.config.default_agent else {
            return usual();
        };
        let name = &present.name;
        let entry = self.standing.config.agents.get(name);
        let command = entry.and_then(|entry| entry.command.as_deref());
        let why = match command.map(|command| self.installed.program(command)) {
            _ if entry.is_none() => "there is no such agent",
            None => "it has no `command`",
            Some(Program::Missing) => "there is no program of its name",
            Some(_) => {
                return Ok(ChosenAgent {
                    name: name.clone(),
                    settings: Vec::new(),
                    warnings: Vec::new(),
                });
            }
        };
        let mut chosen = usual()?;
        chosen.warnings.push(format!(
            "the default agent was {}, and cannot run: {why}; now it is `{}`",
            quoted(name),
            chosen.name
        ));
        Ok(chosen)
    }

    /// The names to choose from, those of the configuration first.
    pub fn names(&self) -> Vec<String> {
        let agents = &self.standing.config.agents;
        let mut names: Vec<String> = agents.keys().cloned().collect();
        let mut known: BTreeSet<String> = names.iter().cloned().collect();
        let shipped = Shipped::ALL.iter().filter(|it| !it.needs_arguments());
        let shipped = shipped.map(|it| it.name().to_owned());
        for name in shipped.chain(self.installed.agents()) {
            let is_named = known.contains(&usual_command(&name));
            if !is_named && known.insert(name.clone()) {
                names.push(name);
            }
        }
        names
    }

    /// What an agent is, in a few words.
    pub fn told(&self, name: &str) -> String {
        let entry = self.standing.config.agents.get(name);
        let usual = usual_command(name);
        let command = entry.map_or(Some(usual.as_str()), |entry| entry.command.as_deref());
        match command.map(|command| (command, self.installed.program(command))) {
            None => "has no command".to_owned(),
            Some((_, Program::File(file))) => file.display().to_string(),
            Some((command, Program::OfThread)) => format!("{command} in each thread's folder"),
            Some((command, Program::Missing)) => format!("{command}, which is not here"),
            Some((_, Program::Shipped(shipped))) => match shipped.runs() {
                None => "in this program".to_owned(),
                Some(program) => match self.installed.file(program) {
                    Some(file) => format!("in this program, runs {}", file.display()),
                    None => format!("in this program, runs {program}, which is not in PATH"),
                },
            },
        }
    }

    /// An agent that the configuration has an entry for. It is left as it is, but for a command
    /// that it lacks.
    fn described(&self, name: &str, usual_command: &str) -> Result<ChosenAgent> {
        let entry = self.standing.config.agents.get(name);
        let command = entry.and_then(|entry| entry.command.clone());
        let mut settings = Vec::new();
        let command = match command.filter(|command| !command.trim().is_empty()) {
            Some(command) => command,
            None if self.installed.program(usual_command) == Program::Missing => {
                return Err(CommandError::new(
                    Kind::Request,
                    format!("the agent {} has no `command`", quoted(name)),
                )
                .hint(format!(
                    "say in {} which program it is; nothing was changed",
                    self.standing.config.path.display()
                )));
            }
            None => {
                settings.push(Setting::text(&["agents", name, "command"], usual_command));
                usual_command.to_owned()
            }
        };
        let mut warnings = Vec::new();
        match self.installed.program(&command) {
            Program::Missing => warnings.push(format!(
                "the agent {} cannot run now: there is no program {}",
                quoted(name),
                quoted(&command)
            )),
            Program::Shipped(shipped) => warnings.extend(self.lacking(shipped)),
            Program::File(_) | Program::OfThread => {}
        }
        Ok(self.chosen(name, settings, warnings))
    }

    fn new_entry(&self, name: &str, command: &str, warning: Option<String>) -> ChosenAgent {
        let mut settings = vec![Setting::text(&["agents", name, "command"], command)];
        let granted: Vec<String> = Shipped::from_command(command)
            .and_then(variable_of)
            .into_iter()
            .filter(|variable| self.is_in_env(variable))
            .map(str::to_owned)
            .collect();
        if !granted.is_empty() {
            settings.push(Setting::words(&["agents", name, "env"], &granted));
        }
        self.chosen(name, settings, warning.into_iter().collect())
    }

    fn chosen(&self, name: &str, mut settings: Vec<Setting>, warnings: Vec<String>) -> ChosenAgent {
        settings.push(Setting::text(&["defaultAgent"], name));
        ChosenAgent {
            name: name.to_owned(),
            settings,
            warnings,
        }
    }

    fn is_in_env(&self, variable: &str) -> bool {
        self.new_variable == Some(variable)
            || self
                .standing
                .env
                .get(variable)
                .is_some_and(|value| !value.trim().is_empty())
    }

    /// That the program is not there which an agent runs.
    fn lacking(&self, shipped: Shipped) -> Option<String> {
        let program = shipped.runs()?;
        let is_there = self.installed.file(program).is_some();
        (!is_there).then(|| {
            format!(
                "{} runs the program `{program}`, which is not in PATH: install it before a step",
                shipped.command()
            )
        })
    }

    fn needs_arguments(&self, shipped: Shipped) -> CommandError {
        let (name, command) = (shipped.name(), shipped.command());
        CommandError::new(
            Kind::Request,
            format!("the agent `{name}` does nothing without arguments, which only you can know"),
        )
        .hint(format!(
            "write its entry into {} first:\nagents:\n  my-{name}: {{command: {command}, args: […]}}",
            self.standing.config.path.display()
        ))
        .hint(format!("`uwf agent {name} --help` tells its arguments"))
    }

    fn unknown(&self, word: &str) -> CommandError {
        let names = self.names();
        let path = self.standing.config.path.display();
        let error = CommandError::new(
            Kind::Request,
            format!(
                "there is no agent {}: it is neither in {path} nor in this program nor a `{PREFIX}…` in PATH",
                quoted(word)
            ),
        );
        let meant = did_you_mean(word, names.iter().map(String::as_str));
        let error = meant.into_iter().fold(error, CommandError::hint);
        let names = names.iter().map(|name| quoted(name));
        error.hint(format!("the agents there are: {}", listed(names, "and")))
    }
}

/// The key that the program of an agent reads, when it is given one.
fn variable_of(shipped: Shipped) -> Option<&'static str> {
    match shipped {
        Shipped::ClaudeCode => Some("ANTHROPIC_API_KEY"),
        Shipped::Codex => Some("OPENAI_API_KEY"),
        Shipped::Gemini => Some("GEMINI_API_KEY"),
        Shipped::Builtin | Shipped::Hermes | Shipped::Acp | Shipped::Mock => None,
    }
}
