//! Why a program could not be started, in words that tell what to do.
//!
//! The system answers with one of two or three numbers to a dozen causes. This looks again at
//! what was to be started and finds the cause; it decides nothing before the start.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::invocation::Invocation;
use super::search::{Search, is_runnable};
use super::shipped::Shipped;
use crate::suggestion::question;

/// Why a program could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no command.
    #[error("its command is empty")]
    Empty,
    /// The system ends each text it hands to a program with a NUL.
    #[error("{what} holds a NUL character")]
    Nul {
        /// Which text.
        what: String,
    },
    /// A name that no folder of `PATH` holds.
    #[error("there is no program `{program}` in PATH ({path})")]
    NotInPath {
        /// The name.
        program: String,
        /// The folders, as `PATH` has them.
        path: String,
    },
    /// A path that leads nowhere.
    #[error("there is no file {}", .0.display())]
    NoSuchFile(PathBuf),
    /// A file without any run bit.
    #[error("{} is not executable: it has no run bit", .0.display())]
    NoRunBit(PathBuf),
    /// A folder.
    #[error("{} is a folder", .0.display())]
    Folder(PathBuf),
    /// A script for a program that is not there.
    #[error("{} is a script for `{}`, which cannot be run", script.display(), interpreter.escape_debug())]
    Interpreter {
        /// The script.
        script: PathBuf,
        /// What its first line names.
        interpreter: String,
    },
    /// A program whose dynamic loader is not there.
    #[error("{} was built for another system: the loader that it needs is missing", .0.display())]
    Loader(PathBuf),
    /// Neither a program of this machine nor a script.
    #[error("{} is no program that this machine can run", .0.display())]
    NotAProgram(PathBuf),
    /// The folder it should work in cannot be entered.
    #[error("cannot enter its working folder {}", path.display())]
    WorkingFolder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// More than the system passes on.
    #[error(
        "its arguments and its environment, {bytes} bytes, are more than this system passes on"
    )]
    TooLong {
        /// Of all of them.
        bytes: usize,
    },
    /// Something else.
    #[error("the system refused to run {}", program.display())]
    System {
        /// What was to be run.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl StartError {
    pub(super) fn class(&self) -> &'static str {
        match self {
            Self::NotInPath { .. } | Self::NoSuchFile(_) => "not-found",
            Self::NoRunBit(_) | Self::Folder(_) => "not-executable",
            Self::Interpreter { .. } | Self::Loader(_) | Self::NotAProgram(_) => "interpreter",
            Self::WorkingFolder { .. } => "working-folder",
            Self::TooLong { .. } => "arguments-too-long",
            Self::Empty | Self::Nul { .. } | Self::System { .. } => "spawn",
        }
    }

    pub(super) fn hint(&self) -> Option<String> {
        match self {
            Self::NoRunBit(path) => {
                let path = path.to_string_lossy();
                Some(format!("chmod +x {}", shell_words::quote(&path)))
            }
            Self::NotInPath { program, .. } => {
                Shipped::meant_by(program).map(|shipped| question(shipped.command()))
            }
            Self::NoSuchFile(path) if path.components().any(|part| part.as_os_str() == "~") => {
                Some("`~` means the home folder to a shell only: write the path in full".to_owned())
            }
            Self::Interpreter { interpreter, .. } if interpreter.ends_with('\r') => {
                Some("save the script with LF line ends".to_owned())
            }
            _ => None,
        }
    }
}

/// What can never be handed to a program.
pub(super) fn check(invocation: &Invocation) -> Result<(), StartError> {
    let has_nul = |text: &OsStr| text.as_bytes().contains(&0);
    let nul = |what: String| Err(StartError::Nul { what });
    if invocation.program.is_empty() {
        return Err(StartError::Empty);
    }
    if has_nul(&invocation.program) {
        return nul("its command".to_owned());
    }
    if let Some(position) = invocation.arguments.iter().position(|text| has_nul(text)) {
        return nul(format!("its argument {}", position + 1));
    }
    if let Some((name, _)) = invocation
        .environment
        .iter()
        .find(|(name, value)| has_nul(name) || has_nul(value))
    {
        return nul(format!("the variable {}", name.to_string_lossy()));
    }
    Ok(())
}

/// Finds the cause of what the system said.
pub(super) fn explain(invocation: &Invocation, said: io::Error) -> StartError {
    if said.kind() == io::ErrorKind::ArgumentListTooLong {
        return StartError::TooLong {
            bytes: size(invocation),
        };
    }
    // Asking for the folder within it needs the right to enter it.
    if let Err(source) = fs::metadata(invocation.cwd.join(".")) {
        return StartError::WorkingFolder {
            path: invocation.cwd.clone(),
            source,
        };
    }
    let files = candidates(invocation);
    let cwd = &invocation.cwd;
    let is_missing = matches!(
        said.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    );
    let cause = if is_missing && files.is_empty() {
        Some(not_found(invocation))
    } else if is_missing {
        files.iter().find_map(|file| what_is_missing(file, cwd))
    } else if said.kind() == io::ErrorKind::PermissionDenied {
        files.iter().find_map(|file| what_is_forbidden(file, cwd))
    } else if is_no_program(&said) {
        let file = files.iter().find(|file| is_runnable(file));
        file.cloned().map(StartError::NotAProgram)
    } else {
        None
    };
    cause.unwrap_or_else(|| StartError::System {
        program: PathBuf::from(&invocation.program),
        source: said,
    })
}

/// Whether the system found the file and could make nothing of it.
pub(super) fn is_no_program(said: &io::Error) -> bool {
    said.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error())
}

/// The script that a shell would run in this case, as it does with a file that names no
/// interpreter: the original's agents may be such scripts.
pub(super) fn nameless_script(invocation: &Invocation) -> Option<PathBuf> {
    let files = candidates(invocation);
    let file = files.into_iter().find(|file| is_runnable(file))?;
    let beginning = beginning_of(&file)?;
    let is_text = !beginning.contains(&0) && !beginning.starts_with(b"#!");
    is_text.then_some(file)
}

/// The files that the command may mean, those that exist, in the order in which the system tries
/// them.
fn candidates(invocation: &Invocation) -> Vec<PathBuf> {
    let search = Search {
        cwd: &invocation.cwd,
        environment: &invocation.environment,
    };
    search.files(&invocation.program)
}

fn search_path(invocation: &Invocation) -> Option<&OsString> {
    invocation.environment.get(OsStr::new("PATH"))
}

fn not_found(invocation: &Invocation) -> StartError {
    let program = &invocation.program;
    if program.as_bytes().contains(&b'/') {
        return StartError::NoSuchFile(invocation.cwd.join(program));
    }
    StartError::NotInPath {
        program: program.to_string_lossy().into_owned(),
        path: search_path(invocation).map_or_else(
            || "which is not set".to_owned(),
            |path| path.to_string_lossy().into_owned(),
        ),
    }
}

/// The file is there, and yet the system says that something is not.
fn what_is_missing(file: &Path, cwd: &Path) -> Option<StartError> {
    let beginning = beginning_of(file)?;
    let Some(interpreter) = interpreter_in(&beginning) else {
        return Some(StartError::Loader(file.to_owned()));
    };
    let path = cwd.join(OsStr::from_bytes(interpreter));
    (!path.exists()).then(|| interpreter_error(file, interpreter))
}

fn what_is_forbidden(file: &Path, cwd: &Path) -> Option<StartError> {
    if file.is_dir() {
        return Some(StartError::Folder(file.to_owned()));
    }
    if !has_run_bit(file) {
        return Some(StartError::NoRunBit(file.to_owned()));
    }
    let beginning = beginning_of(file)?;
    let interpreter = interpreter_in(&beginning)?;
    let path = cwd.join(OsStr::from_bytes(interpreter));
    (!is_runnable(&path)).then(|| interpreter_error(file, interpreter))
}

fn interpreter_error(script: &Path, interpreter: &[u8]) -> StartError {
    StartError::Interpreter {
        script: script.to_owned(),
        interpreter: String::from_utf8_lossy(interpreter).into_owned(),
    }
}

fn has_run_bit(file: &Path) -> bool {
    fs::metadata(file).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

/// What the first line of a script names.
fn interpreter_in(beginning: &[u8]) -> Option<&[u8]> {
    let line = beginning.strip_prefix(b"#!")?;
    let line = line.split(|byte| *byte == b'\n').next()?;
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    line.split(is_blank).find(|word| !word.is_empty())
}

fn beginning_of(file: &Path) -> Option<Vec<u8>> {
    // To open a pipe would be to wait for its writer.
    if !file.is_file() {
        return None;
    }
    let mut beginning = Vec::new();
    fs::File::open(file)
        .and_then(|handle| handle.take(256).read_to_end(&mut beginning))
        .ok()?;
    Some(beginning)
}

/// What the arguments and the environment take, each with the NUL behind it.
fn size(invocation: &Invocation) -> usize {
    let arguments = invocation.arguments.iter().map(|text| text.len() + 1);
    let environment = invocation
        .environment
        .iter()
        .map(|(name, value)| name.len() + value.len() + 2);
    invocation.program.len() + 1 + arguments.sum::<usize>() + environment.sum::<usize>()
}
