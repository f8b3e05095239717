//! How Linux lets us reach what left an agent's group: it makes orphans our children, shows who
//! descends from whom, and lets us hold on to a process.

use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, child_subreaper, getpid, pidfd_open,
    pidfd_send_signal, set_child_subreaper, waitid,
};

use super::table::{self, Process, all_processes, descendants};

/// Orphans are adopted by a process, not by one of its threads: with two agents at once nobody
/// could tell whose they are.
static ONE_AGENT: Mutex<()> = Mutex::new(());

/// While one is alive, a process that descends from us and loses its parent becomes our child,
/// where otherwise it would get out of reach. There is one at a time: the next waits for its end.
#[derive(Debug)]
pub struct Adoption {
    /// What descended from us before: what earlier agents left running, or whoever became us.
    strangers: Vec<Process>,
    is_switched_on: bool,
    _alone: MutexGuard<'static, ()>,
}

impl Adoption {
    /// To be called before the agent is started.
    pub fn begin() -> Self {
        let alone = ONE_AGENT.lock().unwrap_or_else(PoisonError::into_inner);
        let own = getpid();
        let strangers = all_processes().map(|all| descendants(&all, own.as_raw_pid(), &[]));
        // Only where those we adopt can be found and waited for. Elsewhere, and where the system
        // refuses, they go where they always went, and agents run all the same.
        let is_switched_on = strangers.is_some()
            && child_subreaper() == Ok(None)
            && set_child_subreaper(Some(own)).is_ok();
        Self {
            strangers: strangers.unwrap_or_default(),
            is_switched_on,
            _alone: alone,
        }
    }
}

impl Drop for Adoption {
    fn drop(&mut self) {
        if self.is_switched_on {
            // What was granted is not refused now; and if it were, nothing would depend on it.
            let _ = set_child_subreaper(None);
        }
    }
}

/// Processes of an agent outside of its group. Held by descriptors, which, unlike ids, never
/// come to mean another process.
#[derive(Debug)]
pub struct Detached {
    adoption: Adoption,
    held: Vec<(Process, OwnedFd)>,
}

impl Detached {
    /// At once, so that a storm of processes leaves us the descriptors to look at it.
    const MOST_HELD: usize = 256;

    /// Those of the agent that this adoption was begun for.
    pub fn new(adoption: Adoption) -> Self {
        Self {
            adoption,
            held: Vec::new(),
        }
    }

    /// Looks for more of them, and sends these signals to each. Whether there are any.
    pub fn find(&mut self, leader: Pid, signals: &[Signal]) -> bool {
        let all = all_processes().unwrap_or_default();
        let ours = descendants(&all, getpid().as_raw_pid(), &self.adoption.strangers);
        let mut are_more = false;
        for process in ours {
            let is_known = self.held.iter().any(|(held, _)| held.is(&process));
            if process.is_dead || process.group == leader.as_raw_pid() || is_known {
                continue;
            }
            if self.held.len() == Self::MOST_HELD {
                // Next time, when some of these have ended.
                return true;
            }
            // One that cannot be held has ended, or the system is too old for it.
            if let Some(handle) = hold(&process) {
                send(&handle, signals);
                self.held.push((process, handle));
                are_more = true;
            }
        }
        are_more
    }

    /// Sends these signals to all that were found.
    pub fn send(&self, signals: &[Signal]) {
        for (_, handle) in &self.held {
            send(handle, signals);
        }
    }

    /// Whether all that were found have ended.
    pub fn are_gone(&mut self) -> bool {
        self.held.retain(|(_, handle)| !has_ended(handle));
        self.held.is_empty()
    }

    /// Waits for those that we adopted and that have ended: until somebody does, their ids
    /// remain, and who waits for one to go, in the agent too, takes them to be alive.
    pub fn reap(&self, leader: Pid) {
        let any = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if !matches!(waitid(WaitId::All, any), Ok(Some(_))) {
            return;
        }
        let own = getpid().as_raw_pid();
        let dead = all_processes().unwrap_or_default().into_iter();
        for dead in dead.filter(|process| process.is_dead && process.parent == own) {
            if let Some(pid) = Pid::from_raw(dead.pid).filter(|pid| *pid != leader) {
                // It cannot fail: a dead child stays one until it was waited for.
                let _ = waitid(
                    WaitId::Pid(pid),
                    WaitIdOptions::EXITED | WaitIdOptions::NOHANG,
                );
            }
        }
    }
}

/// Whether the members of a group have all ended. They stay members until they were waited for,
/// in a container whose first process waits for nobody for ever.
pub fn is_all_dead(group: Pid) -> bool {
    let group = group.as_raw_pid();
    let is_dead = |process: &Process| process.group != group || process.is_dead;
    all_processes().is_some_and(|all| all.iter().all(is_dead))
}

fn hold(process: &Process) -> Option<OwnedFd> {
    let handle = pidfd_open(Pid::from_raw(process.pid)?, PidfdFlags::empty()).ok()?;
    // Its id may have come to mean another since it was looked up.
    let now = table::process(process.pid)?;
    now.is(process).then_some(handle)
}

fn send(handle: &OwnedFd, signals: &[Signal]) {
    for signal in signals {
        // It fails when the process has ended, which is as good.
        let _ = pidfd_send_signal(handle, *signal);
    }
}

fn has_ended(handle: &OwnedFd) -> bool {
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let mut watched = [PollFd::new(handle, PollFlags::IN)];
    poll(&mut watched, Some(&now)) == Ok(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orphans_are_adopted_only_as_long_as_an_adoption_lasts() {
        let adoption = Adoption::begin();
        assert!(child_subreaper().unwrap().is_some());
        drop(adoption);
        // No other test begins one meanwhile.
        let _alone = ONE_AGENT.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(child_subreaper(), Ok(None));
    }
}
