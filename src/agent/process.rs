//! Running a program to its end. The only place that starts processes.
//!
//! One thread does it all: it waits for output, for the program's end, for signals and for time
//! to pass in one place, and gives up on the program's output rather than wait for it for ever.

mod attention;
mod farewell;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use super::conversation::{Talk, Talker};
use super::error::{AgentError, Ending};
use super::group::Adoption;
use super::invocation::{Finished, Invocation, Stdin};
use super::leash::{Leash, State};
use super::question::Questions;
use super::signals::Guard;
use super::start::{self, StartError};
use super::streams::{Captured, Feed, Relay};

/// Runs a program to its end, or ends it.
///
/// `observer` is given its stderr as it comes, in whole lines. Whatever the outcome, nothing of
/// the program's process group is left behind. It is ended when a limit is passed, when it reaches
/// for the terminal, and when `signals` notes one: then nothing that descends from it is left. A
/// second signal kills at once. One that comes when the program is done takes nothing away from
/// what it did: it stays noted, and the next program is not started.
pub fn run(
    invocation: &Invocation,
    signals: &mut Guard,
    observer: &mut dyn FnMut(&[u8]),
) -> Result<Finished, AgentError> {
    run_heard(invocation, signals, &mut |_| {}, observer)
}

/// The same for whoever wants to know what the program says on stdout while it says it:
/// `listener` is given its bytes as they come, cut anywhere, and none of them about once in a
/// second when nothing comes.
pub fn run_heard(
    invocation: &Invocation,
    signals: &mut Guard,
    listener: &mut dyn FnMut(&[u8]),
    observer: &mut dyn FnMut(&[u8]),
) -> Result<Finished, AgentError> {
    run_in(Company::of(signals, listener, observer), invocation)
}

/// What a program is run for is there, though it may not have ended.
#[derive(Debug, Clone, Copy)]
pub struct Done<'a> {
    /// Whether it is there: the listener says so.
    pub is_done: &'a Cell<bool>,
    /// How long the program may be silent after that.
    pub silence: Duration,
}

/// [`run_heard`] for a program that may hang when its work is done: then it is ended, and that is
/// its success.
pub fn run_until_done(
    invocation: &Invocation,
    signals: &mut Guard,
    done: Done<'_>,
    listener: &mut dyn FnMut(&[u8]),
    observer: &mut dyn FnMut(&[u8]),
) -> Result<Finished, AgentError> {
    let company = Company {
        done: Some(done),
        ..Company::of(signals, listener, observer)
    };
    run_in(company, invocation)
}

/// Runs a program that is talked to ([`Stdin::Conversation`]), until the talker says that it is
/// over: then the program is ended, and that is its success. One that ends before is run to its
/// end like any other. When it has to be ended otherwise, the talker takes leave of it first.
pub fn converse(
    invocation: &Invocation,
    signals: &mut Guard,
    talker: &mut dyn Talker,
    observer: &mut dyn FnMut(&[u8]),
) -> Result<Finished, AgentError> {
    let mut nobody = |_: &[u8]| {};
    let company = Company {
        talker: Some(talker),
        ..Company::of(signals, &mut nobody, observer)
    };
    run_in(company, invocation)
}

/// [`run_heard`] for a program that may have questions ([`Stdin::Questions`]).
pub fn run_answered<'a>(
    invocation: &'a Invocation,
    signals: &'a mut Guard,
    questions: Questions<'a>,
    listener: &'a mut dyn FnMut(&[u8]),
    observer: &'a mut dyn FnMut(&[u8]),
) -> Result<Finished, AgentError> {
    let company = Company {
        questions: Some(questions),
        ..Company::of(signals, listener, observer)
    };
    run_in(company, invocation)
}

/// Who is there while a program works.
struct Company<'a> {
    signals: &'a mut Guard,
    listener: &'a mut dyn FnMut(&[u8]),
    observer: &'a mut dyn FnMut(&[u8]),
    talker: Option<&'a mut dyn Talker>,
    questions: Option<Questions<'a>>,
    done: Option<Done<'a>>,
}

impl<'a> Company<'a> {
    fn of(
        signals: &'a mut Guard,
        listener: &'a mut dyn FnMut(&[u8]),
        observer: &'a mut dyn FnMut(&[u8]),
    ) -> Self {
        Self {
            signals,
            listener,
            observer,
            talker: None,
            questions: None,
            done: None,
        }
    }
}

fn run_in<'a>(company: Company<'a>, invocation: &'a Invocation) -> Result<Finished, AgentError> {
    let agent = || invocation.agent.clone();
    let ended = |ending, finished| AgentError::Ended {
        agent: agent(),
        ending,
        finished: Box::new(finished),
    };
    if let Some(signal) = company.signals.interruption() {
        return Err(ended(Ending::Interrupted(signal), Finished::default()));
    }
    let adoption = Adoption::begin();
    let child = start(invocation).map_err(|cause| AgentError::Start {
        agent: agent(),
        cause,
    })?;
    let leash = Leash::new(child, adoption);
    let (ending, finished) = Running::begin(leash, invocation, company)
        .and_then(Running::work_to_the_end)
        .map_err(|cause| AgentError::Lost {
            agent: agent(),
            cause,
        })?;
    match ending {
        None => Ok(finished),
        Some(ending) => Err(ended(ending, finished)),
    }
}

fn start(invocation: &Invocation) -> Result<Child, StartError> {
    start::check(invocation)?;
    let said = match spawn(invocation, &invocation.program, None) {
        Ok(child) => return Ok(child),
        Err(said) => said,
    };
    if start::is_no_program(&said)
        && let Some(script) = start::nameless_script(invocation)
    {
        return spawn(invocation, OsStr::new("/bin/sh"), Some(script.as_os_str()))
            .map_err(|said| start::explain(invocation, said));
    }
    Err(start::explain(invocation, said))
}

/// Starts a program with the invocation's arguments, after one of our own if need be.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the room that starts processes"
)]
fn spawn(invocation: &Invocation, program: &OsStr, first: Option<&OsStr>) -> io::Result<Child> {
    Command::new(program)
        .args(first)
        .args(&invocation.arguments)
        .current_dir(&invocation.cwd)
        .env_clear()
        .envs(&invocation.environment)
        .process_group(0)
        .stdin(match &invocation.stdin {
            Stdin::Empty => Stdio::null(),
            Stdin::Questions(stream) => OwnedFd::from(stream.try_clone()?).into(),
            Stdin::Text(_) | Stdin::Conversation => Stdio::piped(),
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// Becomes another program, which keeps this one's id, folder, environment and streams. Comes back
/// only when that fails, with what the system said.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the room that starts processes"
)]
pub fn become_program(program: &OsStr, arguments: &[OsString]) -> io::Error {
    Command::new(program).args(arguments).exec()
}

/// A program at work.
struct Running<'a> {
    leash: Leash,
    invocation: &'a Invocation,
    signals: &'a mut Guard,
    feed: Option<Feed<'a>>,
    talk: Option<Talk<'a>>,
    questions: Option<Questions<'a>>,
    done: Option<Done<'a>>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    captured: Captured,
    listener: &'a mut dyn FnMut(&[u8]),
    relay: Relay<'a>,
    buffer: Vec<u8>,
    started: Instant,
    heard: Instant,
    /// Why it does not end well, once that is known.
    ending: Option<Ending>,
}

impl<'a> Running<'a> {
    const BUFFER: usize = 64 * 1024;
    /// How often to look whether a group has gone, of which there is no news.
    const GLANCE: Duration = Duration::from_millis(20);
    /// How long to wait for the end of what was killed. Nothing survives that, but a process may
    /// hang within the system for a while, and some for ever.
    const DYING: Duration = Duration::from_secs(5);

    fn begin(
        mut leash: Leash,
        invocation: &'a Invocation,
        company: Company<'a>,
    ) -> io::Result<Self> {
        let Company {
            signals,
            listener,
            observer,
            talker,
            questions,
            done,
        } = company;
        let started = Instant::now();
        let mut stdin = leash.child.stdin.take();
        let feed = match (&mut stdin, &invocation.stdin) {
            (pipe, Stdin::Text(text)) => {
                let pipe = pipe.take();
                pipe.map(|pipe| Feed::new(pipe, text)).transpose()?
            }
            _ => None,
        };
        let talk = talker.map(|talker| Talk::new(talker, stdin)).transpose()?;
        Ok(Self {
            feed,
            talk,
            questions,
            done,
            stdout: leash.child.stdout.take(),
            stderr: leash.child.stderr.take(),
            leash,
            invocation,
            signals,
            captured: Captured::new(invocation.capture),
            listener,
            relay: Relay::new(observer),
            buffer: vec![0; Self::BUFFER],
            started,
            heard: started,
            ending: None,
        })
    }

    fn work_to_the_end(mut self) -> io::Result<(Option<Ending>, Finished)> {
        self.watch()?;
        let is_dismissed = self.ending.is_none() && self.is_needless();
        // Whoever waits for an answer now gets none.
        self.questions = None;
        if self.ending.is_some() {
            self.take_leave()?;
            self.end()?;
        } else if is_dismissed {
            self.see_off()?;
        } else if self.leash.was_killed()? {
            // What it has left behind, it has not left on purpose.
            self.leash.group.include_detached();
        }
        self.read_the_rest()?;
        let status = self.clear()?;
        let failure = || {
            let exceeded = self.captured.exceeded().map(Ending::OutputTooLarge);
            exceeded.or_else(|| status.and_then(failure_in))
        };
        let ending = if is_dismissed {
            None
        } else {
            self.ending.or_else(failure)
        };
        let (stdout, stdout_total) = self.captured.into_parts();
        let finished = Finished {
            stdout,
            stdout_total,
            stderr_tail: self.relay.finish(),
            exit_code: status.and_then(|status| status.code()),
            duration: self.started.elapsed(),
        };
        Ok((ending, finished))
    }

    /// Lets the program work until it has ended, has to be ended, or is no longer needed.
    fn watch(&mut self) -> io::Result<()> {
        while self.ending.is_none() && !self.is_needless() {
            match self.leash.state()? {
                State::Exited => return self.see_its_end(),
                State::AtTerminal => self.ending = Some(Ending::Terminal),
                State::Working => match self.passed_limit().or_else(|| self.interruption()) {
                    Some(ending) => self.ending = Some(ending),
                    None => self.attend(self.next_limit())?,
                },
            }
        }
        Ok(())
    }

    /// What has ended well is done, whatever has come meanwhile. One that failed when we were to
    /// end was told so itself: a system that shuts down asks everybody at once.
    fn see_its_end(&mut self) -> io::Result<()> {
        self.signals.note();
        if self.leash.has_failed()? {
            self.ending = self.interruption();
        }
        Ok(())
    }

    fn total_limit(&self) -> Option<Instant> {
        let limit = self.invocation.limits.total;
        limit.and_then(|limit| self.started.checked_add(limit))
    }

    fn idle_limit(&self) -> Option<Instant> {
        let limit = self.invocation.limits.idle;
        limit.and_then(|limit| self.heard.checked_add(limit))
    }

    fn next_limit(&self) -> Option<Instant> {
        let total = self.total_limit().into_iter();
        total.chain(self.idle_limit()).min()
    }

    fn passed_limit(&self) -> Option<Ending> {
        let limits = self.invocation.limits;
        let now = Instant::now();
        let is_past = |limit: Option<Instant>| limit.is_some_and(|limit| now >= limit);
        if let Some(limit) = self.captured.exceeded() {
            Some(Ending::OutputTooLarge(limit))
        } else if is_past(self.total_limit()) {
            limits.total.map(Ending::Timeout)
        } else if is_past(self.idle_limit()) {
            limits.idle.map(Ending::Idle)
        } else {
            None
        }
    }

    fn interruption(&self) -> Option<Ending> {
        self.signals.noted().map(Ending::Interrupted)
    }

    /// Ends the program: politely, then not.
    fn end(&mut self) -> io::Result<()> {
        self.leash.group.include_detached();
        self.leash.group.terminate()?;
        let deadline = Instant::now() + self.invocation.patience.ending;
        while !self.leash.has_exited()? {
            if self.is_time(deadline) {
                self.leash.group.kill()?;
                break;
            }
            self.attend(Some(deadline))?;
        }
        let deadline = Instant::now() + Self::DYING;
        while !self.leash.has_exited()? && Instant::now() < deadline {
            self.attend(Some(deadline))?;
        }
        Ok(())
    }

    /// Reads what is still in the pipes; not for ever, since processes that the program has left
    /// behind may hold them open.
    fn read_the_rest(&mut self) -> io::Result<()> {
        self.feed = None;
        let deadline = Instant::now() + self.invocation.patience.output;
        while (self.stdout.is_some() || self.stderr.is_some()) && !self.is_time(deadline) {
            self.attend(Some(deadline))?;
        }
        (self.stdout, self.stderr) = (None, None);
        Ok(())
    }

    /// Ends what the program has left behind. Its own status, if it has ended itself.
    fn clear(&mut self) -> io::Result<Option<ExitStatus>> {
        self.leash.group.terminate()?;
        let status = self.leash.reap()?;
        let deadline = Instant::now() + self.invocation.patience.leftovers;
        while !self.leash.group.is_gone() {
            if self.is_time(deadline) {
                self.leash.group.kill()?;
                break;
            }
            self.attend(Some(Instant::now() + Self::GLANCE))?;
        }
        let deadline = Instant::now() + Self::DYING;
        while !self.leash.group.is_gone() && Instant::now() < deadline {
            self.attend(Some(Instant::now() + Self::GLANCE))?;
        }
        self.leash.group.reap_adopted();
        Ok(status)
    }

    /// Whether a wait is over, or a second signal says that it should be.
    fn is_time(&self, deadline: Instant) -> bool {
        self.signals.is_urgent() || Instant::now() >= deadline
    }
}

fn failure_in(status: ExitStatus) -> Option<Ending> {
    match status.code() {
        Some(0) => None,
        Some(code) => Some(Ending::Exit(code)),
        None => status.signal().map(Ending::Signal),
    }
}
