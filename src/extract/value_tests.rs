//! What the values of a block become.

use serde_json::{Value, json};

use super::tests::{bad, form, said, verdict};
use super::*;

/// What a block comes out as.
fn value_of(block: &str, schema: &Value) -> Value {
    let answer = format!("---\n{block}\n---\n");
    match extract(&answer, &form(schema)) {
        Ok(extracted) => extracted.value,
        Err(faults) => panic!("{block:?}: {}", said(&faults)),
    }
}

#[test]
fn text_keeps_its_source_where_the_schema_wants_text() {
    let text = json!({"type": "string"});
    for (schema, source, value) in [
        (text.clone(), "007", json!("007")),
        (text.clone(), "1.10", json!("1.10")),
        (text.clone(), "0x1F", json!("0x1F")),
        (text.clone(), "2026-06-01", json!("2026-06-01")),
        (text.clone(), "true", json!("true")),
        (text.clone(), "1e3", json!("1e3")),
        (text.clone(), ".inf", json!(".inf")),
        (text.clone(), "\"null\"", json!("null")),
        (text.clone(), "a\n  b", json!("a b")),
        (json!({"type": ["string", "null"]}), "007", json!("007")),
        (json!({"type": ["string", "null"]}), "~", json!(null)),
        (json!({"type": ["string", "null"]}), "", json!(null)),
        (
            json!({"anyOf": [text, {"type": "null"}]}),
            "1.10",
            json!("1.10"),
        ),
        (json!({"type": ["string", "number"]}), "007", json!(7)),
        (
            json!({"oneOf": [text, {"type": "boolean"}]}),
            "true",
            json!(true),
        ),
        (
            json!({"oneOf": [text, {"type": "boolean"}]}),
            "007",
            json!(7).to_string().into(),
        ),
        (json!({"enum": ["1", "2"]}), "1", json!("1")),
        (json!({"enum": ["1", 2]}), "2", json!(2)),
        (json!({"enum": ["no", "yes", null]}), "null", json!(null)),
        (json!({"const": "1.0"}), "1.0", json!("1.0")),
        (
            json!({"format": "cas_ref"}),
            "1234567890123",
            json!("1234567890123"),
        ),
        (
            json!({"allOf": [{"maxLength": 3}, text]}),
            "12",
            json!("12"),
        ),
        (json!({"$ref": "#/$defs/text"}), "12", json!("12")),
        (json!({}), "12", json!(12)),
        (json!(true), "12", json!(12)),
        (json!({"type": "number"}), "007", json!(7)),
        (json!({"type": "integer"}), "1e3", json!(1000)),
    ] {
        let whole = json!({"properties": {"v": schema}, "$defs": {"text": {"type": "string"}}});
        // Where no branch fits the union, the value is refused: nothing is made up.
        if schema.get("oneOf").is_some() && source == "007" {
            let said = bad(&format!("---\nv: {source}\n---\n"), &whole);
            assert_eq!(said, "line 2: `/v` is 7; allowed: a string, true or false");
            continue;
        }
        assert_eq!(
            value_of(&format!("v: {source}"), &whole),
            json!({"v": value}),
            "{schema} {source}"
        );
    }
}

#[test]
fn the_schema_is_followed_into_lists_and_mappings() {
    let schema = json!({
        "properties": {
            "refs": {"type": "array", "items": {"type": "string"}},
            "pair": {"prefixItems": [{"type": "string"}, {}], "items": {"type": "string"}},
            "tree": {"$ref": "#/$defs/tree"},
            "by name": {"additionalProperties": {"type": "string"}},
            "by pattern": {
                "patternProperties": {"^s_": {"type": "string"}},
                "additionalProperties": {"type": "number"},
            },
        },
        "$defs": {"tree": {
            "properties": {
                "id": {"type": "string"},
                "parts": {"items": {"$ref": "#/$defs/tree"}},
            },
        }},
    });
    let block = "\
refs: [1, 2.0, x]
pair: [1, 2, 3, 4]
tree:
  id: 1
  parts:
    - {id: 2, size: 3}
    - id: 3
      parts: [{id: 4}]
by name: {a: 1}
by pattern: {s_a: 1, n: 2}";
    assert_eq!(
        value_of(block, &schema),
        json!({
            "refs": ["1", "2.0", "x"],
            "pair": ["1", 2, "3", "4"],
            "tree": {"id": "1", "parts": [
                {"id": "2", "size": 3},
                {"id": "3", "parts": [{"id": "4"}]},
            ]},
            "by name": {"a": "1"},
            "by pattern": {"s_a": "1", "n": 2},
        })
    );
}

#[test]
fn of_a_union_the_variant_that_is_named_decides() {
    let schema = json!({"oneOf": [
        {"properties": {"kind": {"const": "a"}, "id": {"type": "string"}, "only": {"type": "string"}}},
        {"properties": {"kind": {"enum": ["b"]}, "id": {"type": "integer"}}},
        {"$ref": "#/$defs/c"},
    ], "$defs": {"c": {"allOf": [{"properties": {"kind": {"const": true}, "id": {"type": "string"}}}]}}});
    for (block, value) in [
        ("kind: a\nid: 007", json!({"kind": "a", "id": "007"})),
        ("kind: b\nid: 007", json!({"kind": "b", "id": 7})),
        ("kind: true\nid: 007", json!({"kind": true, "id": "007"})),
    ] {
        assert_eq!(value_of(block, &schema), value);
    }
    let conditional = json!({
        "properties": {"kind": {"type": "string"}},
        "if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
        "then": {"properties": {"id": {"type": "string"}}},
        "else": {"properties": {"id": {"type": "number"}}},
    });
    assert_eq!(
        value_of("kind: a\nid: 1", &conditional),
        json!({"kind": "a", "id": "1"})
    );
    assert_eq!(value_of("id: 1", &conditional), json!({"id": 1}));
}

#[test]
fn unknown_keys_are_left_out_unless_the_schema_wants_them() {
    let answer = "---\nverdict: ok\nVerdikt: 1\nx-a: 2\n---\n";
    let keeps = |extra: Value| {
        let mut schema = verdict();
        schema
            .as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        let extracted = extract(answer, &form(&schema)).unwrap();
        let keys: Vec<_> = extracted
            .value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        (keys.join(" "), extracted.warnings)
    };
    let left_out = [
        "line 3: `Verdikt` is no field of this role (did you mean `verdict`?); it was left out",
        "line 4: `x-a` is no field of this role; it was left out",
    ];
    for extra in [json!({}), json!({"additionalProperties": false})] {
        let (keys, warnings) = keeps(extra);
        assert_eq!(keys, "verdict");
        assert_eq!(warnings, left_out);
    }
    for extra in [
        json!({"additionalProperties": true}),
        json!({"additionalProperties": {"type": "integer"}}),
        json!({"unevaluatedProperties": true}),
        json!({"patternProperties": {"^x-": {}, "^V": {}}}),
        json!({"anyOf": [{}, {"properties": {"x-a": {}, "Verdikt": {}}}]}),
        json!({"dependentRequired": {}, "then": {"required": ["x-a", "Verdikt"]}}),
        json!({"allOf": [{"$ref": "#/$defs/more"}], "$defs": {"more": {"properties": {"x-a": true, "Verdikt": true}}}}),
    ] {
        let (keys, warnings) = keeps(extra.clone());
        assert_eq!(keys, "verdict Verdikt x-a", "{extra}");
        assert_eq!(warnings, [""; 0], "{extra}");
    }
    let (keys, warnings) = keeps(json!({"patternProperties": {"^x-": {}}}));
    assert_eq!((keys.as_str(), warnings.len()), ("verdict x-a", 1));
    assert_eq!(
        value_of("a: 1", &json!({"required": ["a"]})),
        json!({"a": 1})
    );
    assert_eq!(
        extract("---\na: {}\n---\n", &form(&json!({"properties": {}})))
            .unwrap()
            .value,
        json!({})
    );
}

#[test]
fn violations_are_told_with_path_and_line() {
    let schema = json!({
        "properties": {
            "verdict": {"enum": ["ok", "bad"]},
            "count": {"type": "integer"},
            "parts": {"items": {"properties": {"size": {"type": "number"}}, "required": ["name"]}},
        },
        "required": ["verdict"],
    });
    let answer =
        "Hm.\n---\nverdct: ok\ncount: many\nparts:\n  - name: a\n    size: big\n  - size: 1\n---\n";
    let faults = extract(answer, &form(&schema)).unwrap_err();
    let mut told: Vec<_> = faults
        .iter()
        .map(|fault| (fault.path.as_deref().unwrap(), fault.to_string()))
        .collect();
    told.sort();
    assert_eq!(
        told,
        [
            (
                "/count",
                "line 4: `/count` is \"many\"; it must be a whole number".to_owned()
            ),
            (
                "/parts/0/size",
                "line 7: `/parts/0/size` is \"big\"; it must be a number".to_owned()
            ),
            (
                "/parts/1/name",
                "line 8: `/parts/1/name` is missing".to_owned()
            ),
            (
                "/verdct",
                "line 3: `verdct` is no field of this role (did you mean `verdict`?)".to_owned()
            ),
            (
                "/verdict",
                "line 3: `/verdict` is missing; it must be \"ok\" or \"bad\"".to_owned()
            ),
        ]
    );
}

#[test]
fn schemas_that_unfold_without_end_are_cut() {
    let doubling: Map<String, Value> = (0..40)
        .map(|level| {
            let next = json!({"$ref": format!("#/$defs/{}", level + 1)});
            (level.to_string(), json!({"anyOf": [next, next]}))
        })
        .chain([("40".to_owned(), json!({"type": "string"}))])
        .collect();
    let reader = wants::Reader::new(&Value::Null);
    assert!(reader.root().is_none());
    let schema = json!({"properties": {"a": {"$ref": "#/$defs/30"}, "b": {
        "anyOf": [{"properties": {"b": {"$ref": "#/properties/b"}}}, {"properties": {"b": {"$ref": "#/properties/b"}}}],
    }}, "$defs": doubling});
    let nested = format!("{}1{}", "{b: ".repeat(100), "}".repeat(100));
    let document = yaml::parse(&format!("a: 1\nb: {nested}"), yaml::Strictness::Lenient)
        .unwrap()
        .unwrap();
    assert_eq!(convert::convert(&document, &schema)["a"], json!(1));
}
