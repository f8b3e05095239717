//! How much it takes to gather every error of a value that does not fit.
//!
//! The validator keeps, for each union that does not fit, the errors of every branch, each with a
//! copy of the value that it is about. Where unions nest in unions these grow exponentially.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::keywords::{Subject, inner};
use super::reference::References;

/// What gathering may take, in visits and in values that are copied.
const MOST: usize = 200_000;
/// What it may take for each value inside the value, where that is more.
const MOST_EACH: usize = 32;
/// Bytes of text that are counted like one value.
const TEXT: usize = 64;

/// A schema and a value that it is looked at with, told by where they are.
pub(super) type Pair = (*const Value, *const Value);

/// Values inside a value, itself included; long texts count several times.
pub(super) fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => 1 + text.len() / TEXT,
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(map) => {
            let keys: usize = map.keys().map(|key| key.len() / TEXT).sum();
            1 + keys + map.values().map(size).sum::<usize>()
        }
        _ => 1,
    }
}

/// Whether the errors of a value can be gathered at no great cost, even if nothing in it fits.
pub(super) fn is_bearable(schema: &Value, value: &Value) -> bool {
    let most = MOST.max(size(value).saturating_mul(MOST_EACH));
    let mut estimate = Estimate {
        references: References::within(schema),
        known: HashMap::new(),
        sizes: HashMap::new(),
        active: HashSet::new(),
        left: most,
    };
    estimate.effort(schema, value, false) <= most
}

struct Estimate<'s> {
    references: References<'s>,
    /// Of what is referred to: the rest is met once each time that this is.
    known: HashMap<(Pair, bool), usize>,
    sizes: HashMap<*const Value, usize>,
    active: HashSet<Pair>,
    /// Visits left for the estimate itself. Each stands for at least one when errors are gathered.
    left: usize,
}

impl<'s> Estimate<'s> {
    fn effort(&mut self, schema: &'s Value, value: &Value, in_union: bool) -> usize {
        if self.left == 0 {
            return usize::MAX;
        }
        self.left -= 1;
        let mut sum = if in_union { 1 + self.size(value) } else { 1 };
        let Value::Object(map) = schema else {
            return sum;
        };
        for inner in inner(map) {
            let in_union = in_union || matches!(inner.keyword(), "anyOf" | "oneOf");
            for part in parts(inner.about, value) {
                sum = sum.saturating_add(self.effort(inner.schema, part, in_union));
            }
        }
        if References::are_in(map) {
            for target in self.references.targets(map) {
                sum = sum.saturating_add(self.effort_behind(target, value, in_union));
            }
        }
        sum
    }

    fn effort_behind(&mut self, target: &'s Value, value: &Value, in_union: bool) -> usize {
        let pair: Pair = (target, value);
        if let Some(known) = self.known.get(&(pair, in_union)) {
            return *known;
        }
        if !self.active.insert(pair) {
            return 1;
        }
        let effort = self.effort(target, value, in_union);
        self.active.remove(&pair);
        self.known.insert((pair, in_union), effort);
        effort
    }

    fn size(&mut self, value: &Value) -> usize {
        let known = self.sizes.entry(value).or_insert_with(|| size(value));
        *known
    }
}

/// What of a value a schema may be looked at with; rather too much than too little.
fn parts<'v>(about: Subject<'_>, value: &'v Value) -> Vec<&'v Value> {
    match about {
        Subject::Nothing | Subject::EveryKey => Vec::new(),
        Subject::Itself | Subject::ItselfWith(_) => vec![value],
        Subject::Property(name) => value.get(name).into_iter().collect(),
        Subject::Item(number) => value.get(number).into_iter().collect(),
        Subject::PropertiesLike(_) | Subject::EveryProperty => value
            .as_object()
            .map(|map| map.values().collect())
            .unwrap_or_default(),
        Subject::EveryItem => value
            .as_array()
            .map(|items| items.iter().collect())
            .unwrap_or_default(),
    }
}
