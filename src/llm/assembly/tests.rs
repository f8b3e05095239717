//! Tests of putting answers together.

use serde_json::{Value, json};

use super::*;

fn reply(chunks: &[Value]) -> Reply {
    let mut assembly = Assembly::default();
    for chunk in chunks {
        assembly.take(chunk, &mut |_| {}).unwrap();
    }
    assembly.into_reply("made")
}

fn delta(delta: &Value) -> Value {
    json!({"choices": [{"delta": delta}]})
}

fn calls(fragments: &[Value]) -> Vec<(String, String, String)> {
    let chunks: Vec<_> = fragments
        .iter()
        .map(|fragment| delta(&json!({"tool_calls": [fragment]})))
        .collect();
    let calls = reply(&chunks).tool_calls.into_iter();
    calls
        .map(|call| (call.id, call.name, call.arguments))
        .collect()
}

fn call(id: &str, name: &str, arguments: &str) -> (String, String, String) {
    (id.to_owned(), name.to_owned(), arguments.to_owned())
}

#[test]
fn text_thoughts_and_tokens_are_put_together() {
    let mut heard = Vec::new();
    let mut assembly = Assembly::default();
    for chunk in [
        delta(&json!({"role": "assistant", "content": null, "reasoning_content": "h"})),
        delta(&json!({"reasoning_content": "m", "reasoning": "m"})),
        delta(&json!({"content": "a"})),
        delta(&json!({"content": [{"type": "text", "text": "b"}]})),
        json!({"model": "m-1", "choices": [{"delta": {}, "finish_reason": "stop"}]}),
        json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2,
            "prompt_tokens_details": {"cached_tokens": 5}}}),
    ] {
        let mut hear = |piece: Piece<'_>| heard.push(format!("{piece:?}"));
        assembly.take(&chunk, &mut hear).unwrap();
    }
    assert!(assembly.is_finished());
    assert_eq!(
        assembly.into_reply("made"),
        Reply {
            content: "ab".to_owned(),
            reasoning: Some(("reasoning_content".to_owned(), "hm".to_owned())),
            tool_calls: Vec::new(),
            finish: Finish::Done,
            usage: Some(TokenCount {
                input: 9,
                cached: 5,
                output: 2
            }),
            model: Some("m-1".to_owned()),
        }
    );
    assert_eq!(
        heard,
        [
            r#"Reasoning("h")"#,
            r#"Reasoning("m")"#,
            r#"Text("a")"#,
            r#"Text("b")"#
        ]
    );
}

#[test]
fn fragments_find_the_call_they_belong_to() {
    let two = [call("a", "read", "{\"x\":1}"), call("b", "write", "{}")];
    for fragments in [
        // As most services send them.
        vec![
            json!({"index": 0, "id": "a", "function": {"name": "read", "arguments": ""}}),
            json!({"index": 0, "function": {"arguments": "{\"x\""}}),
            json!({"index": 0, "function": {"arguments": ":1}"}}),
            json!({"index": 1, "id": "b", "function": {"name": "write", "arguments": "{}"}}),
        ],
        // Mixed.
        vec![
            json!({"index": 0, "id": "a", "function": {"name": "read"}}),
            json!({"index": 1, "id": "b", "function": {"name": "write"}}),
            json!({"index": 0, "function": {"arguments": "{\"x\":1}"}}),
            json!({"index": 1, "id": "", "function": {"name": null, "arguments": "{}"}}),
        ],
        // The id and the name repeated in each.
        vec![
            json!({"index": 0, "id": "a", "function": {"name": "read", "arguments": "{\"x\":"}}),
            json!({"index": 0, "id": "a", "function": {"name": "read", "arguments": "1}"}}),
            json!({"index": 1, "id": "b", "function": {"name": "write", "arguments": "{}"}}),
        ],
        // Without numbers.
        vec![
            json!({"id": "a", "function": {"name": "read", "arguments": "{\"x\":"}}),
            json!({"function": {"arguments": "1}"}}),
            json!({"id": "b", "function": {"name": "write", "arguments": "{}"}}),
        ],
        // Whole calls, all with the same number, arguments as an object.
        vec![
            json!({"index": 0, "id": "a", "function": {"name": "read", "arguments": {"x": 1}}}),
            json!({"index": 0, "id": "b", "function": {"name": "write", "arguments": {}}}),
        ],
    ] {
        assert_eq!(calls(&fragments), two, "{fragments:?}");
    }
}

#[test]
fn calls_without_an_id_of_their_own_get_one() {
    assert_eq!(
        calls(&[
            json!({"id": "", "function": {"name": "read", "arguments": "{}"}}),
            json!({"function": {"name": "read", "arguments": "{}"}}),
            json!({"id": "a", "function": {"name": "read", "arguments": "{}"}}),
            json!({"index": 7, "id": "a", "function": {"name": "read", "arguments": "{}"}}),
        ]),
        [
            call("made_0", "read", "{}"),
            call("made_1", "read", "{}"),
            call("a", "read", "{}"),
            call("made_3", "read", "{}"),
        ]
    );
}

#[test]
fn a_thought_at_the_beginning_of_the_text_is_none_of_the_answer() {
    let of = |reasoning: &str, pieces: &[&str]| {
        let said = pieces.iter().map(|piece| delta(&json!({"content": piece})));
        let chunks = [delta(&json!({"reasoning": reasoning}))];
        let reply = reply(&chunks.into_iter().chain(said).collect::<Vec<_>>());
        (reply.reasoning, reply.content)
    };
    let parted = |key: &str, thought: &str, content: &str| {
        let reasoning = Some((key.to_owned(), thought.to_owned()));
        (reasoning, content.to_owned())
    };
    assert_eq!(
        of(
            "",
            &[
                "\n<th",
                "ink>\n---\na: 1\n---\n</thi",
                "nk>\n\n---\na: 2\n---\nb"
            ]
        ),
        parted("think", "---\na: 1\n---", "---\na: 2\n---\nb")
    );
    assert_eq!(of("", &["<think>hm"]), parted("think", "hm", ""));
    assert_eq!(of("", &["<think>\n</think>a"]), (None, "a".to_owned()));
    assert_eq!(
        of("h", &["<think>m</think>a"]),
        parted("reasoning", "h\n\nm", "a")
    );
    assert_eq!(
        of("hm", &["<think>hm</think>a"]),
        parted("reasoning", "hm", "a")
    );
    let refused = reply(&[delta(&json!({"content": "<think>hm", "refusal": "no"}))]);
    assert_eq!(refused.content, "no");
}

#[test]
fn a_whole_message_is_read_like_its_pieces() {
    let message = json!({"content": "a", "tool_calls": [
        {"id": "x", "type": "function", "function": {"name": "read", "arguments": "{}"}},
        {"id": "y", "type": "function", "function": {"name": "read", "arguments": "{}"}},
    ]});
    let whole = json!({"choices": [{"message": message, "finish_reason": "tool_calls"}]});
    let reply = reply(&[whole]);
    assert_eq!(reply.content, "a");
    assert_eq!(reply.tool_calls.len(), 2);
}

#[test]
fn why_it_stopped_is_known() {
    for (reason, finish) in [
        ("stop", Finish::Done),
        ("tool_calls", Finish::Done),
        ("something_new", Finish::Done),
        ("length", Finish::Length),
        ("content_filter", Finish::Refused),
    ] {
        let chunk = json!({"choices": [{"delta": {"content": "a"}, "finish_reason": reason}]});
        assert_eq!(reply(&[chunk]).finish, finish, "{reason}");
    }
    let refused = reply(&[
        delta(&json!({"refusal": "I will "})),
        delta(&json!({"refusal": "not"})),
    ]);
    assert_eq!(
        (refused.finish, refused.content.as_str()),
        (Finish::Refused, "I will not")
    );
}

#[test]
fn an_error_is_handed_over() {
    let chunk = json!({"error": {"message": "no"}});
    let mut assembly = Assembly::default();
    assert_eq!(
        assembly.take(&chunk, &mut |_| {}),
        Err(&json!({"message": "no"}))
    );
    let harmless = json!({"error": null, "choices": []});
    assert_eq!(assembly.take(&harmless, &mut |_| {}), Ok(()));
}
