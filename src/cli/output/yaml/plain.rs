//! Whether a text may stand in YAML without quotes.

/// Whether one line of text, standing alone, reads back as itself: nothing in it is syntax, and
/// it is no null, boolean or number of the core schema.
pub(super) fn reads_as_itself(line: &str) -> bool {
    !line.is_empty() && !holds_syntax(line) && !is_other_than_string(line)
}

fn holds_syntax(line: &str) -> bool {
    const INDICATORS: &str = "\t ,[]{}#&*!|>'\"%@`";
    line.starts_with(|first| INDICATORS.contains(first))
        || line == "-"
        || line == "?"
        || ["- ", "-\t", "? ", "?\t"]
            .iter()
            .any(|start| line.starts_with(start))
        || [": ", ":\t", " #", "\t#"]
            .iter()
            .any(|inside| line.contains(inside))
        || line.ends_with([':', ' ', '\t'])
}

/// Whether a plain scalar of this text is null, a boolean or a number by YAML 1.2's core schema.
fn is_other_than_string(text: &str) -> bool {
    const WORDS: [&str; 10] = [
        "~", "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE",
    ];
    WORDS.contains(&text) || is_number(text)
}

fn is_number(text: &str) -> bool {
    if let Some(octal) = text.strip_prefix("0o") {
        return is_run_of(octal, |digit| digit.is_digit(8));
    }
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        return is_run_of(hexadecimal, |digit| digit.is_ascii_hexdigit());
    }
    if [".nan", ".NaN", ".NAN"].contains(&text) {
        return true;
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    [".inf", ".Inf", ".INF"].contains(&unsigned) || is_decimal(unsigned)
}

/// `12`, `12.`, `12.5`, `.5`, each with an exponent or without.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let exponent_is_sound = exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        is_run_of(digits, |digit| digit.is_ascii_digit())
    });
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    exponent_is_sound && is_run_of(&digits, |digit| digit.is_ascii_digit())
}

fn is_run_of(text: &str, belongs: impl Fn(char) -> bool) -> bool {
    !text.is_empty() && text.chars().all(belongs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_core_schema_takes_for_something_else_does_not_read_as_itself() {
        let texts = "~ null Null NULL true TRUE False 0 017 +1 -12 0o17 0x1F 1.5 1. .5 -.5 1e5 \
            1.e5 -2E+05 12e-03 .inf -.Inf +.INF .nan .NaN .NAN 1E23456789012";
        for text in texts.split(' ') {
            assert!(!reads_as_itself(text), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_it_does() {
        let texts = "nULL tRUE yes no on off n NaN 0o8 0b1 0x -0x1 1_000 1e e1 . 1.2.3 -.nan 1:30 \
            2026-05-24 << = -- -a ?a :a a- x] x,y a#b a:b C:\\path 6HA1S8JMB29J3";
        for text in texts.split(' ').chain(["a -", "it's \"both\""]) {
            assert!(reads_as_itself(text), "{text}");
        }
    }

    #[test]
    fn what_holds_syntax_does_not() {
        let texts = "- ? : a: #a ,a [a ]a {a }a &a *a !a |a >a 'a \"a %a @a `a";
        let with_blanks = [
            "", " a", "a ", "\ta", "a\t", "- a", "-\ta", "? a", "a: b", "a:\tb", "a #b", "a\t#b",
        ];
        for text in texts.split(' ').chain(with_blanks) {
            assert!(!reads_as_itself(text), "{text}");
        }
    }
}
