//! The references in a payload, found by walking it together with its schema.
//!
//! A schema that the original accepts is walked as the original does. One that only uwf accepts
//! is walked along every keyword: a reference that is not found is a node that is lost when what
//! nothing refers to is removed, so in doubt a text counts as one.

mod draft;

use std::borrow::Cow;

use serde_json::{Map, Value};

use crate::model::Hash;
use crate::schema::{Patterns, is_original_subset};

/// The schema of a type, ready to find the references in its nodes.
pub(super) struct Guide {
    schema: Cow<'static, Value>,
    is_originals: bool,
    patterns: Patterns,
}

impl Guide {
    pub(super) fn new(schema: Cow<'static, Value>) -> Self {
        Self {
            is_originals: is_original_subset(&schema),
            schema,
            patterns: Patterns::default(),
        }
    }

    /// Every mention of a node in a payload, in the schema's order. A node mentioned twice is
    /// there twice.
    pub(super) fn references(&self, payload: &Value) -> Vec<Hash> {
        if !self.is_originals {
            return draft::mentions(&self.schema, &self.patterns, payload);
        }
        let mut found = Vec::new();
        look(&self.schema, payload, &mut found);
        found
    }
}

/// Of what a schema has, the first of these counts: the format, `anyOf`, the items of an array,
/// else the properties. That is the original's rule.
fn look(schema: &Value, value: &Value, found: &mut Vec<Hash>) {
    if is_reference(schema) {
        found.extend(value.as_str().and_then(|text| text.parse::<Hash>().ok()));
    } else if let Some(branches) = schema.get("anyOf").and_then(Value::as_array) {
        for branch in branches {
            look(branch, value, found);
        }
    } else if let (Some("array"), Some(items)) = (
        schema.get("type").and_then(Value::as_str),
        schema.get("items"),
    ) {
        for item in value.as_array().into_iter().flatten() {
            look(items, item, found);
        }
    } else if let Some(map) = value.as_object() {
        look_into_properties(schema, map, found);
    }
}

fn look_into_properties(schema: &Value, map: &Map<String, Value>, found: &mut Vec<Hash>) {
    if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
        for (key, property) in properties {
            if let Some(inner) = map.get(key) {
                look(property, inner, found);
            }
        }
    }
    if let Some(additional) = schema.get("additionalProperties") {
        for inner in map.values() {
            look(additional, inner, found);
        }
    }
}

fn is_reference(schema: &Value) -> bool {
    schema.get("format").and_then(Value::as_str) == Some("cas_ref")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const A: &str = "AAAAAAAAAAAAA";
    const B: &str = "BBBBBBBBBBBBB";

    fn found(schema: &Value, value: &Value) -> Vec<String> {
        Guide::new(Cow::Owned(schema.clone()))
            .references(value)
            .iter()
            .map(Hash::to_string)
            .collect()
    }

    fn link() -> Value {
        json!({"format": "cas_ref"})
    }

    #[test]
    fn the_first_of_format_any_of_items_and_properties_counts() {
        let link = json!({"format": "cas_ref", "properties": {"a": {"format": "cas_ref"}}});
        assert_eq!(found(&link, &json!(A)), [A]);
        assert!(found(&link, &json!({"a": A})).is_empty());
        let union = json!({"anyOf": [{"type": "null"}, {"format": "cas_ref"}], "format": "x"});
        assert_eq!(found(&union, &json!(A)), [A]);
        let items = json!({"type": "array", "items": {"format": "cas_ref"}});
        assert_eq!(found(&items, &json!([B, A, B])), [B, A, B]);
        let nullable = json!({"type": ["array", "null"], "items": {"format": "cas_ref"}});
        assert!(found(&nullable, &json!([A])).is_empty());
    }

    #[test]
    fn additional_properties_see_every_value_after_the_properties() {
        let schema = json!({
            "properties": {"b": {"format": "cas_ref"}, "absent": {"format": "cas_ref"}},
            "additionalProperties": {"format": "cas_ref"},
        });
        assert_eq!(found(&schema, &json!({"a": A, "b": B})), [B, A, B]);
    }

    #[test]
    fn what_is_no_hash_is_no_reference() {
        let schema = json!({"anyOf": [{"format": "cas_ref"}, {"type": "string"}]});
        assert!(found(&schema, &json!("just text")).is_empty());
        assert!(found(&schema, &json!(5)).is_empty());
    }

    #[test]
    fn the_rule_that_the_first_counts_is_the_originals_alone() {
        let schema = json!({
            "format": "cas_ref",
            "anyOf": [{"properties": {"a": link()}}],
            "properties": {"b": link()},
            "type": ["array", "object", "string"],
            "items": link(),
        });
        let mut ours = schema.clone();
        ours["minLength"] = json!(1);
        for (value, of_ours) in [
            (json!(A), vec![A]),
            (json!({"a": A, "b": B}), vec![A, B]),
            (json!([A, B]), vec![A, B]),
        ] {
            let of_the_originals: &[&str] = if value.is_string() { &[A] } else { &[] };
            assert_eq!(found(&schema, &value), of_the_originals, "{value}");
            assert_eq!(found(&ours, &value), of_ours, "{value}");
        }
    }
}
