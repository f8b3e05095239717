//! Reading typed values out of a YAML tree while collecting what is wrong with it.

use std::path::Path;

use super::finding::{Finding, suggested};
use super::settings::Reference;
use crate::wording::quoted;
use crate::yaml::{Entry, Kind, Mark, Node};

/// What was found in a file so far.
///
/// A key that is left empty (`args:`) counts as not given, as the original takes it.
pub struct Reader<'p> {
    path: &'p Path,
    pub faults: Vec<Finding>,
    pub warnings: Vec<Finding>,
}

impl<'p> Reader<'p> {
    pub fn new(path: &'p Path) -> Self {
        Self {
            path,
            faults: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Notes an error.
    pub fn fault(&mut self, mark: Mark, message: impl Into<String>) {
        self.faults.push(Finding {
            path: self.path.to_owned(),
            mark,
            message: message.into(),
        });
    }

    /// The entries of a mapping; none when it is empty or no mapping. `what` is its path.
    pub fn entries<'n>(&mut self, node: &'n Node, what: &str) -> &'n [Entry] {
        match &node.kind {
            Kind::Mapping(entries) => entries,
            _ if node.is_null() => &[],
            _ => {
                self.wrong_kind(node, what, "a mapping");
                &[]
            }
        }
    }

    /// The entries of one key that holds a mapping.
    pub fn entries_of<'n>(&mut self, parent: &'n Node, key: &str) -> &'n [Entry] {
        match parent.get(key) {
            Some(node) => self.entries(node, key),
            None => &[],
        }
    }

    /// Checks that a node is a mapping, and warns about keys that mean nothing in it.
    pub fn expect_keys(&mut self, node: &Node, what: &str, known: &[&str]) {
        for entry in self.entries(node, what) {
            if known.contains(&entry.key.as_str()) {
                continue;
            }
            let key = quoted(&entry.key);
            let place = if what.is_empty() {
                String::new()
            } else {
                format!(" in `{what}`")
            };
            let suggestion = suggested(&entry.key, known.iter().copied());
            self.warnings.push(Finding {
                path: self.path.to_owned(),
                mark: entry.key_span.start,
                message: format!("the key {key}{place} is not known{suggestion}"),
            });
        }
    }

    /// The text of one key.
    pub fn text(&mut self, parent: &Node, what: &str, key: &str) -> Option<String> {
        let node = parent.get(key)?;
        self.text_of(node, &join(what, key))
    }

    /// The name of another entry that one key holds.
    pub fn reference(&mut self, parent: &Node, what: &str, key: &str) -> Option<Reference> {
        let node = parent.get(key)?;
        self.reference_of(node, &join(what, key))
    }

    /// The name of another entry.
    pub fn reference_of(&mut self, node: &Node, what: &str) -> Option<Reference> {
        let name = self.text_of(node, what)?;
        Some(Reference {
            name,
            mark: node.span.start,
        })
    }

    fn text_of(&mut self, node: &Node, what: &str) -> Option<String> {
        if node.is_null() {
            return None;
        }
        match (&node.kind, node.to_value().is_string()) {
            (Kind::Scalar(scalar), true) => self.without_nul(&scalar.text, node, what),
            (Kind::Scalar(_), false) => {
                self.wrong_kind(node, what, "a string: put it in quotes");
                None
            }
            _ => {
                self.wrong_kind(node, what, "a string");
                None
            }
        }
    }

    /// The words of one key that holds a list of arguments, each as it was written: in
    /// `[--turns, 5, 1.10]` the last is `1.10`.
    pub fn words(&mut self, parent: &Node, what: &str, key: &str) -> Vec<String> {
        let what = join(what, key);
        let items = match parent.get(key) {
            None => return Vec::new(),
            Some(node) if node.is_null() => return Vec::new(),
            Some(node) => match &node.kind {
                Kind::Sequence(items) => items,
                _ => {
                    self.wrong_kind(node, &what, "a list");
                    return Vec::new();
                }
            },
        };
        let word = |(index, item)| self.written(item, &format!("{what}[{index}]"));
        items.iter().enumerate().filter_map(word).collect()
    }

    /// A scalar as it was written, whatever YAML takes it for.
    pub fn written(&mut self, node: &Node, what: &str) -> Option<String> {
        match &node.kind {
            Kind::Scalar(scalar) if !node.is_null() => self.without_nul(&scalar.text, node, what),
            _ => {
                self.wrong_kind(node, what, "a string");
                None
            }
        }
    }

    /// What ends up in an argument or in the environment of a program cannot hold a NUL.
    fn without_nul(&mut self, text: &str, node: &Node, what: &str) -> Option<String> {
        if text.contains('\0') {
            self.fault(
                node.span.start,
                format!("`{what}` must not hold a NUL character"),
            );
            return None;
        }
        Some(text.to_owned())
    }

    fn wrong_kind(&mut self, node: &Node, what: &str, wanted: &str) {
        let given = node.describe();
        let subject = if what.is_empty() {
            "the file".to_owned()
        } else {
            format!("`{what}`")
        };
        self.fault(
            node.span.start,
            format!("{subject} is {given}, and must be {wanted}"),
        );
    }
}

/// The path of a key inside something.
pub fn join(what: &str, key: &str) -> String {
    if what.is_empty() {
        key.to_owned()
    } else {
        format!("{what}.{key}")
    }
}
