//! What is told of a command while it runs: now and then a line of its output, or that it is at
//! work. So whoever watches the agent sees that it lives.

use std::time::Duration;

use crate::llm::Key;
use crate::wording::{excerpt, one_line};

/// How long nothing is told after something was.
const PAUSE: Duration = Duration::from_secs(10);
/// The most bytes of a line that are kept.
const LONGEST: usize = 1_000;

/// Follows the output of a command.
#[derive(Debug, Default)]
pub struct Progress {
    /// The beginning of the line that is being written.
    unfinished: Vec<u8>,
    /// The last line that is not empty, and was not told.
    newest: Option<String>,
    told: Option<Duration>,
    /// What no line may hold.
    key: Option<Key>,
}

impl Progress {
    /// Tells nothing of this key.
    pub fn without(key: Option<Key>) -> Self {
        Self {
            key,
            ..Self::default()
        }
    }

    /// Takes in what was written by then, nothing if nothing was. `elapsed` is the time since the
    /// command's start. A line to tell, when it is time.
    pub fn heard(&mut self, bytes: &[u8], elapsed: Duration) -> Option<String> {
        for part in bytes.split_inclusive(|byte| matches!(byte, b'\n' | b'\r')) {
            let room = LONGEST - self.unfinished.len();
            self.unfinished
                .extend_from_slice(&part[..part.len().min(room)]);
            if part.ends_with(b"\n") || part.ends_with(b"\r") {
                self.finish_line();
            }
        }
        let since = elapsed.saturating_sub(self.told.unwrap_or_default());
        let is_first = self.told.is_none() && self.newest.is_some();
        if !is_first && since < PAUSE {
            return None;
        }
        self.told = Some(elapsed);
        Some(match self.newest.take() {
            Some(line) => format!("run_command: {line}"),
            None => format!("run_command: at work for {} s", elapsed.as_secs()),
        })
    }

    fn finish_line(&mut self) {
        let line = one_line(&String::from_utf8_lossy(&self.unfinished));
        // Before it is cut: a part of a key is not known for one.
        let line = excerpt(&Key::cut_from(self.key.as_ref(), &line));
        self.unfinished.clear();
        if !line.is_empty() {
            self.newest = Some(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(progress: &mut Progress, bytes: &str, seconds: u64) -> Option<String> {
        progress.heard(bytes.as_bytes(), Duration::from_secs(seconds))
    }

    #[test]
    fn the_first_line_is_told_at_once_and_then_the_newest_now_and_then() {
        let mut progress = Progress::default();
        assert_eq!(heard(&mut progress, "one", 0), None);
        assert_eq!(
            heard(&mut progress, " more\ntwo\n", 1).as_deref(),
            Some("run_command: two")
        );
        assert_eq!(heard(&mut progress, "three\n\n", 2), None);
        assert_eq!(heard(&mut progress, "four\r\nfi", 10), None);
        assert_eq!(
            heard(&mut progress, "", 11).as_deref(),
            Some("run_command: four")
        );
        assert_eq!(heard(&mut progress, "", 20), None);
        assert_eq!(
            heard(&mut progress, "", 21).as_deref(),
            Some("run_command: at work for 21 s")
        );
        assert_eq!(
            heard(&mut progress, "ve\n", 31).as_deref(),
            Some("run_command: five")
        );
    }

    #[test]
    fn a_silent_command_is_at_work() {
        let mut progress = Progress::default();
        assert_eq!(heard(&mut progress, "", 9), None);
        assert_eq!(
            heard(&mut progress, "", 10).as_deref(),
            Some("run_command: at work for 10 s")
        );
    }

    #[test]
    fn a_key_is_cut_before_the_line_is() {
        let key = format!("sk-1{}", "x".repeat(100));
        let mut progress = Progress::without(Some(Key::new(key.as_str())));
        let told = heard(&mut progress, &format!("KEY={key} b\n"), 0);
        assert_eq!(told.as_deref(), Some("run_command: KEY=… b"));
    }

    #[test]
    fn what_is_told_is_one_short_harmless_line() {
        let mut progress = Progress::default();
        let told = heard(&mut progress, &"y ".repeat(1_000_000), 0);
        assert_eq!(told, None);
        assert!(progress.unfinished.len() <= LONGEST);
        let told = heard(&mut progress, "\n", 0).unwrap();
        assert_eq!(told, format!("run_command: {}…", "y ".repeat(40)));
        let told = heard(&mut progress, "\u{1b}[31mred\u{202e}\n", 20).unwrap();
        assert_eq!(told, "run_command: [31mred\\u{202e}");
    }
}
