//! Asking another process of this program to end, as Ctrl-C would.
//!
//! A process is known by an id from a file. Ids come round, and mean something else in another
//! container: the process is asked only when it has open what it is said to have.

use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::process::{Pid, Signal};

/// Why a process was not asked to end.
#[derive(Debug, thiserror::Error)]
pub enum TerminateError {
    /// There is none, or it is another one.
    #[error(
        "no process {pid} here has {} open: it may run in another container or on another machine",
        file.display()
    )]
    NotHere {
        /// Its id.
        pid: u32,
        /// What it should have open.
        file: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot ask process {pid} to end")]
    Refused {
        /// Its id.
        pid: u32,
        /// What the operating system said.
        source: io::Error,
    },
}

/// Asks the process that has this file open to end. One that was stopped is woken, to hear it.
/// That it has ended by itself meanwhile is as good.
///
/// Only Linux tells what a process has open; elsewhere the caller's word is taken for it.
pub fn terminate(pid: u32, file: &Path) -> Result<(), TerminateError> {
    let asked = match i32::try_from(pid).ok().and_then(Pid::from_raw) {
        Some(pid) => ask(pid, file),
        None => Ok(false),
    };
    match asked {
        Ok(true) => Ok(()),
        Ok(false) => Err(TerminateError::NotHere {
            pid,
            file: file.to_owned(),
        }),
        Err(source) => Err(TerminateError::Refused { pid, source }),
    }
}

/// False when the process is not the one that is meant.
#[cfg(target_os = "linux")]
fn ask(pid: Pid, file: &Path) -> io::Result<bool> {
    use rustix::process::{PidfdFlags, pidfd_open, pidfd_send_signal};

    // Held by a descriptor, it stays the same process from the look at it to the signal.
    let process = match pidfd_open(pid, PidfdFlags::empty()) {
        Ok(process) => process,
        Err(Errno::SRCH) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    if !has_open(pid, file)? {
        return Ok(false);
    }
    send(|signal| pidfd_send_signal(&process, signal))
}

#[cfg(not(target_os = "linux"))]
fn ask(pid: Pid, _file: &Path) -> io::Result<bool> {
    send(|signal| rustix::process::kill_process(pid, signal))
}

fn send(signal: impl Fn(Signal) -> Result<(), Errno>) -> io::Result<bool> {
    match signal(Signal::TERM).and_then(|()| signal(Signal::CONT)) {
        Ok(()) | Err(Errno::SRCH) => Ok(true),
        Err(error) => Err(error.into()),
    }
}

#[cfg(target_os = "linux")]
fn has_open(pid: Pid, file: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;

    let wanted = file.metadata()?;
    let entries = match std::fs::read_dir(format!("/proc/{}/fd", pid.as_raw_pid())) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    for entry in entries {
        // What was closed meanwhile is not open.
        let opened = entry.and_then(|entry| entry.path().metadata());
        if opened.is_ok_and(|it| (it.dev(), it.ino()) == (wanted.dev(), wanted.ino())) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_does_not_have_the_file_open_is_left_alone() {
        let file = tempfile::NamedTempFile::new().unwrap().into_temp_path();
        for pid in [0, std::process::id(), u32::MAX] {
            assert_eq!(
                terminate(pid, &file).unwrap_err().to_string(),
                format!(
                    "no process {pid} here has {} open: it may run in another container or on \
                     another machine",
                    file.display()
                )
            );
        }
    }
}
