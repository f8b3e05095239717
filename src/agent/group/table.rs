//! The process table of Linux: who descends from whom, and who is still there.

use std::fs;
use std::path::Path;

use rustix::process::getpid;

/// What the process table says of a process that matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Process {
    pub pid: i32,
    pub parent: i32,
    pub group: i32,
    /// In ticks since the system started. Ids are used again: with this, one means one process.
    pub started: u64,
    /// It has ended, and nobody has waited for it yet.
    pub is_dead: bool,
}

impl Process {
    /// Whether both are the same process, whatever has become of it between two looks.
    pub fn is(&self, other: &Self) -> bool {
        (self.pid, self.started) == (other.pid, other.started)
    }
}

/// All processes. None when the system does not show them, or shows those of another container,
/// where ids mean other processes than they do here.
pub fn all_processes() -> Option<Vec<Process>> {
    let own = getpid().to_string();
    if fs::read_link("/proc/self").ok()? != Path::new(&own) {
        return None;
    }
    let entries = fs::read_dir("/proc").ok()?;
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    Some(pids.filter_map(process).collect())
}

/// One process, if it is there.
pub fn process(pid: i32) -> Option<Process> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    parse(pid, &String::from_utf8_lossy(&stat))
}

/// Those whose ancestors lead to this one, but for strangers and what descends from them.
pub fn descendants(processes: &[Process], ancestor: i32, strangers: &[Process]) -> Vec<Process> {
    let mut found: Vec<Process> = Vec::new();
    let mut parents = vec![ancestor];
    while let Some(parent) = parents.pop() {
        for child in processes.iter().filter(|child| child.parent == parent) {
            // The table was not read in one instant: it may hold a circle.
            let is_new = child.pid != ancestor && !found.contains(child);
            if is_new && !strangers.iter().any(|stranger| stranger.is(child)) {
                found.push(*child);
                parents.push(child.pid);
            }
        }
    }
    found
}

/// Reads `pid (name) state parent group … threads … started …`; the name may hold anything.
fn parse(pid: i32, stat: &str) -> Option<Process> {
    let (_, fields) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    let threads: u32 = fields.get(17)?.parse().ok()?;
    Some(Process {
        pid,
        parent: fields.get(1)?.parse().ok()?,
        group: fields.get(2)?.parse().ok()?,
        started: fields.get(19)?.parse().ok()?,
        // The first thread of a process may end before the others.
        is_dead: matches!(*fields.first()?, "Z" | "X") && threads <= 1,
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
        let ended = stat.replace(") S", ") Z");
        assert!(parse(7, &ended).is_some_and(|it| it.is_dead));
        let but_for_a_thread = ended.replace(" 20 0 1 0 ", " 20 0 2 0 ");
        assert!(parse(7, &but_for_a_thread).is_some_and(|it| !it.is_dead));
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
        let found = descendants(&table, 1, &[]);
        assert_eq!(found, table[..3]);
    }

    #[test]
    fn strangers_are_passed_over_with_their_descendants_but_not_who_has_their_id_now() {
        let table = [process(2, 1), process(3, 2), process(4, 1), process(5, 4)];
        let gone = Process {
            started: 0,
            ..process(4, 1)
        };
        let found = descendants(&table, 1, &[process(2, 7), gone]);
        assert_eq!(found, table[2..]);
    }
}
