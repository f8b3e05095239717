//! Holding on to a program: what it is doing, and that it never runs on unwatched.

use std::io;
use std::process::{Child, ExitStatus};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, waitid};

use super::group::{Adoption, Group};

/// A program that is ended with its group if this is dropped before the program was waited for.
pub struct Leash {
    /// The program.
    pub child: Child,
    pid: Pid,
    /// It and its children.
    pub group: Group,
    is_reaped: bool,
}

/// What a program is doing.
pub enum State {
    /// Its work, or it was paused by somebody who will wake it.
    Working,
    /// Stopped by the system for reaching for the terminal: it would stay so for ever.
    AtTerminal,
    /// Ended, and not yet waited for: so its id still means it and its group.
    Exited,
}

impl Leash {
    /// Takes charge of a program that leads a group of its own, started under this adoption.
    pub fn new(child: Child, adoption: Adoption) -> Self {
        let pid = Pid::from_child(&child);
        Self {
            child,
            pid,
            group: Group::led_by(pid, adoption),
            is_reaped: false,
        }
    }

    /// What it is doing. A stop is told once.
    pub fn state(&self) -> io::Result<State> {
        if self.has_exited()? {
            return Ok(State::Exited);
        }
        // Without NOWAIT: the news of a stop is used up by reading it.
        let options = WaitIdOptions::STOPPED | WaitIdOptions::NOHANG;
        let stop = match waitid(WaitId::Pid(self.pid), options) {
            // It has ended just now, so it can no more be stopped.
            Err(rustix::io::Errno::CHILD) => None,
            outcome => outcome?.and_then(|stop| stop.stopping_signal()),
        };
        let at_terminal = [Signal::TTIN, Signal::TTOU].map(Signal::as_raw);
        Ok(match stop {
            Some(signal) if at_terminal.contains(&signal) => State::AtTerminal,
            _ => State::Working,
        })
    }

    /// Whether it has ended.
    pub fn has_exited(&self) -> io::Result<bool> {
        Ok(self.end()?.is_some())
    }

    /// Whether it has ended, and did not mean to, or says that it failed.
    pub fn has_failed(&self) -> io::Result<bool> {
        Ok(self.end()?.is_some_and(|end| end.exit_status() != Some(0)))
    }

    /// Whether a signal has ended it.
    pub fn was_killed(&self) -> io::Result<bool> {
        Ok(self.end()?.is_some_and(|end| !end.exited()))
    }

    fn end(&self) -> io::Result<Option<WaitIdStatus>> {
        // With NOWAIT: the program's id must not become free before its group is ended.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.pid), options)?)
    }

    /// Waits for a program that has ended. None when it has not: the wait could be for ever.
    pub fn reap(&mut self) -> io::Result<Option<ExitStatus>> {
        let status = self.child.try_wait()?;
        self.is_reaped = status.is_some();
        Ok(status)
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        if !self.is_reaped {
            self.group.include_detached();
            // There is nobody left to tell, and nothing more to try.
            let _ = self.group.kill();
            let _ = self.child.try_wait();
            self.group.reap_adopted();
        }
    }
}
