//! A moment as a person reads it.

use chrono::DateTime;

/// `2026-11-30 13:22:41`: a moment in milliseconds since 1970 as date and time of day, UTC.
///
/// A moment that no calendar goes up to, which only a damaged file has, is told in milliseconds.
pub fn utc_text(ms: u64) -> String {
    let moment = i64::try_from(ms)
        .ok()
        .and_then(DateTime::from_timestamp_millis);
    moment.map_or_else(
        || format!("{ms} ms after 1970-01-01"),
        |moment| moment.format("%Y-%m-%d %H:%M:%S").to_string(),
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
            (253_402_300_799, "9999-12-31 23:59:59"),
        ] {
            assert_eq!(utc_text(seconds * 1000 + 999), text);
        }
    }

    #[test]
    fn a_moment_beyond_the_calendar_is_a_number() {
        for ms in [10_u64.pow(18), u64::MAX] {
            assert_eq!(utc_text(ms), format!("{ms} ms after 1970-01-01"));
        }
    }
}
