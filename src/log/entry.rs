//! All that can be said in the process log.

use std::borrow::Cow;
use std::fmt::{self, Display, Write};

use super::tag::Tag;
use crate::model::{Hash, RoleName};

/// Something a command did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry<'a> {
    /// A command that changes something began; the first entry of its process.
    ProcessStarted {
        /// Its name, such as `thread step`.
        command: &'static str,
    },
    /// A workflow was registered.
    WorkflowRegistered {
        /// The name it goes by.
        name: &'a str,
    },
    /// The configuration or the keys are others now. What they are is not logged.
    ConfigurationChanged {
        /// Who serves the model that is set.
        provider: Option<&'a str>,
        /// The agent that does the work.
        agent: &'a str,
    },
    /// A thread was started.
    ThreadStarted {
        /// Its start.
        head: Hash,
    },
    /// A thread was started at a step of another.
    ThreadForked {
        /// The step.
        step: Hash,
    },
    /// The moderator said whose turn it is.
    RoleChosen {
        /// Whose.
        role: &'a RoleName,
    },
    /// An agent was put to work.
    AgentStarted {
        /// Its program, of which no more than the [name](program_name) is logged.
        command: &'a str,
    },
    /// An agent made the step that was asked for.
    AgentReturned {
        /// The step.
        step: Hash,
        /// How long it took.
        milliseconds: u64,
    },
    /// A thread ended.
    ThreadArchived {
        /// Where it ended.
        head: Hash,
        /// How: `completed`, `killed` or `unknown`.
        status: &'static str,
    },
    /// A step did not happen, or it is not known what follows it.
    StepFailed {
        /// The class of the failure, in one word.
        class: &'static str,
    },
}

impl Entry<'_> {
    /// Which kind of entry it is.
    pub fn tag(&self) -> Tag {
        match self {
            Self::ProcessStarted { .. } => Tag::PROCESS_STARTED,
            Self::WorkflowRegistered { .. } => Tag::WORKFLOW_REGISTERED,
            Self::ConfigurationChanged { .. } => Tag::CONFIGURATION_CHANGED,
            Self::ThreadStarted { .. } => Tag::THREAD_STARTED,
            Self::ThreadForked { .. } => Tag::THREAD_FORKED,
            Self::RoleChosen { .. } => Tag::ROLE_CHOSEN,
            Self::AgentStarted { .. } => Tag::AGENT_STARTED,
            Self::AgentReturned { .. } => Tag::AGENT_RETURNED,
            Self::ThreadArchived { .. } => Tag::THREAD_ARCHIVED,
            Self::StepFailed { .. } => Tag::STEP_FAILED,
        }
    }
}

impl Display for Entry<'_> {
    /// What happened in fixed words, then what is particular to it as `name=value`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ProcessStarted { command } => write!(
                formatter,
                "process started command={} version={}",
                value(command),
                env!("CARGO_PKG_VERSION")
            ),
            Self::WorkflowRegistered { name } => {
                write!(formatter, "workflow registered name={}", value(name))
            }
            Self::ConfigurationChanged { provider, agent } => {
                formatter.write_str("configuration changed")?;
                if let Some(provider) = provider {
                    write!(formatter, " provider={}", value(provider))?;
                }
                write!(formatter, " agent={}", value(agent))
            }
            Self::ThreadStarted { head } => write!(formatter, "thread started head={head}"),
            Self::ThreadForked { step } => write!(formatter, "thread forked step={step}"),
            Self::RoleChosen { role } => {
                write!(formatter, "moderator chose role={}", value(role.as_str()))
            }
            Self::AgentStarted { command } => write!(
                formatter,
                "agent started command={}",
                value(program_name(command))
            ),
            Self::AgentReturned { step, milliseconds } => {
                write!(formatter, "agent returned head={step} ms={milliseconds}")
            }
            Self::ThreadArchived { head, status } => {
                write!(formatter, "thread archived head={head} status={status}")
            }
            Self::StepFailed { class } => write!(formatter, "step failed class={class}"),
        }
    }
}

/// The name of a program: of its path the last part, and nothing from a `=` on, since a command
/// that begins with an assignment (`KEY=secret program`) is a mistake that must not be kept.
pub fn program_name(command: &str) -> &str {
    let command = command.split('=').next().unwrap_or_default();
    command.rsplit('/').next().unwrap_or_default()
}

/// A value as it is, or in quotes when it would not be seen where it ends.
fn value(text: &str) -> Cow<'_, str> {
    let is_plain = |character: char| {
        !character.is_whitespace() && !character.is_control() && !matches!(character, '"' | '=')
    };
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.into();
    }
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if character.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "{}", character.escape_default());
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted.into()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn hash() -> Hash {
        Hash::literal("5YR25K3ZCXZVK")
    }

    fn text(tag: Tag) -> String {
        serde_json::to_value(tag)
            .unwrap()
            .as_str()
            .unwrap()
            .to_owned()
    }

    #[test]
    fn each_entry_has_a_tag_of_its_own_and_its_words() {
        let role: RoleName = "writer".parse().unwrap();
        let version = env!("CARGO_PKG_VERSION");
        let head = hash();
        let all = [
            (
                Entry::ProcessStarted {
                    command: "thread step",
                },
                "W9F3RK2M",
                format!("process started command=\"thread step\" version={version}"),
            ),
            (
                Entry::WorkflowRegistered { name: "debate" },
                "D6Z3J8Y0",
                "workflow registered name=debate".to_owned(),
            ),
            (
                Entry::ConfigurationChanged {
                    provider: Some("my proxy"),
                    agent: "builtin",
                },
                "S4T7P2N9",
                "configuration changed provider=\"my proxy\" agent=builtin".to_owned(),
            ),
            (
                Entry::ThreadStarted { head },
                "7HNQ4B2X",
                "thread started head=5YR25K3ZCXZVK".to_owned(),
            ),
            (
                Entry::ThreadForked { step: head },
                "X2V7G4S9",
                "thread forked step=5YR25K3ZCXZVK".to_owned(),
            ),
            (
                Entry::RoleChosen { role: &role },
                "M3K8V9T1",
                "moderator chose role=writer".to_owned(),
            ),
            (
                Entry::AgentStarted {
                    command: "/opt/tools/checker",
                },
                "R5J2W8N4",
                "agent started command=checker".to_owned(),
            ),
            (
                Entry::AgentReturned {
                    step: head,
                    milliseconds: 359,
                },
                "C6P9E3H7",
                "agent returned head=5YR25K3ZCXZVK ms=359".to_owned(),
            ),
            (
                Entry::ThreadArchived {
                    head,
                    status: "completed",
                },
                "F4D8Q2K5",
                "thread archived head=5YR25K3ZCXZVK status=completed".to_owned(),
            ),
            (
                Entry::StepFailed { class: "timeout" },
                "B8T5N1V6",
                "step failed class=timeout".to_owned(),
            ),
        ];
        let mut tags = BTreeSet::new();
        for (entry, tag, message) in all {
            assert_eq!(
                (text(entry.tag()), entry.to_string()),
                (tag.to_owned(), message)
            );
            assert_eq!(tag.len(), 8);
            assert!(
                tag.bytes()
                    .all(|byte| b"0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains(&byte))
            );
            assert!(tags.insert(tag), "{tag} stands for two kinds of entries");
        }
    }

    #[test]
    fn what_the_original_logs_goes_by_the_same_tags() {
        let recorded = include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/vectors/store-original/logs/2026-11-30.jsonl"
        ));
        let ours = [
            (Tag::PROCESS_STARTED, "process start "),
            (Tag::THREAD_STARTED, "thread created "),
            (Tag::ROLE_CHOSEN, "moderator role="),
            (Tag::AGENT_STARTED, "spawning agent "),
            (Tag::AGENT_RETURNED, "agent returned "),
            (Tag::THREAD_ARCHIVED, "thread archived "),
        ];
        let mut seen = BTreeSet::new();
        for line in recorded.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let (tag, _) = ours
                .iter()
                .find(|(_, words)| line["msg"].as_str().unwrap().starts_with(words))
                .unwrap();
            assert_eq!(line["tag"], text(*tag));
            seen.insert(*tag);
        }
        assert_eq!(seen.len(), ours.len());
    }

    #[test]
    fn a_value_that_would_run_into_the_next_is_quoted() {
        for (text, shown) in [
            ("writer", "writer"),
            ("ünïcode", "ünïcode"),
            ("", "\"\""),
            ("the writer", "\"the writer\""),
            ("a=b", "\"a=b\""),
            ("say \"\\\"\n", "\"say \\\"\\\\\\\"\\n\""),
        ] {
            assert_eq!(value(text), shown);
        }
    }

    #[test]
    fn of_a_command_no_more_than_the_name_is_said() {
        for (command, name) in [
            ("claude", "claude"),
            ("/opt/my tools/checker", "checker"),
            ("./planner", "planner"),
            ("API_KEY=sk-1", "API_KEY"),
            ("API_KEY=/run/secrets/sk-1", "API_KEY"),
            ("/a=b/c", "a"),
            ("", ""),
        ] {
            assert_eq!(program_name(command), name);
        }
    }
}
