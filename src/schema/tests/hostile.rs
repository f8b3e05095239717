//! Schemas and values made to cost much.

use serde_json::json;

use super::*;

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
fn a_schema_that_multiplies_by_its_references_is_refused() {
    let chain = |keyword: &str, length: usize| {
        let mut definitions = serde_json::Map::new();
        for number in 0..length {
            let next = json!({"$ref": format!("#/$defs/d{}", number + 1)});
            definitions.insert(format!("d{number}"), json!({keyword: [next, next]}));
        }
        definitions.insert(format!("d{length}"), json!({"type": "integer"}));
        json!({"$defs": definitions, "$ref": "#/$defs/d0"})
    };
    for keyword in ["anyOf", "oneOf", "allOf"] {
        assert_eq!(
            complaints(&chain(keyword, 30)),
            [pair(
                "",
                "the schema allows too many combinations: with its references followed it has \
                 more than 100000 parts; let fewer definitions refer to the same one several times"
            )]
        );
    }
    assert_eq!(
        messages(&chain("anyOf", 14), &json!("x")),
        [r#"the value is "x"; it must be a whole number"#]
    );
    let mut combined = chain("anyOf", 12);
    combined["$defs"]["d0"]["unevaluatedProperties"] = json!(false);
    assert_eq!(complaints(&combined).len(), 1);
}
