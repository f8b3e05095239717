//! The expressions of conditions: whether they compile, and what in them will not work.
//!
//! The language is not known here but for one thing: `$first` and `$last` take the name of a role.

use super::Expressions;
use super::check::Declared;
use super::diagnostic::{Code, Diagnostic};
use super::draft::ConditionDraft;
use super::fields::Findings;
use super::place;
use crate::model::ExpressionError;
use crate::suggestion::did_you_mean;
use crate::wording::{listed, quoted};

/// Looks at the expression of a condition, if it could be read.
pub(super) fn check(
    condition: &ConditionDraft<'_>,
    file: &str,
    expressions: &Expressions<'_>,
    roles: Option<&Declared<'_>>,
    findings: &mut Findings,
) {
    let Some((expression, node)) = condition.expression else {
        return;
    };
    let found = |code, verdict: &str, error: &ExpressionError| {
        let name = quoted(condition.name.value);
        let message = format!(
            "the expression of condition {name} {verdict}: {}",
            error.message
        );
        let span = match error.offset {
            Some(offset) => place::inside(file, node, offset),
            None => node.span,
        };
        let diagnostic = Diagnostic::new(code, span, message);
        match &error.code {
            Some(code) => diagnostic.with_label(code),
            None => diagnostic,
        }
    };
    if let Err(error) = (expressions.compile)(expression) {
        findings.add(found(Code::InvalidExpression, "does not compile", &error));
        return;
    }
    for doubt in (expressions.doubts)(expression) {
        findings.add(found(Code::DoubtfulExpression, "may fail", &doubt));
    }
    let Some(roles) = roles else {
        return;
    };
    for (role, offset) in roles_asked_for(expression) {
        if !roles.known.contains(role) {
            let message = format!(
                "condition {} asks for the output of {}, which is no role: there never is any",
                quoted(condition.name.value),
                quoted(role)
            );
            let known = || roles.listed.iter().copied();
            let help = did_you_mean(role, known()).unwrap_or_else(|| {
                format!(
                    "the roles there are: {}",
                    listed(known().map(quoted), "and")
                )
            });
            let span = place::spanning(file, node, offset..offset + role.len());
            findings.add(Diagnostic::new(Code::UnknownRoleAsked, span, message).with_help(help));
        }
    }
}

/// The names in `$first('name')` and `$last("name")`, and where in the expression they stand.
fn roles_asked_for(expression: &str) -> Vec<(&str, usize)> {
    let calls = ["$first", "$last"]
        .into_iter()
        .flat_map(|function| expression.match_indices(function))
        .map(|(at, function)| at + function.len());
    let mut asked: Vec<_> = calls
        .filter_map(|after| {
            let rest = expression[after..].trim_start().strip_prefix('(')?;
            let argument = rest.trim_start();
            let quote = argument
                .chars()
                .next()
                .filter(|first| "'\"".contains(*first))?;
            let (name, rest) = argument[1..].split_once(quote)?;
            let is_whole = rest.trim_start().starts_with(')') && !name.contains('\\');
            let offset = expression.len() - argument.len() + 1;
            is_whole.then_some((name, offset))
        })
        .collect();
    asked.sort_by_key(|(_, offset)| *offset);
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_roles_are_found_where_they_are_literal() {
        assert_eq!(
            roles_asked_for("$last('a').x > $first ( \"b c\" ).y and $last(\n'é')"),
            [("a", 7), ("b c", 25), ("é", 46)]
        );
        for expression in [
            "$last",
            "$last(",
            "$last('a",
            "$last('a' & x)",
            "$last(role)",
            "$last('a\\'')",
            "$lastly('a')",
            "'last'",
        ] {
            assert_eq!(roles_asked_for(expression), [], "{expression}");
        }
    }
}
