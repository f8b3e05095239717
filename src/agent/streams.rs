//! The three streams of a program: what is kept of its output, what is passed on at once, and
//! what it is given to read.

use std::io::{self, Write};
use std::process::ChildStdin;

use rustix::io::ioctl_fionbio;

use super::invocation::Capture;
use super::text::{decode_text, whole_characters};

/// The last bytes of a stream, in constant memory.
#[derive(Debug)]
pub struct Tail {
    limit: usize,
    bytes: Vec<u8>,
    total: u64,
}

impl Tail {
    /// Keeps so many bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            bytes: Vec::new(),
            total: 0,
        }
    }

    /// Takes in what was read.
    pub fn push(&mut self, chunk: &[u8]) {
        self.total += chunk.len() as u64;
        let chunk = &chunk[chunk.len().saturating_sub(self.limit)..];
        self.bytes.extend_from_slice(chunk);
        // Moved to the front only now and then: so every byte is copied twice at most.
        if self.bytes.len() > 2 * self.limit {
            self.trim();
        }
    }

    fn trim(&mut self) {
        let surplus = self.bytes.len().saturating_sub(self.limit);
        self.bytes.drain(..surplus);
    }

    /// The bytes that were kept.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.trim();
        self.bytes
    }

    /// The lines that were kept, as text. A line whose beginning is gone is left out, unless it
    /// is the only one.
    pub fn into_text(self) -> String {
        let total = self.total;
        let bytes = self.into_bytes();
        let mut rest = bytes.as_slice();
        if total > bytes.len() as u64 {
            let line = bytes.iter().position(|byte| *byte == b'\n');
            let start = match line {
                Some(end) if end + 1 < bytes.len() => end + 1,
                // No whole line: at least no half character.
                _ => bytes
                    .iter()
                    .position(|byte| !matches!(byte, 0x80..=0xbf))
                    .unwrap_or(0),
            };
            rest = &bytes[start..];
        }
        let (text, _) = decode_text(rest);
        text.trim_end_matches(['\n', '\r']).to_owned()
    }
}

/// What is kept of stdout.
#[derive(Debug)]
pub enum Captured {
    /// The end of it.
    Tail(Tail),
    /// The beginning and the end of it.
    Ends {
        /// The beginning, so far.
        head: Vec<u8>,
        /// The bytes that the beginning has at most.
        limit: usize,
        /// What came behind it.
        tail: Tail,
    },
    /// All of it, up to the limit.
    Whole {
        /// What was read, never more than the limit.
        bytes: Vec<u8>,
        /// The bytes that were read in all.
        total: u64,
        /// The most that is allowed.
        limit: usize,
    },
}

impl Captured {
    /// Nothing yet.
    pub fn new(capture: Capture) -> Self {
        match capture {
            Capture::Tail(limit) => Self::Tail(Tail::new(limit)),
            Capture::Ends { head, tail } => Self::Ends {
                head: Vec::new(),
                limit: head,
                tail: Tail::new(tail),
            },
            Capture::Whole { limit } => Self::Whole {
                bytes: Vec::new(),
                total: 0,
                limit,
            },
        }
    }

    /// Takes in what was read.
    pub fn push(&mut self, chunk: &[u8]) {
        match self {
            Self::Tail(tail) => tail.push(chunk),
            Self::Ends { head, limit, tail } => {
                let room = (*limit - head.len()).min(chunk.len());
                head.extend_from_slice(&chunk[..room]);
                tail.push(&chunk[room..]);
            }
            Self::Whole {
                bytes,
                total,
                limit,
            } => {
                *total += chunk.len() as u64;
                let room = (*limit - bytes.len()).min(chunk.len());
                bytes.extend_from_slice(&chunk[..room]);
            }
        }
    }

    /// The limit, when more than that was read.
    pub fn exceeded(&self) -> Option<usize> {
        match self {
            Self::Whole { total, limit, .. } if *total > *limit as u64 => Some(*limit),
            Self::Whole { .. } | Self::Tail(_) | Self::Ends { .. } => None,
        }
    }

    /// What was kept, and how many bytes were read in all.
    pub fn into_parts(self) -> (Vec<u8>, u64) {
        match self {
            Self::Tail(tail) => {
                let total = tail.total;
                (tail.into_bytes(), total)
            }
            Self::Ends { mut head, tail, .. } => {
                let total = head.len() as u64 + tail.total;
                head.extend(tail.into_bytes());
                (head, total)
            }
            Self::Whole { bytes, total, .. } => (bytes, total),
        }
    }
}

/// Passes stderr on while the program runs, and keeps its last lines.
///
/// What is passed on ends with a line, or, when a line is very long, with a whole character.
pub struct Relay<'a> {
    observer: &'a mut dyn FnMut(&[u8]),
    held: Vec<u8>,
    tail: Tail,
}

impl<'a> Relay<'a> {
    const LONGEST_HELD: usize = 4 * 1024;
    const TAIL: usize = 8 * 1024;

    /// Passes on to this observer.
    pub fn new(observer: &'a mut dyn FnMut(&[u8])) -> Self {
        Self {
            observer,
            held: Vec::new(),
            tail: Tail::new(Self::TAIL),
        }
    }

    /// Takes in what was read.
    pub fn push(&mut self, chunk: &[u8]) {
        self.tail.push(chunk);
        self.held.extend_from_slice(chunk);
        // A progress bar ends its lines with a carriage return.
        let lines = self
            .held
            .iter()
            .rposition(|byte| matches!(byte, b'\n' | b'\r'))
            .map_or(0, |last| last + 1);
        let ready = if self.held.len() - lines > Self::LONGEST_HELD {
            whole_characters(&self.held)
        } else {
            lines
        };
        if ready > 0 {
            (self.observer)(&self.held[..ready]);
            self.held.drain(..ready);
        }
    }

    /// Passes on what is still held, and gives the last lines.
    pub fn finish(self) -> String {
        if !self.held.is_empty() {
            (self.observer)(&self.held);
        }
        self.tail.into_text()
    }
}

/// Text for a program's standard input, handed over as the program reads it.
#[derive(Debug)]
pub struct Feed<'a> {
    pipe: ChildStdin,
    text: &'a [u8],
    written: usize,
}

impl<'a> Feed<'a> {
    /// Will write this text. Neither reads nor waits for the program.
    pub fn new(pipe: ChildStdin, text: &'a [u8]) -> io::Result<Self> {
        // A program that does not read must not hold us up.
        ioctl_fionbio(&pipe, true)?;
        Ok(Self {
            pipe,
            text,
            written: 0,
        })
    }

    /// The pipe, to wait until it takes more.
    pub fn pipe(&self) -> &ChildStdin {
        &self.pipe
    }

    /// Writes as much as the pipe takes; true when there is nothing left to do.
    pub fn advance(&mut self) -> io::Result<bool> {
        match self.pipe.write(&self.text[self.written..]) {
            Ok(count) => {
                self.written += count;
                Ok(self.written == self.text.len())
            }
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => Ok(false),
                // It does not want to read on, which is its own business.
                io::ErrorKind::BrokenPipe => Ok(true),
                _ => Err(error),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_keeps_the_end_whatever_the_chunks() {
        let text: Vec<u8> = (0..1000_u32).flat_map(u32::to_le_bytes).collect();
        for size in [1, 3, 7, 64, 1000, 4000] {
            let mut tail = Tail::new(64);
            for chunk in text.chunks(size) {
                tail.push(chunk);
                assert!(tail.bytes.len() <= 128);
            }
            assert_eq!(tail.total, 4000);
            assert_eq!(tail.into_bytes(), &text[4000 - 64..]);
        }
    }

    #[test]
    fn the_text_of_a_tail_begins_with_a_whole_line() {
        let text = |limit, text: &str| {
            let mut tail = Tail::new(limit);
            tail.push(text.as_bytes());
            tail.into_text()
        };
        assert_eq!(text(100, "one\ntwo\r\n\n"), "one\ntwo");
        assert_eq!(text(8, "one\ntwo\nthree\n"), "three");
        assert_eq!(text(4, "ééé"), "éé");
        assert_eq!(text(3, "ééé"), "é");
        assert_eq!(text(4, "abcdefg\n"), "efg");
    }

    #[test]
    fn the_whole_is_kept_up_to_its_limit() {
        let mut captured = Captured::new(Capture::Whole { limit: 5 });
        captured.push(b"abc");
        captured.push(b"de");
        assert_eq!(captured.exceeded(), None);
        captured.push(b"fgh");
        assert_eq!(captured.exceeded(), Some(5));
        captured.push(b"i");
        assert_eq!(captured.into_parts(), (b"abcde".to_vec(), 9));
    }

    #[test]
    fn the_ends_are_kept_whatever_the_chunks() {
        let text: Vec<u8> = (0..1000_u32).flat_map(u32::to_le_bytes).collect();
        for size in [1, 3, 7, 64, 1000, 4000] {
            let mut captured = Captured::new(Capture::Ends { head: 30, tail: 50 });
            for chunk in text.chunks(size) {
                captured.push(chunk);
            }
            assert_eq!(captured.exceeded(), None);
            let ends = [&text[..30], &text[4000 - 50..]].concat();
            assert_eq!(captured.into_parts(), (ends, 4000));
        }
        let mut captured = Captured::new(Capture::Ends { head: 30, tail: 50 });
        captured.push(&text[..79]);
        assert_eq!(captured.into_parts(), (text[..79].to_vec(), 79));
    }

    #[test]
    fn what_is_passed_on_ends_with_a_line() {
        let mut seen: Vec<String> = Vec::new();
        let mut observer = |bytes: &[u8]| seen.push(String::from_utf8(bytes.to_vec()).unwrap());
        let mut relay = Relay::new(&mut observer);
        relay.push(b"on");
        relay.push(b"e\ntwo\nth");
        relay.push(b"ree\r");
        relay.push(b"four");
        assert_eq!(relay.finish(), "one\ntwo\nthree\rfour");
        assert_eq!(seen, ["one\ntwo\n", "three\r", "four"]);
    }

    #[test]
    fn a_long_line_is_passed_on_in_whole_characters() {
        let line = "日本".repeat(2000);
        let mut seen: Vec<String> = Vec::new();
        let mut observer = |bytes: &[u8]| seen.push(String::from_utf8(bytes.to_vec()).unwrap());
        let mut relay = Relay::new(&mut observer);
        for chunk in line.as_bytes().chunks(1000) {
            relay.push(chunk);
        }
        relay.finish();
        assert!(seen.len() > 1);
        assert_eq!(seen.concat(), line);
    }
}
