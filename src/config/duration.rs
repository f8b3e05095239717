//! Lengths of time as a user writes them: `30s`, `10m`, `2h`, or `off`.

use std::time::Duration;

/// A limit of time; none when it is off.
pub fn parse(text: &str) -> Result<Option<Duration>, String> {
    if text == "off" {
        return Ok(None);
    }
    let digits = text.trim_end_matches(|character: char| !character.is_ascii_digit());
    let unit_ms = match &text[digits.len()..] {
        "ms" => Some(1),
        "s" => Some(1000),
        "m" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    };
    let well_formed = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let Some(unit_ms) = unit_ms.filter(|_| well_formed) else {
        return Err(format!(
            "`{text}` is not a length of time: write `30s`, `10m`, `2h`, or `off`"
        ));
    };
    let length_ms = digits
        .parse()
        .ok()
        .and_then(|number: u64| number.checked_mul(unit_ms))
        .ok_or_else(|| format!("`{text}` is too long: write `off` for no limit"))?;
    if length_ms == 0 {
        return Err(format!(
            "`{text}` leaves no time at all: write `off` for no limit"
        ));
    }
    Ok(Some(Duration::from_millis(length_ms)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_a_unit() {
        for (text, ms) in [
            ("off", None),
            ("500ms", Some(500)),
            ("30s", Some(30_000)),
            ("010m", Some(600_000)),
            ("2h", Some(7_200_000)),
        ] {
            assert_eq!(parse(text), Ok(ms.map(Duration::from_millis)), "{text}");
        }
        for text in [
            "", "30", "s", "1.5h", "-1s", "1h30m", "30 s", "Off", "2d", "٣s", "3é",
        ] {
            assert_eq!(
                parse(text),
                Err(format!(
                    "`{text}` is not a length of time: write `30s`, `10m`, `2h`, or `off`"
                ))
            );
        }
        assert_eq!(
            parse("0s"),
            Err("`0s` leaves no time at all: write `off` for no limit".to_owned())
        );
        for text in ["99999999999999999999s", "9999999999999999h"] {
            assert_eq!(
                parse(text),
                Err(format!("`{text}` is too long: write `off` for no limit"))
            );
        }
    }
}
