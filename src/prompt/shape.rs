//! A schema read for a writer: which blocks would fit it, with which fields.
//!
//! Nothing is validated here. Keywords that only forbid (`not`, `dependentRequired`) are not shown;
//! an answer that breaks them is corrected afterwards.

use std::cell::Cell;

use serde_json::{Map, Value};

use crate::schema::target;

/// Choices that are kept at one place.
const MOST_CHOICES: usize = 64;
/// Schemas that are looked at in all; what a schema of `$ref`s unfolds to has no other bound.
const MOST_VISITS: usize = 4_000;
/// How deep schemas are followed through `$ref`, `allOf` and their like at one place.
const DEEPEST: usize = 16;

/// Keyword maps that hold at one place, all together.
pub(super) type Together<'a> = Vec<&'a Map<String, Value>>;

/// One of the forms that a mapping may have.
pub(super) struct Shape<'a> {
    /// Required ones first.
    pub fields: Vec<Field<'a>>,
    /// What else is allowed.
    pub others: Vec<Others<'a>>,
}

/// Keys of a mapping that have no names of their own in the schema.
pub(super) struct Others<'a> {
    /// The pattern of the key; none for any key.
    pub pattern: Option<&'a str>,
    pub schema: &'a Value,
}

/// A key of a mapping.
pub(super) struct Field<'a> {
    pub name: &'a str,
    pub required: bool,
    /// The schemas of its value, which hold all together.
    pub schemas: Vec<&'a Value>,
}

/// Unfolds the schemas of one document.
pub(super) struct Unfolder<'a> {
    root: &'a Value,
    visits: Cell<usize>,
    cut: Cell<bool>,
}

impl<'a> Unfolder<'a> {
    pub fn new(root: &'a Value) -> Self {
        Self {
            root,
            visits: Cell::new(0),
            cut: Cell::new(false),
        }
    }

    /// Whether anything was left out because there was too much of it.
    pub fn was_cut(&self) -> bool {
        self.cut.get()
    }

    /// Notes that something was left out.
    pub fn mark_cut(&self) {
        self.cut.set(true);
    }

    /// What may stand at a place that all these schemas describe: one entry for each choice that
    /// `anyOf`, `oneOf` and `if` leave.
    pub fn choices(&self, schemas: &[&'a Value]) -> Vec<Together<'a>> {
        self.all(schemas, 0)
    }

    fn all(&self, schemas: &[&'a Value], depth: usize) -> Vec<Together<'a>> {
        let mut choices = vec![Together::new()];
        for schema in schemas {
            choices = self.both(&choices, &self.unfold(schema, depth));
        }
        choices
    }

    fn any(&self, schemas: &[&'a Value], depth: usize) -> Vec<Together<'a>> {
        let mut choices = Vec::new();
        for schema in schemas {
            if choices.len() >= MOST_CHOICES {
                self.mark_cut();
                break;
            }
            choices.extend(self.unfold(schema, depth));
        }
        choices
    }

    /// Every pair of two lists of choices.
    fn both(&self, left: &[Together<'a>], right: &[Together<'a>]) -> Vec<Together<'a>> {
        let mut pairs = Vec::new();
        for (one, other) in left
            .iter()
            .flat_map(|one| right.iter().map(move |other| (one, other)))
        {
            if pairs.len() == MOST_CHOICES {
                self.mark_cut();
                break;
            }
            pairs.push(one.iter().chain(other).copied().collect());
        }
        pairs
    }

    fn unfold(&self, schema: &'a Value, depth: usize) -> Vec<Together<'a>> {
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(false) => return Vec::new(),
            _ => return vec![Together::new()],
        };
        self.visits.set(self.visits.get() + 1);
        if depth == DEEPEST || self.visits.get() > MOST_VISITS {
            self.mark_cut();
            return vec![vec![map]];
        }
        let mut choices = vec![vec![map]];
        if let Some(target) = target(self.root, map) {
            choices = self.both(&choices, &self.unfold(target, depth + 1));
        }
        if let Some(all) = schemas_of(map, "allOf") {
            choices = self.both(&choices, &self.all(&all, depth + 1));
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(any) = schemas_of(map, keyword) {
                choices = self.both(&choices, &self.any(&any, depth + 1));
            }
        }
        if let Some(conditional) = self.conditional(map, depth + 1) {
            choices = self.both(&choices, &conditional);
        }
        choices
    }

    /// `if` with its two ways out.
    fn conditional(&self, map: &'a Map<String, Value>, depth: usize) -> Option<Vec<Together<'a>>> {
        let condition = map.get("if")?;
        let (holds, fails) = (map.get("then"), map.get("else"));
        if holds.is_none() && fails.is_none() {
            return None;
        }
        let both: Vec<_> = [Some(condition), holds].into_iter().flatten().collect();
        let mut ways = self.all(&both, depth);
        ways.extend(self.all(fails.as_slice(), depth));
        Some(ways)
    }
}

fn schemas_of<'a>(map: &'a Map<String, Value>, keyword: &str) -> Option<Vec<&'a Value>> {
    Some(map.get(keyword)?.as_array()?.iter().collect())
}

/// The fields of a mapping that all these keyword maps describe.
pub(super) fn shape<'a>(together: &[&'a Map<String, Value>]) -> Shape<'a> {
    let mut fields: Vec<Field<'_>> = Vec::new();
    let mut add = |name: &'a str, required| {
        if fields.iter().all(|field| field.name != name) {
            let schemas = schemas_of_field(together, name);
            if !schemas.contains(&&Value::Bool(false)) {
                fields.push(Field {
                    name,
                    required,
                    schemas,
                });
            }
        }
    };
    for name in together.iter().flat_map(|map| strings_of(map, "required")) {
        add(name, true);
    }
    for map in together {
        let properties = map.get("properties").and_then(Value::as_object);
        for name in properties.into_iter().flat_map(Map::keys) {
            add(name, false);
        }
    }
    Shape {
        fields,
        others: others(together),
    }
}

fn schemas_of_field<'a>(together: &[&'a Map<String, Value>], name: &str) -> Vec<&'a Value> {
    together
        .iter()
        .filter_map(|map| map.get("properties")?.get(name))
        .collect()
}

/// What the schemas say of keys that are not in `properties`. A schema that says nothing of them
/// leaves them out.
fn others<'a>(together: &[&'a Map<String, Value>]) -> Vec<Others<'a>> {
    let patterns = together
        .iter()
        .filter_map(|map| map.get("patternProperties")?.as_object())
        .flatten()
        .map(|(pattern, schema)| Others {
            pattern: Some(pattern.as_str()),
            schema,
        });
    let any = together
        .iter()
        .filter_map(|map| map.get("additionalProperties"))
        .map(|schema| Others {
            pattern: None,
            schema,
        });
    let closed = any.clone().any(|other| other.schema == &Value::Bool(false));
    patterns.chain(any.take_while(move |_| !closed)).collect()
}

/// The strings in a keyword's list.
pub(super) fn strings_of<'a>(
    map: &'a Map<String, Value>,
    keyword: &str,
) -> impl Iterator<Item = &'a str> {
    let list = map.get(keyword).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str)
}
