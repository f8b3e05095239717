//! Pipes to agents at work.

use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// Only what never comes takes this long.
const FOREVER: Duration = Duration::from_secs(60);

/// Lines that come through a pipe, read as they come.
pub struct Lines(Receiver<String>);

impl Lines {
    pub fn of(pipe: impl Read + Send + 'static) -> Self {
        Self::reading(move || Some(Box::new(pipe)))
    }

    /// The same of a pipe that opens only when somebody holds the other side.
    pub fn reading(open: impl FnOnce() -> Option<Box<dyn Read>> + Send + 'static) -> Self {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(open().unwrap()).lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Self(receiver)
    }

    #[track_caller]
    pub fn next(&self) -> String {
        self.0.recv_timeout(FOREVER).unwrap()
    }

    /// What is left, up to the end: it comes when nobody holds the other side of the pipe.
    #[track_caller]
    pub fn rest(&self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.0.recv_timeout(FOREVER) {
                Ok(line) => lines.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => return lines,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    panic!("somebody holds the pipe: {lines:?}")
                }
            }
        }
    }
}
