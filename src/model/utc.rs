//! Days and moments as they are written, all of them UTC.

use std::fmt;
use std::str::FromStr;

const SECOND_MS: u64 = 1000;
const DAY_S: u64 = 24 * 60 * 60;

/// A day of the Gregorian calendar, written `2026-11-30`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    year: u64,
    /// From 1.
    month: u64,
    /// From 1.
    day: u64,
}

/// The text is not a day of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be a day of the calendar, written YYYY-MM-DD")]
pub struct InvalidDate;

impl Date {
    /// The day of a moment, which is given in milliseconds since 1970.
    ///
    /// Years are counted from March, so that the leap day is the last of its year, and in eras of
    /// 400 years, which all have the same length.
    pub fn of(ms: u64) -> Self {
        const ERA: u64 = 146_097;
        const FROM_MARCH_OF_YEAR_0: u64 = 719_468;
        let day = ms / SECOND_MS / DAY_S + FROM_MARCH_OF_YEAR_0;
        let (era, of_era) = (day / ERA, day % ERA);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / (ERA - 1)) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * of_year + 2) / 153;
        let month = if month_from_march < 10 {
            month_from_march + 3
        } else {
            month_from_march - 9
        };
        Self {
            year: 400 * era + year_of_era + u64::from(month <= 2),
            month,
            day: of_year - (153 * month_from_march + 2) / 5 + 1,
        }
    }

    fn exists(self) -> bool {
        let is_leap = self.year.is_multiple_of(4)
            && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        let days = match self.month {
            2 => 28 + u64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return false,
        };
        (1..=days).contains(&self.day)
    }
}

impl FromStr for Date {
    type Err = InvalidDate;

    fn from_str(text: &str) -> Result<Self, InvalidDate> {
        let is_shaped = text.len() == "YYYY-MM-DD".len()
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !is_shaped {
            return Err(InvalidDate);
        }
        let number = |digits: &str| digits.parse().map_err(|_| InvalidDate);
        let date = Self {
            year: number(&text[..4])?,
            month: number(&text[5..7])?,
            day: number(&text[8..])?,
        };
        if date.exists() {
            Ok(date)
        } else {
            Err(InvalidDate)
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        write!(formatter, "{year:04}-{month:02}-{day:02}")
    }
}

/// `2026-11-30 13:22:41`: a moment in milliseconds since 1970, as a person reads it.
pub fn utc_text(ms: u64) -> String {
    format!("{} {}", Date::of(ms), time_of_day(ms))
}

/// `2026-11-30T13:22:41.064Z`: a moment in milliseconds since 1970, as programs write it.
pub fn utc_timestamp(ms: u64) -> String {
    format!(
        "{}T{}.{:03}Z",
        Date::of(ms),
        time_of_day(ms),
        ms % SECOND_MS
    )
}

fn time_of_day(ms: u64) -> String {
    let second = ms / SECOND_MS % DAY_S;
    format!(
        "{:02}:{:02}:{:02}",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
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
        ] {
            assert_eq!(utc_text(seconds * 1000 + 999), text);
        }
        assert_eq!(utc_text(u64::MAX), "584556019-04-03 14:25:51");
    }

    #[test]
    fn programs_are_told_the_milliseconds_too() {
        assert_eq!(utc_timestamp(1_796_044_961_064), "2026-11-30T13:22:41.064Z");
        assert_eq!(utc_timestamp(0), "1970-01-01T00:00:00.000Z");
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
            "2026-11-30T00:00",
            "2026/11/30",
            "+026-11-30",
            "２026-11-3",
            "20261130",
        ] {
            assert_eq!(text.parse::<Date>(), Err(InvalidDate), "{text}");
        }
    }
}
