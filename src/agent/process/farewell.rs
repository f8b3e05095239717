//! The end of a conversation, before that of the program; the end of a program that has done its
//! work.

use std::io;
use std::time::{Duration, Instant};

use super::{Done, Running, Talk};

impl Running<'_> {
    /// How long to wait for the end of a conversation, and then for the end of a program to which
    /// nothing more is said.
    const LEAVE: Duration = Duration::from_millis(1500);

    pub(super) fn is_talk_over(&self) -> bool {
        self.talk.as_ref().is_some_and(Talk::is_over)
    }

    /// Whether nothing more is wanted of the program.
    pub(super) fn is_needless(&self) -> bool {
        let is_done = |done: Done<'_>| done.is_done.get() && self.heard.elapsed() >= done.silence;
        self.is_talk_over() || self.done.is_some_and(is_done)
    }

    /// Lets the conversation come to an end, not for ever, before its program is ended.
    pub(super) fn take_leave(&mut self) -> io::Result<()> {
        let Some(talk) = &mut self.talk else {
            return Ok(());
        };
        talk.take_leave();
        talk.go_on()?;
        let deadline = Instant::now() + Self::LEAVE;
        while !self.is_talk_over() && !self.leash.has_exited()? && !self.is_time(deadline) {
            self.attend(Some(deadline))?;
        }
        Ok(())
    }

    /// Lets a program that is no longer needed end by itself, which it should do when nothing more
    /// can be said to it; else ends it.
    pub(super) fn see_off(&mut self) -> io::Result<()> {
        if let Some(talk) = &mut self.talk {
            talk.fall_silent();
        }
        let deadline = Instant::now() + Self::LEAVE;
        while !self.leash.has_exited()? && !self.is_time(deadline) {
            self.attend(Some(deadline))?;
        }
        self.end()
    }
}
