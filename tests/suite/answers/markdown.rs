//! Agents on protocol `markdown`: how they are run, and which text is an answer.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use super::{
    FORK_IN_THE_ROAD, answered, assistant, is_at_its_start, made, of_one_answer, turns,
    workflow_for,
};
use crate::environment::{DRAFT, Environment, evidence_json};

#[test]
fn a_markdown_answer_is_kept_in_nodes_that_say_how_it_came_about() {
    let (environment, thread) = Environment::with_draft();
    let answer = "---\ntitle: Ode\nwords: 12\n---\n\n# Rust\n\nNever sleeps.\n";
    environment.answering("model", &[answer]);
    let ran = environment.step_with(&thread, "model --flag", "markdown");
    assert_eq!(ran.stderr, "");
    let step = made(&environment, &ran);
    assert_eq!([&step["role"], &step["agent"]], ["writer", "model"]);
    assert_eq!(step["output"], json!({"title": "Ode", "words": 12}));
    let detail = &step["detail"];
    assert_eq!(*detail, of_one_answer("markdown", detail));
    assert_eq!(turns(&environment, detail), [assistant(answer)]);
    let prompt = environment.prompt("model", 1);
    assert!(prompt.starts_with("## Answer format\n\n"), "{prompt}");
    assert!(
        prompt.ends_with("\nThis is step 1 of the thread, and turn 1 of the role `writer`.\n"),
        "{prompt}"
    );
}

#[test]
fn nothing_is_appended_to_the_command_of_a_markdown_agent() {
    let (environment, thread) = Environment::with_draft();
    environment.program(
        "model",
        "echo \"$*\" >words\nprintf -- '---\\ntitle: Ode\\n---\\n'",
    );
    made(
        &environment,
        &environment.step_with(&thread, "model -p 'a b'", "markdown"),
    );
    assert_eq!(
        fs::read_to_string(environment.work().join("words")).unwrap(),
        "-p a b\n"
    );
}

#[test]
fn a_program_that_does_not_read_its_prompt_is_no_error_however_long_it_is() {
    let environment = Environment::new();
    environment.put_workflow(DRAFT);
    let thread = environment.start("draft", &"long ".repeat(24_000));
    environment.printing("model", "---\ntitle: Ode\n---\nRust.\n");
    let ran = environment.step_with(&thread, "model", "markdown");
    made(&environment, &ran);
    assert_eq!(ran.stderr, "");
}

#[test]
fn a_long_prompt_reaches_a_markdown_agent_whole() {
    let environment = Environment::new();
    environment.put_workflow(DRAFT);
    let task = "großer Auftrag 日本 🦀\n".repeat(4000);
    let thread = environment.start("draft", &task);
    environment.answering("model", &["---\ntitle: Ode\n---\n"]);
    answered(&environment, &thread, "model");
    let prompt = environment.prompt("model", 1);
    assert!(
        prompt.contains(&format!("\n## Task\n\n{task}\n## Instruction\n")),
        "{}",
        prompt.len()
    );
}

#[test]
fn an_agent_that_never_stops_talking_is_ended() {
    let (environment, thread) = Environment::with_draft();
    let ran = environment.step_with(&thread, "yes", "markdown");
    ran.assert_no_result(3);
    let message = "agent `yes` answered more than 16777216 bytes, and was ended";
    ran.assert_begins(&format!("error: {message}\n"));
    let attempts = environment.attempts(&thread);
    assert_eq!(
        [&attempts[0]["class"], &attempts[0]["message"]],
        ["output-too-large", message]
    );
}

#[test]
fn the_command_of_the_hint_shows_what_the_agent_said() {
    let (environment, thread) = Environment::with_draft();
    for protocol in ["cas", "json", "markdown"] {
        environment.printing("model", "I have changed login.c, line 42.\n");
        let ran = environment.step_with(&thread, "model", protocol);
        assert_ne!(ran.code, Some(0));
        let (_, hint) = ran
            .stderr
            .split_once("\nhint: what it answered is kept: ")
            .unwrap();
        let command = hint.split('`').nth(1).unwrap();
        let shown = environment.shell(command);
        assert_eq!(
            (shown.code, shown.stderr.as_str()),
            (Some(0), ""),
            "{command}"
        );
        assert!(
            shown.stdout.contains("I have changed login.c, line 42."),
            "{protocol}: {command} shows {}",
            shown.stdout
        );
    }
}

#[test]
fn a_block_that_cannot_be_read_is_no_answer_though_nothing_is_required() {
    let environment = Environment::new();
    let thread = environment.thread_of(FORK_IN_THE_ROAD);
    for (answer, why) in [
        ("---\nnote: fixed: it\n---\n", "line 2, column 12: "),
        (
            "---\nnote: x\n",
            "line 1: the frontmatter block that opens here is not closed",
        ),
        ("Fine.\n", "there is no frontmatter"),
        ("", "the answer is empty"),
        (
            "---\n- good\n---\n",
            "line 1: the frontmatter block holds a list",
        ),
        ("---\n\tnote: x\n---\n", "line 2"),
        ("---\nnote: \0x\n---\n", "line 2"),
    ] {
        environment.printing("model", answer);
        let ran = environment.step_with(&thread, "model", "markdown");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""), "{answer:?}");
        let (_, causes) = ran.stderr.split_once("\n  because: ").unwrap();
        assert!(causes.starts_with(why), "{answer:?}: {}", ran.stderr);
    }
    is_at_its_start(&environment, &thread);
}

#[test]
fn every_recorded_answer_is_read_as_it_should_be() {
    let environment = Environment::new();
    let mut workflows = BTreeMap::new();
    let vectors = evidence_json("frontmatter.json");
    let cases = vectors["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 33);
    for case in cases {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let (name, want) = (text(&case["name"]), &case["want"]);
        let number = workflows.len();
        let workflow = workflows
            .entry(case["schema"].to_string())
            .or_insert_with(|| {
                environment.put_workflow(&workflow_for(&case["schema"], &format!("form-{number}")))
            });
        let thread = environment.start(workflow, "t");
        environment.printing("model", text(&case["text"]));
        let ran = environment.step_with(&thread, "model", "markdown");
        if let Some(error) = want.get("error") {
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""), "{name}");
            let (_, causes) = ran.stderr.split_once("because: ").unwrap();
            for about in ["about", "path"].iter().filter_map(|key| error.get(*key)) {
                assert!(causes.contains(&text(about)), "{name}: {causes}");
            }
            if let Some(line) = error.get("line") {
                assert!(
                    causes.starts_with(&format!("line {line}")),
                    "{name}: {causes}"
                );
            }
            continue;
        }
        assert_eq!(made(&environment, &ran)["output"], want["value"], "{name}");
        match case.get("warn") {
            Some(about) => assert!(ran.stderr.contains(&text(about)), "{name}: {}", ran.stderr),
            None => assert_eq!(ran.stderr, "", "{name}"),
        }
        if let Some(body) = want.get("body") {
            environment.answering("reader", &["---\n{}\n---\n"]);
            answered(&environment, &thread, "reader");
            let prompt = environment.prompt("reader", 1);
            let (_, told) = prompt.split_once("\nOutput: {").unwrap();
            let (_, told) = told.split_once("}\n\n").unwrap();
            let wanted = format!("```\n{}```\n\n## Instruction\n", text(body));
            assert!(told.starts_with(&wanted), "{name}: {prompt}");
        }
    }
}
