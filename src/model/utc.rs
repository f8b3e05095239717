//! Days and moments as they are written, all of them UTC.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};

/// A day of the calendar, written `2026-11-30`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date(NaiveDate);

/// The text is not a day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a day of the calendar, written YYYY-MM-DD")]
pub struct InvalidDate;

impl Date {
    /// The day of a moment in milliseconds since 1970; the last of all days, when no calendar
    /// goes up to it.
    pub fn of(ms: u64) -> Self {
        Self(moment(ms).map_or(NaiveDate::MAX, |moment| moment.date_naive()))
    }
}

impl FromStr for Date {
    type Err = InvalidDate;

    fn from_str(text: &str) -> Result<Self, InvalidDate> {
        let date = text.parse().map(Self).map_err(|_| InvalidDate)?;
        // The calendar's own parser takes more than one spelling of a day.
        if date.to_string() == text {
            Ok(date)
        } else {
            Err(InvalidDate)
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// `2026-11-30 13:22:41`: a moment in milliseconds since 1970, as a person reads it.
///
/// A moment that no calendar goes up to, which only a damaged file has, is told in milliseconds.
pub fn utc_text(ms: u64) -> String {
    moment(ms).map_or_else(
        || beyond(ms),
        |moment| moment.format("%Y-%m-%d %H:%M:%S").to_string(),
    )
}

/// `2026-11-30T13:22:41.064Z`: a moment in milliseconds since 1970, as programs write it.
pub fn utc_timestamp(ms: u64) -> String {
    moment(ms).map_or_else(
        || beyond(ms),
        |moment| moment.to_rfc3339_opts(SecondsFormat::Millis, true),
    )
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`, as HTTP writes moments: in milliseconds since 1970; none when
/// it is nothing of the kind.
pub fn http_date_ms(text: &str) -> Option<u64> {
    let moment = DateTime::parse_from_rfc2822(text).ok()?;
    u64::try_from(moment.timestamp_millis()).ok()
}

fn moment(ms: u64) -> Option<DateTime<Utc>> {
    i64::try_from(ms)
        .ok()
        .and_then(DateTime::from_timestamp_millis)
}

fn beyond(ms: u64) -> String {
    format!("{ms} ms after 1970-01-01")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_read_as_dates_also_around_leap_days() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_399, "2000-02-28 23:59:59"),
            (951_782_400, "2000-02-29 00:00:00"),
            (951_868_800, "2000-03-01 00:00:00"),
            (1_735_689_599, "2024-12-31 23:59:59"),
            (1_796_044_961, "2026-11-30 13:22:41"),
            (4_107_542_400, "2100-03-01 00:00:00"),
            (253_402_300_799, "9999-12-31 23:59:59"),
        ] {
            assert_eq!(utc_text(seconds * 1000 + 999), text);
        }
    }

    #[test]
    fn programs_are_told_the_milliseconds_too() {
        assert_eq!(utc_timestamp(1_796_044_961_064), "2026-11-30T13:22:41.064Z");
        assert_eq!(utc_timestamp(0), "1970-01-01T00:00:00.000Z");
    }

    #[test]
    fn moments_of_http_are_read() {
        let ms = http_date_ms("Mon, 30 Nov 2026 13:22:41 GMT");
        assert_eq!(ms, Some(1_796_044_961_000));
        for text in ["", "120", "2026-11-30", "Mon, 31 Nov 2026 13:22:41 GMT"] {
            assert_eq!(http_date_ms(text), None);
        }
    }

    #[test]
    fn a_moment_beyond_the_calendar_is_a_number() {
        for ms in [10_u64.pow(18), u64::MAX] {
            assert_eq!(utc_text(ms), format!("{ms} ms after 1970-01-01"));
            assert_eq!(utc_timestamp(ms), format!("{ms} ms after 1970-01-01"));
            assert_eq!(Date::of(ms), Date(NaiveDate::MAX));
        }
    }

    #[test]
    fn days_read_as_they_are_written_and_in_their_order() {
        for text in ["0000-01-01", "2000-02-29", "2026-11-30", "9999-12-31"] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
        }
        let day = |text: &str| text.parse::<Date>().unwrap();
        assert!(day("2026-09-30") < day("2026-10-01"));
        assert!(day("2025-12-31") < day("2026-01-01"));
        assert_eq!(Date::of(1_796_044_961_064), day("2026-11-30"));
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in [
            "",
            "tomorrow",
            "2026-11-31",
            "2025-02-29",
            "1900-02-29",
            "2026-00-10",
            "2026-13-01",
            "2026-01-00",
            "2026-1-1",
            " 2026-11-30",
            "2026-11-30 ",
            "2026 - 11 - 30",
            "2026-11-30T00:00",
            "2026/11/30",
            "+026-11-30",
            "-001-11-30",
            "２026-11-3",
            "20261130",
        ] {
            assert_eq!(text.parse::<Date>(), Err(InvalidDate), "{text}");
        }
    }
}
