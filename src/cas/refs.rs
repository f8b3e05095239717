//! The references in a payload, found by walking it together with its schema.

use std::collections::HashSet;

use serde_json::Value;

use crate::model::Hash;
use crate::schema::target;

/// Every mention of a node in a value, in the schema's order. A node mentioned twice is there
/// twice.
pub(super) fn references(schema: &Value, value: &Value) -> Vec<Hash> {
    let mut found = Vec::new();
    Search {
        root: schema,
        found: &mut found,
        followed: HashSet::new(),
    }
    .look(schema, value);
    found
}

struct Search<'s> {
    root: &'s Value,
    found: &'s mut Vec<Hash>,
    /// The pairs of a schema that `$ref` led to and the value it was held against.
    followed: HashSet<(*const Value, *const Value)>,
}

impl Search<'_> {
    /// Of what a schema has, the first of these counts: the format, `anyOf`, the items of an
    /// array, else the properties. That is the original's rule. What it does not know of JSON
    /// Schema is looked into after that.
    fn look(&mut self, schema: &Value, value: &Value) {
        if schema.get("format").and_then(Value::as_str) == Some("cas_ref") {
            self.found
                .extend(value.as_str().and_then(|text| text.parse::<Hash>().ok()));
        } else if let Some(branches) = list(schema, "anyOf") {
            for branch in branches {
                self.look(branch, value);
            }
        } else if let (Some("array"), Some(items)) = (
            schema.get("type").and_then(Value::as_str),
            schema.get("items"),
        ) {
            for item in value.as_array().into_iter().flatten() {
                self.look(items, item);
            }
        } else {
            self.look_into_properties(schema, value);
        }
        self.look_beyond(schema, value);
    }

    fn look_into_properties(&mut self, schema: &Value, value: &Value) {
        let Some(map) = value.as_object() else {
            return;
        };
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            for (key, property) in properties {
                if let Some(inner) = map.get(key) {
                    self.look(property, inner);
                }
            }
        }
        if let Some(additional) = schema.get("additionalProperties") {
            for inner in map.values() {
                self.look(additional, inner);
            }
        }
    }

    /// Keywords that only schemas of ours have.
    fn look_beyond(&mut self, schema: &Value, value: &Value) {
        for keyword in ["allOf", "oneOf"] {
            for branch in list(schema, keyword).into_iter().flatten() {
                self.look(branch, value);
            }
        }
        if let (Some(prefix), Some(items)) = (list(schema, "prefixItems"), value.as_array()) {
            for (schema, item) in prefix.iter().zip(items) {
                self.look(schema, item);
            }
        }
        if let Some(target) = schema.as_object().and_then(|map| target(self.root, map))
            && self.followed.insert((target, value))
        {
            self.look(target, value);
        }
    }
}

fn list<'s>(schema: &'s Value, keyword: &str) -> Option<&'s Vec<Value>> {
    schema.get(keyword)?.as_array()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const A: &str = "AAAAAAAAAAAAA";
    const B: &str = "BBBBBBBBBBBBB";

    fn found(schema: &Value, value: &Value) -> Vec<String> {
        references(schema, value)
            .iter()
            .map(Hash::to_string)
            .collect()
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
    fn keywords_of_the_whole_draft_are_followed_and_circles_end() {
        let schema = json!({
            "oneOf": [{"$ref": "#/$defs/link"}],
            "allOf": [{"properties": {"a": {"prefixItems": [{}, {"$ref": "#/$defs/link"}]}}}],
            "$defs": {"link": {"format": "cas_ref"}},
        });
        assert_eq!(found(&schema, &json!(A)), [A]);
        assert_eq!(found(&schema, &json!({"a": [B, A]})), [A]);
        assert!(found(&json!({"$ref": "#"}), &json!(A)).is_empty());
        let twice = json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}, {"format": "cas_ref"}]});
        assert_eq!(found(&twice, &json!(A)), [A, A]);
        let list = json!({"properties": {"next": {"$ref": "#"}, "node": {"format": "cas_ref"}}});
        assert_eq!(
            found(&list, &json!({"node": A, "next": {"node": B}})),
            [B, A]
        );
    }
}
