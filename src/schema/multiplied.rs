//! Schemas that grow beyond measure once their references are followed.
//!
//! The validator reads a definition anew wherever something refers to it, and the definitions
//! behind it with it: thirty that each refer twice to the next are a thousand million. Only what
//! leads back to itself is looked up, for values inside the one that is looked at, instead of being
//! read again.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::keywords::{Subject, inner};
use super::reference::References;

/// Schemas that a schema may have, those behind references counted wherever they are referred to.
pub(super) const MOST: usize = 100_000;
/// The same where what other keywords leave over is worked out, for which the validator combines
/// them all.
pub(super) const MOST_COMBINED: usize = 4_000;

/// The schemas of a schema with all references followed, counted no further than usize.
pub(super) fn count(root: &Value) -> usize {
    let mut counter = Counter {
        references: References::within(root),
        known: HashMap::new(),
        recursive: HashMap::new(),
        active: HashSet::new(),
        largest: 0,
    };
    let whole = counter.count(root, false);
    whole.max(counter.largest)
}

struct Counter<'s> {
    references: References<'s>,
    /// By schema, and whether it is about something inside the value.
    known: HashMap<(*const Value, bool), usize>,
    /// Whether a schema leads back to itself.
    recursive: HashMap<*const Value, bool>,
    active: HashSet<*const Value>,
    /// What the largest target of a reference counts.
    largest: usize,
}

impl<'s> Counter<'s> {
    fn count(&mut self, schema: &'s Value, is_inside: bool) -> usize {
        let Value::Object(map) = schema else {
            return 1;
        };
        let key = (std::ptr::from_ref(schema), is_inside);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if !self.active.insert(schema) {
            return 1;
        }
        let mut sum: usize = 1;
        for inner in inner(map) {
            if !inner.is_definition() {
                let is_inside = is_inside || leads_inside(inner.about);
                sum = sum.saturating_add(self.count(inner.schema, is_inside));
            }
        }
        for target in self.targets(schema) {
            let whole = self.count(target, false);
            self.largest = self.largest.max(whole);
            let is_looked_up = is_inside && self.leads_back(target);
            sum = sum.saturating_add(if is_looked_up { 1 } else { whole });
        }
        self.active.remove(&std::ptr::from_ref(schema));
        self.known.insert(key, sum);
        sum
    }

    fn targets(&self, schema: &'s Value) -> Vec<&'s Value> {
        match schema {
            Value::Object(map) if References::are_in(map) => self.references.targets(map),
            _ => Vec::new(),
        }
    }

    fn leads_back(&mut self, start: &'s Value) -> bool {
        if let Some(known) = self.recursive.get(&std::ptr::from_ref(start)) {
            return *known;
        }
        let mut seen = HashSet::new();
        let mut open = vec![start];
        let mut leads_back = false;
        while let Some(schema) = open.pop() {
            let mut next = self.targets(schema);
            if let Value::Object(map) = schema {
                next.extend(
                    inner(map)
                        .into_iter()
                        .filter(|inner| !inner.is_definition())
                        .map(|inner| inner.schema),
                );
            }
            leads_back |= next.iter().any(|one| std::ptr::eq(*one, start));
            next.retain(|one| seen.insert(std::ptr::from_ref(*one)));
            open.extend(next);
        }
        self.recursive.insert(start, leads_back);
        leads_back
    }
}

fn leads_inside(about: Subject<'_>) -> bool {
    !matches!(
        about,
        Subject::Nothing | Subject::Itself | Subject::ItselfWith(_)
    )
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::*;

    fn chain(length: usize) -> Value {
        let mut definitions = Map::new();
        for number in 0..length {
            let next = json!({"$ref": format!("#/$defs/d{}", number + 1)});
            definitions.insert(format!("d{number}"), json!({"anyOf": [next, next]}));
        }
        definitions.insert(format!("d{length}"), json!({}));
        json!({"$defs": definitions, "$ref": "#/$defs/d0"})
    }

    #[test]
    fn what_is_referred_to_twice_counts_twice() {
        assert_eq!(count(&json!({"items": {"not": {}}, "$defs": {"a": {}}})), 3);
        assert_eq!(count(&chain(1)), 6);
        assert_eq!(count(&chain(2)), 14);
        assert!(count(&chain(64)) > 1 << 62);
    }

    #[test]
    fn what_leads_back_to_itself_does_not_grow() {
        let kinds: Vec<_> = (0..40)
            .map(
                |_| json!({"properties": {"a": {"$ref": "#/$defs/n"}, "b": {"$ref": "#/$defs/n"}}}),
            )
            .collect();
        let schema = json!({"$defs": {"n": {"anyOf": kinds}}, "$ref": "#/$defs/n"});
        assert!(count(&schema) < 500);
    }
}
