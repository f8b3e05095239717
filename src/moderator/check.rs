//! What can be said about an expression before it is ever evaluated.

use std::sync::mpsc;

use super::blame;
use super::bounds::{self, LIMITS, Limits, Watch};
use super::failure::Failure;
use super::jsonata;
use super::tokens::{Kind, Token, scan};
use crate::model::ExpressionError;

/// Says whether an expression can be evaluated at all: its syntax is right, and so are the
/// regular expressions in it.
pub fn compile(expression: &str) -> Result<(), ExpressionError> {
    compile_within(LIMITS, expression)
}

fn compile_within(limits: Limits, expression: &str) -> Result<(), ExpressionError> {
    let (answer, answers) = mpsc::channel();
    let watch = Watch::start(limits);
    let text = expression.to_owned();
    bounds::spawn(move || {
        // Nobody listens any more when the limits are passed.
        let _ = answer.send(bounds::guarded(|| read(&text)));
    })?;
    Ok(watch.wait(&answers)??)
}

fn read(expression: &str) -> Result<(), Failure> {
    jsonata::parse(expression).map_err(|complaint| {
        Failure::from_complaint(&complaint, |c| blame::syntax(expression, c))
    })?;
    for token in scan(expression).list {
        if token.kind == Kind::Regex
            && let Err(complaint) = jsonata::try_regex(token.text)
        {
            return Err(Failure::Faulty(blame::regex(&token, &complaint)));
        }
    }
    Ok(())
}

/// What will fail when it is reached, though the expression may never reach it: calls of
/// functions that neither exist nor are made in the expression.
///
/// For an expression that [`compile`] accepts.
pub fn doubts(expression: &str) -> Vec<ExpressionError> {
    let tokens = scan(expression).list;
    let is_call = |at: usize| tokens.get(at + 1).is_some_and(|next| next.text == "(");
    // Text that is evaluated can make any function.
    if tokens.iter().any(|token| token.text == "$eval") {
        return Vec::new();
    }
    let is_more_than_called = |name: &str| {
        let mentions = tokens.iter().enumerate();
        mentions
            .filter(|(_, token)| token.text == name)
            .any(|(at, _)| !is_call(at))
    };
    let unknown = |(at, token): &(usize, &Token<'_>)| {
        token.kind == Kind::Variable
            && is_call(*at)
            && !is_more_than_called(token.text)
            && !jsonata::is_function(token.text)
    };
    let calls = tokens.iter().enumerate().filter(unknown);
    calls
        .map(|(_, token)| blame::unknown_function(token))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn refusal(expression: &str) -> (Option<String>, String, Option<usize>) {
        let error = compile(expression).unwrap_err();
        (error.code, error.message, error.offset)
    }

    #[test]
    fn what_can_run_compiles() {
        for expression in [
            "true",
            "$last('a').x = 1 and $nofunc()",
            "/* a */ $match(role, /a\\/b/i)",
            "a/b/(c)",
        ] {
            assert_eq!(compile(expression), Ok(()), "{expression}");
        }
    }

    #[test]
    fn a_regular_expression_that_never_works_is_refused_where_it_stands() {
        assert_eq!(
            refusal("a = 1 or $contains(b, /(?=f)foo/)"),
            (
                None,
                "the regular expression cannot be used: look-around, including look-ahead and look-behind, is not supported".to_owned(),
                Some(22)
            )
        );
        assert_eq!(
            refusal("/(a{1000}){1000}/"),
            (
                None,
                "the regular expression cannot be used: compiled regex exceeds size limit of 10485760 bytes".to_owned(),
                Some(0)
            )
        );
    }

    #[test]
    fn hostile_sizes_are_an_error_or_are_accepted_and_never_a_crash() {
        let too_deep =
            "it goes too deep: a function that calls itself without end, or too many brackets";
        for opening in ["(", "[", "{'a':", "-", "$f(", "function($x){", "a["] {
            let refused = refusal(&opening.repeat(10_000));
            assert_eq!(refused, (None, too_deep.to_owned(), None), "{opening}");
        }
        assert_eq!(
            refusal(&format!("1{}", "+1".repeat(50_000))),
            (None, too_deep.to_owned(), None)
        );
        assert_eq!(compile(&format!("[1{}]", ",1".repeat(50_000))), Ok(()));
        let unclosed = format!("'{}", "é".repeat(50_000));
        assert_eq!(refusal(&unclosed).2, Some(0));
        let late = format!("[1{}", ",1".repeat(50_000));
        assert_eq!(refusal(&late).2, Some(late.len()));
    }

    #[test]
    fn reading_is_given_up_after_a_while() {
        let limits = Limits {
            wait: Duration::ZERO,
            ..LIMITS
        };
        let path = format!("a{}", ".a".repeat(20_000));
        assert_eq!(
            compile_within(limits, &path).unwrap_err().to_string(),
            "it takes longer than 0 seconds"
        );
    }

    #[test]
    fn calls_of_functions_that_cannot_exist_are_doubted() {
        let doubted = |expression| -> Vec<_> {
            let doubts = doubts(expression).into_iter();
            doubts.map(|d| (d.message, d.offset)).collect()
        };
        assert_eq!(
            doubted("$exist(a) or $nofunc (1) or $last('a')"),
            [
                ("there is no function `$exist`".to_owned(), Some(0)),
                ("there is no function `$nofunc`".to_owned(), Some(13)),
            ]
        );
        for fine in [
            "$count(a) + $pad('a', 3)",
            "($f := function($g){ $g(1) }; $f($sum))",
            "a@$f.$f(1)",
            "'$nofunc(1)'",
            "($eval('$f := $sum'); $f([1]))",
        ] {
            assert_eq!(doubted(fine), [], "{fine}");
        }
    }
}
