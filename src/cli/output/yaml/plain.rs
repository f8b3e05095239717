//! Whether a text may stand in YAML without quotes.

use crate::yaml::{Scalar, Style};

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
    let as_plain = Scalar {
        text: text.to_owned(),
        style: Style::Plain,
        tag: None,
    };
    !as_plain.resolve().is_string() || is_number_beyond_json(text)
}

/// Numbers of YAML that our reader leaves as text, since JSON has none of them.
fn is_number_beyond_json(text: &str) -> bool {
    const NOT_NUMBERS: [&str; 3] = [".nan", ".NaN", ".NAN"];
    const INFINITIES: [&str; 3] = [".inf", ".Inf", ".INF"];
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let overflows = || {
        let begins_as_number = unsigned.starts_with(|c: char| c == '.' || c.is_ascii_digit());
        begins_as_number && unsigned.parse().is_ok_and(f64::is_infinite)
    };
    NOT_NUMBERS.contains(&text) || INFINITIES.contains(&unsigned) || overflows()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_core_schema_takes_for_something_else_does_not_read_as_itself() {
        let texts = "~ null Null NULL true TRUE False 0 017 +1 -12 0o17 0x1F 1.5 1. .5 -.5 1e5 \
            1.e5 -2E+05 12e-03 .inf -.Inf +.INF .nan .NaN .NAN 1E23456789012 -1e999 .5e400";
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
