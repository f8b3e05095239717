//! Ending an agent together with everything it has started.
//!
//! An agent is the leader of a process group of its own, which its children belong to unless they
//! leave it on purpose, as daemons do. Those that left are found where the system shows them,
//! also when the parents between them and the agent have ended.

use std::io;

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
mod table;

#[cfg(not(target_os = "linux"))]
use elsewhere as system;
#[cfg(target_os = "linux")]
use linux as system;

pub use system::Adoption;
use system::{Detached, is_all_dead};

/// The second is for one that was stopped, to wake it, so that it hears the first.
const POLITELY: &[Signal] = &[Signal::TERM, Signal::CONT];
const AT_ONCE: &[Signal] = &[Signal::KILL];

/// The agent's process group, and the processes that left it.
#[derive(Debug)]
pub struct Group {
    leader: Pid,
    detached: Detached,
    includes_detached: bool,
    /// Nobody is left in the group itself.
    is_over: bool,
    /// What they were told last.
    told: &'static [Signal],
}

impl Group {
    /// The group that this process leads, which was started under this adoption.
    pub fn led_by(leader: Pid, adoption: Adoption) -> Self {
        Self {
            leader,
            detached: Detached::new(adoption),
            includes_detached: false,
            is_over: false,
            told: &[],
        }
    }

    /// From now on all this is about those that left the group as well. Without it they are left
    /// alone: an agent that ends by itself may leave something running on purpose.
    pub fn include_detached(&mut self) {
        self.includes_detached = true;
    }

    /// Asks all to end.
    pub fn terminate(&mut self) -> io::Result<()> {
        self.tell(POLITELY)
    }

    /// Ends all, whatever they want.
    pub fn kill(&mut self) -> io::Result<()> {
        self.tell(AT_ONCE)
    }

    fn tell(&mut self, signals: &'static [Signal]) -> io::Result<()> {
        // Looked for while they are all there, told after the group: one in the group may be
        // their master, who should hear it from us and not from their end.
        self.find_detached(&[]);
        for signal in signals.iter().filter(|_| !self.is_over) {
            match kill_process_group(self.leader, *signal) {
                // Nobody is there any more, or (macOS says so) nobody who could hear it.
                Ok(()) | Err(rustix::io::Errno::SRCH | rustix::io::Errno::PERM) => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.detached.send(signals);
        self.told = signals;
        Ok(())
    }

    fn find_detached(&mut self, tell: &[Signal]) -> bool {
        self.includes_detached && self.detached.find(self.leader, tell)
    }

    /// Whether none is left. To be asked when the leader was waited for: until then it counts.
    pub fn is_gone(&mut self) -> bool {
        // Once it is gone its number may become another's: it is neither asked for nor told again.
        self.is_over = self.is_over
            || test_kill_process_group(self.leader).is_err()
            || is_all_dead(self.leader);
        let detached_are_gone = self.detached.are_gone();
        // Last: when all of them have ended, there is nobody left to start another meanwhile.
        let are_more = self.find_detached(self.told);
        self.is_over && detached_are_gone && !are_more
    }

    /// Waits for those of them that have become our children, and have ended.
    pub fn reap_adopted(&self) {
        self.detached.reap(self.leader);
    }
}
