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
    let references = References::within(root);
    let mut counter = Counter {
        recursive: recursive(&references, root),
        references,
        known: HashMap::new(),
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
    /// The schemas that lead back to themselves.
    recursive: HashSet<*const Value>,
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
        for target in targets(&self.references, schema) {
            let whole = self.count(target, false);
            self.largest = self.largest.max(whole);
            let is_looked_up = is_inside && self.recursive.contains(&std::ptr::from_ref(target));
            sum = sum.saturating_add(if is_looked_up { 1 } else { whole });
        }
        self.active.remove(&std::ptr::from_ref(schema));
        self.known.insert(key, sum);
        sum
    }
}

/// What a schema leads to: the targets of its references, and the schemas in it.
fn next<'s>(references: &References<'s>, schema: &'s Value) -> Vec<&'s Value> {
    let Value::Object(map) = schema else {
        return Vec::new();
    };
    let mut next = targets(references, schema);
    let inside = inner(map)
        .into_iter()
        .filter(|inner| !inner.is_definition());
    next.extend(inside.map(|inner| inner.schema));
    next
}

fn targets<'s>(references: &References<'s>, schema: &'s Value) -> Vec<&'s Value> {
    match schema {
        Value::Object(map) if References::are_in(map) => references.targets(map),
        _ => Vec::new(),
    }
}

/// The schemas that lead back to themselves: the strongly connected components of more than one
/// schema, or of one that refers to itself, found by Tarjan's algorithm in one pass.
fn recursive<'s>(references: &References<'s>, root: &'s Value) -> HashSet<*const Value> {
    let mut search = Search::default();
    search.enter(root, references);
    while let Some(visit) = search.path.last_mut() {
        let (schema, followed) = (visit.schema, visit.next.pop());
        match followed {
            Some(next) => match search.seen.get(&std::ptr::from_ref(next)).copied() {
                None => search.enter(next, references),
                Some(seen) if seen.is_open => search.lower(schema, seen.order),
                Some(_) => {}
            },
            None => search.leave(schema),
        }
    }
    search.recursive
}

#[derive(Clone, Copy)]
struct Seen {
    /// When it was entered.
    order: usize,
    /// The earliest schema of the path that it leads back to.
    low: usize,
    /// Its component is not complete yet.
    is_open: bool,
    refers_to_itself: bool,
}

struct Visit<'s> {
    schema: &'s Value,
    next: Vec<&'s Value>,
}

#[derive(Default)]
struct Search<'s> {
    path: Vec<Visit<'s>>,
    seen: HashMap<*const Value, Seen>,
    open: Vec<*const Value>,
    recursive: HashSet<*const Value>,
}

impl<'s> Search<'s> {
    fn enter(&mut self, schema: &'s Value, references: &References<'s>) {
        let (key, order) = (std::ptr::from_ref(schema), self.seen.len());
        let next = next(references, schema);
        let refers_to_itself = next.iter().any(|one| std::ptr::eq(*one, schema));
        let seen = Seen {
            order,
            low: order,
            is_open: true,
            refers_to_itself,
        };
        self.seen.insert(key, seen);
        self.open.push(key);
        self.path.push(Visit { schema, next });
    }

    fn lower(&mut self, schema: &Value, to: usize) {
        if let Some(seen) = self.seen.get_mut(&std::ptr::from_ref(schema)) {
            seen.low = seen.low.min(to);
        }
    }

    fn leave(&mut self, schema: &Value) {
        self.path.pop();
        let Some(left) = self.seen.get(&std::ptr::from_ref(schema)).copied() else {
            return;
        };
        if let Some(before) = self.path.last().map(|visit| visit.schema) {
            self.lower(before, left.low);
        }
        if left.low < left.order {
            return;
        }
        // The component is complete: what was entered since is all of it.
        let beginning = self
            .open
            .iter()
            .rposition(|key| *key == std::ptr::from_ref(schema));
        let component = self.open.split_off(beginning.unwrap_or(0));
        let is_recursive = component.len() > 1 || left.refers_to_itself;
        for key in component {
            if let Some(seen) = self.seen.get_mut(&key) {
                seen.is_open = false;
            }
            if is_recursive {
                self.recursive.insert(key);
            }
        }
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
    fn only_what_is_in_a_circle_leads_back_to_itself() {
        let to = |name: &str| json!({"$ref": format!("#/$defs/{name}")});
        let schema = json!({
            "$defs": {
                "ring": {"items": to("of")}, "of": {"items": to("two")}, "two": {"not": to("ring")},
                "self": {"anyOf": [to("self"), to("leaf")]}, "leaf": {}, "before": to("ring"),
            },
            "allOf": [to("before"), to("self")],
        });
        let found = recursive(&References::within(&schema), &schema);
        let is_found = |name: &str| {
            let pointer = format!("/$defs/{name}");
            found.contains(&std::ptr::from_ref(schema.pointer(&pointer).unwrap()))
        };
        assert!(
            ["ring", "of", "two", "self"]
                .iter()
                .all(|name| is_found(name))
        );
        assert!(!["leaf", "before"].iter().any(|name| is_found(name)));
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
