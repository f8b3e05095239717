//! What the process is given from outside: environment, working folder, clock, ids, terminal.
//!
//! The only reader of these. Everything below gets values.

#![expect(
    clippy::disallowed_methods,
    reason = "this is the room that reads the surroundings"
)]

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::model::ThreadId;

/// The variable that names the storage root, also the one children get.
pub const STORAGE_ROOT_VARIABLE: &str = "UNCAGED_WORKFLOW_STORAGE_ROOT";
/// The variable by which an agent is told the name that its user gave it.
pub const AGENT_VARIABLE: &str = "UWF_AGENT";
/// The variable by which an agent is told what a step may cost, in US dollars.
pub const MAX_BUDGET_VARIABLE: &str = "UWF_MAX_BUDGET_USD";
/// The variable that shortens the first wait before a model's service is asked again, in
/// milliseconds: for tests, which have no time to wait.
pub const RETRY_BASE_VARIABLE: &str = "UWF_RETRY_BASE_MS";
/// The variable that says how long a model's service may be silent, in milliseconds: for tests,
/// and for models that think for long before their first word.
pub const MODEL_IDLE_VARIABLE: &str = "UWF_MODEL_IDLE_MS";
const STORAGE_ROOT_VARIABLES: [&str; 2] = [STORAGE_ROOT_VARIABLE, "WORKFLOW_STORAGE_ROOT"];

/// The surroundings of this process, captured once.
#[derive(Debug, Clone)]
pub struct Host {
    /// The folder the command was called in, absolute.
    pub cwd: PathBuf,
    /// The environment the command was called with.
    pub environment: BTreeMap<OsString, OsString>,
    /// Whether a person may be typing.
    pub stdin_is_terminal: bool,
    /// Whether a person may be reading the results.
    pub stdout_is_terminal: bool,
    /// Whether a person may be reading the error stream.
    pub stderr_is_terminal: bool,
}

/// Why the surroundings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The working folder was removed, or may not be read.
    #[error("cannot find out the working folder")]
    WorkingFolder(#[source] io::Error),
    /// Neither a storage root nor a home folder is known.
    #[error(
        "cannot find the storage root: {STORAGE_ROOT_VARIABLE} is not set, and neither is HOME"
    )]
    NoStorageRoot,
    /// A variable tells no time.
    #[error(
        "{variable} is {}: it takes a whole number of milliseconds, such as 60000",
        crate::wording::quoted(text)
    )]
    NoTime {
        /// Its name.
        variable: String,
        /// What it holds.
        text: String,
    },
}

impl Host {
    /// Reads the surroundings.
    pub fn capture() -> Result<Self, HostError> {
        Ok(Self {
            cwd: std::env::current_dir().map_err(HostError::WorkingFolder)?,
            environment: std::env::vars_os().collect(),
            stdin_is_terminal: io::stdin().is_terminal(),
            stdout_is_terminal: io::stdout().is_terminal(),
            stderr_is_terminal: io::stderr().is_terminal(),
        })
    }

    /// A variable of the environment; one that is empty counts as unset.
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.environment
            .get(OsStr::new(name))
            .map(OsString::as_os_str)
            .filter(|v| !v.is_empty())
    }

    /// A time that a variable tells in milliseconds; none when it is unset.
    pub fn milliseconds(&self, name: &str) -> Result<Option<Duration>, HostError> {
        let Some(text) = self.variable(name).map(OsStr::to_string_lossy) else {
            return Ok(None);
        };
        let milliseconds = text.parse().map_err(|_| HostError::NoTime {
            variable: name.to_owned(),
            text: text.clone().into_owned(),
        })?;
        Ok(Some(Duration::from_millis(milliseconds)))
    }

    /// The storage root, absolute: the first variable that is set, else `~/.uncaged/workflow`.
    pub fn storage_root(&self) -> Result<PathBuf, HostError> {
        let chosen = STORAGE_ROOT_VARIABLES
            .iter()
            .find_map(|name| self.variable(name));
        if let Some(root) = chosen {
            return Ok(self.absolute(Path::new(root)));
        }
        let home = self.variable("HOME").ok_or(HostError::NoStorageRoot)?;
        Ok(self
            .absolute(Path::new(home))
            .join(".uncaged")
            .join("workflow"))
    }

    /// How many columns the terminal has that results go to; none when they go elsewhere.
    pub fn stdout_width(&self) -> Option<usize> {
        if !self.stdout_is_terminal {
            return None;
        }
        let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(usize::from(columns))
    }

    /// How many columns the terminal has that the error stream goes to; none when it goes elsewhere.
    pub fn stderr_width(&self) -> Option<usize> {
        if !self.stderr_is_terminal {
            return None;
        }
        let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(io::stderr())?;
        Some(usize::from(columns))
    }

    /// Whether a person can be asked: what is typed comes from a terminal, and questions reach one.
    pub fn can_ask(&self) -> bool {
        self.stderr_is_terminal && self.stdin_is_terminal
    }

    /// A path as the caller wrote it, made absolute, without a `.` in it.
    pub fn absolute(&self, path: &Path) -> PathBuf {
        // By its parts, which leaves out every `.` between them.
        self.cwd.join(path).components().collect()
    }

    /// The file of this program, or the one that was put in its place meanwhile; none when the system
    /// does not tell.
    pub fn program(&self) -> Option<PathBuf> {
        std::env::current_exe().ok().map(present)
    }

    /// Milliseconds since the first of January 1970, UTC.
    pub fn now_ms(&self) -> u64 {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    /// An id no other session has.
    pub fn new_session_id(&self) -> String {
        ulid::Ulid::generate().to_string()
    }

    /// An id no other thread has.
    pub fn new_thread_id(&self) -> ThreadId {
        let text = ulid::Ulid::generate().to_string();
        #[expect(
            clippy::expect_used,
            reason = "a ULID of our clock is 26 characters and begins with 0"
        )]
        text.parse().expect("a ULID is a thread id")
    }
}

/// A program that was replaced while it runs, as by an upgrade, is told by Linux with a remark behind
/// its path.
fn present(program: PathBuf) -> PathBuf {
    let told = program
        .to_str()
        .and_then(|it| it.strip_suffix(" (deleted)"));
    match told.map(PathBuf::from) {
        Some(successor) if !program.exists() && successor.exists() => successor,
        _ => program,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(variables: &[(&str, &str)]) -> Host {
        Host {
            cwd: PathBuf::from("/work"),
            environment: variables
                .iter()
                .map(|(k, v)| (k.into(), v.into()))
                .collect(),
            stdin_is_terminal: false,
            stdout_is_terminal: false,
            stderr_is_terminal: false,
        }
    }

    #[test]
    fn the_root_comes_from_the_first_variable_that_is_not_empty() {
        let new = ("UNCAGED_WORKFLOW_STORAGE_ROOT", "/a");
        let old = ("WORKFLOW_STORAGE_ROOT", "b");
        let home = ("HOME", "/home/me");
        let root = |variables: &[_]| host(variables).storage_root().unwrap();
        assert_eq!(root(&[new, old, home]), Path::new("/a"));
        assert_eq!(root(&[old, home]), Path::new("/work/b"));
        assert_eq!(
            root(&[("UNCAGED_WORKFLOW_STORAGE_ROOT", ""), home]),
            Path::new("/home/me/.uncaged/workflow")
        );
        assert!(matches!(
            host(&[]).storage_root(),
            Err(HostError::NoStorageRoot)
        ));
    }

    #[test]
    fn times_are_read_from_variables_that_hold_numbers() {
        let host = host(&[("A", "250"), ("B", "1s"), ("C", "")]);
        let quarter = Duration::from_millis(250);
        assert_eq!(host.milliseconds("A").unwrap(), Some(quarter));
        assert_eq!(
            host.milliseconds("B").unwrap_err().to_string(),
            "B is `1s`: it takes a whole number of milliseconds, such as 60000"
        );
        for name in ["C", "D"] {
            assert_eq!(host.milliseconds(name).unwrap(), None);
        }
    }

    #[test]
    fn a_program_that_was_replaced_is_the_one_in_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let (path, gone) = (
            folder.path().join("uwf"),
            folder.path().join("uwf (deleted)"),
        );
        assert_eq!(present(gone.clone()), gone);
        std::fs::write(&path, "").unwrap();
        assert_eq!(present(gone.clone()), path);
        assert_eq!(present(path.clone()), path);
        std::fs::write(&gone, "").unwrap();
        assert_eq!(present(gone.clone()), gone);
    }

    #[test]
    fn new_ids_differ() {
        let host = host(&[]);
        assert_ne!(host.new_thread_id(), host.new_thread_id());
        assert_ne!(host.new_session_id(), host.new_session_id());
    }
}
