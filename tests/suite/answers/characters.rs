//! The characters of an answer: bytes that are none, line ends, escape sequences.

use serde_json::json;

use super::{FORK_IN_THE_ROAD, answered, assistant, made, turns};
use crate::environment::Environment;

#[test]
fn bytes_that_are_no_text_are_replaced_and_counted() {
    let (environment, thread) = Environment::with_draft();
    environment.printing(
        "model",
        b"---\ntitle: Gr\xfc\xdfe\n---\nnul \0 and \xff; valid: \xc3\xa9 \xf0\x9f\xa6\x80\n",
    );
    let ran = environment.step_with(&thread, "model", "markdown");
    let step = made(&environment, &ran);
    assert_eq!(step["output"], json!({"title": "Gr\u{fffd}\u{fffd}e"}));
    let warning = "3 bytes of the answer are not UTF-8 and were replaced";
    assert_eq!(step["detail"]["warnings"], json!([warning]));
    assert_eq!(
        turns(&environment, &step["detail"]),
        [assistant(
            "---\ntitle: Gr\u{fffd}\u{fffd}e\n---\nnul \0 and \u{fffd}; valid: é 🦀\n"
        )]
    );
    assert_eq!(ran.stderr, format!("warning: {warning}\n"));
}

#[test]
fn multi_byte_characters_survive_however_the_agent_writes_them() {
    let (environment, thread) = Environment::with_draft();
    let body = "日本語 🦀 ".repeat(20_000);
    environment.printing("model", format!("---\ntitle: 題\n---\n{body}"));
    // One byte first, so that every later read ends within a character.
    environment.program("slow", "model | { dd bs=1 count=20 2>/dev/null; cat; }");
    let ran = environment.step_with(&thread, "slow", "markdown");
    let step = made(&environment, &ran);
    assert_eq!(
        (ran.stderr.as_str(), &step["output"]),
        ("", &json!({"title": "題"}))
    );
    assert_eq!(
        turns(&environment, &step["detail"]),
        [assistant(&format!("---\ntitle: 題\n---\n{body}"))]
    );
}

#[test]
fn windows_line_ends_do_not_change_the_way_a_thread_takes() {
    let environment = Environment::new();
    let thread = environment.thread_of(FORK_IN_THE_ROAD);
    environment.printing(
        "model",
        "\u{feff}---\r\nnote: |\r\n  one\r\n  two\r\nverdict: good\r\n---\r\nBody\r\n",
    );
    let first = answered(&environment, &thread, "model");
    assert_eq!(
        first["output"],
        json!({"note": "one\ntwo\n", "verdict": "good"})
    );
    let second = answered(&environment, &thread, "model");
    assert_eq!(second["role"], "good");
}

#[test]
fn escape_sequences_of_an_agent_are_never_printed_raw_within_json() {
    let (environment, thread) = Environment::with_draft();
    environment.printing(
        "model",
        "---\ntitle: \"\\e[31mred\\e[0m\"\n---\nBody \u{1b}[2J\u{9b}\n",
    );
    let ran = environment.step_with(&thread, "model", "markdown");
    let step = made(&environment, &ran);
    assert_eq!(step["output"], json!({"title": "\u{1b}[31mred\u{1b}[0m"}));
    let head = ran.value()["head"].as_str().unwrap().to_owned();
    let detail = environment.payload(&head)["detail"]
        .as_str()
        .unwrap()
        .to_owned();
    let turn = environment.payload(detail)["turns"][0]
        .as_str()
        .unwrap()
        .to_owned();
    for arguments in [
        vec!["thread", "steps", &thread],
        vec!["thread", "steps", &thread, "--format", "yaml"],
        vec!["thread", "step-details", &head],
        vec!["thread", "step-details", &head, "--format", "json"],
        vec!["cas", "get", &turn],
    ] {
        let stdout = environment.ok(&arguments);
        assert!(!stdout.contains('\u{1b}'), "{arguments:?}: {stdout}");
    }
    // A fault that quotes them does not pass them on either.
    environment.printing(
        "model",
        "---\naccepted: \"\\e[31mno\"\n\u{1b}]0;x: 1\n---\n",
    );
    for format in ["text", "json"] {
        let ran = environment.run(&[
            "thread",
            "step",
            &thread,
            "--agent",
            "model",
            "--protocol",
            "markdown",
            "--error-format",
            format,
        ]);
        assert_eq!(ran.code, Some(4));
        assert!(!ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
    }
}
