//! What is wrong with a value for which gathering every error would take too much.
//!
//! Looks at each pair of a schema and a value once, and keeps of a union only the branch that was
//! probably meant. What it says is true, but it need not be all: keywords whose schemas tell
//! something else than whether the value fits (`if`, `not`, `contains`, …) are passed over.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::effort::{Pair, size};
use super::explain::Finding;
use super::keywords::{Inner, Subject, below, inner};
use super::legal;
use super::nearest::{self, Failure};
use super::patterns::Patterns;
use super::reference::References;

/// Visits that the descent may make, and what it may make for each value inside the value.
const MOST_VISITS: usize = 20_000;
const MOST_VISITS_EACH: usize = 8;
/// Things that are told of one value.
const MOST_TOLD: usize = 20;
/// Bytes of findings that are kept at the cost of a visit.
const KEPT: usize = 1024;

/// Keywords that look at the value alone, without the help of other schemas.
const PLAIN: &[&str] = &[
    "const",
    "dependentRequired",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "required",
    "type",
    "uniqueItems",
];

type Failures = Vec<Rc<Failure>>;

/// Some of what is wrong with a value that does not fit.
pub(super) fn explain(schema: &Value, value: &Value) -> Vec<Finding> {
    let mut descent = Descent {
        references: References::within(schema),
        patterns: Patterns::default(),
        plain: HashMap::new(),
        known: HashMap::new(),
        active: HashSet::new(),
        left: MOST_VISITS.max(size(value).saturating_mul(MOST_VISITS_EACH)),
    };
    let mut findings: Vec<Finding> = Vec::new();
    for failure in descent.failures(schema, value, "") {
        for finding in &failure.findings {
            if !findings.contains(finding) {
                findings.push(finding.clone());
            }
        }
    }
    findings
}

/// A schema without what it says by other schemas.
struct Plain {
    /// Nothing when it says nothing then.
    validator: Option<Validator>,
    /// Its properties, for the words about what is missing.
    properties: Value,
}

struct Descent<'s> {
    references: References<'s>,
    patterns: Patterns,
    plain: HashMap<*const Value, Rc<Plain>>,
    /// Of what is referred to: the rest is met once each time that this is.
    known: HashMap<Pair, Rc<Failures>>,
    active: HashSet<Pair>,
    left: usize,
}

impl<'s> Descent<'s> {
    /// Why a value does not fit; nothing when it fits, or when nothing can be said of it.
    fn failures(&mut self, schema: &'s Value, value: &Value, path: &str) -> Failures {
        if self.left == 0 {
            return Vec::new();
        }
        self.left -= 1;
        let mut found = self.plain_failures(schema, value, path);
        let Value::Object(map) = schema else {
            return found;
        };
        if References::are_in(map)
            && let [target] = self.references.targets(map)[..]
        {
            found.extend(self.failures_behind(target, value, path).iter().cloned());
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(Value::Array(branches)) = map.get(keyword) {
                found.extend(self.union(keyword, branches, value, path));
            }
        }
        for inner in inner(map) {
            for (step, part) in self.parts(map, &inner, value) {
                if found.len() >= MOST_TOLD {
                    break;
                }
                let place = step.map(|step| below(path, &step));
                let place = place.as_deref().unwrap_or(path);
                found.extend(self.failures(inner.schema, part, place));
            }
        }
        found.truncate(MOST_TOLD);
        found
    }

    fn failures_behind(&mut self, target: &'s Value, value: &Value, path: &str) -> Rc<Failures> {
        let pair: Pair = (target, value);
        if let Some(known) = self.known.get(&pair) {
            return Rc::clone(known);
        }
        if !self.active.insert(pair) {
            return Rc::default();
        }
        let failures = Rc::new(self.failures(target, value, path));
        self.active.remove(&pair);
        self.known.insert(pair, Rc::clone(&failures));
        failures
    }

    /// Why no branch fits; nothing when one may.
    fn union(
        &mut self,
        keyword: &str,
        branches: &'s [Value],
        value: &Value,
        path: &str,
    ) -> Option<Rc<Failure>> {
        let mut failures = Vec::new();
        for branch in branches {
            let failed = self.failures(branch, value, path);
            if failed.is_empty() {
                return None;
            }
            failures.push(failed);
        }
        let mut findings = nearest::explain(path, keyword, &failures);
        findings.truncate(MOST_TOLD);
        let bytes = |finding: &Finding| finding.path.len() + finding.says.len();
        let kept = findings.iter().map(bytes).sum::<usize>() / KEPT;
        self.left = self.left.saturating_sub(kept);
        (!findings.is_empty()).then(|| {
            Rc::new(Failure {
                choice: None,
                findings,
            })
        })
    }

    /// What of a value must fit a schema within a schema, each with its key or number.
    fn parts<'v>(
        &self,
        around: &Map<String, Value>,
        inner: &Inner<'_>,
        value: &'v Value,
    ) -> Vec<(Option<String>, &'v Value)> {
        let named = |name: &str, value| (Some(name.to_owned()), value);
        match (inner.about, value) {
            (Subject::Itself, _) if inner.keyword() == "allOf" => vec![(None, value)],
            (Subject::ItselfWith(key), Value::Object(map)) if map.contains_key(key) => {
                vec![(None, value)]
            }
            (Subject::Property(name), Value::Object(map)) => map
                .get(name)
                .map(|part| named(name, part))
                .into_iter()
                .collect(),
            (Subject::PropertiesLike(pattern), Value::Object(map)) => map
                .iter()
                .filter(|(key, _)| self.patterns.matches(pattern, key))
                .map(|(key, part)| named(key, part))
                .collect(),
            // What `false` forbids is told with the plain keywords.
            (Subject::EveryProperty, Value::Object(map))
                if inner.keyword() == "additionalProperties" && inner.schema.is_object() =>
            {
                map.iter()
                    .filter(|(key, _)| !self.is_named(around, key))
                    .map(|(key, part)| named(key, part))
                    .collect()
            }
            (Subject::Item(number), Value::Array(items)) => items
                .get(number)
                .map(|part| named(&number.to_string(), part))
                .into_iter()
                .collect(),
            (Subject::EveryItem, Value::Array(items)) if inner.keyword() == "items" => {
                let first = around
                    .get("prefixItems")
                    .and_then(Value::as_array)
                    .map_or(0, Vec::len);
                items
                    .iter()
                    .enumerate()
                    .skip(first)
                    .map(|(number, part)| named(&number.to_string(), part))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    fn is_named(&self, schema: &Map<String, Value>, key: &str) -> bool {
        let within = |keyword: &str| schema.get(keyword).and_then(Value::as_object);
        within("properties").is_some_and(|properties| properties.contains_key(key))
            || within("patternProperties").is_some_and(|patterns| {
                patterns
                    .keys()
                    .any(|pattern| self.patterns.matches(pattern, key))
            })
    }

    fn plain_failures(&mut self, schema: &'s Value, value: &Value, path: &str) -> Failures {
        let plain = self.plain(schema);
        let Some(validator) = &plain.validator else {
            return Vec::new();
        };
        validator
            .iter_errors(value)
            .take(MOST_TOLD)
            .map(|error| {
                let mut failure = Failure::of(&error, Some(&plain.properties));
                if let Some(choice) = &mut failure.choice {
                    choice.about.insert_str(0, path);
                    choice.path.insert_str(0, path);
                }
                for finding in &mut failure.findings {
                    finding.path.insert_str(0, path);
                }
                Rc::new(failure)
            })
            .collect()
    }

    fn plain(&mut self, schema: &'s Value) -> Rc<Plain> {
        if let Some(known) = self.plain.get(&std::ptr::from_ref(schema)) {
            return Rc::clone(known);
        }
        let plain = Rc::new(self.make_plain(schema));
        self.plain.insert(schema, Rc::clone(&plain));
        plain
    }

    fn make_plain(&self, schema: &'s Value) -> Plain {
        let Value::Object(map) = schema else {
            return Plain {
                validator: legal::build(schema).ok(),
                properties: Value::Null,
            };
        };
        let mut plain: Map<String, Value> = map
            .iter()
            .filter(|(keyword, _)| PLAIN.contains(&keyword.as_str()))
            .map(|(keyword, value)| (keyword.clone(), value.clone()))
            .collect();
        if map.get("additionalProperties") == Some(&Value::Bool(false)) {
            plain.insert("additionalProperties".to_owned(), Value::Bool(false));
            for keyword in ["properties", "patternProperties"] {
                if let Some(Value::Object(names)) = map.get(keyword) {
                    let names = names.keys().map(|name| (name.clone(), Value::Bool(true)));
                    plain.insert(keyword.to_owned(), Value::Object(names.collect()));
                }
            }
        }
        Plain {
            validator: (!plain.is_empty())
                .then(|| legal::build(&Value::Object(plain)).ok())
                .flatten(),
            properties: self.properties(map),
        }
    }

    /// The properties of a schema, with the first reference of each followed.
    fn properties(&self, schema: &Map<String, Value>) -> Value {
        let Some(Value::Object(properties)) = schema.get("properties") else {
            return Value::Null;
        };
        let resolved = |property: &Value| match property {
            Value::Object(map) if References::are_in(map) => self
                .references
                .targets(map)
                .first()
                .map_or(Value::Null, |target| (*target).clone()),
            other => other.clone(),
        };
        let properties: Map<String, Value> = properties
            .iter()
            .map(|(name, property)| (name.clone(), resolved(property)))
            .collect();
        json!({ "properties": properties })
    }
}
