//! What is wrong with an expression, in plain words, and where.
//!
//! The JSONata crate's errors have no position and show its tokens as it calls them. Where a
//! syntax error lies is found by asking again with less: the shortest part of the expression that
//! gives the same error ends at the token that is wrong. An error of the evaluation is pointed at
//! when only one token of the expression can have caused it.

use super::jsonata::{self, Complaint};
use super::tokens::{Kind, Token, Tokens, scan};
use super::words::{expected, invalid_regex, named, no_function, one_line, plain};
use crate::model::ExpressionError;

/// An expression longer than this, in bytes, is not read again and again to find a token.
const LONGEST_SEARCHED: usize = 16 * 1024;

/// An error of the syntax.
pub(super) fn syntax(expression: &str, complaint: &Complaint) -> ExpressionError {
    let tokens = scan(expression);
    if let Some(at) = unclosed(&tokens, complaint) {
        return unclosed_error(expression, at);
    }
    let code = complaint.code.as_deref().unwrap_or_default();
    if matches!(code, "S0203" | "S0207") {
        let message = match expected(&complaint.text) {
            Some(token) if code == "S0203" => {
                format!("`{token}` is missing at the end of the expression")
            }
            _ => "the expression ends where a value is expected".to_owned(),
        };
        return error(complaint, message, Some(expression.trim_end().len()));
    }
    let failing = match (code, culprits(complaint)) {
        ("S0213", _) => named(&complaint.text).and_then(|literal| only(&tokens, &[literal])),
        (_, []) => failing_token(expression, &tokens, complaint),
        (_, names) => only(&tokens, names),
    };
    let Some(token) = failing else {
        // A wrong escape in a text that is never closed is in no token.
        let offset = tokens
            .unclosed
            .filter(|_| matches!(code, "S0103" | "S0104"));
        return error(complaint, plain(complaint), offset);
    };
    let text = one_line(token.text);
    let message = match (code, expected(&complaint.text)) {
        ("S0201", _) => format!("`{text}` cannot follow here"),
        ("S0202", Some(wanted)) => format!("`{wanted}` is expected here, not `{text}`"),
        ("S0204", _) => format!("`{text}` is no operator of JSONata"),
        ("S0211", _) => format!("a value is expected here, not `{text}`"),
        _ => plain(complaint),
    };
    error(complaint, message, Some(token.span.start))
}

/// An error of a regular expression.
pub(super) fn regex(literal: &Token<'_>, complaint: &Complaint) -> ExpressionError {
    error(complaint, plain(complaint), Some(literal.span.start))
}

/// A call of a function there is not.
pub(super) fn unknown_function(name: &Token<'_>) -> ExpressionError {
    ExpressionError {
        code: Some("T1006".to_owned()),
        message: no_function(name.text),
        offset: Some(name.span.start),
    }
}

/// An error of the evaluation.
pub(super) fn evaluation(expression: &str, complaint: &Complaint) -> ExpressionError {
    let tokens = scan(expression);
    let code = complaint.code.as_deref().unwrap_or_default();
    let about_eval = matches!(code, "D3120" | "D3121");
    // What `$eval` evaluates is not in the expression.
    let token = if tokens.list.iter().any(|t| t.text == "$eval") && !about_eval {
        None
    } else if code == "D1004" || invalid_regex(&complaint.text).is_some() {
        single(tokens.list.iter().filter(|t| t.kind == Kind::Regex))
    } else if let Some(named) = named(&complaint.text) {
        only(&tokens, &[named])
    } else if is_about_a_call(code) {
        only_call(&tokens)
    } else {
        only(&tokens, culprits(complaint))
    };
    error(complaint, plain(complaint), token.map(|t| t.span.start))
}

fn error(complaint: &Complaint, message: String, offset: Option<usize>) -> ExpressionError {
    ExpressionError {
        code: complaint.code.clone(),
        message,
        offset,
    }
}

/// Where a text, name, regular expression or comment begins that the complaint is about because
/// it is never closed.
fn unclosed(tokens: &Tokens<'_>, complaint: &Complaint) -> Option<usize> {
    let is_that = match complaint.code.as_deref() {
        Some(code) => matches!(code, "S0101" | "S0105"),
        None => complaint.text == "Unclosed comment",
    };
    tokens.unclosed.filter(|_| is_that)
}

fn unclosed_error(expression: &str, at: usize) -> ExpressionError {
    let rest = &expression[at..];
    let (code, what) = if rest.starts_with("/*") {
        ("S0106", "the comment")
    } else if rest.starts_with('/') {
        ("S0302", "the regular expression")
    } else if rest.starts_with('`') {
        ("S0105", "the name in backticks")
    } else {
        ("S0101", "the text in quotes")
    };
    ExpressionError {
        code: Some(code.to_owned()),
        message: format!("{what} that begins here is never closed"),
        offset: Some(at),
    }
}

/// The token at the end of the shortest part that gives the same complaint.
fn failing_token<'a, 'e>(
    expression: &str,
    tokens: &'a Tokens<'e>,
    complaint: &Complaint,
) -> Option<&'a Token<'e>> {
    if expression.len() > LONGEST_SEARCHED {
        return None;
    }
    let same = |token: &Token<'_>| {
        let part = &expression[..token.span.end];
        jsonata::parse(part).is_err_and(|other| other == *complaint)
    };
    let first = tokens.list.partition_point(|token| !same(token));
    tokens.list.get(first)
}

/// The token that is written like one of these, if there is only one.
fn only<'a, 'e>(tokens: &'a Tokens<'e>, names: &[&str]) -> Option<&'a Token<'e>> {
    single(tokens.list.iter().filter(|t| names.contains(&t.text)))
}

/// The function that is called, if there is only one call.
fn only_call<'a, 'e>(tokens: &'a Tokens<'e>) -> Option<&'a Token<'e>> {
    let pairs = tokens.list.iter().zip(tokens.list.iter().skip(1));
    let calls = pairs.filter(|(token, next)| {
        next.text == "(" && matches!(token.kind, Kind::Variable | Kind::Name)
    });
    single(calls.map(|(token, _)| token))
}

fn single<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

/// Whether errors of that code are about the call of a function.
fn is_about_a_call(code: &str) -> bool {
    matches!(code, "T0410" | "T0411" | "T0412" | "T1006")
}

/// The tokens of which one must be the cause of such a complaint; none when it can be any.
fn culprits(complaint: &Complaint) -> &'static [&'static str] {
    match complaint.code.as_deref().unwrap_or_default() {
        "D1002" => &["-"],
        "D2014" | "T2003" | "T2004" => &[".."],
        "D3010" | "D3011" | "D3012" => &["$replace"],
        "D3020" => &["$split"],
        "D3030" => &["$number"],
        "D3040" => &["$match"],
        "D3050" => &["$reduce"],
        "D3060" => &["$sqrt"],
        "D3061" => &["$power"],
        "D3070" => &["$sort"],
        "D3100" => &["$formatBase"],
        "D3120" | "D3121" => &["$eval"],
        // Ours: see the bounded `$pad`.
        "D3137" => &["$error", "$pad"],
        "D3138" | "D3139" => &["$single"],
        "D3141" => &["$assert"],
        "S0212" => &[":="],
        "S0215" | "S0216" => &["@"],
        "S0217" => &["%"],
        "T1003" | "D1009" => &["{"],
        "T2006" => &["~>"],
        "T2007" | "T2008" => &["^"],
        "T2010" => &["<", "<=", ">", ">="],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message of a syntax error, and the expression from where it lies.
    fn wrong(expression: &str) -> (String, String, &str) {
        let complaint = jsonata::parse(expression).err().unwrap();
        let error = syntax(expression, &complaint);
        let rest = &expression[error.offset.unwrap()..];
        (error.code.unwrap_or_default(), error.message, rest)
    }

    #[test]
    fn a_syntax_error_is_pointed_at_in_plain_words() {
        for (expression, code, message, rest) in [
            (
                "",
                "S0207",
                "the expression ends where a value is expected",
                "",
            ),
            (
                "limit > ",
                "S0207",
                "the expression ends where a value is expected",
                " ",
            ),
            (
                "steps[role='x'",
                "S0203",
                "`]` is missing at the end of the expression",
                "",
            ),
            (
                "(a;b",
                "S0203",
                "`)` is missing at the end of the expression",
                "",
            ),
            ("{'a' 1}", "S0202", "`:` is expected here, not `1`", "1}"),
            (
                "limit == 3",
                "S0211",
                "a value is expected here, not `=`",
                "= 3",
            ),
            ("!a", "S0204", "`!` is no operator of JSONata", "!a"),
            (
                "'a'\n & 'b' ~ c",
                "S0204",
                "`~` is no operator of JSONata",
                "~ c",
            ),
            ("a || b", "S0201", "`|` cannot follow here", "|| b"),
            ("é = 'ü' ü", "S0201", "`ü` cannot follow here", "ü"),
            ("a b b b", "S0201", "`b` cannot follow here", "b b b"),
            (
                "a.2.b",
                "S0213",
                "the literal value 2 cannot be used as a step within a path expression",
                "2.b",
            ),
            (
                "%",
                "S0217",
                "the object representing the 'parent' cannot be derived from this expression",
                "%",
            ),
            (
                "a @ 5",
                "S0214",
                "expected a variable reference after @",
                "@ 5",
            ),
            (
                "'\\u12' & 1",
                "S0104",
                "the escape sequence \\u must be followed by 4 hex digits",
                "'\\u12' & 1",
            ),
            ("1 + 1e999", "S0102", "number out of range: 1e999", "1e999"),
            (
                "'a' & \"b",
                "S0101",
                "the text in quotes that begins here is never closed",
                "\"b",
            ),
            (
                "a = `b",
                "S0105",
                "the name in backticks that begins here is never closed",
                "`b",
            ),
            (
                "1 /* a",
                "S0106",
                "the comment that begins here is never closed",
                "/* a",
            ),
            (
                "$match(a, /b)",
                "S0302",
                "the regular expression that begins here is never closed",
                "/b)",
            ),
        ] {
            assert_eq!(
                wrong(expression),
                (code.to_owned(), message.to_owned(), rest),
                "{expression}"
            );
        }
    }

    /// Where the evaluation of an expression that fails with such a complaint is blamed on.
    fn blamed(expression: &str, code: &str, text: &str) -> (String, Option<usize>) {
        let complaint = Complaint {
            code: Some(code.to_owned()),
            text: text.to_owned(),
        };
        let error = evaluation(expression, &complaint);
        (error.message, error.offset)
    }

    #[test]
    fn a_failed_evaluation_is_blamed_on_a_token_only_when_no_other_can_be_it() {
        let compare = "Cannot compare null and number";
        let place = |expression| blamed(expression, "T2010", compare).1;
        assert_eq!(place("a.b > 1"), Some(4));
        assert_eq!(place("'>' & (a < 1)"), Some(9));
        assert_eq!(place("a > 1 or b < 2"), None);
        assert_eq!(place("$eval('a > b') > 1"), None);

        let argument = "Argument 1 must be String";
        assert_eq!(blamed("1 & $trim(2)", "T0410", argument).1, Some(4));
        assert_eq!(blamed("$trim(2) & $trim(3)", "T0410", argument).1, None);
        let called = "Attempted to invoke a non-function: $f";
        assert_eq!(
            blamed("1 + $f(1)", "T1006", called),
            ("there is no function `$f`".to_owned(), Some(4))
        );
        let called = "Attempted to invoke a non-function: Undefined";
        assert_eq!(
            blamed("a.b(1)", "T1006", called),
            ("what is called is no function".to_owned(), Some(2))
        );
        assert_eq!(
            blamed(
                "$match(a, /b*/)",
                "D1004",
                "Regular expression matches zero length string."
            ),
            (
                "regular expression matches zero length string".to_owned(),
                Some(10)
            )
        );
        assert_eq!(
            blamed(
                "[3] ~> count(1)",
                "T1005",
                "Attempted to invoke a non-function. Did you mean $count?"
            ),
            (
                "`count` is no function: is `$count` meant?".to_owned(),
                Some(7)
            )
        );
    }

    #[test]
    fn what_an_author_says_stays_but_for_its_length_and_lines() {
        assert_eq!(
            blamed("$error(x)", "D3137", "No.\n  Way."),
            ("No. Way.".to_owned(), Some(0))
        );
        let long = "é".repeat(301);
        let short = format!("{}…", "é".repeat(300));
        assert_eq!(blamed("$error(x)", "D3137", &long), (short, Some(0)));
    }
}
