//! Listens to a model while it answers, and shows that it is alive.

use std::time::{Duration, Instant};

use crate::agent::Guard;
use crate::bundled::kit::{Desk, Observer};
use crate::llm::{Listener, LlmError, Piece, in_words};
use crate::wording::counted;

/// Somebody who listens.
pub struct Ear<'d> {
    signals: &'d mut Guard,
    observer: &'d mut dyn Observer,
    now_ms: &'d dyn Fn() -> u64,
    characters: usize,
    last_told: Instant,
    /// How often it is told that text is coming.
    writing: Duration,
    /// After how long it is told that nothing comes: once, since an idle limit is to see that.
    waiting: Duration,
    is_waiting_told: bool,
}

impl<'d> Ear<'d> {
    /// From now on.
    pub fn new(desk: &'d mut Desk<'_>) -> Self {
        Self {
            signals: &mut *desk.signals,
            observer: &mut *desk.observer,
            now_ms: desk.now_ms,
            characters: 0,
            last_told: Instant::now(),
            writing: Duration::from_secs(3),
            waiting: Duration::from_secs(15),
            is_waiting_told: false,
        }
    }

    /// Tells it when nothing was told for so long; whether it was.
    fn tell_after(&mut self, time: Duration, line: &str) -> bool {
        let is_time = self.last_told.elapsed() >= time;
        if is_time {
            self.observer.progress(line);
            self.last_told = Instant::now();
        }
        is_time
    }
}

impl Listener for Ear<'_> {
    fn pause(&mut self, time: Duration) -> Option<i32> {
        if time.is_zero() && !self.is_waiting_told {
            self.is_waiting_told = self.tell_after(self.waiting, "waiting for the model");
        }
        self.signals.pause(time)
    }

    fn now_ms(&self) -> u64 {
        (self.now_ms)()
    }

    fn heard(&mut self, piece: Piece<'_>) {
        let (Piece::Text(text) | Piece::Reasoning(text) | Piece::Call(text)) = piece;
        self.characters += text.chars().count();
        let line = format!(
            "the model is writing: {} so far",
            counted(self.characters as u64, "character")
        );
        self.tell_after(self.writing, &line);
    }

    fn retries(&mut self, error: &LlmError, wait: Duration) {
        self.characters = 0;
        let wait = in_words(wait);
        self.observer
            .progress(&format!("{error}; asking again in {wait}"));
        self.last_told = Instant::now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Lines(Vec<String>);

    impl Observer for Lines {
        fn warning(&mut self, _message: &str) {}

        fn progress(&mut self, line: &str) {
            self.0.push(line.to_owned());
        }

        fn program_stderr(&mut self, _bytes: &[u8]) {}
    }

    /// What is told of a model that says a few words and is silent then.
    fn told(writing: u64, waiting: u64) -> Vec<String> {
        let (mut signals, mut lines) = (Guard::install().unwrap(), Lines::default());
        let mut ear = Ear {
            signals: &mut signals,
            observer: &mut lines,
            now_ms: &|| 0,
            characters: 0,
            last_told: Instant::now(),
            writing: Duration::from_secs(writing),
            waiting: Duration::from_secs(waiting),
            is_waiting_told: false,
        };
        ear.heard(Piece::Reasoning("h"));
        ear.heard(Piece::Text("äöü"));
        ear.pause(Duration::ZERO);
        ear.pause(Duration::ZERO);
        lines.0
    }

    #[test]
    fn a_model_at_work_is_seen_to_be() {
        assert_eq!(
            told(0, 0),
            [
                "the model is writing: 1 character so far",
                "the model is writing: 4 characters so far",
                "waiting for the model",
            ]
        );
        assert_eq!(told(3600, 3600), Vec::<String>::new());
    }
}
