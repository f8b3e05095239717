//! The process log of a command that changes something.

use super::context::Context;
use crate::log::{About, Entry, Process, ProcessLog};
use crate::model::in_full;
use crate::thread::{Archived, Status};

/// What a command writes into the process log. A log that cannot be written is said once, and
/// fails nothing.
pub struct Journal<'c> {
    context: &'c Context,
    log: ProcessLog,
    is_lost: bool,
    /// What the entries are about, as far as the command knows by now.
    pub about: About,
}

impl<'c> Journal<'c> {
    /// The log of this process, which runs the command of this name. Writes nothing yet.
    pub fn of(command: &'static str, about: About, context: &'c Context) -> Self {
        let process = Process {
            started_ms: context.started_ms,
            pid: std::process::id(),
            command,
        };
        Self {
            context,
            log: ProcessLog::of(&context.root, process),
            is_lost: false,
            about,
        }
    }

    /// Logs something that happened.
    pub fn write(&mut self, entry: &Entry<'_>) {
        if self.is_lost {
            return;
        }
        let now_ms = self.context.host.now_ms();
        if let Err(error) = self.log.write(entry, self.about, now_ms) {
            self.is_lost = true;
            self.context.warn(&format!(
                "the process log is not written: {}",
                in_full(&error)
            ));
        }
    }

    /// Logs that a thread ended, and how.
    pub fn archived(&mut self, entry: &Archived) {
        self.write(&Entry::ThreadArchived {
            head: entry.head,
            status: match entry.status {
                Some(Status::Completed) => "completed",
                Some(Status::Killed) => "killed",
                None => "unknown",
            },
        });
    }
}
