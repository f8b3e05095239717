//! Which agent does a step: named on the command line, else for the role, else for all.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::finding::{Finding, suggested};
use super::settings::{AgentEntry, Config, PromptBy, Protocol, Reference};
use crate::model::RoleName;

/// What the command line says about the agent.
#[derive(Debug, Clone, Copy, Default)]
pub struct AgentFlag<'a> {
    /// `--agent`: the name of an entry, else a command line.
    pub agent: Option<&'a str>,
    /// `--protocol`: wins over what an entry says.
    pub protocol: Option<Protocol>,
    /// `--timeout`, none inside: off. Wins over what an entry says, as the next two do.
    pub timeout: Option<Option<Duration>>,
    /// `--idle-timeout`, none inside: off.
    pub idle_timeout: Option<Option<Duration>>,
    /// `--max-budget-usd`.
    pub max_budget_usd: Option<f64>,
    /// `--prompt-by`.
    pub prompt: Option<PromptBy>,
    /// `--env`: variables besides those that an entry lists.
    pub env: &'a [String],
}

/// An agent, ready to be run.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    /// What it is called: the name of its entry, else the file name of its command.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its first arguments.
    pub args: Vec<String>,
    /// How it is spoken to.
    pub protocol: Protocol,
    /// How its prompt reaches it; none: as its protocol has it.
    pub prompt: Option<PromptBy>,
    /// The variables of `.env` that it gets.
    pub env: Vec<String>,
    /// How long it may take.
    pub limits: Limits,
    /// What a step may cost, in US dollars; none: as much as it likes.
    pub max_budget_usd: Option<f64>,
}

/// How long an agent may take; none: as long as it likes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// From its start to its end.
    pub total: Option<Duration>,
    /// Without a byte on stdout or stderr.
    pub idle: Option<Duration>,
}

impl Limits {
    /// Where nothing else is said: nobody waits for ever for an agent that hangs.
    pub const STANDARD: Self = Self {
        total: Some(Duration::from_hours(24)),
        idle: Some(Duration::from_hours(2)),
    };
}

/// An amount of money, in US dollars.
pub fn parse_budget(text: &str) -> Result<f64, String> {
    let amount = text.parse::<f64>().ok();
    amount
        .filter(|amount| amount.is_finite() && *amount > 0.0)
        .ok_or_else(|| format!("`{text}` is no amount of dollars above zero, such as `2.50`"))
}

/// Whether a text can be the name of a variable that an agent gets; else why not. What stands behind
/// `=` may be a secret, and is not shown.
pub fn check_variable_name(text: &str) -> Result<(), String> {
    match text.split_once('=') {
        Some((name, _)) => Err(format!("write `{name}` alone, its value belongs in .env")),
        None if text.trim().is_empty() => Err("one is blank".to_owned()),
        None => Ok(()),
    }
}

/// Why there is no agent for a step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentChoiceError {
    /// Nobody says which one.
    #[error("no agent is set for role `{role}` of workflow `{workflow}`")]
    NotSet {
        /// The workflow.
        workflow: String,
        /// The role.
        role: RoleName,
        /// The configuration.
        path: PathBuf,
    },
    /// The configuration names one that it does not describe.
    #[error("{finding}")]
    Unknown {
        /// Where, and what is wrong.
        finding: Finding,
        /// The name.
        name: String,
    },
    /// The entry of the agent does not say which program it is.
    #[error("{finding}")]
    NoCommand {
        /// Where, and what is wrong.
        finding: Finding,
        /// The name of the entry.
        name: String,
    },
    /// The command line of `--agent` cannot be split. It is not shown: it may hold a key.
    #[error("cannot split the command of `--agent` into words: {reason}")]
    CommandLine {
        /// Why not.
        reason: String,
    },
}

impl AgentChoiceError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::NotSet { path, .. } => format!(
                "name one for this call with `--agent <command>`, set one up with `uwf setup`, or write \
                 in {}:\n\
                 agents:\n  my-agent:\n    command: my-agent\n    protocol: markdown\ndefaultAgent: my-agent",
                path.display()
            ),
            Self::Unknown { name, .. } => {
                format!("describe it in the same file:\nagents:\n  {name}:\n    command: {name}")
            }
            Self::NoCommand { name, .. } => {
                format!("say which program it is: `command: {name}`")
            }
            Self::CommandLine { .. } => {
                "give the name of an agent of the configuration, or a command as for a shell"
                    .to_owned()
            }
        }
    }
}

/// Finds the agent for a step.
///
/// `--agent` is the name of an entry where there is one of that name, else a command line, for
/// which nothing needs to be set up. Without it, `agentOverrides.<workflow>.<role>` counts, else
/// `defaultAgent`.
pub fn resolve_agent(
    config: &Config,
    flag: AgentFlag<'_>,
    workflow: &str,
    role: &RoleName,
) -> Result<Agent, AgentChoiceError> {
    let mut agent = match flag.agent {
        Some(text) => match config.agents.get(text) {
            Some(entry) => described(config, text, entry)?,
            None => from_command_line(text)?,
        },
        None => configured(config, workflow, role)?,
    };
    agent.protocol = flag.protocol.unwrap_or(agent.protocol);
    agent.limits.total = flag.timeout.unwrap_or(agent.limits.total);
    agent.limits.idle = flag.idle_timeout.unwrap_or(agent.limits.idle);
    agent.max_budget_usd = flag.max_budget_usd.or(agent.max_budget_usd);
    agent.prompt = flag.prompt.or(agent.prompt);
    let more = flag.env.iter().filter(|name| !agent.env.contains(name));
    let more: Vec<_> = more.cloned().collect();
    agent.env.extend(more);
    Ok(agent)
}

fn configured(config: &Config, workflow: &str, role: &RoleName) -> Result<Agent, AgentChoiceError> {
    let for_role = config
        .agent_overrides
        .get(workflow)
        .and_then(|roles| roles.get(role));
    let (reference, key) = match (for_role, &config.default_agent) {
        (Some(reference), _) => (reference, format!("agentOverrides.{workflow}.{role}")),
        (None, Some(reference)) => (reference, "defaultAgent".to_owned()),
        (None, None) => {
            return Err(AgentChoiceError::NotSet {
                workflow: workflow.to_owned(),
                role: role.clone(),
                path: config.path.clone(),
            });
        }
    };
    let entry = config
        .agents
        .get(&reference.name)
        .ok_or_else(|| unknown(config, reference, &key))?;
    described(config, &reference.name, entry)
}

fn unknown(config: &Config, reference: &Reference, key: &str) -> AgentChoiceError {
    let name = &reference.name;
    let suggestion = suggested(name, config.agents.keys().map(String::as_str));
    AgentChoiceError::Unknown {
        finding: Finding {
            path: config.path.clone(),
            mark: reference.mark,
            message: format!("`{key}` names `{name}`, which is not in `agents`{suggestion}"),
        },
        name: name.clone(),
    }
}

fn described(config: &Config, name: &str, entry: &AgentEntry) -> Result<Agent, AgentChoiceError> {
    let command = entry
        .command
        .as_ref()
        .filter(|command| !command.trim().is_empty())
        .ok_or_else(|| AgentChoiceError::NoCommand {
            finding: Finding {
                path: config.path.clone(),
                mark: entry.mark,
                message: format!("the agent `{name}` has no `command`"),
            },
            name: name.to_owned(),
        })?;
    Ok(Agent {
        name: name.to_owned(),
        command: command.clone(),
        args: entry.args.clone(),
        protocol: entry.protocol,
        prompt: entry.prompt,
        env: entry.env.clone(),
        limits: Limits {
            total: entry.timeout,
            idle: entry.idle_timeout,
        },
        max_budget_usd: entry.max_budget_usd,
    })
}

fn from_command_line(text: &str) -> Result<Agent, AgentChoiceError> {
    let refused = |reason: String| AgentChoiceError::CommandLine { reason };
    let words = shell_words::split(text).map_err(|error| refused(error.to_string()))?;
    let mut words = words.into_iter();
    let command = words
        .next()
        .filter(|command| !command.trim().is_empty())
        .ok_or_else(|| refused("it names no program".to_owned()))?;
    let name = Path::new(&command).file_name().map_or_else(
        || command.clone(),
        |name| name.to_string_lossy().into_owned(),
    );
    Ok(Agent {
        name,
        command,
        args: words.collect(),
        protocol: Protocol::default(),
        prompt: None,
        env: Vec::new(),
        limits: Limits::STANDARD,
        max_budget_usd: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "\
agents:
  claude: {command: uwf-claude-code, args: [--max-turns, 5], env: [API_KEY], timeout: 2h, maxBudgetUsd: 2.50}
  other: {command: /opt/my tools/other, protocol: markdown, prompt: argument, timeout: off, idleTimeout: 10m}
  empty: {args: []}
  blank: {command: \" \"}
defaultAgent: claude
agentOverrides:
  triage:
    writer: other
    checker: claud
    reader: empty
";

    fn config(text: &str) -> Config {
        Config::parse(text, Path::new("/root/config.yaml")).unwrap()
    }

    fn resolve(
        config: &Config,
        agent: Option<&str>,
        role: &str,
    ) -> Result<Agent, AgentChoiceError> {
        let flag = AgentFlag {
            agent,
            ..AgentFlag::default()
        };
        resolve_agent(config, flag, "triage", &role.parse().unwrap())
    }

    fn refusal(config: &Config, agent: Option<&str>, role: &str) -> (String, String) {
        let error = resolve(config, agent, role).unwrap_err();
        (error.to_string(), error.hint())
    }

    #[test]
    fn the_flag_counts_before_the_role_and_the_role_before_the_default() {
        let config = config(CONFIG);
        let claude = Agent {
            name: "claude".to_owned(),
            command: "uwf-claude-code".to_owned(),
            args: vec!["--max-turns".to_owned(), "5".to_owned()],
            protocol: Protocol::Cas,
            prompt: None,
            env: vec!["API_KEY".to_owned()],
            limits: Limits {
                total: Some(Duration::from_hours(2)),
                idle: Some(Duration::from_hours(2)),
            },
            max_budget_usd: Some(2.5),
        };
        let other = Agent {
            name: "other".to_owned(),
            command: "/opt/my tools/other".to_owned(),
            args: Vec::new(),
            protocol: Protocol::Markdown,
            prompt: Some(PromptBy::Argument),
            env: Vec::new(),
            limits: Limits {
                total: None,
                idle: Some(Duration::from_mins(10)),
            },
            max_budget_usd: None,
        };
        assert_eq!(resolve(&config, None, "collector"), Ok(claude.clone()));
        assert_eq!(resolve(&config, None, "writer"), Ok(other.clone()));
        assert_eq!(resolve(&config, Some("claude"), "writer"), Ok(claude));
        let elsewhere = resolve_agent(
            &config,
            AgentFlag::default(),
            "another",
            &"writer".parse().unwrap(),
        );
        assert_eq!(elsewhere.unwrap().name, "claude");
        let spoken_differently = resolve_agent(
            &config,
            AgentFlag {
                agent: Some("other"),
                protocol: Some(Protocol::Json),
                timeout: Some(Some(Duration::from_secs(1))),
                idle_timeout: Some(None),
                max_budget_usd: Some(1.0),
                prompt: Some(PromptBy::Stdin),
                env: &["A_KEY".to_owned()],
            },
            "triage",
            &"writer".parse().unwrap(),
        );
        assert_eq!(
            spoken_differently,
            Ok(Agent {
                protocol: Protocol::Json,
                limits: Limits {
                    total: Some(Duration::from_secs(1)),
                    idle: None,
                },
                max_budget_usd: Some(1.0),
                prompt: Some(PromptBy::Stdin),
                env: vec!["A_KEY".to_owned()],
                ..other
            })
        );
    }

    #[test]
    fn a_command_line_is_split_as_a_shell_does_and_needs_no_configuration() {
        let agent = resolve(
            &Config::default(),
            Some(r#"'/opt/my tools/run.sh' --say "a \"b\"" c\ d ''"#),
            "writer",
        );
        assert_eq!(
            agent,
            Ok(Agent {
                name: "run.sh".to_owned(),
                command: "/opt/my tools/run.sh".to_owned(),
                args: ["--say", "a \"b\"", "c d", ""].map(String::from).to_vec(),
                protocol: Protocol::Cas,
                prompt: None,
                env: Vec::new(),
                limits: Limits::STANDARD,
                max_budget_usd: None,
            })
        );
    }

    #[test]
    fn a_command_line_that_names_no_program_is_refused() {
        for (text, reason) in [
            ("it's", "missing closing quote"),
            ("", "it names no program"),
            (" '' --x", "it names no program"),
            ("# off", "it names no program"),
        ] {
            assert_eq!(
                refusal(&config(CONFIG), Some(text), "writer"),
                (
                    format!("cannot split the command of `--agent` into words: {reason}"),
                    "give the name of an agent of the configuration, or a command as for a shell"
                        .to_owned()
                )
            );
        }
    }

    #[test]
    fn a_name_without_an_entry_is_refused_with_the_nearest() {
        assert_eq!(
            refusal(&config(CONFIG), None, "checker"),
            (
                "/root/config.yaml:10:14: `agentOverrides.triage.checker` names `claud`, \
                 which is not in `agents`: did you mean `claude`?"
                    .to_owned(),
                "describe it in the same file:\nagents:\n  claud:\n    command: claud".to_owned()
            )
        );
        assert_eq!(
            refusal(&config("agents:\ndefaultAgent: fake\n"), None, "checker").0,
            "/root/config.yaml:2:15: `defaultAgent` names `fake`, which is not in `agents`"
        );
    }

    #[test]
    fn an_entry_without_a_command_is_refused_when_it_is_needed() {
        assert_eq!(
            refusal(&config(CONFIG), None, "reader"),
            (
                "/root/config.yaml:4:3: the agent `empty` has no `command`".to_owned(),
                "say which program it is: `command: empty`".to_owned()
            )
        );
        assert_eq!(
            refusal(&config(CONFIG), Some("blank"), "reader").0,
            "/root/config.yaml:5:3: the agent `blank` has no `command`"
        );
    }

    #[test]
    fn with_no_agent_at_all_the_hint_shows_how_to_set_one() {
        assert_eq!(
            refusal(&config(""), None, "writer"),
            (
                "no agent is set for role `writer` of workflow `triage`".to_owned(),
                "name one for this call with `--agent <command>`, set one up with `uwf setup`, or \
                 write in /root/config.yaml:\nagents:\n  my-agent:\n    command: my-agent\n    protocol: markdown\n\
                 defaultAgent: my-agent"
                    .to_owned()
            )
        );
    }
}
