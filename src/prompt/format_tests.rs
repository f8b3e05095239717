//! The example blocks that schemas are shown as.

use serde_json::{Value, json};

use super::{AnswerForm, output_format};

const RULES: &str = "\
- Put your own value in place of each `<…>`; where ` | ` stands between values, write one of them.
- Put a text in double quotes when it holds `: ` or ` #`, ends with a colon, or does not begin with a letter or a digit. Write a text of several lines after `|`, each line indented.
";

/// The one block that a schema is shown as.
fn block(schema: &Value) -> String {
    let text = output_format(schema, AnswerForm::Frontmatter);
    let (_, rest) = text.split_once("\n---\n").unwrap();
    let (block, rest) = rest.split_once("---\n").unwrap();
    assert!(!rest.contains("\nor\n"), "{text}");
    block.to_owned()
}

#[test]
fn required_fields_come_first_in_their_order() {
    let schema = json!({
        "title": "triage-report.writer",
        "description": "What became of\nthe report",
        "type": "object",
        "properties": {
            "score": {"type": "number"},
            "severity": {"enum": ["low", "medium", "high"]},
            "title": {"type": "string", "description": "What the report\n  is about"},
            "note": {"type": "string", "description": "Anything else"},
        },
        "required": ["title", "severity", "extra"],
    });
    assert_eq!(
        output_format(&schema, AnswerForm::Frontmatter),
        format!(
            "## Answer format\n\n\
             Begin your final answer with a YAML block like this one, then write the rest below it, in Markdown:\n\n\
             ---\n\
             # What became of the report\n\
             title: <text>  # required: What the report is about\n\
             severity: low | medium | high  # required\n\
             extra: <any value>  # required\n\
             score: <number>\n\
             note: <text>  # Anything else\n\
             ---\n\n\
             - The first line of the answer is `---`; nothing stands before it.\n\
             - Write only these fields. Those marked `required` must be there; the others may be left out, but not left empty.\n\
             {RULES}"
        )
    );
}

#[test]
fn a_union_has_a_block_for_each_of_its_forms() {
    let branches = json!([
        {
            "properties": {"kind": {"const": "ok"}, "url": {"type": "string"}},
            "required": ["kind", "url"],
        },
        {"$ref": "#/$defs/bad"},
        {"type": "null"},
    ]);
    let expected = format!(
        "## Answer format\n\n\
         Begin your final answer with one of these YAML blocks, whichever fits your result, then write the rest below it, in Markdown:\n\n\
         ---\n\
         by: <text>  # required\n\
         kind: ok  # required\n\
         url: <text>  # required\n\
         note: <text>\n\
         ---\n\
         \n\
         or\n\
         \n\
         ---\n\
         # It went wrong\n\
         by: <text>  # required\n\
         kind: bad  # required\n\
         why: <text>  # required\n\
         note: <text>\n\
         ---\n\n\
         - The first line of the answer is `---`; nothing stands before it.\n\
         - Write only these fields. Those marked `required` must be there; the others may be left out, but not left empty.\n\
         {RULES}"
    );
    for keyword in ["anyOf", "oneOf"] {
        let schema = json!({
            "properties": {"note": {"type": "string"}, "by": {"type": "string"}},
            "required": ["by"],
            keyword: branches,
            "$defs": {"bad": {
                "title": "It went wrong",
                "properties": {"why": {"type": "string"}, "kind": {"const": "bad"}},
                "required": ["kind", "why"],
            }},
        });
        assert_eq!(output_format(&schema, AnswerForm::Frontmatter), expected);
    }
}

#[test]
fn conditions_are_shown_as_the_forms_they_lead_to() {
    let schema = json!({
        "properties": {"done": {"type": "boolean"}},
        "required": ["done"],
        "if": {"properties": {"done": {"const": true}}},
        "then": {"required": ["url"], "properties": {"url": {"format": "uri"}}},
        "else": {"required": ["why"]},
    });
    let text = output_format(&schema, AnswerForm::Frontmatter);
    assert!(text.contains(
        "---\ndone: true  # required\nurl: <URI>  # required\n---\n\nor\n\n\
         ---\ndone: true | false  # required\nwhy: <any value>  # required\n---\n"
    ));
    assert!(text.contains("- Write all of its fields and no others.\n"));
}

#[test]
fn every_kind_of_value_is_shown() {
    let schema = json!({"properties": {
        "any": {},
        "text": {"type": "string", "minLength": 1, "maxLength": 80},
        "long": {"type": "string", "minLength": 10},
        "id": {"pattern": "^[a-z]+$", "maxLength": 9, "minLength": 2},
        "plan": {"type": "string", "format": "cas_ref"},
        "day": {"type": "string", "format": "date"},
        "host": {"type": "string", "format": "hostname"},
        "count": {"type": "integer", "minimum": 0},
        "share": {"type": "number", "minimum": 0, "maximum": 1},
        "open": {"exclusiveMinimum": 0, "exclusiveMaximum": 1.5},
        "flag": {"type": "boolean"},
        "nothing": {"type": "null"},
        "maybe": {"type": ["string", "null"]},
        "one of": {"anyOf": [{"const": "a"}, {"const": 2}, {"const": "true"}, {"const": "a"}]},
        "quoted: key": {"enum": ["x: y", "", "a | b", "é", "v1.2/b-c", "1.10", null, [1, "a"]]},
        "never": false,
    }});
    assert_eq!(
        block(&schema),
        r#"any: <any value>
text: <text, at most 80 characters>
long: <text, at least 10 characters>
id: <text matching ^[a-z]+$, 2 to 9 characters>
plan: <hash of a stored node>
day: <date such as 2026-06-01>
host: <text of the format hostname>
count: <whole number, at least 0>
share: <number from 0 to 1>
open: <number, above 0 and below 1.5>
flag: true | false
nothing: null
maybe: <text> | null
one of: a | 2 | "true"
"quoted: key": "x: y" | "" | "a | b" | é | v1.2/b-c | "1.10" | null | [1,"a"]
"#
    );
}

#[test]
fn lists_and_mappings_are_written_out() {
    let schema = json!({"properties": {
        "failures": {"type": "array", "items": {"type": "string"}},
        "some": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3},
        "pair": {"prefixItems": [{"type": "string"}, {"type": "number"}], "minItems": 2, "maxItems": 2},
        "few": {"type": "array", "maxItems": 2},
        "artifacts": {
            "type": "array",
            "description": "What was made",
            "items": {"$ref": "#/$defs/artifact"},
            "minItems": 1,
        },
        "free": {"type": "object"},
        "sizes": {"type": "object", "additionalProperties": {"type": "integer"}},
        "labels": {"patternProperties": {"^x-": {"type": "string"}}, "additionalProperties": false},
        "target": {"oneOf": [{"type": "string"}, {"$ref": "#/$defs/artifact"}]},
        "matrix": {"items": {"items": {"type": "number"}}},
    }, "required": ["artifacts"], "$defs": {"artifact": {
        "type": "object",
        "properties": {"size": {"type": "integer"}, "path": {"type": "string"}},
        "required": ["path"],
        "additionalProperties": true,
    }}});
    assert_eq!(
        block(&schema),
        "\
artifacts:  # required, a list of at least 1: What was made
  - path: <text>  # required
    size: <whole number>
    <other name>: <any value>
failures:  # a list, [] for none
  - <text>
some:  # a list of 1 to 3
  - <whole number>
pair:  # a list of 2
  - <text>
  - <number>
few: <list>  # a list of at most 2, [] for none
free: <mapping>
sizes:
  <name>: <whole number>
labels:
  <name matching ^x->: <text>
target:  # one of these
  <text>
  # or
  path: <text>  # required
  size: <whole number>
  <other name>: <any value>
matrix:  # a list, [] for none
  - - <number>
"
    );
}

#[test]
fn a_schema_inside_itself_ends() {
    let schema = json!({
        "properties": {
            "name": {"type": "string"},
            "parts": {"type": "array", "items": {"$ref": "#"}},
            "other": {"$ref": "#/$defs/loop"},
        },
        "$defs": {"loop": {"$ref": "#/$defs/loop"}},
    });
    let text = output_format(&schema, AnswerForm::Frontmatter);
    assert!(text.contains(
        "---\nname: <text>\nparts:  # a list, [] for none\n  - <mapping like the one it is in>\n\
         other: <any value>\n---\n"
    ));
    let doubling: serde_json::Map<_, _> = (0..40)
        .map(|level| {
            let next = json!({"$ref": format!("#/$defs/{}", level + 1)});
            (level.to_string(), json!({"anyOf": [next, next]}))
        })
        .collect();
    let text = output_format(
        &json!({"properties": {"a": {"$ref": "#/$defs/0"}}, "$defs": doubling}),
        AnswerForm::Frontmatter,
    );
    assert!(text.contains("The schema allows more than is shown here.\n"));
    let wide = |inner: Value| json!({"properties": (0..12).map(|key| (key.to_string(), inner.clone())).collect::<serde_json::Map<_, _>>()});
    let text = output_format(&wide(wide(wide(wide(json!({}))))), AnswerForm::Frontmatter);
    assert!(text.lines().count() < 2_000, "{}", text.lines().count());
}

#[test]
fn long_choices_are_shortened() {
    let options: Vec<_> = (0..1_000).map(|option| format!("o{option}")).collect();
    let text = output_format(
        &json!({"properties": {"a": {"enum": options}}}),
        AnswerForm::Frontmatter,
    );
    assert!(text.contains(" | o49\n") && !text.contains("o50"));
    assert!(text.contains("The schema allows more than is shown here.\n"));
    let branches: Vec<_> = (0..40)
        .map(|branch| json!({"properties": {"kind": {"const": branch}}}))
        .collect();
    let text = output_format(&json!({"anyOf": branches}), AnswerForm::Frontmatter);
    assert_eq!(text.matches("\nor\n").count(), 11);
    assert!(text.contains("The schema allows more than is shown here.\n"));
}

#[test]
fn a_schema_that_names_no_field_says_what_to_write() {
    let intro = "## Answer format\n\nBegin your final answer with a YAML block, then write the rest below it, in Markdown. ";
    let first = "- The first line of the answer is `---`; nothing stands before it.\n";
    let quoting = &RULES[RULES.find("- Put a text").unwrap()..];
    for schema in [
        json!({}),
        json!(true),
        json!({"type": "object"}),
        json!({"type": "string"}),
    ] {
        assert_eq!(
            output_format(&schema, AnswerForm::Frontmatter),
            format!(
                "{intro}Its fields are yours to choose:\n\n---\n<name>: <value>\n---\n\n{first}{quoting}"
            )
        );
    }
    assert_eq!(
        output_format(&json!({"properties": {}}), AnswerForm::Frontmatter),
        format!("{intro}It holds no fields:\n\n---\n{{}}\n---\n\n{first}")
    );
    assert_eq!(
        output_format(
            &json!({"properties": {}, "additionalProperties": {"type": "string"}}),
            AnswerForm::Frontmatter
        ),
        format!(
            "{intro}Its fields are of this kind:\n\n---\n<name>: <text>\n---\n\n{first}{quoting}"
        )
    );
}

#[test]
fn an_answer_in_json_is_asked_for_in_json() {
    let schema = json!({
        "properties": {"note": {"type": "string"}, "ok": {"type": "boolean"}},
        "required": ["ok"],
    });
    assert_eq!(
        output_format(&schema, AnswerForm::Json),
        "## Answer format\n\n\
         Give your final answer as one JSON object and nothing else: \
         `{\"meta\": {…}, \"content\": \"…\"}`. `content` is the text of your answer, in Markdown. \
         `meta` holds these fields, shown here as YAML:\n\n\
         ```yaml\nok: true | false  # required\nnote: <text>\n```\n\n\
         - Write only these fields. Those marked `required` must be there; the others may be left \
         out, but not left empty.\n\
         - Put your own value in place of each `<…>`; where ` | ` stands between values, write one \
         of them.\n"
    );
}
