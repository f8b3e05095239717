//! Conversations: programs that are told things while they work, and that go when they are told to.
//!
//! A thread of its own keeps the program company, in the one loop that runs programs (`process`):
//! so the program is watched, and ended when it must be, also while whoever talks to it does
//! something else. What is said is the talker's business.

use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::process::ChildStdin;
use std::thread::{self, JoinHandle};

use rustix::io::ioctl_fionbio;

use super::error::AgentError;
use super::invocation::{Finished, Invocation};
use super::process;
use super::signals::Guard;

/// The other side of a conversation with a program. Nothing here may wait.
pub trait Talker: Send {
    /// Becomes readable when [`Talker::go_on`] has something to do.
    fn wake(&self) -> BorrowedFd<'_>;
    /// The program said this, cut anywhere.
    fn hear(&mut self, bytes: &[u8]);
    /// The program says nothing more.
    fn hear_end(&mut self);
    /// This program was asked to end, or the other one took too long: the conversation is to be
    /// brought to an end.
    fn take_leave(&mut self);
    /// Goes on as far as it can without waiting; what is to be said to the program.
    fn go_on(&mut self) -> Vec<u8>;
    /// Whether all is said: the program is no longer needed.
    fn is_over(&self) -> bool;
}

/// A program that is talked to.
#[derive(Debug)]
pub struct Conversation {
    /// What messages call the program.
    agent: String,
    /// None once it was waited for.
    company: Option<JoinHandle<Result<Finished, AgentError>>>,
}

impl Conversation {
    /// Starts the program. `observer` is given its stderr as it comes, in whole lines.
    ///
    /// The conversation ends when the talker says that it is over, when the program ends, and
    /// when this process is asked to end. That the program cannot be started is told at its end.
    pub fn begin(
        invocation: Invocation,
        mut talker: impl Talker + 'static,
        mut observer: impl FnMut(&[u8]) + Send + 'static,
    ) -> io::Result<Self> {
        let mut signals = Guard::install()?;
        let agent = invocation.agent.clone();
        let converse =
            move || process::converse(&invocation, &mut signals, &mut talker, &mut observer);
        let company = thread::Builder::new()
            .name("conversation".to_owned())
            .spawn(converse)?;
        Ok(Self {
            agent,
            company: Some(company),
        })
    }

    /// Waits until nothing of the program is left. Only once the talker knows that all is said, or
    /// the program has ended, is this sure to come.
    pub fn end(mut self) -> Result<Finished, AgentError> {
        self.wait().unwrap_or_else(|| Ok(Finished::default()))
    }

    fn wait(&mut self) -> Option<Result<Finished, AgentError>> {
        let ended = self.company.take()?.join();
        Some(ended.unwrap_or_else(|_| {
            Err(AgentError::Lost {
                agent: self.agent.clone(),
                cause: io::Error::other("the thread that watched it broke"),
            })
        }))
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // A process that ends would end the thread, and leave the program behind. There is nobody
        // left to tell how it went.
        let _ = self.wait();
    }
}

/// A talker with the pipe to its program.
pub(super) struct Talk<'a> {
    talker: &'a mut dyn Talker,
    /// None when nothing more can or shall be said.
    pipe: Option<ChildStdin>,
    /// What the pipe has not taken yet.
    unsaid: Vec<u8>,
}

impl<'a> Talk<'a> {
    /// Begins to talk through this pipe. Waits for nobody.
    pub fn new(talker: &'a mut dyn Talker, pipe: Option<ChildStdin>) -> io::Result<Self> {
        if let Some(pipe) = &pipe {
            // A program that does not read must not hold us up.
            ioctl_fionbio(pipe, true)?;
        }
        let mut talk = Self {
            talker,
            pipe,
            unsaid: Vec::new(),
        };
        talk.go_on()?;
        Ok(talk)
    }

    /// Becomes readable when the talker has something to do.
    pub fn wake(&self) -> BorrowedFd<'_> {
        self.talker.wake()
    }

    /// The pipe, to wait until it takes more; none when there is nothing to say.
    pub fn pipe(&self) -> Option<BorrowedFd<'_>> {
        let pipe = self.pipe.as_ref().filter(|_| !self.unsaid.is_empty());
        pipe.map(AsFd::as_fd)
    }

    /// Whether all is said.
    pub fn is_over(&self) -> bool {
        self.talker.is_over()
    }

    /// The conversation is to be brought to an end.
    pub fn take_leave(&mut self) {
        self.talker.take_leave();
    }

    /// Nothing more will be said.
    pub fn fall_silent(&mut self) {
        self.pipe = None;
    }

    /// The program said this.
    pub fn hear(&mut self, bytes: &[u8]) {
        self.talker.hear(bytes);
    }

    /// The program says nothing more.
    pub fn hear_end(&mut self) {
        self.talker.hear_end();
    }

    /// Goes on as far as it can without waiting.
    pub fn go_on(&mut self) -> io::Result<()> {
        self.unsaid.append(&mut self.talker.go_on());
        while let Some(pipe) = self.pipe.as_mut().filter(|_| !self.unsaid.is_empty()) {
            match pipe.write(&self.unsaid) {
                Ok(count) => drop(self.unsaid.drain(..count)),
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock => break,
                    io::ErrorKind::Interrupted => {}
                    // It does not want to read on: its end, or what it says of that, is at hand.
                    io::ErrorKind::BrokenPipe => self.pipe = None,
                    _ => return Err(error),
                },
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
