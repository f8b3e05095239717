//! The keywords of draft 2020-12, and with them the schemas inside a schema.

use serde_json::{Map, Value};

/// What a keyword's value holds. Where that is schemas, the name says what of a value they are
/// about.
#[derive(Clone, Copy)]
enum Holds {
    /// Nothing that is a schema.
    Data,
    /// One schema, about nothing that is there: about what must not be, or what a text encodes.
    Aside,
    /// Schemas by name, about nothing unless something refers to them.
    Definitions,
    /// One schema, about the value itself.
    Branch,
    /// A list of schemas, each about the value itself.
    Branches,
    /// Schemas by the key with which each is about the value itself.
    Dependents,
    /// Schemas by the key whose value each is about.
    Properties,
    /// Schemas by the pattern of the keys whose values each is about.
    Patterns,
    /// One schema, about the values of all keys, or of those that others leave over.
    EveryProperty,
    /// One schema, about the keys.
    EveryKey,
    /// A list of schemas, each about the item at its place.
    Positions,
    /// One schema, about all items, or those that others leave over.
    EveryItem,
}

const KEYWORDS: &[(&str, Holds)] = &[
    ("$anchor", Holds::Data),
    ("$comment", Holds::Data),
    ("$defs", Holds::Definitions),
    ("$dynamicAnchor", Holds::Data),
    ("$dynamicRef", Holds::Data),
    ("$id", Holds::Data),
    ("$ref", Holds::Data),
    ("$schema", Holds::Data),
    ("$vocabulary", Holds::Data),
    ("additionalProperties", Holds::EveryProperty),
    ("allOf", Holds::Branches),
    ("anyOf", Holds::Branches),
    ("const", Holds::Data),
    ("contains", Holds::EveryItem),
    ("contentEncoding", Holds::Data),
    ("contentMediaType", Holds::Data),
    ("contentSchema", Holds::Aside),
    ("default", Holds::Data),
    ("definitions", Holds::Definitions),
    ("dependentRequired", Holds::Data),
    ("dependentSchemas", Holds::Dependents),
    ("deprecated", Holds::Data),
    ("description", Holds::Data),
    ("else", Holds::Branch),
    ("enum", Holds::Data),
    ("examples", Holds::Data),
    ("exclusiveMaximum", Holds::Data),
    ("exclusiveMinimum", Holds::Data),
    ("format", Holds::Data),
    ("if", Holds::Branch),
    ("items", Holds::EveryItem),
    ("maxContains", Holds::Data),
    ("maxItems", Holds::Data),
    ("maxLength", Holds::Data),
    ("maxProperties", Holds::Data),
    ("maximum", Holds::Data),
    ("minContains", Holds::Data),
    ("minItems", Holds::Data),
    ("minLength", Holds::Data),
    ("minProperties", Holds::Data),
    ("minimum", Holds::Data),
    ("multipleOf", Holds::Data),
    ("not", Holds::Aside),
    ("oneOf", Holds::Branches),
    ("pattern", Holds::Data),
    ("patternProperties", Holds::Patterns),
    ("prefixItems", Holds::Positions),
    ("properties", Holds::Properties),
    ("propertyNames", Holds::EveryKey),
    ("readOnly", Holds::Data),
    ("required", Holds::Data),
    ("then", Holds::Branch),
    ("title", Holds::Data),
    ("type", Holds::Data),
    ("unevaluatedItems", Holds::EveryItem),
    ("unevaluatedProperties", Holds::EveryProperty),
    ("uniqueItems", Holds::Data),
    ("writeOnly", Holds::Data),
];

/// Every keyword, sorted.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    KEYWORDS.iter().map(|(name, _)| *name)
}

fn holds(keyword: &str) -> Option<Holds> {
    KEYWORDS
        .binary_search_by(|(name, _)| (*name).cmp(keyword))
        .ok()
        .map(|place| KEYWORDS[place].1)
}

/// Whether draft 2020-12 has this keyword.
pub(super) fn is_known(keyword: &str) -> bool {
    holds(keyword).is_some()
}

/// The JSON pointer one step further down.
pub fn below(pointer: &str, segment: &str) -> String {
    format!(
        "{pointer}/{}",
        segment.replace('~', "~0").replace('/', "~1")
    )
}

/// What of a value a schema within a schema is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject<'s> {
    /// Nothing that is there.
    Nothing,
    /// The value itself.
    Itself,
    /// The value itself, when it has this key.
    ItselfWith(&'s str),
    /// The value of this key.
    Property(&'s str),
    /// The values of the keys that match this pattern.
    PropertiesLike(&'s str),
    /// The values of all keys. Which of them other keywords leave over is not worked out.
    EveryProperty,
    /// The keys.
    EveryKey,
    /// The item at this place.
    Item(usize),
    /// All items. Which of them other keywords leave over is not worked out.
    EveryItem,
}

/// A schema directly within a schema.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inner<'s> {
    /// The schema.
    pub schema: &'s Value,
    /// What it is about.
    pub about: Subject<'s>,
    keyword: &'s str,
    step: Step<'s>,
}

/// The way from a keyword to a schema that it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step<'s> {
    None,
    Number(usize),
    Name(&'s str),
}

impl Inner<'_> {
    /// Its JSON pointer, from the one of the schema around it.
    fn place(&self, around: &str) -> String {
        let keyword = below(around, self.keyword);
        match self.step {
            Step::None => keyword,
            Step::Number(number) => format!("{keyword}/{number}"),
            Step::Name(name) => below(&keyword, name),
        }
    }
}

/// The schemas directly within a schema, in its own order.
///
/// Data that only looks like a schema (in `const`, `enum`, `default`, `examples`) is none.
pub fn inner(schema: &Map<String, Value>) -> Vec<Inner<'_>> {
    let mut found = Vec::new();
    for (keyword, value) in schema {
        let mut add = |schema, step, about| {
            found.push(Inner {
                schema,
                about,
                keyword,
                step,
            });
        };
        let Some(holds) = holds(keyword) else {
            continue;
        };
        match (holds, value) {
            (Holds::Aside, one) => add(one, Step::None, Subject::Nothing),
            (Holds::Branch, one) => add(one, Step::None, Subject::Itself),
            (Holds::EveryProperty, one) => add(one, Step::None, Subject::EveryProperty),
            (Holds::EveryKey, one) => add(one, Step::None, Subject::EveryKey),
            (Holds::EveryItem, one) => add(one, Step::None, Subject::EveryItem),
            (_, Value::Array(list)) => {
                for (number, one) in list.iter().enumerate() {
                    if let Some(about) = in_list(holds, number) {
                        add(one, Step::Number(number), about);
                    }
                }
            }
            (_, Value::Object(map)) => {
                for (name, one) in map {
                    if let Some(about) = in_map(holds, name) {
                        add(one, Step::Name(name), about);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

fn in_list(holds: Holds, number: usize) -> Option<Subject<'static>> {
    match holds {
        Holds::Branches => Some(Subject::Itself),
        Holds::Positions => Some(Subject::Item(number)),
        _ => None,
    }
}

fn in_map(holds: Holds, name: &str) -> Option<Subject<'_>> {
    match holds {
        Holds::Definitions => Some(Subject::Nothing),
        Holds::Dependents => Some(Subject::ItselfWith(name)),
        Holds::Properties => Some(Subject::Property(name)),
        Holds::Patterns => Some(Subject::PropertiesLike(name)),
        _ => None,
    }
}

/// Visits a schema and every schema inside it, each with its JSON pointer, outer ones first.
pub(super) fn each<'a>(schema: &'a Value, visit: &mut dyn FnMut(&str, &'a Value)) {
    each_at("", schema, visit);
}

fn each_at<'a>(pointer: &str, schema: &'a Value, visit: &mut dyn FnMut(&str, &'a Value)) {
    visit(pointer, schema);
    if let Value::Object(map) = schema {
        for inner in inner(map) {
            each_at(&inner.place(pointer), inner.schema, visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_table_is_sorted_because_it_is_searched() {
        assert!(KEYWORDS.is_sorted_by(|(one, _), (other, _)| one < other));
    }

    #[test]
    fn every_inner_schema_says_what_it_is_about() {
        let schema = json!({
            "$defs": {"d": 1},
            "allOf": [2],
            "prefixItems": [3, 4],
            "properties": {"p": 5},
            "patternProperties": {"^x": 6},
            "dependentSchemas": {"k": 7},
            "additionalProperties": 8,
            "propertyNames": 9,
            "unevaluatedItems": 10,
            "then": 11,
            "not": 12,
            "required": ["a"],
            "default": {"allOf": [13]},
        });
        let found: Vec<_> = inner(schema.as_object().unwrap())
            .into_iter()
            .map(|inner| (inner.schema.as_i64().unwrap(), inner.about))
            .collect();
        assert_eq!(
            found,
            [
                (1, Subject::Nothing),
                (2, Subject::Itself),
                (3, Subject::Item(0)),
                (4, Subject::Item(1)),
                (5, Subject::Property("p")),
                (6, Subject::PropertiesLike("^x")),
                (7, Subject::ItselfWith("k")),
                (8, Subject::EveryProperty),
                (9, Subject::EveryKey),
                (10, Subject::EveryItem),
                (11, Subject::Itself),
                (12, Subject::Nothing),
            ]
        );
    }

    #[test]
    fn every_schema_is_visited_and_no_data() {
        let schema = json!({
            "properties": {"a/b": {"items": true}, "const": {}},
            "anyOf": [{"not": {}}],
            "const": {"items": {}},
            "default": {"anyOf": [{}]},
        });
        let mut seen = Vec::new();
        each(&schema, &mut |pointer, _| seen.push(pointer.to_owned()));
        assert_eq!(
            seen,
            [
                "",
                "/properties/a~1b",
                "/properties/a~1b/items",
                "/properties/const",
                "/anyOf/0",
                "/anyOf/0/not",
            ]
        );
    }
}
