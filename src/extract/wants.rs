//! What a schema says of one place in an answer, as far as it decides how a scalar is read.

use std::cell::Cell;
use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::schema::target;
use crate::yaml::{Kind, Node, Scalar, Style};

use super::types::Types;
use crate::schema::Patterns;

/// Schemas that are looked at for one place. Beyond that nothing is known, and YAML's own rules
/// decide.
const MOST_SCHEMAS: usize = 1_000;
/// How deep schemas are followed through `$ref`, `allOf` and their like at one place.
const DEEPEST: usize = 32;

/// The schemas that describe a place, and how they are combined.
#[derive(Clone)]
pub(super) enum Wants<'a> {
    One(&'a Map<String, Value>),
    All(Vec<Wants<'a>>),
    Any(Vec<Wants<'a>>),
}

/// Reads the schemas of one document.
pub(super) struct Reader<'a> {
    root: &'a Value,
    patterns: Patterns,
    looked_at: Cell<usize>,
}

impl<'a> Reader<'a> {
    pub fn new(root: &'a Value) -> Self {
        Self {
            root,
            patterns: Patterns::default(),
            looked_at: Cell::new(0),
        }
    }

    /// What the whole schema says.
    pub fn root(&self) -> Option<Wants<'a>> {
        self.root.as_object().map(Wants::One)
    }

    /// Whether a scalar at this place is text, whatever it looks like: everything but strings is
    /// ruled out. Null is looked at before, so a string or null is text too.
    pub fn is_text(&self, wants: &Wants<'a>, node: &Node) -> bool {
        types(&self.unfold(wants, node)).are_text()
    }

    /// The same with every schema that is referred to at this place in its own right, without the
    /// alternatives that the node cannot be.
    pub fn unfold(&self, wants: &Wants<'a>, node: &Node) -> Wants<'a> {
        self.looked_at.set(0);
        self.unfolded(wants, node, 0)
    }

    fn unfolded(&self, wants: &Wants<'a>, node: &Node, depth: usize) -> Wants<'a> {
        let each = |list: &Vec<Wants<'a>>| {
            let unfolded = list.iter().map(|one| self.unfolded(one, node, depth));
            unfolded.collect::<Vec<_>>()
        };
        match wants {
            Wants::One(map) => self.unfolded_map(map, node, depth),
            Wants::All(list) => Wants::All(each(list)),
            Wants::Any(list) => Wants::Any(each(list)),
        }
    }

    fn unfolded_map(&self, map: &'a Map<String, Value>, node: &Node, depth: usize) -> Wants<'a> {
        self.looked_at.set(self.looked_at.get() + 1);
        if depth == DEEPEST || self.looked_at.get() > MOST_SCHEMAS {
            return Wants::One(map);
        }
        let mut parts = vec![Wants::One(map)];
        let mut add = |schema: &'a Value| {
            if let Value::Object(map) = schema {
                parts.push(self.unfolded_map(map, node, depth + 1));
            }
        };
        if let Some(target) = target(self.root, map) {
            add(target);
        }
        for schema in list(map, "allOf") {
            add(schema);
        }
        if let Some(way) = self.way(map, node, depth) {
            add(way);
        }
        for keyword in ["anyOf", "oneOf"] {
            let branches: Option<Vec<_>> =
                list(map, keyword).iter().map(Value::as_object).collect();
            // A branch that is `true` allows everything.
            if let Some(branches) = branches.filter(|branches| !branches.is_empty()) {
                parts.push(self.alternatives(branches, node, depth + 1));
            }
        }
        all(parts)
    }

    /// The alternatives that a node may be: those whose fixed values it has, or all of them when
    /// it has the values of none.
    fn alternatives(
        &self,
        branches: Vec<&'a Map<String, Value>>,
        node: &Node,
        depth: usize,
    ) -> Wants<'a> {
        let fitting: Vec<_> = branches
            .iter()
            .copied()
            .filter(|map| self.may_be(map, node, depth))
            .collect();
        let kept = if fitting.is_empty() {
            branches
        } else {
            fitting
        };
        let unfolded = kept
            .into_iter()
            .map(|map| self.unfolded_map(map, node, depth));
        Wants::Any(unfolded.collect())
    }

    /// Whether a mapping has, where it has them, the values that a schema fixes by `const` and
    /// `enum`.
    fn may_be(&self, map: &'a Map<String, Value>, node: &Node, depth: usize) -> bool {
        if depth >= DEEPEST || self.looked_at.get() > MOST_SCHEMAS {
            return true;
        }
        self.looked_at.set(self.looked_at.get() + 1);
        let properties = map.get("properties").and_then(Value::as_object);
        let own = properties.into_iter().flatten().all(|(key, schema)| {
            let options = self.options(schema);
            options.is_none_or(|options| {
                node.get(key)
                    .is_none_or(|value| options.iter().any(|option| has_value(value, option)))
            })
        });
        let combined = list(map, "allOf").iter().chain(target(self.root, map));
        own && combined
            .filter_map(Value::as_object)
            .all(|part| self.may_be(part, node, depth + 1))
    }

    /// The values that a schema allows by name.
    fn options(&self, schema: &'a Value) -> Option<Vec<&'a Value>> {
        let map = schema.as_object()?;
        if let Some(value) = map.get("const") {
            return Some(vec![value]);
        }
        if let Some(Value::Array(options)) = map.get("enum") {
            return Some(options.iter().collect());
        }
        let target = target(self.root, map)?.as_object()?;
        match (target.get("const"), target.get("enum")) {
            (Some(value), _) => Some(vec![value]),
            (None, Some(Value::Array(options))) => Some(options.iter().collect()),
            _ => None,
        }
    }

    /// `then` or `else`, when `if` asks for nothing but fixed values.
    fn way(&self, map: &'a Map<String, Value>, node: &Node, depth: usize) -> Option<&'a Value> {
        let condition = map.get("if")?.as_object()?;
        let properties = condition.get("properties").and_then(Value::as_object);
        let simple = condition
            .keys()
            .all(|keyword| matches!(keyword.as_str(), "properties" | "required"))
            && properties
                .into_iter()
                .flatten()
                .all(|(_, schema)| self.options(schema).is_some());
        if !simple {
            return None;
        }
        let present = list(condition, "required")
            .iter()
            .filter_map(Value::as_str)
            .all(|key| node.get(key).is_some());
        let way = if present && self.may_be(condition, node, depth) {
            "then"
        } else {
            "else"
        };
        map.get(way)
    }

    /// What unfolded schemas say of a key; nothing when they do not mention it.
    pub fn property(&self, wants: &Wants<'a>, key: &str) -> Option<Wants<'a>> {
        descend(wants, &|map| self.own_property(map, key))
    }

    fn own_property(&self, map: &'a Map<String, Value>, key: &str) -> Option<Wants<'a>> {
        if let Some(schema) = map.get("properties").and_then(|all| all.get(key)) {
            return schema.as_object().map(Wants::One);
        }
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        let matching: Vec<_> = patterns
            .into_iter()
            .flatten()
            .filter(|(pattern, _)| self.patterns.matches(pattern, key))
            .filter_map(|(_, schema)| schema.as_object().map(Wants::One))
            .collect();
        if !matching.is_empty() {
            return Some(all(matching));
        }
        let others = map.get("additionalProperties")?.as_object()?;
        Some(Wants::One(others))
    }
}

/// What unfolded schemas say of an item of a list, by its place.
pub(super) fn item<'a>(wants: &Wants<'a>, index: usize) -> Option<Wants<'a>> {
    descend(wants, &|map| {
        let schema = list(map, "prefixItems")
            .get(index)
            .or_else(|| map.get("items"))?;
        schema.as_object().map(Wants::One)
    })
}

/// The items that unfolded schemas tell apart by their place; what comes after is all alike.
pub(super) fn told_apart(wants: &Wants<'_>) -> usize {
    match wants {
        Wants::One(map) => list(map, "prefixItems").len(),
        Wants::All(parts) | Wants::Any(parts) => {
            parts.iter().map(told_apart).max().unwrap_or_default()
        }
    }
}

/// What schemas say of a place one step down. Of alternatives, those that say nothing do not
/// count.
fn descend<'a>(
    wants: &Wants<'a>,
    step: &dyn Fn(&'a Map<String, Value>) -> Option<Wants<'a>>,
) -> Option<Wants<'a>> {
    match wants {
        Wants::One(map) => step(map),
        Wants::All(parts) => {
            let said: Vec<_> = parts
                .iter()
                .filter_map(|part| descend(part, step))
                .collect();
            (!said.is_empty()).then(|| all(said))
        }
        Wants::Any(branches) => {
            let said: Vec<_> = branches
                .iter()
                .filter_map(|branch| descend(branch, step))
                .collect();
            (!said.is_empty()).then(|| any(said))
        }
    }
}

fn types(wants: &Wants<'_>) -> Types {
    match wants {
        Wants::One(map) => Types::said_by(map),
        Wants::All(parts) => parts.iter().map(types).fold(Types::EVERY, Types::and),
        Wants::Any(branches) if branches.is_empty() => Types::EVERY,
        Wants::Any(branches) => branches.iter().map(types).fold(Types::NONE, Types::or),
    }
}

fn all(parts: Vec<Wants<'_>>) -> Wants<'_> {
    let flat = parts.into_iter().flat_map(|part| match part {
        Wants::All(inner) => inner,
        other => vec![other],
    });
    let mut parts = without_repeats(flat);
    if parts.len() == 1 {
        parts.swap_remove(0)
    } else {
        Wants::All(parts)
    }
}

fn any(branches: Vec<Wants<'_>>) -> Wants<'_> {
    let flat = branches.into_iter().flat_map(|branch| match branch {
        Wants::Any(inner) => inner,
        other => vec![other],
    });
    let mut branches = without_repeats(flat);
    if branches.len() == 1 {
        branches.swap_remove(0)
    } else {
        Wants::Any(branches)
    }
}

/// A schema that describes a place twice would describe the places below it four times.
fn without_repeats<'a>(wants: impl Iterator<Item = Wants<'a>>) -> Vec<Wants<'a>> {
    let mut seen: HashSet<*const Map<String, Value>> = HashSet::new();
    wants
        .filter(|one| match one {
            Wants::One(map) => seen.insert(*map),
            _ => true,
        })
        .collect()
}

/// Whether a node has a value, read as the value's own type wants it.
fn has_value(node: &Node, value: &Value) -> bool {
    let Kind::Scalar(scalar) = &node.kind else {
        return node.to_value() == *value;
    };
    match value {
        Value::String(text) => scalar.text == *text && !is_null(scalar),
        Value::Number(number) => {
            matches!(scalar.resolve(), Value::Number(own) if own.as_f64() == number.as_f64())
        }
        other => scalar.resolve() == *other,
    }
}

/// Whether a scalar was written as null or left out.
pub(super) fn is_null(scalar: &Scalar) -> bool {
    scalar.style == Style::Plain && scalar.resolve().is_null()
}

fn list<'a>(map: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    map.get(keyword)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}
