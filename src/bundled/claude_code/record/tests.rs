//! What is read from recorded runs, and from lines that no recording has.

use std::path::Path;

use serde_json::{Value, json};

use super::super::documents::Documents;
use super::*;

/// What a run said, and the lines it was told on.
pub fn heard(printed: &[u8]) -> (Record, Vec<String>) {
    let mut record = Record::default();
    let mut told = Vec::new();
    let mut found =
        |document: Document| record.hear(&document, &mut |line| told.push(line.to_owned()));
    let mut documents = Documents::default();
    documents.push(printed, &mut found);
    documents.finish(&mut found);
    (record, told)
}

/// A recorded run, such as `claude/text`.
pub fn recording(name: &str) -> Record {
    heard(&recorded(name)).0
}

fn recorded(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    std::fs::read(folder.join(name).with_extension("jsonl")).unwrap()
}

/// A run that printed these objects.
pub fn run_of(objects: &[Value]) -> Record {
    let lines: String = objects.iter().map(|object| format!("{object}\n")).collect();
    heard(lines.as_bytes()).0
}

fn call(name: &str, args: &str) -> Turn {
    Turn {
        role: "assistant",
        content: String::new(),
        tool_calls: vec![(name.to_owned(), args.to_owned())],
    }
}

const ANSWER: &str = "---\nstatus: done\nsummary: wrote hello.txt\n---\n\nAll done. The file \
                      **hello.txt** was written.\n";
const BASH: &str =
    r#"{"command":"echo hi > hello.txt && cat hello.txt","description":"write hello"}"#;

#[test]
fn a_run_with_a_tool_is_read_turn_by_turn() {
    for (name, session) in [
        ("claude/tool-bash", "89c56473-a3dd-4681-b36d-033d81893c48"),
        (
            "claude-2.1.332/tool-bash",
            "64b29b1a-33eb-4f44-bfa0-fa6b80980419",
        ),
    ] {
        let (run, told) = heard(&recorded(name));
        assert_eq!(run.session.as_deref(), Some(session));
        assert_eq!(run.model.as_deref(), Some("claude-sonnet-4-5"));
        assert_eq!(
            run.turns,
            [
                Turn::text("assistant", "I will run a command."),
                call("Bash", BASH),
                Turn::text("tool", "hi"),
                Turn::text("assistant", ANSWER),
            ]
        );
        assert_eq!(
            told,
            [
                "claude: I will run a command.",
                "claude: Bash: echo hi > hello.txt && cat hello.txt",
                "claude: --- status: done summary: wrote hello.txt --- All done. The file \
                 **hello.txt** was written.",
            ]
        );
        let outcome = run.outcome().unwrap();
        assert_eq!(outcome.result.as_deref(), Some(ANSWER));
        assert_eq!(
            (outcome.turn_count, outcome.stop_reason.as_str()),
            (2, "end_turn")
        );
    }
}

#[test]
fn the_same_run_is_read_from_one_array_and_with_other_things_between() {
    let lines = String::from_utf8(recorded("claude/tool-bash")).unwrap();
    let run = recording("claude/tool-bash");
    let objects: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let array = Value::from(objects.clone());
    assert_eq!(heard(array.to_string().as_bytes()).0, run);
    assert_eq!(heard(format!("{array:#}").as_bytes()).0, run);
    let mixed: String = lines
        .lines()
        .map(|line| format!("{{\"type\":\"new_in_3\",\"x\":[{{}}]}}\nplain text\n7\n{line}\r\n"))
        .collect();
    let (mixed, _) = heard(mixed.as_bytes());
    assert_eq!(mixed.text, "plain text\n7\n".repeat(objects.len()));
    assert_eq!(
        Record {
            text: String::new(),
            ..mixed
        },
        run
    );
}

#[test]
fn one_object_is_an_outcome_with_its_session() {
    let (run, _) = heard(br#"{"subtype":"success","result":"Done","session_id":"75e2167f-abc"}"#);
    assert_eq!(run.session.as_deref(), Some("75e2167f-abc"));
    assert_eq!(run.outcome().unwrap().result.as_deref(), Some("Done"));
}

#[test]
fn a_run_that_was_killed_has_its_session_and_no_outcome() {
    let run = recording("claude/sig-TERM");
    assert_eq!(
        run.session.as_deref(),
        Some("acea33bf-39e4-4c9b-baa1-9d6746a2f177")
    );
    assert_eq!(run.model.as_deref(), Some("claude-opus-4-8[1m]"));
    assert_eq!((run.turns.len(), run.outcome()), (0, None));
    // Cut in the middle of its last line.
    let whole = recorded("claude/tool-bash");
    let (run, _) = heard(&whole[..whole.len() - 100]);
    assert_eq!(run.turns.len(), 4);
    assert_eq!(run.outcome(), None);
    assert_eq!(
        run.usage(),
        Usage {
            input_tokens: 2400,
            output_tokens: 68,
            ..Usage::default()
        }
    );
}

#[test]
fn the_session_of_a_refused_resume_is_none() {
    assert_eq!(recording("claude/resume-unknown").session, None);
    let init = json!({"type": "system", "subtype": "init", "session_id": "--resume"});
    assert_eq!(run_of(&[init]).session, None);
}

#[test]
fn retries_are_told_and_what_the_program_says_to_the_model_is_kept() {
    let (run, told) = heard(&recorded("claude/err-401-retries1"));
    assert_eq!(
        told,
        [
            "claude: retry 1 of 1 in 1 s: authentication_failed, status 401",
            "claude: Invalid API key · Fix external API key",
        ]
    );
    assert_eq!(run.model.as_deref(), Some("claude-sonnet-4-5"));
    assert_eq!(run.error.as_deref(), Some("authentication_failed"));
    let run = recording("claude/empty-answer");
    let told = "[Your previous response had no visible output. Please continue and produce a \
                user-visible response.]";
    assert_eq!(run.turns, [Turn::text("user", told)]);
}

#[test]
fn subagents_other_blocks_and_lists_of_results_have_their_place() {
    let message = |content: Value| json!({"role": "x", "content": content});
    let run = run_of(&[
        json!({"type": "assistant", "parent_tool_use_id": "t1",
            "message": message(json!([{"type": "text", "text": "of a subagent"}]))}),
        json!({"type": "assistant", "message": message(json!([
            {"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"},
            {"type": "text", "text": "b"}, {"type": "server_tool_use", "name": "WebSearch"},
            "odd", {"type": "tool_use"}]))}),
        json!({"type": "assistant", "message": message(json!([{"type": "thinking", "thinking": "hm"}]))}),
        json!({"type": "user", "message": message(json!([{"type": "tool_result", "content": [
            {"type": "text", "text": "one"}, {"type": "image", "source": {}}, 3]}]))}),
        json!({"type": "user", "message": message(json!("plain"))}),
        json!({"type": "user"}),
        json!({"type": "assistant", "message": 3}),
        json!({"type": 3}),
    ]);
    assert_eq!(
        run.turns,
        [
            Turn::text("subagent", "of a subagent"),
            Turn {
                role: "assistant",
                content: "a\nb".to_owned(),
                tool_calls: vec![("WebSearch".to_owned(), "{}".to_owned())],
            },
            Turn::text("tool", "one\n[image]"),
            Turn::text("user", "plain"),
        ]
    );
}

#[test]
fn of_endless_results_of_tools_the_later_ones_are_kept_as_their_beginnings() {
    let result = |text: String| {
        json!({"type": "user", "message": {"content": [
        {"type": "tool_result", "content": text}]}})
    };
    let mut objects = vec![result("x".repeat(1 << 20)); 33];
    objects.push(result("short".to_owned()));
    let run = run_of(&objects);
    let lengths: Vec<usize> = run.turns.iter().map(|turn| turn.content.len()).collect();
    assert_eq!(lengths[..32], [1 << 20; 32]);
    assert_eq!(
        run.turns[32].content,
        format!("{}\n[1047552 bytes left out here]", "x".repeat(1024))
    );
    assert_eq!(run.turns[33].content, "short");
}
