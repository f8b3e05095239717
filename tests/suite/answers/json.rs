//! Agents on protocol `json`: how they are run, and which output is an answer.

use std::fs;

use serde_json::json;

use super::{assistant, is_at_its_start, kept, made, of_one_answer, turns};
use crate::environment::{DRAFT, Environment};

#[test]
fn a_json_agent_is_run_with_the_thread_and_the_prompt_as_its_last_words() {
    let (environment, thread) = Environment::with_draft();
    environment.program(
        "model",
        "for word; do printf '%s\\0' \"$word\"; done >words\ncat >stdin\n\
         echo '{\"meta\": {\"title\": \"Ode\", \"words\": 12}, \"content\": \"Rust never sleeps.\"}'",
    );
    let ran = environment.step_with(&thread, "model --effort 'very high'", "json");
    ran.assert_clean();
    let words = fs::read_to_string(environment.work().join("words")).unwrap();
    let words: Vec<&str> = words.split_terminator('\0').collect();
    let (prompt, before) = words.split_last().unwrap();
    assert_eq!(before, ["--effort", "very high", "-t", &thread, "-p"]);
    assert!(prompt.starts_with("## Answer format\n\n"), "{prompt}");
    for part in [
        "\n## Goal\n\nWrite a text a stranger understands.\n",
        "\n## Capabilities\n\n- writing\n",
        "\n## Procedure\n\nWrite it, then shorten it.\n",
        "\n## Output\n\nThe title; the text is the body.\n",
        "\n## Task\n\nA poem about rust\n",
        "\n## Instruction\n\nWrite the text.\n",
    ] {
        assert!(prompt.contains(part), "{prompt}\nwanted: {part}");
    }
    assert!(
        prompt.ends_with("\nThis is step 1 of the thread, and turn 1 of the role `writer`.\n"),
        "{prompt}"
    );
    assert_eq!(
        fs::read_to_string(environment.work().join("stdin")).unwrap(),
        ""
    );
}

#[test]
fn a_json_answer_is_kept_in_nodes_that_say_how_it_came_about() {
    let (environment, thread) = Environment::with_draft();
    let start = environment.head(&thread);
    environment.printing(
        "model",
        r#"{"meta": {"title": "Ode", "words": 12}, "content": "Rust never sleeps.\n"}"#,
    );
    let ran = environment.step_with(&thread, "model", "json");
    let node = environment.json(&["cas", "get", ran.value()["head"].as_str().unwrap()]);
    assert_eq!(node["type"], "FZMFBDYPZ0M9Y");
    let step = &node["payload"];
    assert_eq!(
        *step,
        json!({
            "start": start,
            "prev": null,
            "role": "writer",
            "output": step["output"],
            "detail": step["detail"],
            "agent": "model",
            "edgePrompt": "Write the text.",
        })
    );
    let workflow = environment.json(&["workflow", "show", "draft"]);
    assert_eq!(
        environment.json(&["cas", "get", step["output"].as_str().unwrap()]),
        json!({
            "type": workflow["payload"]["roles"]["writer"]["frontmatter"],
            "payload": {"title": "Ode", "words": 12},
        })
    );
    let node = environment.json(&["cas", "get", step["detail"].as_str().unwrap()]);
    let schema = environment.json(&["cas", "schema", "get", node["type"].as_str().unwrap()]);
    assert_eq!(schema["title"], "uwf-detail");
    let detail = &node["payload"];
    assert_eq!(*detail, of_one_answer("json", detail));
    assert_eq!(
        turns(&environment, detail),
        [assistant("Rust never sleeps.\n")]
    );
    let page = environment.ok(&["thread", "read", &thread]);
    assert!(
        page.ends_with("\n### Content\n\nRust never sleeps.\n"),
        "{page}"
    );
    let details = environment.ok(&[
        "thread",
        "step-details",
        ran.value()["head"].as_str().unwrap(),
    ]);
    assert!(details.contains("Rust never sleeps."), "{details}");
}

#[test]
fn a_prompt_over_a_hundred_kilobytes_goes_to_a_json_agent_by_stdin() {
    let environment = Environment::new();
    environment.put_workflow(DRAFT);
    environment.program(
        "model",
        "printf '%s' \"$4\" >argument\ncat >stdin\necho '{\"meta\": {\"title\": \"Ode\"}, \"content\": \"\"}'",
    );
    let ask = |task: &str| {
        let thread = environment.start("draft", task);
        let ran = environment.step_with(&thread, "model", "json");
        ran.assert_clean();
        let read = |name: &str| fs::read_to_string(environment.work().join(name)).unwrap();
        (read("argument"), read("stdin"))
    };
    let (short, _) = ask("é");
    let longest = format!("é{}", "x".repeat(100_000 - short.len()));
    let (argument, stdin) = ask(&longest);
    assert_eq!((argument.len(), stdin.as_str()), (100_000, ""));
    let (argument, stdin) = ask(&format!("{longest}y"));
    assert_eq!((argument.as_str(), stdin.len()), ("-", 100_001));
    assert_eq!(stdin, short.replace('é', &format!("{longest}y")));
}

#[test]
fn an_output_that_is_no_json_answer_fails_the_step_and_is_kept() {
    let (environment, thread) = Environment::with_draft();
    let cases = [
        (
            "",
            "it printed nothing where a JSON object with `meta` and `content` was expected",
        ),
        (
            "{\"meta\": {\"title\": \"Ode\"},\n \"content\": }",
            "its output is not one JSON object: expected value at line 2, column 13",
        ),
        (
            "[1]",
            "its output is an array where a JSON object with `meta` and `content` was expected",
        ),
        (r#"{"content": "Rust"}"#, "its JSON object has no `meta`"),
        (
            r#"{"meta": {"title": "Ode"}}"#,
            "its JSON object has no `content`",
        ),
        (
            r#"{"meta": "Ode", "content": ""}"#,
            "`meta` of its JSON object is a string where an object was expected",
        ),
        (
            r#"{"meta": {}, "content": null}"#,
            "`content` of its JSON object is null where a string was expected",
        ),
        (
            r#"{"meta": {"title": "a", "title": "b"}, "content": ""}"#,
            "its output is not one JSON object: the key `title` stands there twice at line 1, column 31",
        ),
    ];
    for (position, (output, why)) in cases.into_iter().enumerate() {
        environment.printing("model", output);
        let ran = environment.step_with(&thread, "model", "json");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{output}");
        let error =
            format!("error: agent `model` did not answer as its protocol asks\n  because: {why}\n");
        ran.assert_begins(&error);
        let attempts = environment.attempts(&thread);
        assert_eq!(attempts.len(), position + 1);
        assert_eq!(attempts[position]["class"], "protocol");
        let detail = kept(&environment, &attempts[position]);
        assert_eq!(turns(&environment, &detail), [assistant(output)]);
    }
    is_at_its_start(&environment, &thread);
}

#[test]
fn an_output_that_is_no_json_at_all_is_told_in_words_and_shown() {
    let (environment, thread) = Environment::with_draft();
    environment.printing("model", "not logged in\n");
    let ran = environment.step_with(&thread, "model", "json");
    assert_eq!(ran.code, Some(3));
    assert!(!ran.stderr.contains("expected ident"), "{}", ran.stderr);
    ran.assert_tells("not logged in");
}

#[test]
fn a_place_in_an_output_is_counted_from_one() {
    let (environment, thread) = Environment::with_draft();
    environment.printing(
        "model",
        "{\"meta\": {\"title\": \"Ode\n\"}, \"content\": \"\"}\n",
    );
    let ran = environment.step_with(&thread, "model", "json");
    assert_eq!(ran.code, Some(3));
    let (_, place) = ran
        .stderr
        .split_once("found while parsing a string at line ")
        .unwrap();
    let (place, _) = place.split_once('\n').unwrap();
    assert_eq!(place, "1, column 24");
}

#[test]
fn lines_around_a_json_answer_are_left_out_with_a_warning() {
    let (environment, thread) = Environment::with_draft();
    environment.printing(
        "model",
        "connecting…\n{\"level\": \"info\"}\n{\"meta\": {\"title\": \"Ode\"}, \"content\": \"Rust\", \"cost\": 1}\nbye\n",
    );
    let ran = environment.step_with(&thread, "model", "json");
    let step = made(&environment, &ran);
    assert_eq!(step["output"], json!({"title": "Ode"}));
    let warnings = [
        "the agent printed more than its JSON answer; the rest is left out",
        "the key `cost` of the agent's JSON answer is left out",
    ];
    assert_eq!(step["detail"]["warnings"], json!(warnings));
    assert_eq!(
        ran.stderr,
        warnings
            .map(|warning| format!("warning: {warning}\n"))
            .concat()
    );
}
