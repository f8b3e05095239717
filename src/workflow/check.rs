//! What the words of a draft mean to each other: names that exist, schemas that are schemas,
//! prompts that say something.
//!
//! Each is looked at for itself. Expressions are `condition`'s, what follows from the graph as a
//! whole is `graph`'s.

use std::collections::BTreeSet;
use std::path::Path;

use super::diagnostic::{Code, Diagnostic};
use super::draft::{Draft, EdgeDraft, RoleDraft, SourceDraft, Text, When};
use super::fields::Findings;
use super::read::edge_name;
use super::resolve::Request;
use super::{Expressions, MAX_PROMPT_BYTES, condition};
use crate::model::{Place, RoleName};
use crate::schema;
use crate::suggestion::did_you_mean;
use crate::wording::{listed, quoted};

/// The names that are declared, to be looked up and to be listed. Nothing where the declarations
/// themselves could not be read: then nobody can say that a name does not exist.
struct Names<'n> {
    roles: Option<Declared<'n>>,
    conditions: Option<Declared<'n>>,
}

pub(super) struct Declared<'n> {
    /// In the order of the file.
    pub listed: Vec<&'n str>,
    pub known: BTreeSet<&'n str>,
}

impl<'n> Declared<'n> {
    fn new(names: impl Iterator<Item = &'n str>) -> Self {
        let listed: Vec<_> = names.collect();
        Self {
            known: listed.iter().copied().collect(),
            listed,
        }
    }
}

impl<'n> Names<'n> {
    fn of(draft: &Draft<'n>) -> Self {
        let roles = draft.roles.as_ref();
        let conditions = draft.conditions.as_ref();
        Self {
            roles: roles.map(|roles| Declared::new(roles.iter().map(|role| role.name.value))),
            conditions: conditions.map(|conditions| {
                Declared::new(conditions.iter().map(|condition| condition.name.value))
            }),
        }
    }
}

/// Looks at every word of the draft.
pub(super) fn check(
    draft: &Draft<'_>,
    path: &Path,
    file: &str,
    expressions: &Expressions<'_>,
    findings: &mut Findings,
) {
    if let Some(name) = draft.name {
        check_name(name, path, findings);
    }
    for role in draft.roles.iter().flatten() {
        check_role(role, findings);
    }
    let names = Names::of(draft);
    for condition in draft.conditions.iter().flatten() {
        let roles = names.roles.as_ref();
        condition::check(condition, file, expressions, roles, findings);
    }
    for source in draft.graph.iter().flat_map(|graph| &graph.sources) {
        check_source(source, &names, findings);
        for (at, edge) in source.edges.iter().flatten().enumerate() {
            check_edge(edge, &edge_name(at, source.name.value), &names, findings);
        }
    }
}

fn check_name(name: Text<'_>, path: &Path, findings: &mut Findings) {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    if name.value != stem {
        findings.add(name_mismatch(name, path, &stem));
        return;
    }
    let read_as = match Request::of(name.value) {
        Some(Request::Name(asked)) if asked == name.value => return,
        Some(Request::Name(_)) => "without the white space around it",
        Some(Request::Stored(_)) => "as a hash",
        Some(Request::File(_)) => "as a path",
        None => "as no name at all",
    };
    let message = format!(
        "the name {} is read {read_as} when the workflow is asked for",
        quoted(name.value)
    );
    let ambiguous = Diagnostic::new(Code::AmbiguousName, name.span, message);
    findings.add(ambiguous.with_help("choose a name that can only be a name"));
}

fn name_mismatch(name: Text<'_>, path: &Path, stem: &str) -> Diagnostic {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let message = format!(
        "the workflow is called {}, and its file {}: the names must be the same",
        quoted(name.value),
        quoted(&file)
    );
    let can_be_a_file = !name.value.is_empty() && !name.value.contains(['/', '\0']);
    let help = match path.extension() {
        Some(extension) if can_be_a_file => format!(
            "rename the file to {}, or call the workflow {}",
            quoted(&format!("{}.{}", name.value, extension.to_string_lossy())),
            quoted(stem)
        ),
        _ => format!("call the workflow {}", quoted(stem)),
    };
    Diagnostic::new(Code::NameMismatch, name.span, message).with_help(help)
}

fn check_role(role: &RoleDraft<'_>, findings: &mut Findings) {
    if let Err(error) = role.name.value.parse::<RoleName>() {
        findings.add(Diagnostic::new(
            Code::InvalidRoleName,
            role.name.span,
            error.to_string(),
        ));
    } else if role.name.value.contains(char::is_control) {
        let message = format!(
            "the name of role {} holds a control character",
            quoted(role.name.value)
        );
        findings.add(Diagnostic::new(
            Code::InvalidRoleName,
            role.name.span,
            message,
        ));
    }
    let Some(node) = role.schema else {
        return;
    };
    let value = node.to_value();
    for fault in schema::faults(&value) {
        let message = format!(
            "the schema of role {} is no JSON Schema: {}",
            quoted(role.name.value),
            fault.message
        );
        let span = node.locate(&fault.pointer);
        findings.add(Diagnostic::new(Code::InvalidSchema, span, message));
    }
    for warning in schema::warnings(&value) {
        let message = format!(
            "in the schema of role {}, {}",
            quoted(role.name.value),
            warning.message
        );
        let span = node
            .locate_key(&warning.pointer)
            .unwrap_or_else(|| node.locate(&warning.pointer));
        findings.add(Diagnostic::new(Code::UnknownKeyword, span, message));
    }
}

fn check_source(source: &SourceDraft<'_>, names: &Names<'_>, findings: &mut Findings) {
    let name = source.name;
    let Some(roles) = &names.roles else {
        return;
    };
    if [Place::START, Place::END].contains(&name.value) || roles.known.contains(name.value) {
        return;
    }
    let message = format!(
        "{} is no role, so no edge can lead out of it",
        quoted(name.value)
    );
    let known = roles.listed.iter().copied().chain([Place::START]);
    let help = did_you_mean(name.value, known)
        .unwrap_or_else(|| "declare it under `roles`, or remove its edges".to_owned());
    findings.add(Diagnostic::new(Code::UnknownSource, name.span, message).with_help(help));
}

fn check_edge(edge: &EdgeDraft<'_>, name: &str, names: &Names<'_>, findings: &mut Findings) {
    if let Some(target) = edge.target {
        check_target(target, name, names.roles.as_ref(), findings);
    }
    if let (When::Holds(condition), Some(declared)) = (edge.when, &names.conditions)
        && !declared.known.contains(condition.value)
    {
        findings.add(unknown_condition(condition, name, &declared.listed));
    }
    if let Some(prompt) = edge.prompt {
        check_prompt(prompt, name, findings);
    }
}

fn check_target(
    target: Text<'_>,
    edge: &str,
    roles: Option<&Declared<'_>>,
    findings: &mut Findings,
) {
    if target.value == Place::START {
        let message = format!("{edge} leads to `$START`, where a thread only begins");
        let back = Diagnostic::new(Code::EdgeToStart, target.span, message);
        findings.add(back.with_help("lead to the role whose turn it is then"));
        return;
    }
    let Some(roles) = roles else {
        return;
    };
    if target.value == Place::END || roles.known.contains(target.value) {
        return;
    }
    let message = format!("{edge} leads to {}, which is no role", quoted(target.value));
    let known = || roles.listed.iter().copied().chain([Place::END]);
    let help = did_you_mean(target.value, known())
        .unwrap_or_else(|| format!("an edge can lead to {}", listed(known().map(quoted), "or")));
    findings.add(Diagnostic::new(Code::UnknownRole, target.span, message).with_help(help));
}

fn unknown_condition(condition: Text<'_>, edge: &str, known: &[&str]) -> Diagnostic {
    let message = format!(
        "{edge} has the condition {}, which does not exist",
        quoted(condition.value)
    );
    let help = match did_you_mean(condition.value, known.iter().copied()) {
        Some(help) => help,
        None if looks_like_an_expression(condition.value) => {
            "give the expression a name under `conditions`, and write the name here".to_owned()
        }
        None if known.is_empty() => "declare it under `conditions`".to_owned(),
        None => format!(
            "the conditions there are: {}",
            listed(known.iter().copied().map(quoted), "and")
        ),
    };
    Diagnostic::new(Code::UnknownCondition, condition.span, message).with_help(help)
}

/// Names of conditions are words; expressions call and compare.
fn looks_like_an_expression(text: &str) -> bool {
    text.contains(['$', '=', '<', '>', '(', '[', '.', '\'', '"'])
}

fn check_prompt(prompt: Text<'_>, edge: &str, findings: &mut Findings) {
    if prompt.value.trim().is_empty() {
        let message = format!("the prompt of {edge} is blank");
        let blank = Diagnostic::new(Code::BlankPrompt, prompt.span, message);
        findings.add(blank.with_help("say what is to be done now"));
    }
    if prompt.value.contains('\0') {
        let message =
            format!("the prompt of {edge} holds a NUL character, which no agent can be given");
        findings.add(Diagnostic::new(Code::NulInPrompt, prompt.span, message));
    }
    if prompt.value.len() > MAX_PROMPT_BYTES {
        let message = format!(
            "the prompt of {edge} has {} bytes: at most {MAX_PROMPT_BYTES} can be handed to an agent",
            prompt.value.len()
        );
        let long = Diagnostic::new(Code::PromptTooLong, prompt.span, message);
        findings.add(long.with_help("put what is always the same into the role's `procedure`"));
    }
}
