//! What every command has at hand: the surroundings, the storage root, and where to print.

use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;

use super::error::{CommandError, Kind, Result};
use super::output::{Format, terminal};
use crate::cas::Store;
use crate::engine::Workshop;
use crate::host::Host;
use crate::model::ThreadId;
use crate::thread::make_current;

/// One call of the program.
pub struct Context {
    /// The surroundings.
    pub host: Host,
    /// The storage root, absolute.
    pub root: PathBuf,
    /// The content-addressed store under the root.
    pub store: Store,
    /// None: nobody asked for one.
    format: Option<Format>,
}

impl Context {
    /// Captures the surroundings. Reads and writes no file.
    pub fn new(format: Option<Format>) -> Result<Self> {
        let unusable = |error| CommandError::from_error(Kind::Request, &error);
        let host = Host::capture().map_err(unusable)?;
        let root = host.storage_root().map_err(|error| {
            unusable(error)
                .hint("set UNCAGED_WORKFLOW_STORAGE_ROOT to the folder that is to hold everything")
        })?;
        let store = Store::open(&root);
        Ok(Self {
            host,
            root,
            store,
            format,
        })
    }

    /// Lets `@` mean this thread. That it cannot be written down is no failure of what was asked.
    pub fn remember(&self, thread: ThreadId) {
        if let Err(error) = make_current(&self.root, thread) {
            self.warn_of("`@` does not mean this thread", &error);
        }
    }

    /// Where steps are run and threads are looked at.
    pub fn workshop(&self) -> Workshop<'_> {
        Workshop {
            host: &self.host,
            root: &self.root,
            store: &self.store,
        }
    }

    /// Prints a result in the format that was asked for.
    pub fn print(&self, result: &Value) -> Result {
        self.print_text(&self.format().render(result))
    }

    /// The format results are printed in.
    pub fn format(&self) -> Format {
        self.format.unwrap_or_default()
    }

    /// The format that was asked for, for a result whose own is another than most results'.
    pub fn chosen_format(&self) -> Option<Format> {
        self.format
    }

    /// Prints a result that is text already: as it is, but harmless where it goes to a terminal.
    ///
    /// A closed pipe is success: the reader has enough.
    pub fn print_text(&self, text: &str) -> Result {
        let text = if self.host.stdout_is_terminal {
            terminal::sanitize(text)
        } else {
            text.into()
        };
        let mut stdout = io::stdout().lock();
        match stdout
            .write_all(text.as_bytes())
            .and_then(|()| stdout.flush())
        {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(CommandError::new(
                Kind::Request,
                "cannot write the result to stdout",
            )
            .cause(error.to_string())),
            _ => Ok(()),
        }
    }

    /// Waits so long; false at once when the reader of stdout is gone.
    pub fn pause(&self, time: Duration) -> Result<bool> {
        let failed = |error: io::Error| {
            CommandError::new(Kind::Request, "cannot wait for what comes").cause(error.to_string())
        };
        let time = Timespec::try_from(time).map_err(|error| failed(io::Error::other(error)))?;
        let stdout = io::stdout();
        // No event is asked for: that the other end is closed is always told.
        let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
        match poll(&mut watched, Some(&time)) {
            Ok(ready) => Ok(ready == 0),
            Err(rustix::io::Errno::INTR) => Ok(true),
            Err(error) => Err(failed(error.into())),
        }
    }

    /// Says something on the error stream that is no error.
    pub fn warn(&self, message: &str) {
        self.say(&format!("warning: {message}\n"));
    }

    /// Says what an error that stops nothing means, and the error with its causes.
    pub fn warn_of(&self, meaning: &str, error: &dyn Error) {
        let mut message = format!("{meaning}: {error}");
        let mut cause = error.source();
        while let Some(error) = cause {
            message.push_str(&format!(": {error}"));
            cause = error.source();
        }
        self.warn(&message);
    }

    /// Writes to the error stream, with everything a terminal would act on made harmless.
    pub fn say(&self, text: &str) {
        // When the error stream is gone there is nobody left to tell.
        let _ = io::stderr().write_all(terminal::sanitize(text).as_bytes());
    }
}
