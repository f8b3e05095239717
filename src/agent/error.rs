//! Why an agent did not do its step.

use std::fmt;
use std::io;
use std::time::Duration;

use signal_hook::low_level::signal_name;

use super::answer_json::AnswerError;
use super::invocation::Finished;
use super::last_hash::NoHash;
use super::start::StartError;

/// Why an agent did not do its step.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// It could not be started.
    #[error("cannot start agent `{agent}`")]
    Start {
        /// The agent, as the user knows it.
        agent: String,
        /// What stands in the way.
        #[source]
        cause: StartError,
    },
    /// It failed, or had to be ended.
    #[error("agent `{agent}` {ending}")]
    Ended {
        /// The agent, as the user knows it.
        agent: String,
        /// In which way.
        ending: Ending,
        /// What it had said by then.
        finished: Box<Finished>,
    },
    /// It ended well, but what it said is not what its protocol asks for.
    #[error("agent `{agent}` did not answer as its protocol asks")]
    Protocol {
        /// The agent, as the user knows it.
        agent: String,
        /// What is wrong with its answer.
        #[source]
        cause: ProtocolError,
        /// All it said.
        finished: Box<Finished>,
    },
    /// The system failed while the agent was at work; the agent was ended.
    #[error("lost sight of agent `{agent}`, and ended it")]
    Lost {
        /// The agent, as the user knows it.
        agent: String,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
}

/// How an agent's work ended when it did not end well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// With an exit code other than 0.
    Exit(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// It took longer than it may.
    Timeout(Duration),
    /// It was silent for longer than it may be.
    Idle(Duration),
    /// This program got a signal to end.
    Interrupted(i32),
    /// It wrote more than so many bytes to stdout.
    OutputTooLarge(usize),
    /// The system stopped it because it reached for the terminal, which is not there for it.
    Terminal,
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// Protocol `cas`.
    #[error(transparent)]
    Hash(#[from] NoHash),
    /// Protocol `json`.
    #[error(transparent)]
    Answer(#[from] AnswerError),
}

impl AgentError {
    /// The class of the failure as it stands in attempt records. These words never change.
    pub fn class(&self) -> &'static str {
        match self {
            Self::Start { cause, .. } => cause.class(),
            Self::Ended { ending, .. } => match ending {
                Ending::Exit(_) => "exit",
                Ending::Signal(_) => "signal",
                Ending::Timeout(_) => "timeout",
                Ending::Idle(_) => "idle",
                Ending::Interrupted(_) => "interrupted",
                Ending::OutputTooLarge(_) => "output-too-large",
                Ending::Terminal => "terminal",
            },
            Self::Protocol { .. } => "protocol",
            Self::Lost { .. } => "lost",
        }
    }

    /// What the agent had said, where it got so far.
    pub fn finished(&self) -> Option<&Finished> {
        match self {
            Self::Ended { finished, .. } | Self::Protocol { finished, .. } => Some(finished),
            Self::Start { .. } | Self::Lost { .. } => None,
        }
    }

    /// The signal to this program that ended the agent's work.
    pub fn interruption(&self) -> Option<i32> {
        match self {
            Self::Ended {
                ending: Ending::Interrupted(signal),
                ..
            } => Some(*signal),
            _ => None,
        }
    }

    /// It ended well, and named no step: as a program does that is not made for protocol `cas`.
    pub fn is_without_hash(&self) -> bool {
        matches!(
            self,
            Self::Protocol {
                cause: ProtocolError::Hash(_),
                ..
            }
        )
    }

    /// What the user can do about it, where that is known.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Start { cause, .. } => cause.hint(),
            _ => None,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit(code) => write!(formatter, "exited with code {code}"),
            Self::Signal(signal) => write!(formatter, "was ended by {}", name(*signal)),
            Self::Timeout(limit) => write!(
                formatter,
                "was not done within {}, and was ended",
                in_words(*limit)
            ),
            Self::Idle(limit) => write!(
                formatter,
                "was silent for {}, and was ended",
                in_words(*limit)
            ),
            Self::Interrupted(signal) => {
                write!(formatter, "was interrupted by {}", name(*signal))
            }
            Self::OutputTooLarge(limit) => {
                write!(formatter, "answered more than {limit} bytes, and was ended")
            }
            Self::Terminal => {
                formatter.write_str("reached for the terminal, which it cannot have, and was ended")
            }
        }
    }
}

fn name(signal: i32) -> String {
    signal_name(signal).map_or_else(|| format!("signal {signal}"), str::to_owned)
}

fn in_words(duration: Duration) -> String {
    let seconds = duration.as_secs();
    if duration.subsec_nanos() > 0 {
        format!("{} ms", duration.as_millis())
    } else if seconds > 0 && seconds.is_multiple_of(60) {
        format!("{} min", seconds / 60)
    } else {
        format!("{seconds} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_ending_has_a_sentence_and_a_class() {
        let cases = [
            (Ending::Exit(3), "exit", "exited with code 3"),
            (Ending::Signal(9), "signal", "was ended by SIGKILL"),
            (Ending::Signal(34), "signal", "was ended by signal 34"),
            (
                Ending::Timeout(Duration::from_secs(600)),
                "timeout",
                "was not done within 10 min, and was ended",
            ),
            (
                Ending::Idle(Duration::from_secs(90)),
                "idle",
                "was silent for 90 s, and was ended",
            ),
            (
                Ending::Idle(Duration::from_millis(1500)),
                "idle",
                "was silent for 1500 ms, and was ended",
            ),
            (
                Ending::Interrupted(2),
                "interrupted",
                "was interrupted by SIGINT",
            ),
            (
                Ending::OutputTooLarge(10),
                "output-too-large",
                "answered more than 10 bytes, and was ended",
            ),
            (
                Ending::Terminal,
                "terminal",
                "reached for the terminal, which it cannot have, and was ended",
            ),
        ];
        for (ending, class, sentence) in cases {
            let error = AgentError::Ended {
                agent: "x".to_owned(),
                ending,
                finished: Box::default(),
            };
            assert_eq!(error.class(), class);
            assert_eq!(error.to_string(), format!("agent `x` {sentence}"));
            assert_eq!(error.finished(), Some(&Finished::default()));
            let interrupted = matches!(ending, Ending::Interrupted(2)).then_some(2);
            assert_eq!(error.interruption(), interrupted);
        }
    }
}
