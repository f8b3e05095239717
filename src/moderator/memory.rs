//! The address space of this process: how large it is, and a last limit on it.
//!
//! Only Linux tells its size. Elsewhere there is no limit on memory, only the one on time.

use std::fs;
use std::sync::{Mutex, PoisonError};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// How many bytes of address space the process has, where the system tells.
pub(super) fn address_space() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let size = status
        .lines()
        .find_map(|line| line.strip_prefix("VmSize:"))?;
    let kibibytes: u64 = size.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes.saturating_mul(1024))
}

/// While one of these lives, the process cannot have more address space than the first of those
/// that live was given: it is aborted instead. The last one that goes puts back what was before.
#[derive(Debug)]
pub(super) struct Fence(());

struct Raised {
    fences: usize,
    before: Rlimit,
}

static RAISED: Mutex<Option<Raised>> = Mutex::new(None);

impl Fence {
    /// A limit of that many bytes, or the one that is in force if it is lower. `None` when the
    /// system refuses.
    pub(super) fn raise(bytes: u64) -> Option<Self> {
        let mut raised = RAISED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(raised) = &mut *raised {
            raised.fences += 1;
            return Some(Self(()));
        }
        let before = getrlimit(Resource::As);
        let lower = before.current.map_or(bytes, |current| current.min(bytes));
        let limit = Rlimit {
            current: Some(lower),
            maximum: before.maximum,
        };
        setrlimit(Resource::As, limit).ok()?;
        *raised = Some(Raised { fences: 1, before });
        Some(Self(()))
    }
}

impl Drop for Fence {
    fn drop(&mut self) {
        let mut guard = RAISED.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(raised) = &mut *guard else { return };
        raised.fences -= 1;
        if raised.fences == 0 {
            // Back to a value that was allowed before: the system has no reason to refuse it, and
            // there is nobody here to tell.
            let _ = setrlimit(Resource::As, raised.before);
            *guard = None;
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_in_bytes_and_counts_what_is_held() {
        let held = vec![1_u8; 64 << 20];
        assert!(address_space().unwrap() > 64 << 20);
        drop(held);
    }
}
