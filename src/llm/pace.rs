//! How long a service is waited for, and how often it is asked again. Pure.

use std::time::Duration;

use super::error::LlmError;

/// How long a service is waited for, and how often it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Until its name is known, and as long again until a connection stands.
    pub connect: Duration,
    /// Without a byte, also before the first.
    pub idle: Duration,
    /// How often it is asked, the first time included.
    pub tries: u32,
    /// Before it is asked for the second time; twice as long before each time after that.
    pub first_wait: Duration,
    /// What it may ask to be left alone for; when it wants longer, asking again is not for us.
    pub longest_wait: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(120),
            tries: 5,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
        }
    }
}

impl Pace {
    /// How long to wait until a service is asked again that has been asked so often; none when it
    /// is not to be.
    pub(super) fn wait_after(&self, tried: u32, error: &LlmError) -> Option<Duration> {
        if !error.is_passing || tried >= self.tries {
            return None;
        }
        let doubled = 2_u32.saturating_pow(tried.saturating_sub(1));
        let own = self
            .first_wait
            .saturating_mul(doubled)
            .min(self.longest_wait);
        let asked = error.retry_after.unwrap_or_default();
        (asked <= self.longest_wait).then(|| own.max(asked))
    }
}

/// A time as a person reads it: `250 ms`, `2 s`, `90 s`.
pub fn in_words(time: Duration) -> String {
    match time.as_millis() {
        milliseconds if milliseconds % 1000 == 0 => format!("{} s", time.as_secs()),
        milliseconds if milliseconds < 1000 => format!("{milliseconds} ms"),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::error::LlmClass;

    fn error(is_passing: bool, retry_after: Option<u64>) -> LlmError {
        LlmError {
            is_passing,
            retry_after: retry_after.map(Duration::from_secs),
            ..LlmError::new(LlmClass::RateLimit, "")
        }
    }

    #[test]
    fn each_wait_is_twice_the_last_until_it_is_given_up() {
        let pace = Pace::default();
        let wait = |tried| pace.wait_after(tried, &error(true, None));
        let seconds = [1, 2, 4, 8].map(|seconds| Some(Duration::from_secs(seconds)));
        assert_eq!([wait(1), wait(2), wait(3), wait(4)], seconds);
        assert_eq!(wait(5), None);
        assert_eq!(pace.wait_after(1, &error(false, None)), None);
    }

    #[test]
    fn a_service_may_ask_for_a_minute_and_no_more() {
        let pace = Pace::default();
        let wait = |tried, seconds| pace.wait_after(tried, &error(true, Some(seconds)));
        assert_eq!(wait(1, 0), Some(Duration::from_secs(1)));
        assert_eq!(wait(4, 3), Some(Duration::from_secs(8)));
        assert_eq!(wait(1, 60), Some(Duration::from_secs(60)));
        assert_eq!(wait(1, 61), None);
    }

    #[test]
    fn times_read_as_people_say_them() {
        for (milliseconds, words) in [(250, "250 ms"), (2000, "2 s"), (1500, "1.5 s"), (0, "0 s")] {
            assert_eq!(in_words(Duration::from_millis(milliseconds)), words);
        }
    }
}
