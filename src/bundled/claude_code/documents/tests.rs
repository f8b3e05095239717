//! Objects and text as programs print them, whatever the cuts.

use serde_json::{Value, json};

use super::*;

/// What is found, with the bytes handed over in pieces of this size.
fn taken_apart(bytes: &[u8], size: usize) -> Vec<Value> {
    let mut all = Vec::new();
    let mut found = |document| {
        all.push(match document {
            Document::Object(object) => Value::Object(object),
            Document::Text(text) => Value::String(text),
        });
    };
    let mut documents = Documents::default();
    for chunk in bytes.chunks(size) {
        documents.push(chunk, &mut found);
    }
    documents.finish(&mut found);
    all
}

#[track_caller]
fn is_taken_apart(text: impl AsRef<[u8]>, wanted: &[Value]) {
    for size in [1, 3, 7, 1 << 20] {
        assert_eq!(
            taken_apart(text.as_ref(), size),
            wanted,
            "in pieces of {size}"
        );
    }
}

#[test]
fn lines_are_objects_or_text() {
    is_taken_apart(
        "{\"a\":1}\n\nWarning: \"old\" [1] {x}\r\n  {\"b\":{\"c\":[\"}\\\"{\"]}}\r\n[debug] on\n[\n{\"d\":2} rest",
        &[
            json!({"a": 1}),
            json!("Warning: \"old\" [1] {x}"),
            json!({"b": {"c": ["}\"{"]}}),
            json!("[debug] on"),
            json!({"d": 2}),
            json!("rest"),
        ],
    );
    is_taken_apart("", &[]);
    is_taken_apart("\n \n", &[]);
}

#[test]
fn a_whole_run_may_be_one_array_or_one_object() {
    let run = json!([{"a": [1, {"x": []}]}, {"b": "]"}, {}]);
    let wanted = run.as_array().unwrap();
    is_taken_apart(run.to_string(), wanted);
    is_taken_apart(format!("{run:#}\n"), wanted);
    is_taken_apart(
        "[{\"a\":[1,{\"x\":[]}]},\n{\"b\":\"]\"},\n{}]\nbye",
        &[wanted.clone(), vec![json!("bye")]].concat(),
    );
    is_taken_apart("[]\n{\"a\":1}", &[json!({"a": 1})]);
    is_taken_apart(
        format!("{:#}", json!({"a": {"b": [{}, {"c": 1}]}})),
        &[json!({"a": {"b": [{}, {"c": 1}]}})],
    );
}

#[test]
fn what_is_cut_off_does_not_take_the_next_line_with_it() {
    is_taken_apart(
        "{\"a\":\"cut of\n{\"b\":1}\n{\"c\":{\"d\":\n{\"e\":2}\n{\"f\":[}]\n{\"g\":3}\n{\"h\":",
        &[
            json!("{\"a\":\"cut of"),
            json!({"b": 1}),
            json!("{\"c\":{\"d\":"),
            json!({"e": 2}),
            json!("{\"f\":[}]"),
            json!({"g": 3}),
            json!("{\"h\":"),
        ],
    );
}

#[test]
fn invalid_bytes_and_half_characters_are_replaced() {
    is_taken_apart(
        b"{\"a\":\"x\xffy\xf0\x9f\"}\nz\xe9\n",
        &[json!({"a": "x\u{fffd}y\u{fffd}"}), json!("z\u{fffd}")],
    );
    is_taken_apart(
        r#"{"a":"\ud83d","b":"\ud83dx\ude80","c":"\ud83d\ude80\n\\","d":"\uD83D\uD83D\uDE80\u00e9"}"#,
        &[json!({"a": "\u{fffd}", "b": "\u{fffd}x\u{fffd}", "c": "🚀\n\\", "d": "\u{fffd}🚀é"})],
    );
}

#[test]
fn a_long_text_is_shortened_and_what_stands_around_it_is_found() {
    const LONG: usize = 40_000_000;
    let text = format!(
        "{{\"type\":\"user\",\"content\":\"{}\",\"after\":\"🚀\"}}\n{{\"type\":\"result\"}}\n",
        "é".repeat(LONG / 2)
    );
    let mut documents = Documents::default();
    let mut all = Vec::new();
    let mut most_held = 0;
    for chunk in text.as_bytes().chunks(64 * 1024) {
        documents.push(chunk, &mut |document| all.push(document));
        most_held = most_held.max(documents.held.capacity());
    }
    assert!(most_held < 10 << 20, "{most_held} bytes were held");
    let [Document::Object(first), Document::Object(second)] = all.as_slice() else {
        panic!("{} documents", all.len());
    };
    let content = first["content"].as_str().unwrap();
    let (kept, mark) = content.split_once('\n').unwrap();
    assert_eq!(kept.len() + 35_805_696, LONG);
    assert!(kept.chars().all(|character| character == 'é'));
    assert_eq!(mark, "[35805696 bytes left out here]");
    assert_eq!(first["after"], "🚀");
    assert_eq!(second["type"], "result");
}

#[test]
fn an_endless_object_is_left_out_and_what_follows_is_found() {
    let numbers = "1,".repeat(MOST_HELD / 2 + 10);
    let text = format!("{{\"a\":[{numbers}1]}}\n{{\"b\":1}}");
    assert_eq!(
        taken_apart(text.as_bytes(), 64 * 1024),
        [
            json!("[an object of too many bytes left out here]"),
            json!({"b": 1})
        ]
    );
    let line = "x".repeat(MOST_TEXT + 100);
    assert_eq!(
        taken_apart(line.as_bytes(), 1000),
        [json!("x".repeat(MOST_TEXT))]
    );
}
