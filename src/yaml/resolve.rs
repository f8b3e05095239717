//! What a scalar means: the core schema of YAML 1.2, and the explicit tags that overrule it.

use serde_json::{Number, Value};

use super::tree::{Scalar, Style, Tag};

/// The largest whole number that JavaScript holds exactly.
const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;

impl Scalar {
    /// The value by the rules of YAML 1.2 core; without a tag, only a plain scalar is anything
    /// but a string.
    ///
    /// Numbers are what JavaScript would see: `1e2` and `1.0` are whole, whole numbers that fit
    /// 64 bits are kept exactly, larger ones are rounded. `.inf`, `.nan` and numbers as large as
    /// `1e999` have no counterpart in JSON and stay text, which a schema that wants a number
    /// refuses.
    pub fn resolve(&self) -> Value {
        let text = self.text.as_str();
        let resolved = match (self.tag, self.style) {
            (Some(Tag::Str), _) => None,
            (Some(tag), _) => as_tagged(tag, text),
            (None, Style::Plain) => untagged(text),
            (None, _) => None,
        };
        resolved.unwrap_or_else(|| Value::String(text.to_owned()))
    }

    /// Whether the text can be what the tag says it is.
    pub(super) fn fits_tag(&self) -> bool {
        match self.tag {
            None | Some(Tag::Str) => true,
            Some(tag) => as_tagged(tag, &self.text).is_some(),
        }
    }
}

fn untagged(text: &str) -> Option<Value> {
    null(text)
        .or_else(|| boolean(text))
        .or_else(|| integer(text))
        .or_else(|| float(text))
}

fn as_tagged(tag: Tag, text: &str) -> Option<Value> {
    match tag {
        Tag::Str => Some(Value::String(text.to_owned())),
        Tag::Null => null(text),
        Tag::Bool => boolean(text),
        Tag::Int => integer(text),
        Tag::Float => integer(text).or_else(|| float(text)),
    }
}

fn null(text: &str) -> Option<Value> {
    matches!(text, "" | "~" | "null" | "Null" | "NULL").then_some(Value::Null)
}

fn boolean(text: &str) -> Option<Value> {
    match text {
        "true" | "True" | "TRUE" => Some(Value::Bool(true)),
        "false" | "False" | "FALSE" => Some(Value::Bool(false)),
        _ => None,
    }
}

fn integer(text: &str) -> Option<Value> {
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16);
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !all_digits(digits) {
        return None;
    }
    if let Ok(number) = text.parse::<i64>() {
        return Some(number.into());
    }
    if let Ok(number) = text.parse::<u64>() {
        return Some(number.into());
    }
    finite(text.parse().ok()?)
}

/// A number in base 8 or 16, which has no sign.
fn radix(digits: &str, base: u32) -> Option<Value> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(base)) {
        return None;
    }
    if let Ok(number) = u64::from_str_radix(digits, base) {
        return Some(number.into());
    }
    let rounded = digits
        .chars()
        .filter_map(|digit| digit.to_digit(base))
        .fold(0.0, |sum, digit| sum * f64::from(base) + f64::from(digit));
    finite(rounded)
}

fn float(text: &str) -> Option<Value> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let mantissa_fits = match mantissa.split_once('.') {
        Some(("", fraction)) => all_digits(fraction),
        Some((whole, fraction)) => {
            all_digits(whole) && (fraction.is_empty() || all_digits(fraction))
        }
        None => all_digits(mantissa),
    };
    let exponent_fits =
        exponent.is_none_or(|digits| all_digits(digits.strip_prefix(['-', '+']).unwrap_or(digits)));
    if mantissa_fits && exponent_fits {
        finite(text.parse().ok()?)
    } else {
        None
    }
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number as JSON, whole where JavaScript has it whole; nothing when it is infinite.
fn finite(number: f64) -> Option<Value> {
    if number.fract() == 0.0 && number.abs() <= MAX_SAFE_INTEGER {
        return Some((number as i64).into());
    }
    Number::from_f64(number).map(Value::Number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plain(text: &str) -> Value {
        resolved(text, Style::Plain, None)
    }

    fn resolved(text: &str, style: Style, tag: Option<Tag>) -> Value {
        let text = text.to_owned();
        Scalar { text, style, tag }.resolve()
    }

    #[test]
    fn nulls_and_booleans_have_three_spellings() {
        for text in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(plain(text), json!(null), "{text:?}");
        }
        for text in ["true", "True", "TRUE"] {
            assert_eq!(plain(text), json!(true), "{text:?}");
        }
        for text in ["false", "False", "FALSE"] {
            assert_eq!(plain(text), json!(false), "{text:?}");
        }
    }

    #[test]
    fn words_are_text() {
        for text in [
            "yes",
            "no",
            "on",
            "off",
            "y",
            "Yes",
            "nULL",
            "tRUE",
            "none",
            "nil",
            "<<",
            "=",
            "2026-06-01",
            "12:30",
            "1_000",
            "1,5",
            "0b1",
            "0O7",
            "0X1",
            "-0x1",
            "+0o7",
            "0x",
            "0o",
            "0o8",
            "0xg",
            "+",
            "-",
            ".",
            "..",
            "+.",
            "e3",
            ".e3",
            "1e",
            "1e+",
            "1.2.3",
            "1 2",
            "infinity",
            "NaN",
            "inf",
            "+-1",
            "٣",
        ] {
            assert_eq!(plain(text), json!(text));
        }
    }

    #[test]
    fn whole_numbers() {
        for (text, number) in [
            ("0", json!(0)),
            ("-0", json!(0)),
            ("+12", json!(12)),
            ("-12", json!(-12)),
            ("007", json!(7)),
            ("0o17", json!(15)),
            ("0x1F", json!(31)),
            ("9007199254740993", json!(9_007_199_254_740_993_i64)),
            ("-9223372036854775808", json!(i64::MIN)),
            ("18446744073709551615", json!(u64::MAX)),
            ("0xFFFFFFFFFFFFFFFF", json!(u64::MAX)),
            ("18446744073709551616", json!(18_446_744_073_709_551_616.0)),
            ("0x10000000000000000", json!(18_446_744_073_709_551_616.0)),
            ("-9223372036854775809", json!(-9_223_372_036_854_775_808.0)),
        ] {
            assert_eq!(plain(text), number, "{text}");
        }
    }

    #[test]
    fn other_numbers() {
        for (text, number) in [
            ("2.5", json!(2.5)),
            ("-.5", json!(-0.5)),
            ("+1.5e-3", json!(0.0015)),
            ("1.", json!(1)),
            ("1.10", json!(1.1)),
            ("1e3", json!(1000)),
            ("1E+2", json!(100)),
            ("-0.0", json!(0)),
            ("0E12345678901", json!(0)),
            ("9007199254740991.0", json!(9_007_199_254_740_991_i64)),
            ("9007199254740992.0", json!(9_007_199_254_740_992.0)),
            ("1e21", json!(1e21)),
            ("1e-999", json!(0)),
        ] {
            assert_eq!(plain(text), number, "{text}");
        }
    }

    #[test]
    fn what_json_has_no_number_for_stays_text() {
        let digits = "9".repeat(400);
        let hexadecimal = format!("0x{}", "f".repeat(400));
        for text in [
            ".inf",
            "-.Inf",
            "+.INF",
            ".nan",
            ".NaN",
            "1e999",
            "12345678E1234",
            &digits,
            &hexadecimal,
        ] {
            assert_eq!(plain(text), json!(text));
        }
    }

    #[test]
    fn quotes_and_blocks_make_text() {
        for style in [
            Style::SingleQuoted,
            Style::DoubleQuoted,
            Style::Literal,
            Style::Folded,
        ] {
            assert_eq!(resolved("1", style, None), json!("1"));
            assert_eq!(resolved("", style, None), json!(""));
        }
    }

    #[test]
    fn a_tag_overrules_the_style() {
        let quoted = Style::DoubleQuoted;
        assert_eq!(resolved("1", Style::Plain, Some(Tag::Str)), json!("1"));
        assert_eq!(resolved("", Style::Plain, Some(Tag::Str)), json!(""));
        assert_eq!(resolved("1", quoted, Some(Tag::Int)), json!(1));
        assert_eq!(resolved("1", quoted, Some(Tag::Float)), json!(1));
        assert_eq!(resolved("1.5", quoted, Some(Tag::Float)), json!(1.5));
        assert_eq!(resolved("true", quoted, Some(Tag::Bool)), json!(true));
        assert_eq!(resolved("", quoted, Some(Tag::Null)), json!(null));
    }
}
