//! The process table of Linux: who descends from whom, and who is still there.

use std::fs;
use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

/// Processes outside of a group whose ancestors lead to its leader. Held by descriptors,
/// which, unlike ids, never come to mean another process.
#[derive(Debug, Default)]
pub struct Detached(Vec<(Process, OwnedFd)>);

/// What the process table says of a process that matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Process {
    pid: i32,
    parent: i32,
    group: i32,
    started: u64,
    is_dead: bool,
}

/// Whether the members of a group have all ended. In a container whose first process waits
/// for nobody they stay members for ever.
pub fn is_all_dead(group: Pid) -> bool {
    let group = group.as_raw_pid();
    let mut members = all_processes().into_iter().filter(|it| it.group == group);
    members.all(|member| member.is_dead)
}

impl Detached {
    /// Adds those that can be found now.
    pub fn find(&mut self, leader: Pid) {
        let leader = leader.as_raw_pid();
        for process in descendants(&all_processes(), leader) {
            let is_known = |(known, _): &(Process, OwnedFd)| {
                (known.pid, known.started) == (process.pid, process.started)
            };
            if process.group == leader || self.0.iter().any(is_known) {
                continue;
            }
            // One that cannot be held has ended, or the system is too old for it.
            let held = Pid::from_raw(process.pid)
                .and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
            let is_the_same =
                || read_process(process.pid).is_some_and(|now| now.started == process.started);
            if let Some(held) = held
                && is_the_same()
            {
                self.0.push((process, held));
            }
        }
    }

    pub fn send(&self, signal: Signal) {
        for (_, process) in &self.0 {
            // It fails when the process has ended, which is as good.
            let _ = pidfd_send_signal(process, signal);
        }
    }

    pub fn are_gone(&self) -> bool {
        let now = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        self.0.iter().all(|(_, process)| {
            let mut watched = [PollFd::new(process, PollFlags::IN)];
            poll(&mut watched, Some(&now)) == Ok(1)
        })
    }
}

fn descendants(processes: &[Process], ancestor: i32) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut parents = vec![ancestor];
    while let Some(parent) = parents.pop() {
        for child in processes.iter().filter(|child| child.parent == parent) {
            // The table was not read in one instant: it may hold a circle.
            if child.pid != ancestor && !found.contains(child) {
                found.push(*child);
                parents.push(child.pid);
            }
        }
    }
    found
}

fn all_processes() -> Vec<Process> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(read_process)
        .collect()
}

fn read_process(pid: i32) -> Option<Process> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse(pid, &String::from_utf8_lossy(&stat))
}

/// Reads `pid (name) state parent group … started …`; the name may hold anything.
fn parse(pid: i32, stat: &str) -> Option<Process> {
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    Some(Process {
        pid,
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
        is_dead: matches!(*fields.first()?, "Z" | "X"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: i32, parent: i32) -> Process {
        Process {
            pid,
            parent,
            group: pid,
            started: 1,
            is_dead: false,
        }
    }

    #[test]
    fn a_process_is_read_whatever_its_name() {
        let stat = "7 (a) b (c) S 3 5 5 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4711 10 11\n";
        let expected = Process {
            pid: 7,
            parent: 3,
            group: 5,
            started: 4711,
            is_dead: false,
        };
        assert_eq!(parse(7, stat), Some(expected));
        assert!(parse(7, &stat.replace(") S", ") Z")).is_some_and(|it| it.is_dead));
        assert_eq!(parse(7, "7 (a) S 3"), None);
    }

    #[test]
    fn descendants_are_found_at_any_depth_and_circles_end() {
        let table = [
            process(2, 1),
            process(3, 2),
            process(4, 3),
            process(5, 9),
            process(1, 4),
        ];
        let pids: Vec<i32> = descendants(&table, 1).iter().map(|p| p.pid).collect();
        assert_eq!(pids, [2, 3, 4]);
    }
}
