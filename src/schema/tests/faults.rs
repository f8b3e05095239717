//! What is said of a schema.

use serde_json::json;

use super::*;

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
