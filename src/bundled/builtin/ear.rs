//! Listens to a model while it answers, and shows that it is alive.

use std::time::{Duration, Instant};

use crate::agent::Guard;
use crate::bundled::kit::{Desk, Observer};
use crate::llm::{Listener, LlmError, Piece, in_words};
use crate::wording::counted;

/// How often it is told that text is coming.
const WRITING: Duration = Duration::from_secs(3);
/// How often it is told that nothing comes.
const WAITING: Duration = Duration::from_secs(15);

/// Somebody who listens.
pub struct Ear<'d> {
    signals: &'d mut Guard,
    observer: &'d mut dyn Observer,
    now_ms: &'d dyn Fn() -> u64,
    characters: usize,
    last_told: Instant,
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
        }
    }

    fn tell_every(&mut self, time: Duration, line: &str) {
        if self.last_told.elapsed() >= time {
            self.observer.progress(line);
            self.last_told = Instant::now();
        }
    }
}

impl Listener for Ear<'_> {
    fn pause(&mut self, time: Duration) -> Option<i32> {
        if time.is_zero() {
            self.tell_every(WAITING, "waiting for the model");
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
        self.tell_every(WRITING, &line);
    }

    fn retries(&mut self, error: &LlmError, wait: Duration) {
        self.characters = 0;
        let wait = in_words(wait);
        self.observer
            .progress(&format!("{error}; asking again in {wait}"));
        self.last_told = Instant::now();
    }
}
