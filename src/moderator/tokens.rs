//! The words of a JSONata expression and where they stand.
//!
//! Only for pointing at things: errors of the JSONata crate carry no position. What an expression
//! means is decided by the crate alone.

use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Text in single or double quotes.
    Text,
    /// A name in backticks.
    Quoted,
    /// A name, which may also be a keyword.
    Name,
    /// `$name`; `$` and `$$` too.
    Variable,
    /// A number.
    Number,
    /// `/pattern/flags`.
    Regex,
    /// Everything else.
    Symbol,
}

/// One token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    /// The bytes it stands in.
    pub span: Range<usize>,
    /// How it is written.
    pub text: &'a str,
}

/// An expression cut into tokens.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Tokens<'a> {
    pub list: Vec<Token<'a>>,
    /// Where the text, name, regular expression or comment begins that the expression never
    /// closes.
    pub unclosed: Option<usize>,
}

const PAIRS: [&str; 9] = ["..", ":=", "!=", ">=", "<=", "~>", "**", "??", "?:"];

/// Cuts an expression into tokens. Never fails: a character that belongs nowhere is a symbol.
pub(super) fn scan(expression: &str) -> Tokens<'_> {
    let mut list: Vec<Token<'_>> = Vec::new();
    let mut start = 0;
    loop {
        let rest = &expression[start..];
        start += rest.len() - rest.trim_start().len();
        let rest = &expression[start..];
        let Some(first) = rest.chars().next() else {
            return Tokens {
                list,
                unclosed: None,
            };
        };
        let comment = rest.starts_with("/*");
        let (kind, length) = if comment {
            (Kind::Symbol, closing(rest, "/*", "*/"))
        } else {
            measure(rest, first, list.last())
        };
        let Some(length) = length else {
            return Tokens {
                list,
                unclosed: Some(start),
            };
        };
        let span = start..start + length;
        start = span.end;
        if !comment {
            let text = &expression[span.clone()];
            list.push(Token { kind, span, text });
        }
    }
}

/// What the token at the front of `rest` is, and how many bytes it has; none if it is not closed.
fn measure(rest: &str, first: char, before: Option<&Token<'_>>) -> (Kind, Option<usize>) {
    match first {
        '"' | '\'' => (Kind::Text, escaped_until(rest, first)),
        '`' => (Kind::Quoted, closing(rest, "`", "`")),
        '/' if begins_operand(before) => {
            let flags = |end: usize| end + span_of(&rest[end..], char::is_alphabetic);
            (Kind::Regex, escaped_until(rest, '/').map(flags))
        }
        '0'..='9' => (Kind::Number, Some(number(rest))),
        '$' => (Kind::Variable, Some(1 + span_of(&rest[1..], is_word))),
        _ if first.is_alphabetic() || first == '_' => (Kind::Name, Some(span_of(rest, is_word))),
        _ => {
            let pair = PAIRS.iter().any(|pair| rest.starts_with(pair));
            let length = if pair { 2 } else { first.len_utf8() };
            (Kind::Symbol, Some(length))
        }
    }
}

/// Whether a `/` after this token opens a regular expression, which the JSONata crate decides in
/// the same way.
fn begins_operand(before: Option<&Token<'_>>) -> bool {
    let Some(before) = before else { return true };
    match before.kind {
        Kind::Name | Kind::Quoted => {
            matches!(before.text.trim_matches('`'), "and" | "or" | "in")
        }
        Kind::Symbol => !matches!(
            before.text,
            ")" | "]" | "}" | "." | ".." | "*" | "**" | "%" | "/" | "^" | "#" | "@" | "|" | "λ"
        ),
        Kind::Text | Kind::Variable | Kind::Number | Kind::Regex => false,
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

/// The bytes at the front that are made of such characters.
fn span_of(rest: &str, belongs: fn(char) -> bool) -> usize {
    rest.find(|character| !belongs(character))
        .unwrap_or(rest.len())
}

/// The bytes up to and with `close`, looked for behind `open`.
fn closing(rest: &str, open: &str, close: &str) -> Option<usize> {
    let inside = rest.get(open.len()..)?;
    Some(open.len() + inside.find(close)? + close.len())
}

/// The bytes up to and with the next `close` that no backslash stands before.
fn escaped_until(rest: &str, close: char) -> Option<usize> {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if character == close {
            return Some(at + close.len_utf8());
        }
    }
    None
}

/// The bytes of the number at the front: a whole part, then a fraction and an exponent where
/// digits follow.
fn number(rest: &str) -> usize {
    let digits = |from: usize| span_of(&rest[from..], |character| character.is_ascii_digit());
    let mut end = if rest.starts_with('0') { 1 } else { digits(0) };
    if rest[end..].starts_with('.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if rest[end..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(expression: &str) -> Vec<&str> {
        scan(expression).list.iter().map(|t| t.text).collect()
    }

    #[test]
    fn an_expression_is_cut_where_the_crate_cuts_it() {
        assert_eq!(
            texts("steps[-1].output.`a b` != 'it\\'s' and $x1 ~> $f"),
            [
                "steps", "[", "-", "1", "]", ".", "output", ".", "`a b`", "!=", "'it\\'s'", "and",
                "$x1", "~>", "$f"
            ]
        );
        assert_eq!(texts("$$.a$b"), ["$$", ".", "a$b"]);
        assert_eq!(texts("[1..2.5e3]"), ["[", "1", "..", "2.5e3", "]"]);
        assert_eq!(texts("2.a 1e+x"), ["2", ".", "a", "1", "e", "+", "x"]);
        assert_eq!(texts("λ($é){$é}"), ["λ", "(", "$é", ")", "{", "$é", "}"]);
        assert_eq!(texts(" /* a */ 1"), ["1"]);
        assert_eq!(texts(" "), [""; 0]);
    }

    #[test]
    fn a_slash_divides_after_a_value_and_opens_a_regex_elsewhere() {
        assert_eq!(texts("a/b/c"), ["a", "/", "b", "/", "c"]);
        assert_eq!(texts("(/a\\/b/im)/2"), ["(", "/a\\/b/im", ")", "/", "2"]);
        assert_eq!(texts("x in /a/"), ["x", "in", "/a/"]);
        assert_eq!(texts("true/2/3"), ["true", "/", "2", "/", "3"]);
    }

    #[test]
    fn what_is_never_closed_is_pointed_at() {
        for (expression, at) in [
            ("'a' = \"b", 6),
            ("a = 'b\\'", 4),
            ("`a` = `b", 6),
            ("1 /* a */ /* b", 10),
            ("$match(a, /b\\/)", 10),
        ] {
            assert_eq!(scan(expression).unclosed, Some(at), "{expression}");
        }
        assert_eq!(scan("'a'").unclosed, None);
    }
}
