//! The schema room as its callers see it.

use serde_json::{Value, json};

use super::*;

fn messages(schema: &Value, value: &Value) -> Vec<String> {
    let schema = Schema::compile(schema).unwrap();
    match schema.check(value) {
        Ok(()) => Vec::new(),
        Err(violations) => violations
            .into_iter()
            .map(|violation| violation.message)
            .collect(),
    }
}

fn complaints(schema: &Value) -> Vec<(String, String)> {
    faults(schema)
        .into_iter()
        .map(|fault| (fault.pointer, fault.message))
        .collect()
}

fn pair(pointer: &str, message: &str) -> (String, String) {
    (pointer.to_owned(), message.to_owned())
}

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

#[test]
fn long_values_are_never_repeated_whole() {
    let long = "x".repeat(10_000);
    for message in messages(&json!({"enum": [1, long]}), &json!("y".repeat(10_000))) {
        assert!(message.len() < 300, "{message}");
    }
}

#[test]
fn a_value_that_nests_too_deep_is_a_violation() {
    let nested = |levels| (0..levels).fold(json!(1), |inner, _| json!([inner]));
    let schema = json!({"anyOf": [{"items": {"$ref": "#"}, "type": "array"}, {"const": 1}]});
    assert!(messages(&schema, &nested(512)).is_empty());
    assert_eq!(
        messages(&schema, &nested(513)),
        ["the value nests deeper than 512 levels"]
    );
}

#[test]
fn many_calls_for_each_level_do_not_end_the_program() {
    let chain = (0..100).fold(
        json!({"items": {"$ref": "#"}}),
        |inner, _| json!({"allOf": [inner]}),
    );
    let nested = (0..512).fold(json!(1), |inner, _| json!([inner]));
    assert!(messages(&chain, &nested).is_empty());
}

#[test]
fn references_in_circles_end() {
    for schema in [
        json!({"$ref": "#"}),
        json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}),
    ] {
        assert!(messages(&schema, &json!(1)).is_empty());
    }
    let long: serde_json::Map<_, _> = (0..3_000)
        .map(|link| {
            let next = format!("#/$defs/{}", link + 1);
            (link.to_string(), json!({"$ref": next}))
        })
        .chain([("3000".to_owned(), json!({"type": "null"}))])
        .collect();
    assert_eq!(
        messages(&json!({"$ref": "#/$defs/0", "$defs": long}), &json!(1)),
        ["the value is 1; it must be null"]
    );
}

#[test]
fn patterns_take_linear_time() {
    let schema = json!({"pattern": "^(a+)+$"});
    assert_eq!(messages(&schema, &json!("a".repeat(5_000) + "!")).len(), 1);
}

#[test]
fn a_misspelled_type_is_named_with_what_was_meant() {
    assert_eq!(
        complaints(&json!({"type": "object", "properties": {"x": {"type": "strng"}}})),
        [pair(
            "/properties/x/type",
            r#"`type` is "strng"; allowed: "array", "boolean", "integer", "null", "number", "object", "string", a list; did you mean `string`?"#,
        )]
    );
}

#[test]
fn all_faults_of_a_schema_are_told_at_once() {
    assert_eq!(
        complaints(&json!({
            "required": ["a", 5],
            "minimum": "x",
            "pattern": "(a",
            "patternProperties": {"(?=a)": {}},
            "items": {"$ref": "https://example.org/s.json"},
            "not": {"$ref": "#/$defs/naem"},
            "$defs": {"name": {}},
        })),
        [
            pair("/required/1", "`required/1` is 5; it must be a string"),
            pair("/minimum", r#"`minimum` is "x"; it must be a number"#),
            pair(
                "/pattern",
                "`(a` is not a regular expression that can be used here: look-around and \
                 back-references are not, nor is one that grows very large",
            ),
            pair(
                "/patternProperties/(?=a)",
                "`(?=a)` is not a regular expression that can be used here: look-around and \
                 back-references are not, nor is one that grows very large",
            ),
            pair(
                "/items/$ref",
                "the reference `https://example.org/s.json` leads out of the schema; write what \
                 it names under `$defs` and refer to `#/$defs/…`",
            ),
            pair(
                "/not/$ref",
                "the reference `#/$defs/naem` leads nowhere in the schema; did you mean \
                 `#/$defs/name`?",
            ),
        ]
    );
}

#[test]
fn what_is_no_schema_is_refused() {
    assert_eq!(
        complaints(&json!("string")),
        [pair(
            "",
            r#"the schema is "string"; it must be true or false or an object"#
        )]
    );
    assert_eq!(
        complaints(&json!({"$ref": "other.json"})),
        [pair(
            "/$ref",
            "the reference `other.json` leads out of the schema; write what it names under \
             `$defs` and refer to `#/$defs/…`",
        )]
    );
    assert_eq!(
        complaints(&json!({"items": {"$schema": "http://json-schema.org/draft-07/schema#"}})),
        [pair(
            "/items/$schema",
            "`$schema` names `http://json-schema.org/draft-07/schema#`; only draft 2020-12 is \
             read here: leave the line out, or write `https://json-schema.org/draft/2020-12/schema`",
        )]
    );
    let deep = (0..200).fold(json!({}), |inner, _| json!({"anyOf": [inner]}));
    assert_eq!(
        complaints(&deep),
        [pair("", "the schema nests deeper than 256 levels")]
    );
    assert_eq!(
        complaints(&json!({"$ref": "#no-such-anchor"})),
        [pair(
            "",
            "a reference of the schema leads nowhere: Anchor 'no-such-anchor' does not exist",
        )]
    );
}

#[test]
fn the_whole_draft_is_legal() {
    for schema in [
        json!(true),
        json!({}),
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "oneOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"minimum": 1}}}),
        json!({"$ref": "https://json-schema.org/draft/2020-12/schema"}),
        json!({"$dynamicRef": "#x", "$dynamicAnchor": "x"}),
        json!({"$defs": {"a": {"$id": "https://example.org/a", "type": "null"}}, "$ref": "https://example.org/a"}),
        json!({"if": {"required": ["a"]}, "then": {"prefixItems": [{}]}, "else": {"patternProperties": {"^x-": {}}}}),
        json!({"enum": []}),
        // Legal only as the original's.
        json!({"required": ["a", "a"], "items": {"type": ["null", "null"]}}),
    ] {
        assert_eq!(complaints(&schema), [], "{schema}");
    }
    assert_eq!(
        complaints(&json!({"required": ["a", "a"], "minimum": 1})).len(),
        1
    );
}

#[test]
fn unknown_formats_and_keywords_check_nothing_and_are_told() {
    let schema = json!({
        "requird": ["a"],
        "x-ours": 1,
        "properties": {"requird": {"format": "dat-time"}, "b": {"format": "date-time"}},
    });
    assert!(messages(&schema, &json!({"requird": "whenever"})).is_empty());
    let told: Vec<_> = warnings(&schema)
        .into_iter()
        .map(|warning| (warning.pointer, warning.message))
        .collect();
    assert_eq!(
        told,
        [
            pair(
                "/requird",
                "`requird` is no keyword of JSON Schema and checks nothing; did you mean `required`?",
            ),
            pair(
                "/properties/requird/format",
                "the format `dat-time` is not known and checks nothing; did you mean `date-time`?",
            ),
        ]
    );
}
