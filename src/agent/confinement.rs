//! Keeping programs, and threads of this one, from writing elsewhere: Landlock, where the system
//! has it.
//!
//! Who is confined reads and runs what it could before, and writes at and below some paths only.
//! Newer systems also keep it from signalling processes that are not confined with it.
//! It cannot undo that, and what it starts is confined with it. Programs are confined by way of
//! this one, which restricts itself and then becomes them: to restrict a child between its birth
//! and its start would take unsafe code.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::invocation::Invocation;
use super::process::become_program;

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
use elsewhere::restrict;
#[cfg(target_os = "linux")]
use linux::restrict;

/// How this program is told to become a confined one.
const ITSELF: [&str; 2] = ["agent", "confined"];
/// Stands before each path that may be written.
const WRITE: &str = "--write";
/// Stands before the program.
const PROGRAM: &str = "--";

/// Why somebody cannot be confined.
#[derive(Debug, thiserror::Error)]
pub enum ConfinementError {
    /// The system is too old for it, or another one than Linux, or forbids it to be asked for.
    #[error("this system has no Landlock")]
    Missing,
    /// The system was started without it.
    #[error("this system has its Landlock switched off")]
    SwitchedOff,
    /// The system has it, and refused.
    #[error("this system refused to confine by Landlock")]
    Refused(#[source] Box<dyn Error + Send + Sync>),
}

/// Why this program did not become a confined one.
#[derive(Debug, thiserror::Error)]
pub enum BecomeError {
    /// It was called otherwise than [`confined`] calls it.
    #[error(
        "`uwf agent confined` takes {WRITE} PATH, as often as need be, then {PROGRAM} PROGRAM and its arguments"
    )]
    Called,
    /// It cannot be confined, so nothing was run.
    #[error("cannot confine {}", program.display())]
    Unconfined {
        /// What was to be run.
        program: PathBuf,
        /// Why.
        source: ConfinementError,
    },
    /// The program cannot be run.
    #[error("cannot run {}", program.display())]
    Program {
        /// What was to be run.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The version of Landlock that this system has, after a try.
pub fn landlock_version() -> Result<u32, ConfinementError> {
    in_a_thread(|| restrict::<&Path>(&[]))?
}

/// Does some work in a thread that writes at and below these paths only. Links that lead out of
/// them are no way out, whoever changes them meanwhile.
pub fn confined_work<T: Send>(
    writable: &[PathBuf],
    work: impl FnOnce() -> T + Send,
) -> Result<T, ConfinementError> {
    in_a_thread(|| restrict(writable).map(|_| work()))?
}

fn in_a_thread<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, ConfinementError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, work);
        let thread = thread.map_err(|error| ConfinementError::Refused(error.into()))?;
        match thread.join() {
            Ok(done) => Ok(done),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The invocation under which a program writes at and below these paths only. `own_program` is
/// the file of this program.
pub fn confined(invocation: Invocation, own_program: &Path, writable: &[PathBuf]) -> Invocation {
    let writable = writable
        .iter()
        .flat_map(|path| [WRITE.into(), path.as_os_str().to_owned()]);
    let arguments = ITSELF
        .into_iter()
        .map(OsString::from)
        .chain(writable)
        .chain([PROGRAM.into(), invocation.program])
        .chain(invocation.arguments)
        .collect();
    Invocation {
        program: own_program.into(),
        arguments,
        ..invocation
    }
}

/// What follows the program's name and [`ITSELF`], if this program is told to become a confined
/// one.
pub fn confined_call(arguments: &[OsString]) -> Option<&[OsString]> {
    let (itself, rest) = arguments.get(1..)?.split_at_checked(ITSELF.len())?;
    itself.iter().eq(ITSELF.iter()).then_some(rest)
}

/// Confines this process and becomes the program: comes back only when that fails. `call` is what
/// [`confined_call`] gives.
pub fn become_confined(call: &[OsString]) -> BecomeError {
    let mut writable = Vec::new();
    let mut rest = call;
    while let [option, path, others @ ..] = rest
        && option == WRITE
    {
        writable.push(Path::new(path));
        rest = others;
    }
    let [separator, program, arguments @ ..] = rest else {
        return BecomeError::Called;
    };
    if separator != PROGRAM {
        return BecomeError::Called;
    }
    match restrict(&writable) {
        Ok(_) => BecomeError::Program {
            program: program.into(),
            source: become_program(OsStr::new(program), arguments),
        },
        Err(source) => BecomeError::Unconfined {
            program: program.into(),
            source,
        },
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests;
