//! What follows from the graph as a whole: where a thread gets stuck, what it never gets to.
//!
//! All of it is legal and probably not meant, so all of it is a warning. Conclusions from a part
//! that is faulty would only repeat the fault in other words: they wait until it is mended.

use std::collections::{BTreeMap, BTreeSet};

use super::diagnostic::{Code, Diagnostic};
use super::draft::{Draft, EdgeDraft, GraphDraft, SourceDraft, When};
use super::fields::Findings;
use crate::model::Place;
use crate::wording::{listed, quoted};

/// Warns about what the edges, taken together, do not do.
pub(super) fn check(draft: &Draft<'_>, findings: &mut Findings) {
    let Some(graph) = &draft.graph else {
        return;
    };
    for source in &graph.sources {
        check_order(source, findings);
    }
    if names_are_sound(graph, findings) {
        check_conditions(draft, graph, findings);
        check_routes(draft, graph, findings);
    }
}

/// Whether every edge was read and leads somewhere that exists, under a condition that exists.
fn names_are_sound(graph: &GraphDraft<'_>, findings: &Findings) -> bool {
    let read = |source: &SourceDraft<'_>| {
        let edges = source.edges.as_deref();
        edges.is_some_and(|edges| {
            edges
                .iter()
                .all(|edge| edge.target.is_some() && !matches!(edge.when, When::Faulty))
        })
    };
    let of_a_name = |found: &Diagnostic| {
        matches!(
            found.code,
            Code::UnknownSource | Code::UnknownRole | Code::UnknownCondition | Code::EdgeToStart
        )
    };
    graph.sources.iter().all(read) && !findings.diagnostics.iter().any(of_a_name)
}

/// Edges are tried in order: what comes after one without a condition is never tried, and when
/// every one has a condition it may be that none holds.
fn check_order(source: &SourceDraft<'_>, findings: &mut Findings) {
    let name = quoted(source.name.value);
    let Some(edges) = source.edges.as_deref() else {
        return;
    };
    if source.name.value == Place::END {
        if !edges.is_empty() {
            let message = "the edges out of `$END` are never taken: a thread is done there";
            findings.add(Diagnostic::new(
                Code::EdgesFromEnd,
                source.name.span,
                message,
            ));
        }
        return;
    }
    let always = edges
        .iter()
        .position(|edge| matches!(edge.when, When::Always));
    match (always, edges) {
        (Some(at), [..]) if at + 1 < edges.len() => {
            let message = match edges.len() - at - 1 {
                1 => format!("the last edge of {name} is never taken"),
                dead => format!("the last {dead} edges of {name} are never taken"),
            };
            let unreachable = Diagnostic::new(Code::UnreachableEdge, edges[at + 1].span, message);
            findings.add(
                unreachable
                    .with_related(
                        edges[at].span,
                        "this one has no condition, so it is always taken",
                    )
                    .with_help("put the edge without a condition last"),
            );
        }
        (None, [.., last]) if !matches!(last.when, When::Faulty) => {
            let message = format!("when no condition holds, no edge leads out of {name}");
            let no_fallback = Diagnostic::new(Code::NoFallback, last.span, message);
            findings.add(no_fallback.with_help("add a last edge without a condition"));
        }
        _ => {}
    }
}

fn check_conditions(draft: &Draft<'_>, graph: &GraphDraft<'_>, findings: &mut Findings) {
    let edges = graph.sources.iter().flat_map(|source| &source.edges);
    let used: BTreeSet<_> = edges
        .flatten()
        .filter_map(|edge| match edge.when {
            When::Holds(condition) => Some(condition.value),
            When::Always | When::Faulty => None,
        })
        .collect();
    for condition in draft.conditions.iter().flatten() {
        let name = condition.name;
        if !used.contains(name.value) {
            let message = format!("no edge has the condition {}", quoted(name.value));
            findings.add(Diagnostic::new(Code::UnusedCondition, name.span, message));
        }
    }
}

/// Which places lead to which: only edges that can be taken.
type Routes<'n> = BTreeMap<&'n str, Vec<&'n str>>;

fn routes<'n>(graph: &GraphDraft<'n>) -> Routes<'n> {
    let targets = |edges: &[EdgeDraft<'n>]| {
        let always = edges
            .iter()
            .position(|edge| matches!(edge.when, When::Always));
        let tried = always.map_or(edges.len(), |at| at + 1);
        let targets = edges[..tried].iter().filter_map(|edge| edge.target);
        targets.map(|target| target.value).collect()
    };
    graph
        .sources
        .iter()
        .filter(|source| source.name.value != Place::END)
        .map(|source| {
            let edges = source.edges.as_deref().unwrap_or_default();
            (source.name.value, targets(edges))
        })
        .collect()
}

/// Everything one gets to by following `routes` from `start`, itself included.
fn closure<'n>(start: impl IntoIterator<Item = &'n str>, routes: &Routes<'n>) -> BTreeSet<&'n str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<_> = start.into_iter().collect();
    while let Some(place) = open.pop() {
        if reached.insert(place) {
            open.extend(routes.get(place).into_iter().flatten());
        }
    }
    reached
}

fn reversed<'n>(routes: &Routes<'n>) -> Routes<'n> {
    let mut back = Routes::new();
    for (source, targets) in routes {
        for target in targets {
            back.entry(target).or_default().push(source);
        }
    }
    back
}

fn check_routes(draft: &Draft<'_>, graph: &GraphDraft<'_>, findings: &mut Findings) {
    let Some(roles) = &draft.roles else {
        return;
    };
    let routes = routes(graph);
    let start = graph
        .sources
        .iter()
        .find(|source| source.name.value == Place::START);
    let Some(start) = start else {
        if !roles.is_empty() {
            let message = "the graph has no `$START`: no thread can begin";
            let no_start = Diagnostic::new(Code::NoStart, graph.span, message);
            findings.add(no_start.with_help("add `$START` with an edge to the first role"));
        }
        return;
    };
    let is_dead_end = |place: &str| routes.get(place).is_none_or(Vec::is_empty);
    if is_dead_end(Place::START) {
        let message = "no edge leads out of `$START`: no thread can begin";
        findings.add(Diagnostic::new(Code::DeadEnd, start.name.span, message));
        return;
    }
    let reached = closure([Place::START], &routes);
    let stops = routes
        .values()
        .flatten()
        .copied()
        .filter(|place| is_dead_end(place));
    let leads_somewhere = closure(stops, &reversed(&routes));
    let mut endless = Vec::new();
    for role in roles {
        let name = role.name;
        if !reached.contains(name.value) {
            let message = format!("no way leads from `$START` to role {}", quoted(name.value));
            findings.add(Diagnostic::new(Code::UnreachableRole, name.span, message));
        } else if is_dead_end(name.value) {
            let message = format!(
                "no edge leads out of role {}: a thread cannot go on from there",
                quoted(name.value)
            );
            let dead_end = Diagnostic::new(Code::DeadEnd, name.span, message);
            findings.add(dead_end.with_help("add an edge, to `$END` if the work is done then"));
        } else if !leads_somewhere.contains(name.value) {
            endless.push(name);
        }
    }
    if let Some(first) = endless.first() {
        let names = endless.iter().map(|name| name.value);
        let message = format!(
            "no way leads from {} to `$END`: a thread never ends there",
            listed(names.map(quoted), "and")
        );
        findings.add(Diagnostic::new(Code::Endless, first.span, message));
    }
}
