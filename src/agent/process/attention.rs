//! Waiting for whatever happens next to a program at work, and taking care of it.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::Running;

impl Running<'_> {
    /// How long a wait lasts at most. News of the program's end wakes us, but not when whoever
    /// started us has blocked the signal that brings it.
    const LONGEST_WAIT: Duration = Duration::from_secs(1);

    /// Waits until something happens or the time has come, and takes care of what happened.
    pub(super) fn attend(&mut self, until: Option<Instant>) -> io::Result<()> {
        let ready = self.wait(until)?;
        self.signals.note();
        if ready.is_news {
            self.leash.group.reap_adopted();
        }
        if ready.stdin
            && let Some(feed) = &mut self.feed
            && feed.advance()?
        {
            self.feed = None;
        }
        if ready.stdout {
            let count = read_some(&mut self.stdout, &mut self.buffer)?;
            self.captured.push(&self.buffer[..count]);
            (self.listener)(&self.buffer[..count]);
            match &mut self.talk {
                Some(talk) if self.stdout.is_some() => talk.hear(&self.buffer[..count]),
                Some(talk) => talk.hear_end(),
                None => {}
            }
            self.heard = Instant::now();
        }
        if ready.stderr {
            let count = read_some(&mut self.stderr, &mut self.buffer)?;
            self.relay.push(&self.buffer[..count]);
            self.heard = Instant::now();
        }
        if let Some(talk) = &mut self.talk {
            talk.go_on()?;
        }
        if ready.question {
            self.answer()?;
        }
        if ready.nothing {
            (self.listener)(&[]);
        }
        Ok(())
    }

    fn answer(&mut self) -> io::Result<()> {
        let until = self.total_limit();
        if let Some(questions) = &mut self.questions
            && !questions.serve(self.signals, until)?
        {
            self.questions = None;
        }
        // It was silent because it waited.
        self.heard = Instant::now();
        Ok(())
    }

    fn wait(&self, until: Option<Instant>) -> io::Result<Ready> {
        let longest = Self::LONGEST_WAIT;
        let timeout = until.map_or(longest, |until| {
            until.saturating_duration_since(Instant::now()).min(longest)
        });
        let timeout = Timespec::try_from(timeout).map_err(io::Error::other)?;
        let (feed, stdout, stderr) = (&self.feed, &self.stdout, &self.stderr);
        let mut watched = vec![PollFd::from_borrowed_fd(self.signals.wake(), PollFlags::IN)];
        watched.extend(
            feed.as_ref()
                .map(|feed| PollFd::new(feed.pipe(), PollFlags::OUT)),
        );
        watched.extend(stdout.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        watched.extend(stderr.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        let questions = self.questions.as_ref();
        watched.extend(questions.map(|it| PollFd::from_borrowed_fd(it.wake(), PollFlags::IN)));
        // Whatever of it is ready, the talk goes on: so these come last, and are not asked for.
        if let Some(talk) = &self.talk {
            watched.push(PollFd::from_borrowed_fd(talk.wake(), PollFlags::IN));
            let pipe = talk.pipe();
            watched.extend(pipe.map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::OUT)));
        }
        let count = match poll(&mut watched, Some(&timeout)) {
            Ok(count) => count,
            Err(rustix::io::Errno::INTR) => return Ok(Ready::default()),
            Err(error) => return Err(error.into()),
        };
        let mut ready = watched.iter().map(|fd| !fd.revents().is_empty());
        let mut is_ready = |is_open: bool| is_open && ready.next().unwrap_or(false);
        Ok(Ready {
            nothing: count == 0,
            is_news: is_ready(true) || count == 0,
            stdin: is_ready(feed.is_some()),
            stdout: is_ready(stdout.is_some()),
            stderr: is_ready(stderr.is_some()),
            question: is_ready(questions.is_some()),
        })
    }
}

/// Which streams can be served without waiting.
#[derive(Debug, Default)]
struct Ready {
    /// The time has passed, and nothing else has happened.
    nothing: bool,
    /// A signal or the end of a child, or nothing for so long that it may have been missed.
    is_news: bool,
    stdin: bool,
    stdout: bool,
    stderr: bool,
    question: bool,
}

/// Reads once. At its end the stream is closed.
fn read_some(pipe: &mut Option<impl Read>, buffer: &mut [u8]) -> io::Result<usize> {
    let Some(open) = pipe else { return Ok(0) };
    match open.read(buffer) {
        Ok(0) => {
            *pipe = None;
            Ok(0)
        }
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(0),
        outcome => outcome,
    }
}
