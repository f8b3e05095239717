//! How long a tool may look at files, and that signals are heard meanwhile.

use std::time::{Duration, Instant};

use crate::agent::Guard;

/// How long reading and searching may take.
pub const LONGEST: Duration = Duration::from_secs(20);

/// Looked at now and then by what may take long.
pub struct Watch<'a> {
    signals: &'a mut Guard,
    end: Instant,
}

/// Why to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Halt {
    /// It has taken too long.
    Late,
    /// A signal asked this process to end.
    Interrupted(i32),
}

impl<'a> Watch<'a> {
    /// From now on.
    pub fn begin(signals: &'a mut Guard) -> Self {
        Self::until(signals, Instant::now() + LONGEST)
    }

    /// Until this moment.
    pub fn until(signals: &'a mut Guard, end: Instant) -> Self {
        Self { signals, end }
    }

    /// Whether there is a reason to stop.
    pub fn look(&mut self) -> Result<(), Halt> {
        if let Some(signal) = self.signals.interruption() {
            Err(Halt::Interrupted(signal))
        } else if Instant::now() >= self.end {
            Err(Halt::Late)
        } else {
            Ok(())
        }
    }
}
