//! Signals that ask this program to end, noted while agents are at work.
//!
//! Outside that time they do what they always do: they end the program at once.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::backend::SignalDelivery;
use signal_hook::iterator::exfiltrator::SignalOnly;

/// What ends a program: the terminal closing, Ctrl-C, Ctrl-\, and `kill`.
const ENDING: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

/// True while no guard is alive: a signal then has its default effect.
static UNGUARDED: AtomicBool = AtomicBool::new(true);
static HANDLED: Mutex<Handled> = Mutex::new(Handled {
    guards: 0,
    signals: Vec::new(),
});

struct Handled {
    guards: usize,
    /// Signals whose default effect depends on [`UNGUARDED`]. A handler, once there, stays for
    /// the life of the process: the system's own cannot be brought back safely.
    signals: Vec<i32>,
}

impl Handled {
    fn lock() -> MutexGuard<'static, Self> {
        // Nothing in here panics half-way, so a poisoned lock still guards a true count.
        HANDLED.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep_default_effect(&mut self, signal: i32) -> io::Result<()> {
        if !self.signals.contains(&signal) {
            flag::register_conditional_default(signal, &UNGUARDED)?;
            self.signals.push(signal);
        }
        Ok(())
    }
}

/// Lets the end of whoever started this program be told as a TERM, also when that was killed and
/// could tell nobody. Where the system does not do that (anything but Linux), it is not.
pub fn end_with_parent() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))?;
    Ok(())
}

/// As long as one is alive, signals that would end the program are noted instead.
///
/// Signals that were ignored when the program started (`nohup`, a script's `&`) stay ignored.
/// Where the system does not tell which those are (anything but Linux), none is taken to be.
/// What was noted stays noted: nothing is begun after a signal, however long ago it came. Whoever
/// drops a guard asks [`Guard::interruption`] first, since all of that is gone with it.
#[derive(Debug)]
pub struct Guard {
    delivery: SignalDelivery<UnixStream, SignalOnly>,
    first: Option<i32>,
    is_urgent: bool,
}

impl Guard {
    /// Begins to note signals.
    pub fn install() -> io::Result<Self> {
        let ignored = ignored_from_the_start();
        Self::noting(ENDING.iter().filter(|signal| ignored & bit(**signal) == 0))
    }

    fn noting<'a>(signals: impl Iterator<Item = &'a i32> + Clone) -> io::Result<Self> {
        let mut handled = Handled::lock();
        for signal in signals.clone() {
            handled.keep_default_effect(*signal)?;
        }
        let (read, write) = UnixStream::pair()?;
        // The end of a child wakes whoever waits at the guard. Listening for it also undoes an
        // inherited "ignore", under which the system would throw exit codes away.
        let watched = signals.chain([&SIGCHLD]);
        let delivery = SignalDelivery::with_pipe(read, write, SignalOnly, watched)?;
        handled.guards += 1;
        UNGUARDED.store(false, Ordering::SeqCst);
        Ok(Self {
            delivery,
            first: None,
            is_urgent: false,
        })
    }

    /// The first signal that has come. Never waits.
    pub fn interruption(&mut self) -> Option<i32> {
        self.note();
        self.first
    }

    /// Waits so long, or until a signal has come: that one.
    pub fn pause(&mut self, time: Duration) -> Option<i32> {
        let end = Instant::now().checked_add(time);
        loop {
            if let Some(signal) = self.interruption() {
                return Some(signal);
            }
            let left = end.map(|end| end.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return None;
            }
            let timeout = left.and_then(|left| Timespec::try_from(left).ok());
            let mut watched = [PollFd::from_borrowed_fd(self.wake(), PollFlags::IN)];
            // Whatever woke us, the loop looks again.
            let _ = poll(&mut watched, timeout.as_ref());
        }
    }

    /// Waits until there is something to read there; false when a signal has come before, or the
    /// time.
    pub fn wait_to_read(&mut self, source: BorrowedFd<'_>, until: Option<Instant>) -> bool {
        while self.interruption().is_none() {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                break;
            }
            let timeout = left.and_then(|left| Timespec::try_from(left).ok());
            let mut watched = [
                PollFd::from_borrowed_fd(self.wake(), PollFlags::IN),
                PollFd::from_borrowed_fd(source, PollFlags::IN),
            ];
            // Whatever woke us, the loop looks again.
            let count = poll(&mut watched, timeout.as_ref()).unwrap_or(0);
            if count > 0 && !watched[1].revents().is_empty() {
                return true;
            }
        }
        false
    }

    /// Notes what has come. After this, [`Guard::wake`] tells of what comes next: so whoever waits
    /// there looks at the world between this and the wait, and misses nothing.
    pub(super) fn note(&mut self) {
        for signal in self.delivery.pending().filter(|it| *it != SIGCHLD) {
            self.is_urgent |= self.first.is_some();
            self.first.get_or_insert(signal);
        }
    }

    /// The first signal that was noted.
    pub(super) fn noted(&self) -> Option<i32> {
        self.first
    }

    /// Whether a second signal was noted: somebody does not want to wait.
    pub(super) fn is_urgent(&self) -> bool {
        self.is_urgent
    }

    /// Becomes readable when a signal has come or a child has changed its state.
    pub(super) fn wake(&self) -> BorrowedFd<'_> {
        self.delivery.get_read().as_fd()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let mut handled = Handled::lock();
        handled.guards -= 1;
        if handled.guards == 0 {
            UNGUARDED.store(true, Ordering::SeqCst);
        }
    }
}

fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

/// The signals this process was told to ignore by whoever started it, as a bit set. Read before
/// the first handler is in place, since that replaces what is asked for here.
fn ignored_from_the_start() -> u64 {
    static IGNORED: OnceLock<u64> = OnceLock::new();
    *IGNORED.get_or_init(|| {
        std::fs::read_to_string("/proc/self/status")
            .ok()
            .and_then(|status| ignored_in(&status))
            .unwrap_or(0)
    })
}

fn ignored_in(status: &str) -> Option<u64> {
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use signal_hook::consts::{SIGIO, SIGURG, SIGUSR2, SIGWINCH};
    use signal_hook::low_level::raise;

    /// A guard that notes one signal of the caller's choice, so that tests which run side by side
    /// do not interrupt each other.
    pub fn guard_for(signal: i32) -> Guard {
        Guard::noting([signal].iter()).unwrap()
    }

    /// A guard that no signal reaches.
    pub fn quiet_guard() -> Guard {
        Guard::noting([].iter()).unwrap()
    }

    #[test]
    fn a_signal_stays_noted_by_the_guards_that_listen() {
        let mut listening = guard_for(SIGUSR2);
        let mut other = guard_for(SIGWINCH);
        assert_eq!(listening.interruption(), None);
        raise(SIGUSR2).unwrap();
        assert_eq!(listening.interruption(), Some(SIGUSR2));
        assert_eq!(listening.interruption(), Some(SIGUSR2));
        assert_eq!(other.interruption(), None);
    }

    #[test]
    fn a_second_signal_makes_it_urgent_and_the_first_remains_the_reason() {
        let mut guard = Guard::noting([SIGURG, SIGIO].iter()).unwrap();
        raise(SIGURG).unwrap();
        guard.note();
        assert!(!guard.is_urgent());
        raise(SIGIO).unwrap();
        guard.note();
        assert!(guard.is_urgent());
        assert_eq!(guard.interruption(), Some(SIGURG));
    }

    #[test]
    fn what_nohup_ignores_is_read_from_the_status() {
        let status = "Name:\tuwf\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        let ignored = ignored_in(status).unwrap();
        assert_eq!(ignored & bit(SIGHUP), 1);
        assert_eq!(ignored & bit(SIGTERM), 0);
        assert_eq!(ignored_in("Name:\tuwf\n"), None);
    }
}
