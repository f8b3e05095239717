//! Asking a person on a terminal: a line, or a line that is not shown.
//!
//! Questions go to the error stream, since stdout has the result alone. However a question ends,
//! also by Ctrl-C or a TERM, the terminal is left as it was found.

use std::io::{self, Stdin};

use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr,
    tcsetattr,
};

use crate::agent::Guard;
use crate::cli::context::Context;
use crate::cli::error::{CommandError, Kind, Result};
use crate::cli::keyboard::{self, LONGEST_LINE, Typed};

/// A line that is typed, without blanks around it.
pub fn line(question: &str, context: &Context) -> Result<String> {
    typed(question, context, |_| Ok(None))
}

/// A line that is typed and not shown.
pub fn hidden_line(question: &str, context: &Context) -> Result<String> {
    typed(question, context, |stdin| Silence::begin(stdin).map(Some))
}

/// A line that something can be made of; what cannot is said, and asked again.
pub fn until<T>(
    question: &str,
    context: &Context,
    mut made: impl FnMut(&str) -> std::result::Result<T, String>,
) -> Result<T> {
    loop {
        match made(&line(question, context)?) {
            Ok(made) => return Ok(made),
            Err(why) => context.say(&format!("{why}\n")),
        }
    }
}

fn typed(
    question: &str,
    context: &Context,
    silenced: impl FnOnce(&Stdin) -> io::Result<Option<Silence>>,
) -> Result<String> {
    let failed = |error: io::Error| {
        CommandError::new(Kind::Request, "cannot read what is typed").cause(error.to_string())
    };
    let stdin = io::stdin();
    let mut signals = Guard::install().map_err(failed)?;
    let silence = silenced(&stdin).map_err(failed)?;
    context.say(question);
    let typed = keyboard::line(&mut signals, None).map_err(failed)?;
    if silence.is_some() && !matches!(typed, Typed::Line(_)) {
        // A part of a key that stayed there would be shown by the shell that reads next. When the
        // terminal is gone there is nothing to throw away.
        let _ = tcflush(&stdin, QueueSelector::IFlush);
    }
    drop(silence);
    let stopped = |kind, why: &str| {
        context.say("\n");
        Err(CommandError::new(
            kind,
            format!("{why}: nothing was changed"),
        ))
    };
    let line = match typed {
        Typed::Line(line) => line,
        Typed::End => {
            let why = "the questions were not answered to the end";
            return stopped(Kind::Request, why);
        }
        Typed::Stopped => {
            let signal = signals.interruption().unwrap_or_default();
            return stopped(Kind::Interrupted(signal), "interrupted");
        }
    };
    if line.len() >= LONGEST_LINE {
        return Err(CommandError::new(
            Kind::Request,
            "what was typed is longer than a terminal passes on: nothing was changed",
        )
        .hint("give it from a file, with `--api-key - < key.txt`"));
    }
    let text = String::from_utf8(line).map_err(|error| failed(io::Error::other(error)))?;
    Ok(text.trim().to_owned())
}

/// A special code that no key has.
const NO_CODE: u8 = if cfg!(target_os = "linux") { 0 } else { 0xff };

/// While it lasts, the terminal does not show what is typed. Its signals work as before, but for
/// Ctrl-Z: it would leave a terminal that shows nothing to whoever comes next.
struct Silence {
    before: Termios,
}

impl Silence {
    fn begin(stdin: &Stdin) -> io::Result<Self> {
        let before = tcgetattr(stdin)?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        silent.special_codes[SpecialCodeIndex::VSUSP] = NO_CODE;
        // The line break that ends the line is shown all the same.
        silent.local_modes.insert(LocalModes::ECHONL);
        tcsetattr(stdin, OptionalActions::Drain, &silent)?;
        Ok(Self { before })
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        // When the terminal is gone there is nothing left to bring back.
        let _ = tcsetattr(io::stdin(), OptionalActions::Drain, &self.before);
    }
}
