//! The keywords of draft 2020-12, and the walk over every schema inside a schema.

use serde_json::Value;

/// What a keyword's value holds.
#[derive(Clone, Copy)]
enum Holds {
    /// Nothing that is a schema.
    Data,
    /// One schema.
    Schema,
    /// A list of schemas.
    List,
    /// A map whose values are schemas.
    Map,
}

const KEYWORDS: &[(&str, Holds)] = &[
    ("$anchor", Holds::Data),
    ("$comment", Holds::Data),
    ("$defs", Holds::Map),
    ("$dynamicAnchor", Holds::Data),
    ("$dynamicRef", Holds::Data),
    ("$id", Holds::Data),
    ("$ref", Holds::Data),
    ("$schema", Holds::Data),
    ("$vocabulary", Holds::Data),
    ("additionalProperties", Holds::Schema),
    ("allOf", Holds::List),
    ("anyOf", Holds::List),
    ("const", Holds::Data),
    ("contains", Holds::Schema),
    ("contentEncoding", Holds::Data),
    ("contentMediaType", Holds::Data),
    ("contentSchema", Holds::Schema),
    ("default", Holds::Data),
    ("definitions", Holds::Map),
    ("dependentRequired", Holds::Data),
    ("dependentSchemas", Holds::Map),
    ("deprecated", Holds::Data),
    ("description", Holds::Data),
    ("else", Holds::Schema),
    ("enum", Holds::Data),
    ("examples", Holds::Data),
    ("exclusiveMaximum", Holds::Data),
    ("exclusiveMinimum", Holds::Data),
    ("format", Holds::Data),
    ("if", Holds::Schema),
    ("items", Holds::Schema),
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
    ("not", Holds::Schema),
    ("oneOf", Holds::List),
    ("pattern", Holds::Data),
    ("patternProperties", Holds::Map),
    ("prefixItems", Holds::List),
    ("properties", Holds::Map),
    ("propertyNames", Holds::Schema),
    ("readOnly", Holds::Data),
    ("required", Holds::Data),
    ("then", Holds::Schema),
    ("title", Holds::Data),
    ("type", Holds::Data),
    ("unevaluatedItems", Holds::Schema),
    ("unevaluatedProperties", Holds::Schema),
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

/// Visits a schema and every schema inside it, each with its JSON pointer, outer ones first.
///
/// Data that only looks like a schema (in `const`, `enum`, `default`, `examples`) is not entered.
pub(super) fn each<'a>(schema: &'a Value, visit: &mut dyn FnMut(&str, &'a Value)) {
    each_at("", schema, visit);
}

fn each_at<'a>(pointer: &str, schema: &'a Value, visit: &mut dyn FnMut(&str, &'a Value)) {
    visit(pointer, schema);
    let Value::Object(map) = schema else {
        return;
    };
    for (keyword, value) in map {
        let place = below(pointer, keyword);
        match (holds(keyword), value) {
            (Some(Holds::Schema), inner) => each_at(&place, inner, visit),
            (Some(Holds::List), Value::Array(list)) => {
                for (index, inner) in list.iter().enumerate() {
                    each_at(&format!("{place}/{index}"), inner, visit);
                }
            }
            (Some(Holds::Map), Value::Object(inner)) => {
                for (key, inner) in inner {
                    each_at(&below(&place, key), inner, visit);
                }
            }
            _ => {}
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
