//! A moment as a person reads it.

const SECOND_MS: u64 = 1000;
const DAY_S: u64 = 24 * 60 * 60;

/// `2026-11-30 13:22:41`: a moment in milliseconds since 1970 as date and time of day, UTC.
pub fn utc_text(ms: u64) -> String {
    let seconds = ms / SECOND_MS;
    let (year, month, day) = date(seconds / DAY_S);
    let of_day = seconds % DAY_S;
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// The Gregorian date of a day counted from 1970-01-01.
///
/// Years are counted from March, so that the leap day is the last of its year, and in eras of 400
/// years, which all have the same length.
fn date(day: u64) -> (u64, u64, u64) {
    const ERA: u64 = 146_097;
    const FROM_MARCH_OF_YEAR_0: u64 = 719_468;
    let day = day + FROM_MARCH_OF_YEAR_0;
    let (era, of_era) = (day / ERA, day % ERA);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / (ERA - 1)) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day_of_month = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = 400 * era + year_of_era + u64::from(month <= 2);
    (year, month, day_of_month)
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
}
