//! Which keys an answer may have at its top.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::schema::target;

use crate::schema::Patterns;

/// Schemas that are looked at to find the names.
const MOST_SCHEMAS: usize = 10_000;

/// The names that a schema gives to the fields of an answer.
pub(super) struct Fields<'a> {
    /// In the order of the schema, each once.
    pub names: Vec<&'a str>,
    named: HashSet<&'a str>,
    /// The keys that every answer must have.
    pub required: Vec<&'a str>,
    /// Whether the schema lists fields at all.
    lists: bool,
    /// Whether it allows others on purpose.
    open: bool,
    patterns: Vec<&'a str>,
    matcher: Patterns,
}

impl<'a> Fields<'a> {
    pub fn of(schema: &'a Value) -> Self {
        let mut fields = Self {
            names: Vec::new(),
            named: HashSet::new(),
            required: Vec::new(),
            lists: false,
            open: false,
            patterns: Vec::new(),
            matcher: Patterns::default(),
        };
        fields.collect(schema);
        fields
    }

    /// Whether the schema names this key, whatever else it allows.
    pub fn is_named(&self, key: &str) -> bool {
        self.named.contains(key)
    }

    /// Whether an answer keeps this key.
    pub fn keeps(&self, key: &str) -> bool {
        !self.lists
            || self.open
            || self.is_named(key)
            || self
                .patterns
                .iter()
                .any(|pattern| self.matcher.matches(pattern, key))
    }

    /// Walks the schema and all that it combines or refers to, each once.
    fn collect(&mut self, root: &'a Value) {
        let mut seen: HashSet<*const Map<String, Value>> = HashSet::new();
        let mut next = vec![(root, true)];
        while let Some((schema, always)) = next.pop() {
            let Value::Object(map) = schema else { continue };
            if seen.len() == MOST_SCHEMAS || !seen.insert(map) {
                continue;
            }
            self.take(map, always);
            next.extend(combined(root, map, always).into_iter().rev());
        }
    }

    fn take(&mut self, map: &'a Map<String, Value>, always: bool) {
        let properties = map.get("properties").and_then(Value::as_object);
        self.lists |= properties.is_some();
        self.open |= ["additionalProperties", "unevaluatedProperties"]
            .iter()
            .any(|keyword| {
                map.get(*keyword)
                    .is_some_and(|allowed| allowed != &Value::Bool(false))
            });
        for name in properties.into_iter().flat_map(Map::keys) {
            self.name(name);
        }
        let required = map.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            self.name(name);
            if always && !self.required.contains(&name) {
                self.required.push(name);
            }
        }
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        self.patterns
            .extend(patterns.into_iter().flat_map(Map::keys).map(String::as_str));
    }

    fn name(&mut self, name: &'a str) {
        if self.named.insert(name) {
            self.names.push(name);
        }
    }
}

/// The schemas that a schema is combined with at the same place, and whether each always holds.
fn combined<'a>(
    root: &'a Value,
    map: &'a Map<String, Value>,
    always: bool,
) -> Vec<(&'a Value, bool)> {
    let mut parts = Vec::new();
    if let Some(target) = target(root, map) {
        parts.push((target, always));
    }
    for (keyword, holds) in [("allOf", always), ("anyOf", false), ("oneOf", false)] {
        let list = map.get(keyword).and_then(Value::as_array);
        parts.extend(list.into_iter().flatten().map(|schema| (schema, holds)));
    }
    for keyword in ["if", "then", "else"] {
        parts.extend(map.get(keyword).map(|schema| (schema, false)));
    }
    let dependent = map.get("dependentSchemas").and_then(Value::as_object);
    parts.extend(
        dependent
            .into_iter()
            .flat_map(Map::values)
            .map(|schema| (schema, false)),
    );
    parts
}
