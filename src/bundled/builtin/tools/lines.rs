//! The lines of a file that may have any size, in constant memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

use super::watch::{Halt, Watch};

/// How much of a file tells whether it is text.
const BEGINNING: usize = 8 * 1024;

/// A file, line by line.
pub struct Lines {
    reader: BufReader<File>,
    /// The most bytes of a line that are kept.
    most: usize,
}

/// A line, without its line break.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Line {
    /// The beginning of it.
    pub bytes: Vec<u8>,
    /// Whether that is not all.
    pub is_cut: bool,
    /// Whether the line break has a carriage return before it.
    pub has_return: bool,
}

/// Why there is no next line.
#[derive(Debug)]
pub enum NoLine {
    /// The file cannot be read.
    Unreadable(io::Error),
    /// There is a reason to stop.
    Halt(Halt),
}

impl Lines {
    /// Of this file, of each line at most so many bytes.
    pub fn of(file: File, most: usize) -> Self {
        Self {
            reader: BufReader::with_capacity(64 * 1024, file),
            most,
        }
    }

    /// Whether the beginning holds what no text does. To be asked before the first line is read.
    pub fn are_binary(&mut self) -> io::Result<bool> {
        let beginning = self.reader.fill_buf()?;
        Ok(beginning[..beginning.len().min(BEGINNING)].contains(&0))
    }

    /// Whether there is nothing more.
    pub fn are_over(&mut self) -> io::Result<bool> {
        Ok(self.reader.fill_buf()?.is_empty())
    }

    /// Reads the next line into `line`; false when there is none.
    pub fn next(&mut self, line: &mut Line, watch: &mut Watch<'_>) -> Result<bool, NoLine> {
        line.bytes.clear();
        (line.is_cut, line.has_return) = (false, false);
        let mut is_begun = false;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(NoLine::Unreadable(error)),
            };
            if buffer.is_empty() {
                return Ok(is_begun);
            }
            is_begun = true;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            let room = (self.most - line.bytes.len()).min(part.len());
            line.bytes.extend_from_slice(&part[..room]);
            line.is_cut |= room < part.len();
            let read = end.map_or(buffer.len(), |end| end + 1);
            self.reader.consume(read);
            if end.is_some() {
                line.has_return = !line.is_cut && line.bytes.pop_if(|it| *it == b'\r').is_some();
                return Ok(true);
            }
            watch.look().map_err(NoLine::Halt)?;
        }
    }
}
