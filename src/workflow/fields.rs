//! The keys of a mapping: which are known, which must be there, what type their values have.
//!
//! What does not fit is reported with its place; the caller gets what does.

use super::diagnostic::{Code, Diagnostic};
use super::draft::Spanned;
use crate::suggestion::did_you_mean;
use crate::wording::{listed, quoted};
use crate::yaml::{Entry, Kind, Node, Span};

/// A key that is known in some mapping.
#[derive(Clone, Copy)]
pub(super) struct Key {
    pub name: &'static str,
    pub required: bool,
}

/// A key that must be there.
pub(super) const fn required(name: &'static str) -> Key {
    Key {
        name,
        required: true,
    }
}

/// A key that may be left out.
pub(super) const fn optional(name: &'static str) -> Key {
    Key {
        name,
        required: false,
    }
}

/// What a mapping stands for.
pub(super) struct Subject {
    /// In a sentence: "role `writer`".
    pub name: String,
    /// Where to point when something in it is missing.
    pub span: Span,
    /// What to say to someone who left a key out.
    pub needs: &'static str,
}

/// Collects what is wrong while a file is read.
#[derive(Default)]
pub(super) struct Findings {
    pub diagnostics: Vec<Diagnostic>,
}

impl Findings {
    pub fn add(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The entries of a mapping under the keys that are known, in the order of `keys`.
    ///
    /// Unknown keys are warned about, missing ones are an error.
    pub fn fields<'n, const N: usize>(
        &mut self,
        node: &'n Node,
        subject: &Subject,
        keys: [Key; N],
    ) -> Option<[Option<&'n Entry>; N]> {
        let entries = self.mapping(node, &subject.name, subject.span)?;
        let found = keys.map(|key| entries.iter().find(|entry| entry.key == key.name));
        for entry in entries {
            if keys.iter().all(|key| key.name != entry.key) {
                self.add(unknown_key(entry, subject, &keys, &found));
            }
        }
        let missing: Vec<_> = keys
            .iter()
            .zip(&found)
            .filter(|(key, entry)| key.required && entry.is_none())
            .map(|(key, _)| key.name)
            .collect();
        if !missing.is_empty() {
            let message = format!(
                "{} has no {}",
                subject.name,
                listed(missing.iter().copied().map(quoted), "and")
            );
            let missing = Diagnostic::new(Code::MissingKey, subject.span, message);
            self.add(missing.with_help(subject.needs));
        }
        Some(found)
    }

    /// The entries of a mapping.
    pub fn mapping<'n>(
        &mut self,
        node: &'n Node,
        name: &str,
        empty_at: Span,
    ) -> Option<&'n [Entry]> {
        match &node.kind {
            Kind::Mapping(entries) => Some(entries),
            _ => {
                self.add(wrong_type(node, name, "a mapping", empty_at));
                None
            }
        }
    }

    /// The items of a list.
    pub fn list<'n>(&mut self, node: &'n Node, name: &str, empty_at: Span) -> Option<&'n [Node]> {
        match &node.kind {
            Kind::Sequence(items) => Some(items),
            _ => {
                self.add(wrong_type(node, name, "a list", empty_at));
                None
            }
        }
    }

    /// The text under a key.
    pub fn text<'n>(
        &mut self,
        entry: Option<&'n Entry>,
        subject: &Subject,
    ) -> Option<Spanned<&'n str>> {
        let entry = entry?;
        let name = format!("{} of {}", quoted(&entry.key), subject.name);
        self.string(&entry.value, &name, entry.key_span)
    }

    /// The text of a node that must be a string.
    pub fn string<'n>(
        &mut self,
        node: &'n Node,
        name: &str,
        empty_at: Span,
    ) -> Option<Spanned<&'n str>> {
        match &node.kind {
            Kind::Scalar(scalar) if scalar.resolve().is_string() => Some(Spanned {
                value: &scalar.text,
                span: node.span,
            }),
            _ => {
                self.add(wrong_type(node, name, "a string", empty_at));
                None
            }
        }
    }
}

/// A value that is not what its key wants, with advice where the slip is a common one.
///
/// A value that was left out has no place of its own: `empty_at` is pointed at.
pub(super) fn wrong_type(node: &Node, name: &str, wanted: &str, empty_at: Span) -> Diagnostic {
    let is_left_out = node.span.start.offset == node.span.end.offset;
    let (span, verdict) = match (is_left_out, node.describe()) {
        (true, _) => (empty_at, "is left empty".to_owned()),
        (false, "nothing") => (node.span, "is null".to_owned()),
        (false, found) => (node.span, format!("is {found}")),
    };
    let message = format!("{name} must be {wanted}, and {verdict}");
    let help = match (wanted, &node.kind) {
        ("a string", Kind::Scalar(_)) if node.is_null() => {
            Some("an empty string is written `\"\"`".to_owned())
        }
        ("a string", Kind::Scalar(scalar)) => Some(format!(
            "in quotes it is a string: {}",
            quoted(&format!("\"{}\"", scalar.text))
        )),
        ("a list", Kind::Scalar(_)) if node.is_null() => {
            Some("an empty list is written `[]`".to_owned())
        }
        ("a list", Kind::Scalar(_) | Kind::Mapping(_)) => {
            Some("put `- ` in front of each item".to_owned())
        }
        ("a mapping", Kind::Scalar(_)) if node.is_null() => {
            Some("an empty mapping is written `{}`".to_owned())
        }
        _ => None,
    };
    Diagnostic::new(Code::WrongType, span, message).with_help_if_any(help)
}

fn unknown_key(
    entry: &Entry,
    subject: &Subject,
    keys: &[Key],
    found: &[Option<&Entry>],
) -> Diagnostic {
    let message = format!(
        "{} has no key {}: it is ignored",
        subject.name,
        quoted(&entry.key)
    );
    let absent = keys
        .iter()
        .zip(found)
        .filter(|(_, entry)| entry.is_none())
        .map(|(key, _)| key.name);
    let help = if entry.key == "<<" {
        "merge keys are not part of YAML 1.2: repeat the keys here".to_owned()
    } else if let Some(question) = did_you_mean(&entry.key, absent) {
        question
    } else {
        let names = keys.iter().map(|key| key.name);
        format!("the keys here are {}", listed(names.map(quoted), "and"))
    };
    Diagnostic::new(Code::UnknownKey, entry.key_span, message).with_help(help)
}
