//! What an evaluation may take, and the thread it runs in.
//!
//! The limits of the JSONata crate act between two steps of an evaluation, and single steps can
//! run for minutes. So expressions are read and evaluated in a thread of their own, and whoever
//! asked waits for no longer than it wants to. A thread that is given up is told to stop, which it
//! does at its next step; it does not keep the process from ending.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::failure::Failure;
use super::memory::{self, Fence};
use super::words::one_line;

/// What one evaluation may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// How long it may run.
    pub wait: Duration,
    /// How many bytes of memory it may take.
    pub memory: u64,
    /// How many levels deep functions may call each other.
    pub depth: usize,
}

/// Far beyond what routing needs: conditions are done within milliseconds.
pub(super) const LIMITS: Limits = Limits {
    wait: Duration::from_secs(10),
    memory: 1 << 30,
    depth: 30_000,
};

/// How much the process may grow, in bytes, before the system itself refuses. Beyond
/// [`Limits::memory`], because it ends the process: only what takes memory faster than [`Watch`]
/// looks gets here.
const FENCE: u64 = 4 << 30;

/// How often the memory is looked at while an evaluation runs.
const GLANCE: Duration = Duration::from_millis(10);

/// The stack the threads start with; the crate takes more when it needs more.
const STACK: usize = 4 << 20;

const THREAD: &str = "condition";

/// The limits on one thread, from when it was started.
#[derive(Debug)]
pub(super) struct Watch {
    limits: Limits,
    most: Option<u64>,
    _fence: Option<Fence>,
}

impl Watch {
    pub(super) fn start(limits: Limits) -> Self {
        let size = memory::address_space();
        Self {
            limits,
            most: size.map(|size| size.saturating_add(limits.memory)),
            _fence: size.and_then(|size| Fence::raise(size.saturating_add(FENCE))),
        }
    }

    /// Waits for the thread's next answer, as long as it stays within the limits.
    pub(super) fn wait<T>(&self, answers: &Receiver<T>) -> Result<T, Failure> {
        let start = Instant::now();
        loop {
            let left = self.limits.wait.saturating_sub(start.elapsed());
            match answers.recv_timeout(left.min(GLANCE)) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::Broken("its thread ended".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            if left.is_zero() {
                return Err(Failure::TooLong(self.limits.wait));
            }
            let most = self.most.unwrap_or(u64::MAX);
            if memory::address_space().is_some_and(|size| size > most) {
                return Err(Failure::OutOfMemory(self.limits.memory));
            }
        }
    }
}

/// Starts a thread nobody waits for.
pub(super) fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), Failure> {
    hush();
    let thread = thread::Builder::new()
        .name(THREAD.to_owned())
        .stack_size(STACK)
        .spawn(work);
    match thread {
        Ok(_detached) => Ok(()),
        Err(error) => Err(Failure::Broken(format!("no thread for it: {error}"))),
    }
}

/// Does the work and turns a panic of the JSONata crate into a failure.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let reason = |panic: Box<dyn Any + Send>| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => match panic.downcast_ref::<&str>() {
            Some(text) => (*text).to_owned(),
            None => "it panicked".to_owned(),
        },
    };
    panic::catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(Failure::Broken(one_line(&reason(panic)))))
}

/// Keeps the panics of our threads off the error stream: they come back as failures.
fn hush() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if thread::current().name() != Some(THREAD) {
                before(panic);
            }
        }));
    });
}
