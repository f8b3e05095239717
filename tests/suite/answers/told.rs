//! What a role is told before it answers: what others wrote, and the forms its answer may have.

use serde_json::json;

use super::{answered, workflow_for};
use crate::environment::Environment;

#[test]
fn what_others_wrote_since_its_last_turn_reaches_a_role_whole() {
    let (environment, thread) = Environment::with_draft();
    let draft = "# Rust\n\n```rust\nfn main() {}\n```\n\n## Goal\n\nnot yours\n";
    let notes = format!(
        "{}The end of the notes.\n",
        "A long note on the poem.\n".repeat(240)
    );
    let writes = |title: &str, body: &str| format!("---\ntitle: {title}\n---\n{body}");
    environment.answering(
        "pen",
        &[&writes("First", draft), &writes("Second", "Better.\n")],
    );
    environment.answering(
        "critic",
        &[
            &format!("---\naccepted: false\n---\n{notes}"),
            "---\naccepted: true\n---\nGood.\n",
        ],
    );
    for agent in ["pen", "critic", "pen", "critic"] {
        answered(&environment, &thread, agent);
    }
    let history = |agent: &str, run: usize| {
        let prompt = environment.prompt(agent, run);
        let (_, after_task) = prompt
            .split_once("\n## Task\n\nA poem about rust\n\n")
            .unwrap();
        after_task.to_owned()
    };
    assert_eq!(
        history("pen", 1),
        "## Instruction\n\nWrite the text.\n\n\
         This is step 1 of the thread, and turn 1 of the role `writer`.\n"
    );
    assert_eq!(
        history("critic", 1),
        format!(
            "## What happened so far\n\n### Step 1: writer, by pen\n\n\
             Output: {{\"title\":\"First\"}}\n\n````\n{draft}````\n\n\
             ## Instruction\n\nReview the text.\n\n\
             This is step 2 of the thread, and turn 1 of the role `reviewer`.\n"
        )
    );
    assert_eq!(
        history("pen", 2),
        format!(
            "## What happened since your last turn\n\n### Step 2: reviewer, by critic\n\n\
             Output: {{\"accepted\":false}}\n\n```\n{notes}```\n\n\
             ## Instruction\n\nRework the text.\n\n\
             This is step 3 of the thread, and turn 2 of the role `writer`.\n"
        )
    );
    assert_eq!(
        history("critic", 2),
        "## What happened since your last turn\n\n### Step 3: writer, by pen\n\n\
         Output: {\"title\":\"Second\"}\n\n```\nBetter.\n```\n\n\
         ## Instruction\n\nReview the text.\n\n\
         This is step 4 of the thread, and turn 2 of the role `reviewer`.\n"
    );
}

#[test]
fn what_was_written_is_cut_where_it_is_too_much_and_the_cut_is_marked() {
    let (environment, thread) = Environment::with_draft();
    let body = format!("begin {}end", "日本 ".repeat(30_000));
    environment.printing("pen", format!("---\ntitle: T\n---\n{body}"));
    answered(&environment, &thread, "pen");
    environment.answering("critic", &["---\naccepted: true\n---\n"]);
    answered(&environment, &thread, "critic");
    let prompt = environment.prompt("critic", 1);
    let (_, told) = prompt.split_once("\n```\nbegin 日本 ").unwrap();
    let (_, mark) = told.split_once("\n```\n(").unwrap();
    let (count, mark) = mark.split_once(' ').unwrap();
    assert!(
        (20_000..50_000).contains(&count.parse().unwrap()),
        "{count}"
    );
    let read = format!(
        "characters are left out here; read them with `uwf thread read {thread} --quota 1000000`.)\n"
    );
    assert!(mark.starts_with(&read), "{mark}");
    // The command does what it says.
    assert!(
        environment
            .ok(&["thread", "read", &thread, "--quota", "1000000"])
            .contains(&body)
    );
}

#[test]
fn a_role_is_told_each_form_its_answer_may_have() {
    let environment = Environment::new();
    let text = |description: &str| json!({"type": "string", "description": description});
    let schema = json!({
        "oneOf": [
            {
                "title": "It works",
                "type": "object",
                "properties": {
                    "kind": {"const": "ok"},
                    "url": text("Where it can be seen"),
                    "level": {"enum": ["low", "high", "007"]},
                },
                "required": ["kind", "url"],
            },
            {
                "description": "It does not",
                "type": "object",
                "properties": {
                    "kind": {"const": "bad"},
                    "why": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]},
                    "tries": {"type": "integer", "minimum": 1, "maximum": 5},
                },
                "required": ["kind", "why", "tries"],
            },
        ],
    });
    let thread = environment.thread_of(&workflow_for(&schema, "forms"));
    environment.answering("model", &["---\nkind: bad\nwhy: [7]\ntries: 2\n---\n"]);
    let step = answered(&environment, &thread, "model");
    assert_eq!(
        step["output"],
        json!({"kind": "bad", "why": [7], "tries": 2})
    );
    let prompt = environment.prompt("model", 1);
    for block in [
        "---\n# It works\nkind: ok  # required\nurl: <text>  # required: Where it can be seen\n\
         level: low | high | \"007\"\n---\n",
        "---\n# It does not\nkind: bad  # required\nwhy:  # required, one of these\n  <text>\n  \
         # or\n  - <whole number>\ntries: <whole number from 1 to 5>  # required\n---\n",
    ] {
        assert!(prompt.contains(block), "{prompt}\nwanted: {block}");
    }
    assert!(prompt.contains("one of these YAML blocks"), "{prompt}");
}

#[test]
fn an_answer_that_fits_no_form_is_told_what_the_nearest_wants() {
    let environment = Environment::new();
    let form = |kind: &str, field: &str| {
        json!({
            "type": "object",
            "properties": {"kind": {"const": kind}, field: {"type": "string"}},
            "required": ["kind", field],
        })
    };
    let schema = json!({"anyOf": [form("ok", "url"), form("bad", "why")]});
    let thread = environment.thread_of(&workflow_for(&schema, "forms"));
    environment.printing("model", "---\nkind: bad\n---\n");
    let ran = environment.step_with(&thread, "model", "markdown");
    assert_eq!(ran.code, Some(4));
    ran.assert_tells("because: line 2: `/why` is missing; it must be a string\n");
    assert!(!ran.stderr.contains("url"), "{}", ran.stderr);
}
