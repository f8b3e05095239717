//! Writing: one process, one day's file, one line an entry.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::days::path_of;
use super::entry::Entry;
use super::tag::Tag;
use crate::fsx::{self, Access, FileError};
use crate::jsonl;
use crate::model::{Date, Hash, ThreadId, utc_timestamp};

/// The process whose doings are logged.
#[derive(Debug, Clone, Copy)]
pub struct Process {
    /// When it began, in milliseconds since 1970.
    pub started_ms: u64,
    /// Its id with the operating system.
    pub pid: u32,
    /// The command it runs, such as `thread step`.
    pub command: &'static str,
}

/// What an entry is about, as far as that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// The thread.
    pub thread: Option<ThreadId>,
    /// The workflow's node.
    pub workflow: Option<Hash>,
}

/// The log of one process. It writes nothing until something happens.
#[derive(Debug)]
pub struct ProcessLog {
    path: PathBuf,
    process: Process,
    has_begun: bool,
}

#[derive(Serialize)]
struct Line {
    ts: String,
    pid: String,
    tag: Tag,
    msg: String,
    thread: Option<ThreadId>,
    workflow: Option<Hash>,
}

impl ProcessLog {
    /// The log of a process, in the file of the day on which it began. Writes nothing.
    pub fn of(root: &Path, process: Process) -> Self {
        Self {
            path: path_of(root, Date::of(process.started_ms)),
            process,
            has_begun: false,
        }
    }

    /// Logs something that happened now; before the first of all, that the process began.
    pub fn write(&mut self, entry: &Entry<'_>, about: About, now_ms: u64) -> Result<(), FileError> {
        if !self.has_begun {
            let Process {
                started_ms,
                command,
                ..
            } = self.process;
            self.append(&Entry::ProcessStarted { command }, about, started_ms)?;
            self.has_begun = true;
        }
        self.append(entry, about, now_ms)
    }

    fn append(&self, entry: &Entry<'_>, about: About, at_ms: u64) -> Result<(), FileError> {
        let line = jsonl::to_line(&Line {
            ts: utc_timestamp(at_ms),
            pid: format!("{}-{}", self.process.started_ms, self.process.pid),
            tag: entry.tag(),
            msg: entry.to_string(),
            thread: about.thread,
            workflow: about.workflow,
        });
        fsx::append_line(&self.path, &line, Access::Owner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{Filter, entries};

    const NOON: u64 = 1_796_040_000_000;

    fn log(root: &Path) -> ProcessLog {
        ProcessLog::of(
            root,
            Process {
                started_ms: NOON,
                pid: 27678,
                command: "thread kill",
            },
        )
    }

    fn killed() -> (Entry<'static>, About) {
        let entry = Entry::ThreadArchived {
            head: Hash::literal("2DAC3GSWARPFB"),
            status: "killed",
        };
        let about = About {
            thread: Some("06H2S7T4PCHB3EJSX9FV4HQ570".parse().unwrap()),
            workflow: None,
        };
        (entry, about)
    }

    #[test]
    fn the_first_entry_brings_the_start_of_the_process_along() {
        let root = tempfile::tempdir().unwrap();
        let mut log = log(root.path());
        assert!(fsx::file_names(root.path()).unwrap().is_empty());
        let (entry, about) = killed();
        log.write(&entry, about, NOON + 5).unwrap();
        log.write(&entry, about, NOON + 86_400_000).unwrap();
        let path = root.path().join("logs/2026-11-30.jsonl");
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            fsx::read_text_optional(&path).unwrap().unwrap(),
            format!(
                concat!(
                    r#"{{"ts":"2026-11-30T12:00:00.000Z","pid":"1796040000000-27678","tag":"W9F3RK2M","msg":"process started command=\"thread kill\" version={version}","thread":"06H2S7T4PCHB3EJSX9FV4HQ570","workflow":null}}"#,
                    "\n",
                    r#"{{"ts":"2026-11-30T12:00:00.005Z","pid":"1796040000000-27678","tag":"F4D8Q2K5","msg":"thread archived head=2DAC3GSWARPFB status=killed","thread":"06H2S7T4PCHB3EJSX9FV4HQ570","workflow":null}}"#,
                    "\n",
                    r#"{{"ts":"2026-12-01T12:00:00.000Z","pid":"1796040000000-27678","tag":"F4D8Q2K5","msg":"thread archived head=2DAC3GSWARPFB status=killed","thread":"06H2S7T4PCHB3EJSX9FV4HQ570","workflow":null}}"#,
                    "\n",
                ),
                version = version
            )
        );
    }

    #[test]
    fn a_line_that_was_torn_costs_no_other() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("logs/2026-11-30.jsonl");
        fsx::replace(&path, b"{\"ts\":\"2026-", Access::Owner).unwrap();
        let (entry, about) = killed();
        log(root.path()).write(&entry, about, NOON).unwrap();
        let read = entries(root.path(), &Filter::default()).unwrap();
        assert_eq!(read.records.len(), 2);
        assert_eq!(read.skipped.len(), 1);
    }
}
