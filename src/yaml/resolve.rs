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
        #[expect(
            clippy::cast_possible_truncation,
            reason = "whole and within 53 bits, checked above"
        )]
        return Some((number as i64).into());
    }
    Number::from_f64(number).map(Value::Number)
}
