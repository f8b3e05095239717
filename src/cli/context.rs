//! What every command has at hand: the surroundings, the storage root, and where to print.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;

use super::error::{CommandError, Kind, Result};
use super::output::style::{Colours, WARNING};
use super::output::text::{self, Look};
use super::output::{Format, terminal};
use crate::cas::Store;
use crate::engine::Workshop;
use crate::host::{Host, HostError};
use crate::model::{ThreadId, in_full};
use crate::thread::make_current;

/// One call of the program.
pub struct Context {
    /// The surroundings.
    pub host: Host,
    /// The storage root, absolute.
    pub root: PathBuf,
    /// The content-addressed store under the root.
    pub store: Store,
    /// When the process began, in milliseconds since 1970.
    pub started_ms: u64,
    /// None: nobody asked for one.
    format: Option<Format>,
    /// What the error stream may hold.
    error_colours: Colours,
    /// Whether details are wanted on the error stream.
    is_verbose: bool,
}

/// The variable that asks for details; [`DEBUG`] is all it can say.
const LOG_VARIABLE: &str = "UWF_LOG";
const DEBUG: &str = "debug";

impl Context {
    /// Of the surroundings as they were captured. Reads and writes no file.
    pub fn new(host: std::result::Result<Host, HostError>, format: Option<Format>) -> Result<Self> {
        let unusable = |error| CommandError::from_error(Kind::Request, &error);
        let host = host.map_err(unusable)?;
        let root = host.storage_root().map_err(|error| {
            unusable(error)
                .hint("set UNCAGED_WORKFLOW_STORAGE_ROOT to the folder that is to hold everything")
        })?;
        let store = Store::open(&root);
        let context = Self {
            started_ms: host.now_ms(),
            error_colours: Colours::wanted(&host, host.stderr_is_terminal),
            is_verbose: host
                .variable(LOG_VARIABLE)
                .is_some_and(|level| level == DEBUG),
            host,
            root,
            store,
            format,
        };
        context.check_log_variable();
        context.debug(|| format!("storage root {}", context.root.display()));
        Ok(context)
    }

    fn check_log_variable(&self) {
        if let Some(level) = self.host.variable(LOG_VARIABLE)
            && level != DEBUG
        {
            self.warn(&format!(
                "{LOG_VARIABLE} is `{}`, and only `{DEBUG}` means something",
                level.to_string_lossy()
            ));
        }
    }

    /// Lets `@` mean this thread. That it cannot be written down is no failure of what was asked.
    pub fn remember(&self, thread: ThreadId) {
        if let Err(error) = make_current(&self.root, thread) {
            self.warn(&format!(
                "`@` does not mean this thread: {}",
                in_full(&error)
            ));
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
        self.print_as(self.format(), result)
    }

    /// Prints a result, for people in a form of its own: the same told as they want to read it.
    pub fn print_with_form(&self, result: &Value, for_people: impl FnOnce() -> Value) -> Result {
        match self.format() {
            Format::Text => self.print(&for_people()),
            Format::Json | Format::Yaml => self.print(result),
        }
    }

    /// Prints a result in this format.
    pub fn print_as(&self, format: Format, result: &Value) -> Result {
        let text = format.render(result, self.look());
        match format {
            // It is harmless already, and may hold colours.
            Format::Text => print_document(&text),
            Format::Json | Format::Yaml => self.print_text(&text),
        }
    }

    /// Prints one of several results for people, on one line.
    pub fn print_line(&self, result: &Value) -> Result {
        print_document(&text::line(result, self.look()))
    }

    /// Whether results are for people: they get what is not in the keys that programs get.
    pub fn is_for_people(&self) -> bool {
        self.format() == Format::Text
    }

    /// The format results are printed in.
    pub fn format(&self) -> Format {
        self.format.unwrap_or_default()
    }

    /// The format that was asked for, for a result whose own is another than most results'.
    pub fn chosen_format(&self) -> Option<Format> {
        self.format
    }

    fn look(&self) -> Look {
        Look {
            colours: Colours::wanted(&self.host, self.host.stdout_is_terminal),
            width: self.host.stdout_width(),
        }
    }

    /// Prints a result that is text already: as it is, but harmless where it goes to a terminal
    /// or was asked for as text for people.
    pub fn print_text(&self, text: &str) -> Result {
        if self.host.stdout_is_terminal || self.format() == Format::Text {
            print_document(&terminal::sanitize(text))
        } else {
            print_document(text)
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
        let label = self.error_colours.paint(WARNING, "warning:");
        write_error(&format!("{label} {}\n", terminal::sanitize(message)));
    }

    /// Writes to the error stream what is harmless already, and may have colours.
    pub fn say_drawn(&self, text: &str) {
        write_error(text);
    }

    /// What the error stream may hold.
    pub fn error_colours(&self) -> Colours {
        self.error_colours
    }

    /// How long the process has been running by now.
    pub fn elapsed_ms(&self) -> u64 {
        self.host.now_ms().saturating_sub(self.started_ms)
    }

    /// Tells a detail to whoever asked for details. It holds no prompt and nothing secret.
    pub fn debug(&self, detail: impl FnOnce() -> String) {
        if self.is_verbose {
            self.say(&format!("debug: {}\n", detail()));
        }
    }

    /// Writes to the error stream, with everything a terminal would act on made harmless.
    pub fn say(&self, text: &str) {
        write_error(&terminal::sanitize(text));
    }
}

/// Prints a text as it is. Nothing in it is of others.
///
/// A closed pipe is success: the reader has enough.
pub fn print_document(text: &str) -> Result {
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

fn write_error(text: &str) {
    // When the error stream is gone there is nobody left to tell.
    let _ = io::stderr().write_all(text.as_bytes());
}
