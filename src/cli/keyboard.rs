//! A line that is typed at the terminal, while signals are watched.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::time::Instant;

use crate::agent::Guard;

/// Bytes that a terminal keeps of a line that is typed; the rest of a longer one is lost.
pub const LONGEST_LINE: usize = 4095;

/// How the wait for a line ended.
pub enum Typed {
    /// With a line, without its end.
    Line(Vec<u8>),
    /// Nothing more will be typed.
    End,
    /// A signal came before, or the time.
    Stopped,
}

/// Waits for a line. One that is as long as [`LONGEST_LINE`] has lost its end.
pub fn line(signals: &mut Guard, until: Option<Instant>) -> io::Result<Typed> {
    // Not through a buffer, which could hold what the wait below waits for.
    let mut keyboard = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut line = Vec::new();
    while line.len() < LONGEST_LINE {
        if !signals.wait_to_read(keyboard.as_fd(), until) {
            return Ok(Typed::Stopped);
        }
        let mut byte = [0];
        match keyboard.read(&mut byte) {
            Ok(0) => return Ok(Typed::End),
            Ok(_) if byte[0] == b'\n' => break,
            Ok(_) => line.push(byte[0]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Typed::Line(line))
}
