//! What is said of a value that does not fit.

use serde_json::json;

use super::*;

#[test]
fn a_value_that_fits_fits() {
    let schema =
        json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}});
    assert!(messages(&schema, &json!({"a": 3.0, "b": 1})).is_empty());
}

#[test]
fn every_violation_is_told_with_what_is_wanted() {
    let schema = json!({
        "type": "object",
        "required": ["verdict", "count", "notes", "other"],
        "properties": {
            "verdict": {"enum": ["ok", "bad"], "description": "your judgement"},
            "count": {"type": "integer"},
            "notes": {"type": ["array", "null"]},
            "severity": {"enum": ["low", "medium", "high"]},
            "when": {"type": "string", "format": "date"},
            "node": {"type": "string", "format": "cas_ref"},
        },
        "additionalProperties": false,
    });
    let value =
        json!({"severity": "hgh", "count": "three", "when": "today", "node": "x", "extra": 1});
    let schema = Schema::compile(&schema).unwrap();
    let mut found: Vec<_> = schema
        .check(&value)
        .unwrap_err()
        .into_iter()
        .map(|violation| (violation.path, violation.keyword, violation.message))
        .collect();
    found.sort();
    let expected = [
        ("/count", "type", r#"`/count` is "three"; it must be a whole number"#),
        (
            "/extra",
            "additionalProperties",
            "`/extra` is not allowed here; allowed: `verdict`, `count`, `notes`, `severity`, `when`, `node`",
        ),
        (
            "/node",
            "format",
            r#"`/node` is "x"; it must be a hash: 13 characters of 0-9 and A-Z without I, L, O and U"#,
        ),
        ("/notes", "required", "`/notes` is missing; it must be a list or null"),
        ("/other", "required", "`/other` is missing"),
        (
            "/severity",
            "enum",
            r#"`/severity` is "hgh"; allowed: "low", "medium", "high""#,
        ),
        (
            "/verdict",
            "required",
            r#"`/verdict` is missing; it must be "ok" or "bad" (your judgement)"#,
        ),
        (
            "/when",
            "format",
            r#"`/when` is "today"; it must be a date such as 2026-06-01"#,
        ),
    ]
    .map(|(path, keyword, message)| (path.to_owned(), keyword.to_owned(), message.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn each_keyword_has_its_words() {
    let cases = [
        (
            json!({"type": "object"}),
            json!([1, 2]),
            "the value is a list of 2 items; it must be an object",
        ),
        (
            json!({"const": "go"}),
            json!("stop"),
            r#"the value is "stop"; it must be "go""#,
        ),
        (
            json!({"pattern": "^a+$"}),
            json!("b"),
            r#"the value is "b"; it must match the pattern `^a+$`"#,
        ),
        (
            json!({"minimum": 1.5}),
            json!(1),
            "the value is 1; it must be at least 1.5",
        ),
        (
            json!({"maximum": 1}),
            json!(2),
            "the value is 2; it must be at most 1",
        ),
        (
            json!({"exclusiveMinimum": 1}),
            json!(1),
            "the value is 1; it must be more than 1",
        ),
        (
            json!({"exclusiveMaximum": 1}),
            json!(1),
            "the value is 1; it must be less than 1",
        ),
        (
            json!({"multipleOf": 5}),
            json!(7),
            "the value is 7; it must be a multiple of 5",
        ),
        (
            json!({"minLength": 3}),
            json!("é"),
            r#"the value is "é"; it must have at least 3 characters"#,
        ),
        (
            json!({"maxLength": 1}),
            json!("éé"),
            r#"the value is "éé", 2 characters; it must have at most 1"#,
        ),
        (
            json!({"minItems": 1}),
            json!([]),
            "the value is an empty list; it must have at least 1 item",
        ),
        (
            json!({"maxItems": 1}),
            json!([1, 1]),
            "the value is a list of 2 items; it must have at most 1 item",
        ),
        (
            json!({"minProperties": 2}),
            json!({"a": 1}),
            "the value is an object with `a`; it must have at least 2 keys",
        ),
        (
            json!({"maxProperties": 0}),
            json!({"a": 1}),
            "the value is an object with `a`; it must have at most 0 keys",
        ),
        (
            json!({"uniqueItems": true}),
            json!([1, 1]),
            "the value holds the same item twice; its items must differ",
        ),
        (
            json!({"contains": {"const": 1}}),
            json!([2]),
            "the value does not hold the items it must hold (`contains`)",
        ),
        (
            json!({"properties": {"a": false}}),
            json!({"a": 1}),
            "`/a` must not be there",
        ),
        (
            json!({"not": {"type": "string"}}),
            json!("a"),
            r#"the value is "a", which fits what it must not fit: {"type":"string"}"#,
        ),
        (
            json!({"oneOf": [{"type": "number"}, {"type": "integer"}, {"type": "null"}]}),
            json!(1),
            "the value is 1 and fits several alternatives of `oneOf` (0, 1); it must fit exactly one",
        ),
        (
            json!({"propertyNames": {"pattern": "^[a-z]$"}}),
            json!({"A": 1}),
            r#"the value has a key that is not allowed: the key is "A"; it must match the pattern `^[a-z]$`"#,
        ),
        (
            json!({"properties": {"a": {}}, "unevaluatedProperties": false}),
            json!({"a": 1, "b": 1}),
            "`/b` is not allowed here; allowed: `a`",
        ),
        (
            json!({"dependentRequired": {"a": ["b"]}, "properties": {"b": {"type": "boolean"}}}),
            json!({"a": 1}),
            "`/b` is missing; it must be true or false",
        ),
        (
            json!({"unevaluatedItems": false}),
            json!([1]),
            "the value holds 1 item that the schema does not allow",
        ),
    ];
    for (schema, value, message) in cases {
        assert_eq!(messages(&schema, &value), [message], "{schema}");
    }
}

#[test]
fn what_is_wanted_is_found_through_references() {
    let schema = json!({
        "$id": "https://example.org/answer",
        "$ref": "#/$defs/answer",
        "$defs": {
            "answer": {"required": ["a"], "properties": {"a": {"$ref": "#/$defs/level"}}},
            "level": {"anyOf": [{"type": "integer"}, {"const": "none"}]},
        },
    });
    assert_eq!(
        messages(&schema, &json!({})),
        [r#"`/a` is missing; it must be a whole number or "none""#]
    );
    let schema = json!({
        "required": ["a"],
        "properties": {"a": {"$ref": "#level"}},
        "$defs": {"level": {"$anchor": "level", "type": "integer"}},
    });
    assert_eq!(
        messages(&schema, &json!({})),
        ["`/a` is missing; it must be a whole number"]
    );
}

#[test]
fn of_alternatives_the_one_that_was_meant_is_described() {
    let schema = |keyword: &str| {
        json!({keyword: [
            {
                "properties": {"kind": {"const": "ready"}, "plan": {"type": "string"}},
                "required": ["kind", "plan"],
            },
            {
                "properties": {"kind": {"const": "failed"}, "a": {}, "b": {}},
                "required": ["kind", "a", "b"],
            },
            {"type": "null"},
        ]})
    };
    for keyword in ["anyOf", "oneOf"] {
        assert_eq!(
            messages(&schema(keyword), &json!({"kind": "failed", "plan": 1})),
            ["`/a` is missing", "`/b` is missing"]
        );
    }
    assert_eq!(
        messages(&schema("oneOf"), &json!({"kind": "ready", "plan": 1})),
        ["`/plan` is 1; it must be a string"]
    );
}

#[test]
fn where_no_alternative_was_meant_their_choices_are_told_together() {
    let union = json!({"anyOf": [
        {"type": "object", "properties": {"kind": {"const": "ready"}}, "required": ["kind", "a"]},
        {"type": "object", "properties": {"kind": {"enum": ["failed"]}}, "required": ["kind"]},
    ]});
    assert_eq!(
        messages(&union, &json!({"kind": "redy"})),
        [r#"`/kind` is "redy"; allowed: "ready", "failed""#]
    );
    assert_eq!(
        messages(&union, &json!({})),
        [r#"`/kind` is missing; allowed: "ready", "failed""#]
    );
    assert_eq!(
        messages(&union, &json!("ready")),
        [r#"the value is "ready"; it must be an object"#]
    );
    let mixed = json!({"anyOf": [{"enum": ["a", "b"]}, {"type": "array"}, {"type": "null"}]});
    assert_eq!(
        messages(&mixed, &json!(1)),
        [r#"the value is 1; allowed: "a", "b", a list, null"#]
    );
}
