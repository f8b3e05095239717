//! Answers as agents write them.

use serde_json::{Value, json};

use super::*;

pub(super) fn form(schema: &Value) -> Form {
    Form::new(schema).unwrap()
}

/// The schema most answers here are for.
pub(super) fn verdict() -> Value {
    json!({
        "type": "object",
        "properties": {"verdict": {"type": "string"}, "note": {"type": "string"}},
        "required": ["verdict"],
    })
}

/// The value and the body of an answer that fits.
fn good(answer: &str) -> (Value, String) {
    match extract(answer, &form(&verdict())) {
        Ok(extracted) => (extracted.value, extracted.body),
        Err(faults) => panic!("{answer:?}: {}", said(&faults)),
    }
}

/// The faults of an answer that does not fit, a line each.
pub(super) fn bad(answer: &str, schema: &Value) -> String {
    match extract(answer, &form(schema)) {
        Ok(extracted) => panic!("{answer:?}: {extracted:?}"),
        Err(faults) => said(&faults),
    }
}

pub(super) fn said(faults: &[Fault]) -> String {
    let lines: Vec<_> = faults.iter().map(Fault::to_string).collect();
    lines.join("\n")
}

#[test]
fn every_vector_is_met() {
    let vectors: Value = serde_json::from_str(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/vectors/frontmatter.json"
    )))
    .unwrap();
    for case in vectors["cases"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let result = extract(case["text"].as_str().unwrap(), &form(&case["schema"]));
        let want = &case["want"];
        match (want.get("error"), result) {
            (None, Ok(extracted)) => {
                assert_eq!(extracted.value, want["value"], "{name}");
                if let Some(body) = want.get("body") {
                    assert_eq!(extracted.body, *body, "{name}");
                }
                match case.get("warn").and_then(Value::as_str) {
                    Some(word) => assert!(extracted.warnings[0].contains(word), "{name}"),
                    None => assert!(extracted.warnings.is_empty(), "{name}"),
                }
            }
            (Some(error), Err(faults)) => {
                let line = faults[0].line.map(Value::from);
                if let Some(wanted) = error.get("line") {
                    assert_eq!(line.as_ref(), Some(wanted), "{name}");
                }
                let message = faults[0].to_string();
                for key in ["about", "path"] {
                    if let Some(word) = error.get(key).and_then(Value::as_str) {
                        assert!(message.contains(word), "{name}: {message}");
                    }
                }
                let path = error.get("path").and_then(Value::as_str);
                assert_eq!(faults[0].path.as_deref(), path, "{name}");
            }
            (wanted, got) => panic!("{name}: wanted {wanted:?}, got {got:?}"),
        }
    }
}

#[test]
fn wrappings_of_all_kinds_are_taken_off() {
    for answer in [
        "---\nverdict: ok\n---\nbody\n",
        "\u{feff}---\r\nverdict: ok\r\n---\r\n\r\nbody\r\n",
        "--- \t\nverdict: ok\n---  \n\n \nbody\n",
        "---\nverdict: ok\n...\nbody\n",
        " \n\n---\nverdict: ok\n---\nbody\n",
        "Sure.\n---\nverdict: ok\n---\nbody\n",
        "Sure.\n\n```yaml\n---\nverdict: ok\n---\n```\n\nbody\n",
        "```yaml\n---\nverdict: ok\n```\nbody\n",
        "```yaml\nverdict: ok\n```\nbody\n",
        "``` YML\nverdict: ok\n````\nbody\n",
        "~~~json\n{\"verdict\": \"ok\"}\n~~~\nbody\n",
        "```json\n---\n{\"verdict\": \"ok\"}\n---\n```\nbody\n",
        "```\n{\"verdict\": \"ok\"}\n```\nbody\n",
        "```\n\n---\nverdict: ok\n---\nbody\n```\n",
        "```markdown\n---\nverdict: ok\n---\n\nbody\n```",
        "Sure:\n\n```markdown\n---\nverdict: ok\n---\n\nbody\n```\n",
        "Sure:\n\n```yaml\nverdict: ok\n```\nbody\n",
        "Sure:\n{\"verdict\": \"ok\"}\nbody\n",
        "{\n\t\"verdict\": \"o\\u006b\",\n}\n\nbody\n",
        "---\n{\"verdict\": \"ok\"}\n---\nbody\n",
        "---\n# mine\nverdict: 'ok'\n---\nbody\n",
    ] {
        let (value, body) = good(answer);
        assert_eq!(value, json!({"verdict": "ok"}), "{answer:?}");
        assert_eq!(body.trim_end(), "body", "{answer:?}");
    }
}

#[test]
fn code_blocks_in_the_body_keep_their_ends() {
    assert_eq!(
        good("```\n---\nverdict: ok\n---\nsee\n```rust\nlet a;\n```\nend\n```\n").1,
        "see\n```rust\nlet a;\n```\nend\n"
    );
    assert_eq!(
        good("````md\n---\nverdict: ok\n---\nsee\n```\na\n```\n````\nbye\n").1,
        "see\n```\na\n```\nbye\n"
    );
    assert_eq!(
        good("```\n---\nverdict: ok\n---\n```\nsee\n```\na\n```\n").1,
        "see\n```\na\n```\n"
    );
    assert_eq!(
        good("---\nverdict: ok\n---\n  indented\n```\na\n```\n").1,
        "  indented\n```\na\n```\n"
    );
    assert_eq!(good("{\"verdict\": \"ok\"} then\n").1, " then\n");
}

#[test]
fn a_fence_is_three_dashes_alone() {
    let answer =
        "---\nverdict: ok\nnote: |\n  ---\n  --- a/x\n  ...\n\n  ----\n---\n----\n--- a/y\n";
    assert_eq!(
        good(answer),
        (
            json!({"verdict": "ok", "note": "---\n--- a/x\n...\n\n----\n"}),
            "----\n--- a/y\n".to_owned()
        )
    );
    assert_eq!(
        good("--- a/x\n+++ b/x\n----\n---\nverdict: ok\n---\n").0,
        json!({"verdict": "ok"})
    );
}

#[test]
fn the_block_on_the_first_line_counts_and_else_the_first_mapping() {
    assert_eq!(
        bad("---\nJust text.\n---\nverdict: ok\n---\n", &verdict()),
        "line 1: the frontmatter block holds a string; it must hold fields, each as `name: value`"
    );
    assert_eq!(
        good("Rules:\n\n---\n\nSome text.\n\n---\n\n- a\n\n---\nverdict: ok\n---\nbody\n"),
        (json!({"verdict": "ok"}), "body\n".to_owned())
    );
    assert_eq!(
        bad(
            "Hm.\n---\nno key\n---\nnote: a: b\n---\nverdict: @x\n---\n",
            &verdict()
        ),
        "line 5, column 8: a colon followed by a space ends the value here; put the value in quotes"
    );
    assert_eq!(
        bad("Hm.\n---\ntext\n---\nverdict: ok\n\n# Report\n", &verdict()),
        "line 4: the frontmatter block that opens here is not closed: a line `---` must follow its last field"
    );
    assert_eq!(
        bad("Done.\n\n---\n\nAll is well.\n\n---\n", &verdict()),
        "there is no frontmatter: the answer must begin with a block of YAML between two lines `---`"
    );
}

#[test]
fn a_code_block_in_the_text_counts_only_when_it_names_a_field() {
    let free = json!({"properties": {"verdict": {"type": "string"}}});
    let nowhere = "there is no frontmatter: the answer must begin with a block of YAML between two lines `---`";
    for answer in [
        "Done.\n```yaml\nkey: value\n```\n",
        "Done.\n{\"key\": \"verdict\"}\n",
        "Done.\n```rust\nverdict: ok\n```\n",
    ] {
        assert_eq!(bad(answer, &free), nowhere);
    }
}

#[test]
fn what_would_be_guessed_is_a_fault_with_its_place() {
    for (answer, message) in [
        (
            "",
            "the answer is empty; it must begin with a frontmatter block",
        ),
        (
            "---\n# nothing\n\n---\n",
            "line 1: the frontmatter block is empty",
        ),
        ("```yaml\n```\n", "line 1: the frontmatter block is empty"),
        (
            "\n\n---\nverdict: ok\nb:\n\tc: d\n---\n",
            "line 6, column 1: a tab cannot be used to indent; use spaces",
        ),
        (
            "Né.\n---\nverdict: \"ä\" ö\n---\n",
            "line 3, column 14: text follows the closing quote; inside double quotes a `\"` is written `\\\"`",
        ),
        (
            "Hm.\r\n---\r\nverdict: ok\r\nnote: x\r\nverdict: no\r\n---\r\n",
            "line 5, column 1: the key `verdict` is given twice (first given here: line 3)",
        ),
        (
            "---\nverdict: ok\n---\n\n---\nverdict: no\n---\n",
            "line 5, column 1: a second frontmatter block begins here; write one only",
        ),
        (
            "{\"verdict\": \"ok\"}\n{\"verdict\": \"no\"}\n",
            "line 2, column 1: a second frontmatter block begins here; write one only",
        ),
        (
            "```yaml\nverdict: ok\n---\nverdict: no\n```\n",
            "line 3, column 1: a second document begins here, and only one is read",
        ),
        (
            "```\n---\nverdict: ok\n```\n",
            "line 2: the frontmatter block that opens here is not closed: a line `---` must follow its last field",
        ),
        (
            "```yaml\nverdict: ok\n",
            "line 1: the code block that opens here is not closed",
        ),
        (
            "\n{\"verdict\": \"ok\"\n",
            "line 2: the JSON object that opens here is not closed",
        ),
        (
            "```json\n[1, 2]\n```\n",
            "line 1: the frontmatter block holds a list; it must hold fields, each as `name: value`",
        ),
        (
            "---\nverdict: a\0b\n---\n",
            "line 2, column 11: the control character U+0000 cannot stand in YAML; between double quotes it is written `\\x00`",
        ),
    ] {
        assert_eq!(bad(answer, &verdict()), message, "{answer:?}");
    }
}

#[test]
fn lone_carriage_returns_count_no_lines() {
    assert_eq!(
        bad("1%\r2%\r3%\n---\nverdict: ok\rnote: @x\n---\n", &verdict()),
        "line 3, column 19: a value cannot begin with `@`; put it in quotes"
    );
    assert_eq!(
        good("---\r\r\nverdict: ok\r\r\n---\r\r\n10%\r20%\r\r\n"),
        (json!({"verdict": "ok"}), "10%\r20%\n".to_owned())
    );
}

#[test]
fn a_value_from_json_is_fitted_alike_and_keeps_its_types() {
    let form = form(&verdict());
    assert_eq!(
        fit(&json!({"verdict": "ok", "more": 1}), &form),
        Ok(Fitted {
            value: json!({"verdict": "ok"}),
            warnings: vec!["`more` is no field of this role; it was left out".to_owned()],
        })
    );
    let faults = fit(&json!({"verdict": 7}), &form).unwrap_err();
    assert_eq!(said(&faults), "`/verdict` is 7; it must be a string");
    let faults = fit(&json!("ok"), &form).unwrap_err();
    assert_eq!(
        said(&faults),
        "the fields must be an object that has a value for each name"
    );
    assert_eq!(form.schema(), &verdict());
    assert!(Form::new(&json!({"type": "strng"})).is_err());
}

#[test]
fn the_body_is_found_without_a_schema() {
    for (answer, text) in [
        ("---\na: 1\n---\n\nbody\n", "body\n"),
        ("Hm.\r\n---\r\na: 1\r\n---\r\nbody\r\n", "body\n"),
        // What gives no fields is text: nothing that somebody wrote is left out.
        ("---\na: b: c\n---\nbody\n", "---\na: b: c\n---\nbody\n"),
        (
            "---\nPart one.\n---\nPart two.\n",
            "---\nPart one.\n---\nPart two.\n",
        ),
        ("{\"a\": 1}\n", ""),
        ("All done.\n", "All done.\n"),
        ("---\na: 1\n", "---\na: 1\n"),
        ("Done.\n```yaml\na: 1\n```\n", "Done.\n```yaml\na: 1\n```\n"),
        ("", ""),
    ] {
        assert_eq!(body(answer), text, "{answer:?}");
    }
}

#[test]
fn a_correction_says_what_and_where_and_what_to_do() {
    let schema = verdict();
    let ask = |answer: &str| correction(&extract(answer, &form(&schema)).unwrap_err(), &schema);
    assert_eq!(
        ask("---\nverdict: ok\nnote: fixed: `it`\n---\n"),
        "Your answer cannot be used:\n\n\
         - line 3, column 12: a colon followed by a space ends the value here; put the value in quotes\n  \
           > note: fixed: `it`\n\n\
         Correct this and give the whole answer again, not only the part that was wrong.\n"
    );
    assert_eq!(
        ask("All done."),
        "Your answer cannot be used:\n\n\
         - there is no frontmatter: the answer must begin with a block of YAML between two lines `---`\n\n\
         Begin with a line `---`, then the fields as `name: value`, then a line `---`, then the rest. \
         Required: `verdict`. Further fields: `note`.\n\n\
         Correct this and give the whole answer again, not only the part that was wrong.\n"
    );
    assert_eq!(
        ask("---\nnote: [1]\nextra: 1\n---\n"),
        "Your answer cannot be used:\n\n\
         - line 2: `/verdict` is missing; it must be a string\n\
         - line 2: `/note` is a list of 1 item; it must be a string\n\
         - line 3: `extra` is no field of this role\n\n\
         Correct this and give the whole answer again, not only the part that was wrong.\n"
    );
}

#[test]
fn hostile_answers_end_soon_and_long_lists_are_cut() {
    let form = form(&json!({
        "properties": {"list": {"items": {"type": "string"}}, "verdict": {"type": "string"}},
        "required": ["verdict"],
    }));
    let dashes = "---\n".repeat(100_000);
    let keys: String = (0..2_000).map(|key| format!("k{key}: 1\n")).collect();
    let lists: String = (0..2_000).map(|_| "- []\n").collect();
    for answer in [
        dashes.clone(),
        format!("text\n{dashes}"),
        format!("text\n{}", "---\nkey: a: b\n".repeat(5_000)),
        format!("text\n{}", "```yaml\n".repeat(20_000)),
        format!("text\n{}", "```yaml\n---\n".repeat(10_000)),
        format!("text\n{}", "{\"a\n".repeat(20_000)),
        format!("text\n{}", "{\n".repeat(20_000)),
        format!("---\n{}\n---\n", "[".repeat(200_000)),
        format!("---\nverdict: {}1\n---\n", "- ".repeat(100_000)),
        format!("{{\"verdict\": {}", "{\"a\":".repeat(100_000)),
        format!(
            "{{\"verdict\": {}{}}}",
            "[".repeat(100_000),
            "]".repeat(100_000)
        ),
        "\r".repeat(200_000),
        "\0".repeat(200_000),
        "`".repeat(200_000),
        "---".to_owned(),
        "---\n---".to_owned(),
        "{".to_owned(),
        "```".to_owned(),
        format!("---\n{keys}---\n"),
        format!("---\nverdict: ok\nlist:\n{lists}---\n"),
    ] {
        let faults = extract(&answer, &form).unwrap_err();
        assert!(faults.len() <= MOST_TOLD + 1);
        assert!(said(&faults).len() < 10_000);
        body(&answer);
    }
    let answer = format!("---\nverdict: ok\n{keys}---\n");
    let warnings = extract(&answer, &form).unwrap().warnings;
    assert_eq!(warnings.len(), 21);
    assert_eq!(warnings[20], "1980 more fields were left out");
    let long = "wörd ".repeat(200_000);
    let extracted = extract(&format!("---\nverdict: ok\n---\n{long}"), &form).unwrap();
    assert_eq!(extracted.body, long);
}

#[test]
fn what_means_to_be_a_block_is_one_whatever_is_wrong_with_it() {
    for answer in [
        "---\nverdict: good\n---\n",
        "Here:\n\n---\nverdict: good\n---\n",
        "---\nverdict: [\n---\n",
        "---\nverdict: good\n",
        "```yaml\nverdict: good\n```\n",
        "{\"verdict\": \"good\"}",
    ] {
        assert!(has_block(answer, &verdict()), "{answer:?}");
    }
    for answer in [
        "",
        "I will look at it now.",
        "First\n\n---\n\nSecond",
        "```sh\nls\n```\nverdict: good",
    ] {
        assert!(!has_block(answer, &verdict()), "{answer:?}");
    }
}
