//! Ending an agent together with everything it has started.
//!
//! An agent is the leader of a process group of its own, which its children belong to unless they
//! leave it on purpose. Those that left are found, where the system shows them, as long as the
//! chain of parents up to the agent is unbroken.

use std::io;

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
use elsewhere::{Detached, is_all_dead};
#[cfg(target_os = "linux")]
use linux::{Detached, is_all_dead};

/// The agent's process group, and the processes that left it.
#[derive(Debug)]
pub struct Group {
    leader: Pid,
    detached: Detached,
}

impl Group {
    /// The group that this process leads.
    pub fn led_by(leader: Pid) -> Self {
        Self {
            leader,
            detached: Detached::default(),
        }
    }

    /// Looks for processes of the agent outside of its group. While the agent is alive only: the
    /// children of a process that has ended are nobody's.
    pub fn find_detached(&mut self) {
        self.detached.find(self.leader);
    }

    /// Asks all to end. One that was stopped is woken, to hear it.
    pub fn terminate(&self) -> io::Result<()> {
        self.send(Signal::TERM)?;
        self.send(Signal::CONT)
    }

    /// Ends all, whatever they want.
    pub fn kill(&self) -> io::Result<()> {
        self.send(Signal::KILL)
    }

    fn send(&self, signal: Signal) -> io::Result<()> {
        self.detached.send(signal);
        match kill_process_group(self.leader, signal) {
            // Nobody is there any more, or (macOS says so) nobody who could hear it.
            Ok(()) | Err(rustix::io::Errno::SRCH | rustix::io::Errno::PERM) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether none is left. To be asked when the leader was waited for: until then it counts.
    pub fn is_gone(&self) -> bool {
        let group_is_gone =
            test_kill_process_group(self.leader).is_err() || is_all_dead(self.leader);
        group_is_gone && self.detached.are_gone()
    }
}
