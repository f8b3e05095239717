//! The way through the graph.

use serde_json::Value;

use super::bounds::{LIMITS, Limits};
use super::failure::Failure;
use super::judge::Judge;
use crate::model::{Decision, Edge, Place, Workflow};

/// What conditions are evaluated over.
#[derive(Debug, Clone, PartialEq)]
pub struct Context {
    /// How the thread began: `{workflow, prompt}`.
    pub start: Value,
    /// Its steps, oldest first: `{role, output, detail, agent, edgePrompt}`, with the output as
    /// it was stored.
    pub steps: Vec<Value>,
}

/// Why it cannot be said what comes next. `E` is why the context could not be loaded.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoutingError<E> {
    /// The graph has no edge out of the place.
    #[error("cannot decide what follows `{place}`: the workflow has no transition from there")]
    NoTransitions {
        /// Where the thread is.
        place: Place,
    },
    /// An edge names a condition the workflow does not have.
    #[error(
        "cannot decide what follows `{place}`: its transition to `{target}` depends on condition `{condition}`, which the workflow does not have"
    )]
    UnknownCondition {
        /// Where the thread is.
        place: Place,
        /// Where the edge leads.
        target: Place,
        /// The name that is not known.
        condition: String,
    },
    /// Every edge has a condition, and none of them holds.
    #[error("cannot decide what follows `{place}`: {}", none_of(.conditions))]
    NoneMatched {
        /// Where the thread is.
        place: Place,
        /// The conditions, in the order in which they were tried.
        conditions: Vec<String>,
    },
    /// The edge that is taken leads to a role the workflow does not have.
    #[error(
        "cannot decide what follows `{place}`: its transition leads to `{target}`, which is no role of the workflow"
    )]
    UnknownRole {
        /// Where the thread is.
        place: Place,
        /// Where the edge leads.
        target: Place,
    },
    /// A condition could not be evaluated.
    #[error("cannot decide what follows `{place}`: condition `{condition}` failed: {failure}")]
    Condition {
        /// Where the thread is.
        place: Place,
        /// The name of the condition.
        condition: String,
        /// Its expression.
        expression: String,
        /// Why.
        failure: Box<Failure>,
    },
    /// The thread could not be read.
    #[error(transparent)]
    Context(E),
}

impl<E> RoutingError<E> {
    /// The expression that failed, and where in it the fault lies, in bytes from its start, where
    /// that is known.
    pub fn expression(&self) -> Option<(&str, Option<usize>)> {
        match self {
            Self::Condition {
                expression,
                failure,
                ..
            } => Some((expression, failure.offset())),
            _ => None,
        }
    }
}

/// Says what comes after a place: the first edge that has no condition, or one that holds.
///
/// The context is asked for once, and only when a condition must be evaluated.
pub fn decide<E>(
    workflow: &Workflow,
    at: &Place,
    context: &mut dyn FnMut() -> Result<Context, E>,
) -> Result<Decision, RoutingError<E>> {
    decide_within(LIMITS, workflow, at, context)
}

pub(super) fn decide_within<E>(
    limits: Limits,
    workflow: &Workflow,
    at: &Place,
    context: &mut dyn FnMut() -> Result<Context, E>,
) -> Result<Decision, RoutingError<E>> {
    let edges = match workflow.graph.get(at).map(Vec::as_slice) {
        None | Some([]) => return Err(RoutingError::NoTransitions { place: at.clone() }),
        Some(edges) => edges,
    };
    let mut judge = None;
    for edge in edges {
        let Some(name) = &edge.condition else {
            return follow(workflow, at, edge);
        };
        let expression = expression(workflow, at, edge, name)?;
        let failed = |failure: Failure| RoutingError::Condition {
            place: at.clone(),
            condition: name.clone(),
            expression: expression.to_owned(),
            failure: Box::new(failure),
        };
        let judge = match &mut judge {
            Some(judge) => judge,
            none => {
                let context = context().map_err(RoutingError::Context)?;
                none.insert(Judge::over(context, limits).map_err(failed)?)
            }
        };
        if judge.holds(expression).map_err(failed)? {
            return follow(workflow, at, edge);
        }
    }
    Err(RoutingError::NoneMatched {
        place: at.clone(),
        conditions: edges.iter().filter_map(|e| e.condition.clone()).collect(),
    })
}

fn expression<'w, E>(
    workflow: &'w Workflow,
    at: &Place,
    edge: &Edge,
    condition: &str,
) -> Result<&'w str, RoutingError<E>> {
    match workflow.conditions.get(condition) {
        Some(condition) => Ok(&condition.expression),
        None => Err(RoutingError::UnknownCondition {
            place: at.clone(),
            target: edge.role.clone(),
            condition: condition.to_owned(),
        }),
    }
}

fn follow<E>(workflow: &Workflow, at: &Place, edge: &Edge) -> Result<Decision, RoutingError<E>> {
    match &edge.role {
        Place::End => Ok(Decision::End),
        Place::Role(role) if workflow.roles.contains_key(role) => Ok(Decision::Next {
            role: role.clone(),
            prompt: edge.prompt.clone(),
        }),
        Place::Role(_) | Place::Start => Err(RoutingError::UnknownRole {
            place: at.clone(),
            target: edge.role.clone(),
        }),
    }
}

fn none_of(conditions: &[String]) -> String {
    let names: Vec<String> = conditions.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [name] => format!("condition {name} does not hold, and there is no other transition"),
        _ => format!("none of its conditions holds: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::convert::Infallible;
    use std::time::Duration;

    use serde_json::json;

    use super::*;

    /// Edges out of `checker`, as target and condition, over the conditions named here.
    fn workflow(edges: &[(&str, Option<&str>)]) -> Workflow {
        let role = json!({
            "description": "", "goal": "", "capabilities": [], "procedure": "", "output": "",
            "frontmatter": "86N29KJ2R9X6K",
        });
        let condition = |expression| json!({ "description": "", "expression": expression });
        let edge = |(target, condition): &(&str, Option<&str>)| json!({ "role": target, "condition": condition, "prompt": format!("to {target}") });
        let workflow = json!({
            "name": "w", "description": "", "roles": { "checker": role, "fixer": role },
            "conditions": {
                "accepted": condition("$last('checker').accepted"),
                "notAccepted": condition("$last('checker').accepted = false"),
                "scored": condition("$last('checker').note > 3"),
                "broken": condition("$last('checker') and"),
                "typo": condition("true and $lst('checker')"),
                "endless": condition("($f := function($n){ $f($n) }; $f(1))"),
                "deep": condition("($f := function($n){ 1 + $f($n) }; $f(1))"),
                "crash": condition("$fromMillis(0, '[Y,1000000000]')"),
            },
            "graph": { "$START": [], "checker": edges.iter().map(edge).collect::<Vec<_>>() },
        });
        serde_json::from_value(workflow).unwrap()
    }

    fn context() -> Context {
        Context {
            start: json!({ "workflow": "21AME01DDP1EB", "prompt": "do it" }),
            steps: vec![
                json!({ "role": "checker", "output": { "accepted": true } }),
                json!({ "role": "checker", "output": { "accepted": false, "note": "é" } }),
            ],
        }
    }

    fn decide_at(
        place: &str,
        edges: &[(&str, Option<&str>)],
    ) -> Result<Decision, RoutingError<Infallible>> {
        let limits = Limits {
            depth: 1000,
            ..LIMITS
        };
        decide_within_at(limits, place, edges)
    }

    fn decide_within_at(
        limits: Limits,
        place: &str,
        edges: &[(&str, Option<&str>)],
    ) -> Result<Decision, RoutingError<Infallible>> {
        let place = place.parse().unwrap();
        decide_within(limits, &workflow(edges), &place, &mut || Ok(context()))
    }

    fn next(role: &str) -> Result<Decision, RoutingError<Infallible>> {
        Ok(Decision::Next {
            role: role.parse().unwrap(),
            prompt: format!("to {role}"),
        })
    }

    #[test]
    fn the_first_edge_whose_condition_holds_is_taken() {
        let edges = [
            ("$END", Some("accepted")),
            ("fixer", Some("notAccepted")),
            ("checker", None),
        ];
        assert_eq!(decide_at("checker", &edges), next("fixer"));
        assert_eq!(decide_at("checker", &[edges[0], edges[2]]), next("checker"));
        assert_eq!(
            decide_at("checker", &[("$END", Some("notAccepted"))]),
            Ok(Decision::End)
        );
    }

    #[test]
    fn what_stands_behind_the_taken_edge_does_not_matter() {
        let edges = [
            ("fixer", Some("notAccepted")),
            ("nobody", Some("unheard-of")),
            ("$END", Some("broken")),
        ];
        assert_eq!(decide_at("checker", &edges), next("fixer"));
    }

    #[test]
    fn the_context_is_loaded_once_and_only_for_a_condition() {
        let loads = Cell::new(0);
        let mut load = || {
            loads.set(loads.get() + 1);
            Ok::<_, Infallible>(context())
        };
        let at: Place = "checker".parse().unwrap();
        let free = workflow(&[("fixer", None), ("$END", Some("accepted"))]);
        assert_eq!(decide(&free, &at, &mut load), next("fixer"));
        assert_eq!(loads.get(), 0);
        let bound = workflow(&[
            ("$END", Some("accepted")),
            ("checker", Some("accepted")),
            ("fixer", Some("notAccepted")),
        ]);
        assert_eq!(decide(&bound, &at, &mut load), next("fixer"));
        assert_eq!(loads.get(), 1);
    }

    #[test]
    fn a_context_that_cannot_be_loaded_is_the_error_itself() {
        let at: Place = "checker".parse().unwrap();
        let bound = workflow(&[("$END", Some("accepted"))]);
        let damaged = std::io::Error::other("a step is missing");
        let mut damaged = Some(damaged);
        let error = decide(&bound, &at, &mut || Err(damaged.take().unwrap())).unwrap_err();
        assert_eq!(error.to_string(), "a step is missing");
        assert!(matches!(error, RoutingError::Context(_)));
    }

    #[test]
    fn each_failure_says_where_the_thread_is_and_what_is_wrong() {
        let at_checker = |edges: &[_]| decide_at("checker", edges).unwrap_err().to_string();
        assert_eq!(
            decide_at("$START", &[]).unwrap_err().to_string(),
            "cannot decide what follows `$START`: the workflow has no transition from there"
        );
        assert_eq!(
            decide_at("fixer", &[]).unwrap_err().to_string(),
            "cannot decide what follows `fixer`: the workflow has no transition from there"
        );
        assert_eq!(
            at_checker(&[("$END", Some("acepted"))]),
            "cannot decide what follows `checker`: its transition to `$END` depends on condition `acepted`, which the workflow does not have"
        );
        assert_eq!(
            at_checker(&[("$END", Some("accepted"))]),
            "cannot decide what follows `checker`: condition `accepted` does not hold, and there is no other transition"
        );
        assert_eq!(
            at_checker(&[("$END", Some("accepted")), ("fixer", Some("accepted"))]),
            "cannot decide what follows `checker`: none of its conditions holds: `accepted`, `accepted`"
        );
        assert_eq!(
            at_checker(&[("tester", Some("notAccepted"))]),
            "cannot decide what follows `checker`: its transition leads to `tester`, which is no role of the workflow"
        );
        assert_eq!(
            at_checker(&[("$START", None)]),
            "cannot decide what follows `checker`: its transition leads to `$START`, which is no role of the workflow"
        );
    }

    #[test]
    fn a_condition_that_fails_is_shown_with_its_expression_and_the_place_in_it() {
        for (condition, text, offset) in [
            (
                "scored",
                "the expressions on either side of operator \">\" must be of the same data type (T2009)",
                Some(22),
            ),
            (
                "broken",
                "the expression ends where a value is expected (S0207)",
                Some(20),
            ),
            ("typo", "there is no function `$lst` (T1006)", Some(9)),
            (
                "deep",
                "it goes too deep: a function that calls itself without end, or too many brackets",
                None,
            ),
        ] {
            let edges = [("fixer", Some(condition)), ("$END", None)];
            let error = decide_at("checker", &edges).unwrap_err();
            let start = "cannot decide what follows `checker`: condition";
            assert_eq!(
                error.to_string(),
                format!("{start} `{condition}` failed: {text}")
            );
            let expression = &workflow(&edges).conditions[condition].expression;
            assert_eq!(error.expression(), Some((expression.as_str(), offset)));
        }
    }

    #[test]
    fn a_condition_without_end_is_given_up() {
        let limits = Limits {
            wait: Duration::from_millis(100),
            ..LIMITS
        };
        let edges = [("fixer", Some("endless")), ("$END", None)];
        let error = decide_within_at(limits, "checker", &edges).unwrap_err();
        assert_eq!(
            error.to_string(),
            "cannot decide what follows `checker`: condition `endless` failed: it takes longer than 0.1 seconds"
        );
    }

    #[test]
    fn a_crash_of_the_evaluator_is_an_error_too() {
        let error = decide_at("checker", &[("$END", Some("crash"))]).unwrap_err();
        let text = error.to_string();
        let start = "cannot decide what follows `checker`: condition `crash` failed: the evaluator failed: attempt to ";
        assert!(text.starts_with(start), "{text}");
    }
}
