//! What schemas are built of.

use serde_json::{Value, json};

/// A closed object: these properties and no other.
pub(super) fn object(required: &[&str], properties: &Value) -> Value {
    json!({
        "type": "object",
        "required": required,
        "properties": properties,
        "additionalProperties": false,
    })
}

/// With a title.
pub(super) fn titled(title: &str, mut schema: Value) -> Value {
    schema["title"] = title.into();
    schema
}

/// Any number of these.
pub(super) fn list(items: &Value) -> Value {
    json!({"type": "array", "items": items})
}

/// Any keys, and these as their values.
pub(super) fn map(values: &Value) -> Value {
    json!({"type": "object", "additionalProperties": values})
}

pub(super) fn or_null(schema: &Value) -> Value {
    json!({"anyOf": [schema, {"type": "null"}]})
}

pub(super) fn text() -> Value {
    json!({"type": "string"})
}

pub(super) fn integer() -> Value {
    json!({"type": "integer"})
}

/// The hash of another node.
pub(super) fn reference() -> Value {
    json!({"type": "string", "format": "cas_ref"})
}

pub(super) fn number() -> Value {
    json!({"type": "number"})
}

/// Any keys, and anything as their values.
pub(super) fn any_object() -> Value {
    json!({"type": "object"})
}
