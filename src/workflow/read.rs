//! From the tree of a YAML file to a draft: the shape of a workflow file is known here.
//!
//! What the words mean to each other is not looked at; that is `check`'s.

use super::diagnostic::{Code, Diagnostic};
use super::draft::{
    ConditionDraft, Draft, EdgeDraft, GraphDraft, RoleDraft, SourceDraft, Spanned, Text, When,
};
use super::fields::{Findings, Key, Subject, optional, required, wrong_type};
use crate::model::{Hash, Place};
use crate::wording::{excerpt, quoted};
use crate::yaml::{Entry, Kind, Node};

pub(super) const WORKFLOW_NEEDS: &str = "a workflow has `name`, `description`, `roles`, `conditions` and `graph`; the last three may be `{}`";
const ROLE_NEEDS: &str = "a role has `description`, `goal`, `capabilities`, `procedure`, `output` and `frontmatter`, the JSON Schema of its answer";
const CONDITION_NEEDS: &str =
    "a condition has a `description` and an `expression`, which is JSONata";
const EDGE_NEEDS: &str = "an edge has the `role` it leads to and the `prompt` that role is given, and may have a `condition`";

/// Reads what can be read; the rest is among the findings.
pub(super) fn read<'n>(root: &'n Node, findings: &mut Findings) -> Draft<'n> {
    let span = match &root.kind {
        Kind::Mapping(entries) => entries.first().map_or(root.span, |entry| entry.key_span),
        _ => root.span,
    };
    let subject = Subject {
        name: "the workflow".to_owned(),
        span,
        needs: WORKFLOW_NEEDS,
    };
    let status_keyed = root.get("graph").and_then(status_keyed);
    let keys = [
        required("name"),
        required("description"),
        required("roles"),
        // The later format has none, and is told about by name.
        Key {
            name: "conditions",
            required: status_keyed.is_none(),
        },
        required("graph"),
    ];
    let Some(fields) = findings.fields(root, &subject, keys) else {
        return Draft::default();
    };
    let [name, description, roles, conditions, graph] = fields;
    Draft {
        name: findings.text(name, &subject),
        description: findings.text(description, &subject).map(|text| text.value),
        roles: roles.and_then(|entry| read_each(entry, findings, read_role)),
        conditions: conditions.and_then(|entry| read_each(entry, findings, read_condition)),
        graph: match (graph, status_keyed) {
            (Some(_), Some(keyed)) => {
                findings.add(keyed.diagnostic());
                None
            }
            (graph, _) => graph.and_then(|entry| {
                let sources = read_each(entry, findings, read_source)?;
                Some(GraphDraft {
                    span: entry.key_span,
                    sources,
                })
            }),
        },
    }
}

/// Reads each entry of the mapping under a key.
fn read_each<'n, T>(
    entry: &'n Entry,
    findings: &mut Findings,
    read: fn(&'n Entry, &mut Findings) -> T,
) -> Option<Vec<T>> {
    let name = quoted(&entry.key);
    let entries = findings.mapping(&entry.value, &name, entry.key_span)?;
    Some(entries.iter().map(|entry| read(entry, findings)).collect())
}

fn key_of(entry: &Entry) -> Text<'_> {
    Spanned {
        value: &entry.key,
        span: entry.key_span,
    }
}

fn read_role<'n>(entry: &'n Entry, findings: &mut Findings) -> RoleDraft<'n> {
    let subject = Subject {
        name: format!("role {}", quoted(&entry.key)),
        span: entry.key_span,
        needs: ROLE_NEEDS,
    };
    let keys = [
        required("description"),
        required("goal"),
        required("capabilities"),
        required("procedure"),
        required("output"),
        required("frontmatter"),
    ];
    let fields = findings.fields(&entry.value, &subject, keys);
    let [description, goal, capabilities, procedure, output, schema] = fields.unwrap_or_default();
    let mut text = |field| findings.text(field, &subject).map(|text| text.value);
    RoleDraft {
        name: key_of(entry),
        description: text(description),
        goal: text(goal),
        procedure: text(procedure),
        output: text(output),
        capabilities: capabilities.and_then(|field| read_capabilities(field, &subject, findings)),
        schema: schema.and_then(|field| read_schema(field, &subject, findings)),
    }
}

fn read_capabilities<'n>(
    entry: &'n Entry,
    role: &Subject,
    findings: &mut Findings,
) -> Option<Vec<&'n str>> {
    let name = format!("`capabilities` of {}", role.name);
    let items = findings.list(&entry.value, &name, entry.key_span)?;
    let texts: Vec<_> = items
        .iter()
        .enumerate()
        .map(|(at, item)| {
            let name = format!("item {} of {name}", at + 1);
            findings.string(item, &name, item.span)
        })
        .collect();
    texts
        .into_iter()
        .map(|text| text.map(|text| text.value))
        .collect()
}

/// The mapping that a role's `frontmatter` must be. A schema that is `true` or `false` is JSON
/// Schema too, but cannot carry the title that a stored schema gets.
fn read_schema<'n>(entry: &'n Entry, role: &Subject, findings: &mut Findings) -> Option<&'n Node> {
    let node = &entry.value;
    if let Kind::Mapping(_) = node.kind {
        return Some(node);
    }
    let name = format!("`frontmatter` of {}", role.name);
    let wrong = wrong_type(node, &name, "a mapping", entry.key_span);
    findings.add(match &node.kind {
        Kind::Scalar(scalar) if scalar.text.parse::<Hash>().is_ok() => wrong.with_help(format!(
            "write the schema itself; `uwf cas schema get {}` prints the one of this hash",
            scalar.text
        )),
        Kind::Scalar(scalar) if scalar.resolve().is_boolean() => {
            wrong.with_help("the schema that accepts every answer is written `{}`")
        }
        _ => wrong,
    });
    None
}

fn read_condition<'n>(entry: &'n Entry, findings: &mut Findings) -> ConditionDraft<'n> {
    let subject = Subject {
        name: format!("condition {}", quoted(&entry.key)),
        span: entry.key_span,
        needs: CONDITION_NEEDS,
    };
    let keys = [required("description"), required("expression")];
    let fields = findings.fields(&entry.value, &subject, keys);
    let [description, expression] = fields.unwrap_or_default();
    let text = findings.text(expression, &subject);
    ConditionDraft {
        name: key_of(entry),
        description: findings.text(description, &subject).map(|text| text.value),
        expression: text
            .zip(expression)
            .map(|(text, entry)| (text.value, &entry.value)),
    }
}

fn read_source<'n>(entry: &'n Entry, findings: &mut Findings) -> SourceDraft<'n> {
    let name = format!("{} in `graph`", quoted(&entry.key));
    let items = findings.list(&entry.value, &name, entry.key_span);
    SourceDraft {
        name: key_of(entry),
        edges: items.map(|items| {
            let edges = items.iter().enumerate();
            edges
                .map(|(at, item)| read_edge(item, at, &entry.key, findings))
                .collect()
        }),
    }
}

fn read_edge<'n>(
    node: &'n Node,
    at: usize,
    source: &str,
    findings: &mut Findings,
) -> EdgeDraft<'n> {
    let subject = Subject {
        name: edge_name(at, source),
        span: node.span,
        needs: EDGE_NEEDS,
    };
    let keys = [required("role"), optional("condition"), required("prompt")];
    let fields = findings.fields(node, &subject, keys);
    let [target, condition, prompt] = fields.unwrap_or_default();
    EdgeDraft {
        span: node.span,
        target: findings.text(target, &subject),
        when: match condition {
            None => When::Always,
            Some(entry) => read_when(entry, &subject, findings),
        },
        prompt: findings.text(prompt, &subject),
    }
}

/// What an edge is called in a sentence: they have no names, so they are counted, from 1.
pub(super) fn edge_name(at: usize, source: &str) -> String {
    format!("edge {} of {}", at + 1, quoted(source))
}

fn read_when<'n>(entry: &'n Entry, edge: &Subject, findings: &mut Findings) -> When<'n> {
    let node = &entry.value;
    match &node.kind {
        _ if node.is_null() => When::Always,
        Kind::Scalar(scalar) if scalar.resolve().is_string() => When::Holds(Spanned {
            value: &scalar.text,
            span: node.span,
        }),
        _ => {
            let name = format!("`condition` of {}", edge.name);
            let wrong = wrong_type(node, &name, "the name of a condition", entry.key_span);
            findings.add(wrong.with_help("an edge without a condition is always taken"));
            When::Faulty
        }
    }
}

/// The first place of a graph of the later format, `planner: {ready: {role, prompt}}`.
#[derive(Clone, Copy)]
struct StatusKeyed<'n> {
    source: &'n Entry,
    status: &'n Entry,
}

fn status_keyed(graph: &Node) -> Option<StatusKeyed<'_>> {
    let Kind::Mapping(sources) = &graph.kind else {
        return None;
    };
    // A role has an output for the example; `$START` has none.
    let roles_first = sources
        .iter()
        .filter(|source| source.key != Place::START)
        .chain(sources.iter().filter(|source| source.key == Place::START));
    roles_first.into_iter().find_map(|source| {
        let Kind::Mapping(statuses) = &source.value.kind else {
            return None;
        };
        let is_edge = |status: &Entry| {
            status.value.get("role").is_some() || status.value.get("prompt").is_some()
        };
        let status = statuses.first()?;
        statuses
            .iter()
            .all(is_edge)
            .then_some(StatusKeyed { source, status })
    })
}

impl StatusKeyed<'_> {
    fn diagnostic(self) -> Diagnostic {
        let (source, status) = (&self.source.key, &self.status.key);
        let message = format!(
            "the graph is keyed by status, which is a later format: {} maps the status {} to an edge",
            quoted(source),
            quoted(status)
        );
        let help = format!(
            "write a list of edges, `{}: [{{role: …, condition: …, prompt: …}}]`, and the status \
             as a condition\nwith an expression like `$last('{}').status = '{}'`",
            excerpt(source),
            excerpt(source),
            excerpt(status)
        );
        Diagnostic::new(Code::StatusKeyedGraph, self.source.key_span, message)
            .with_label("a list of edges is wanted here")
            .with_help(help)
    }
}
