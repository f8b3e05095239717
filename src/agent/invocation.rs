//! What to run, within which limits, and what came of it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::config::Limits;

/// A program to run once, to its end.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// How messages call the agent: its alias, else the file name of its command.
    pub agent: String,
    /// A path, or a name that is looked for in the `PATH` of `environment`. A relative path
    /// starts at `cwd`.
    pub program: OsString,
    /// What the program is given after its name.
    pub arguments: Vec<OsString>,
    /// The folder it works in, absolute.
    pub cwd: PathBuf,
    /// Its whole environment: nothing else is passed on.
    pub environment: BTreeMap<OsString, OsString>,
    /// What it can read.
    pub stdin: Stdin,
    /// What is kept of its stdout.
    pub capture: Capture,
    /// How long it may take.
    pub limits: Limits,
    /// How long it is waited for once it should be gone.
    pub patience: Patience,
}

/// What a program can read from its standard input.
#[derive(Debug, Clone)]
pub enum Stdin {
    /// Nothing: it is at its end from the start.
    Empty,
    /// These bytes, then the end. A program that does not read them is no error.
    Text(Vec<u8>),
    /// What a talker says to it, as long as it talks ([`super::Conversation`]).
    Conversation,
    /// A socket: the answers to its questions ([`super::Question`]).
    Questions(Arc<UnixStream>),
}

/// What is kept of a program's standard output.
#[derive(Debug, Clone, Copy)]
pub enum Capture {
    /// The last bytes, so many at most. The rest is read and dropped, whatever its size.
    Tail(usize),
    /// The first bytes and the last ones. What lies between, behind the first `head` bytes, is
    /// read and dropped, whatever its size.
    Ends {
        /// So many of the first.
        head: usize,
        /// So many of the last.
        tail: usize,
    },
    /// All of it; more than this many bytes end the program.
    Whole {
        /// In bytes.
        limit: usize,
    },
}

impl Capture {
    /// What is kept where only the last lines matter.
    pub const LAST_LINES: Self = Self::Tail(64 * 1024);
    /// What is kept where all of it is the answer. No model writes as much in one turn.
    pub const ANSWER: Self = Self::Whole {
        limit: 16 * 1024 * 1024,
    };
}

/// How long a program is waited for once it should be gone.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// After it was asked to end (SIGTERM), until it is killed.
    pub ending: Duration,
    /// After its end, for the end of its output, which processes it left behind may hold open.
    pub output: Duration,
    /// After those were asked to end, until they are killed.
    pub leftovers: Duration,
}

impl Patience {
    /// For the commands of an agent's tool, which wait for nothing but their own work.
    pub const COMMAND: Self = Self {
        ending: Duration::from_secs(2),
        output: Duration::from_secs(1),
        leftovers: Duration::from_secs(1),
    };
    /// For the programs that the engine runs.
    pub const ENGINE: Self = Self {
        ending: Duration::from_secs(5),
        output: Duration::from_secs(2),
        leftovers: Duration::from_secs(1),
    };
    /// For a program that an agent in the binary talks to. All together, and the end of the
    /// conversation before it, has to be shorter than the engine's patience with the agent.
    pub const AGENT: Self = Self {
        ending: Duration::from_millis(1500),
        output: Duration::from_millis(500),
        leftovers: Duration::from_millis(500),
    };
}

/// What a program said until its end, or until it was ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Finished {
    /// What was kept of its stdout; see [`Capture`].
    pub stdout: Vec<u8>,
    /// The bytes it wrote to stdout in all.
    pub stdout_total: u64,
    /// The last lines of its stderr, without the line break at the end.
    pub stderr_tail: String,
    /// Its exit code; none when a signal ended it, or when it could not be seen to end.
    pub exit_code: Option<i32>,
    /// From its start until nothing of it was left.
    pub duration: Duration,
}
