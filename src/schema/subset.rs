//! The part of JSON Schema that the original knows.

use serde_json::Value;

/// Whether a schema is made of what the original knows, all the way down.
///
/// Every such schema can be stored by the original too; whatever else is a legal schema of draft
/// 2020-12 only by uwf. Nesting is bounded by the caller.
pub fn is_original_subset(schema: &Value) -> bool {
    let Value::Object(map) = schema else {
        return false;
    };
    map.iter().all(|(keyword, value)| match keyword.as_str() {
        "type" => is_type(value),
        "properties" => {
            matches!(value, Value::Object(inner) if inner.values().all(is_original_subset))
        }
        "required" => {
            matches!(value, Value::Array(names) if names.iter().all(Value::is_string))
        }
        "additionalProperties" => value.is_boolean() || is_original_subset(value),
        "anyOf" => {
            matches!(value, Value::Array(branches) if branches.iter().all(is_original_subset))
        }
        "items" => is_original_subset(value),
        "format" | "title" | "description" => value.is_string(),
        "enum" => matches!(value, Value::Array(options) if !options.is_empty()),
        "const" => true,
        _ => false,
    })
}

fn is_type(value: &Value) -> bool {
    match value {
        Value::String(name) => is_type_name(name),
        Value::Array(names) => {
            !names.is_empty()
                && names
                    .iter()
                    .all(|name| name.as_str().is_some_and(is_type_name))
        }
        _ => false,
    }
}

fn is_type_name(name: &str) -> bool {
    matches!(
        name,
        "string" | "number" | "integer" | "boolean" | "object" | "array" | "null"
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_listed_keywords_are_the_subset() {
        for schema in [
            json!({}),
            json!({"type": "string", "format": "money"}),
            json!({"type": ["string", "null"]}),
            json!({"additionalProperties": {"items": {"anyOf": [{"const": [1]}]}}}),
            json!({"additionalProperties": false, "enum": [1], "title": "t", "description": "d"}),
            json!({"required": ["a", "a"], "properties": {"a": {}}}),
        ] {
            assert!(is_original_subset(&schema), "{schema}");
        }
    }

    #[test]
    fn anything_else_is_not() {
        for schema in [
            json!(true),
            json!("string"),
            json!({"type": []}),
            json!({"type": "strng"}),
            json!({"type": 5}),
            json!({"enum": []}),
            json!({"required": [1]}),
            json!({"properties": {"a": {"pattern": "x"}}}),
            json!({"properties": {"a": true}}),
            json!({"items": true}),
            json!({"oneOf": []}),
            json!({"$ref": "#"}),
            json!({"minimum": 1}),
        ] {
            assert!(!is_original_subset(&schema), "{schema}");
        }
    }
}
