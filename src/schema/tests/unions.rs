//! Mistakes below nested alternatives.

use serde_json::json;

use super::*;

/// A tree whose nodes are told apart by their kind.
fn tree_schema() -> Value {
    let inner = |kind: &str| {
        json!({
            "properties": {"kind": {"const": kind}, "child": {"$ref": "#/$defs/n"}},
            "required": ["kind", "child"],
        })
    };
    json!({
        "type": "object",
        "required": ["tree"],
        "properties": {"tree": {"$ref": "#/$defs/n"}},
        "$defs": {"n": {"oneOf": [
            inner("and"),
            inner("or"),
            {"properties": {"kind": {"const": "leaf"}}, "required": ["kind"]},
        ]}},
    })
}

fn tree(depth: usize, leaf: &Value) -> Value {
    let tree = (0..depth).fold(
        leaf.clone(),
        |child, _| json!({"kind": "or", "child": child}),
    );
    json!({ "tree": tree })
}

#[test]
fn a_mistake_deep_in_nested_unions_is_found_where_it_is() {
    for depth in [2, 5, 12, 13, 16, 24, 100, 250] {
        assert!(messages(&tree_schema(), &tree(depth, &json!({"kind": "leaf"}))).is_empty());
        let place = "/child".repeat(depth);
        assert_eq!(
            messages(&tree_schema(), &tree(depth, &json!({"kind": "laef"}))),
            [format!(
                r#"`{}` is "laef"; allowed: "and", "or", "leaf""#,
                shown(&format!("/tree{place}/kind"))
            )],
            "{depth}"
        );
        assert_eq!(
            messages(&tree_schema(), &tree(depth, &json!({"kind": "or"}))),
            [format!(
                "`{}` is missing",
                shown(&format!("/tree{place}/child"))
            )],
            "{depth}"
        );
    }
}

#[test]
fn a_deep_descent_tells_what_ordinary_keywords_ask() {
    let schema = json!({"$ref": "#/$defs/n", "$defs": {
        "word": {"enum": ["a", "b"]},
        "n": {"anyOf": [
            {
                "type": "object",
                "required": ["to"],
                "properties": {"to": {"$ref": "#/$defs/n"}},
                "additionalProperties": false,
            },
            {
                "type": "object",
                "required": ["to", "x"],
                "properties": {"to": {"$ref": "#/$defs/n"}, "x": true},
            },
            {
                "type": "array",
                "prefixItems": [{"$ref": "#/$defs/word"}],
                "items": {"type": "object", "required": ["w"], "properties": {"w": {"$ref": "#/$defs/word"}}},
            },
        ]},
    }});
    let value = (0..30).fold(json!(["c", {}, {"w": "b"}, 4]), |to, _| json!({"to": to}));
    let place = |last: &str| shown(&format!("{}{last}", "/to".repeat(30)));
    assert_eq!(
        messages(&schema, &value),
        [
            format!(r#"`{}` is "c"; allowed: "a", "b""#, place("/0")),
            format!(r#"`{}` is missing; it must be "a" or "b""#, place("/1/w")),
            format!("`{}` is 4; it must be an object", place("/3")),
        ]
    );
}

#[test]
fn what_a_deep_descent_cannot_see_is_said_without_a_place() {
    let schema = json!({"$ref": "#/$defs/n", "$defs": {"n": {"anyOf": [
        {"type": "object", "required": ["to"], "properties": {"to": {"$ref": "#/$defs/n"}}},
        {"type": "object", "minProperties": 1, "properties": {"to": {"$ref": "#/$defs/n"}}},
        {"type": "integer", "not": {"const": 3}},
    ]}}});
    let value = (0..30).fold(json!(3), |to, _| json!({"to": to}));
    assert_eq!(
        messages(&schema, &value),
        ["the value does not fit the schema, which allows too many combinations to say where"]
    );
}
