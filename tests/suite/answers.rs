//! Answers of agents that the engine reads: what is asked, what is taken, sent back and kept.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::environment::{DRAFT, Environment, Ran, evidence_json};

const TURN: &str = "EY17ZNT37EHBB";

/// The turns of a detail node, each with its role and its text.
#[track_caller]
fn turns(environment: &Environment, detail: &Value) -> Vec<(String, String)> {
    let turn = |hash: &Value| {
        let node = environment.json(&["cas", "get", hash.as_str().unwrap()]);
        assert_eq!(node["type"], TURN);
        let payload = &node["payload"];
        assert_eq!(
            [&payload["toolCalls"], &payload["reasoning"]],
            [&Value::Null, &Value::Null]
        );
        let text = |key: &str| payload[key].as_str().unwrap().to_owned();
        (text("role"), text("content"))
    };
    detail["turns"]
        .as_array()
        .unwrap()
        .iter()
        .map(turn)
        .collect()
}

fn assistant(text: &str) -> (String, String) {
    ("assistant".to_owned(), text.to_owned())
}

/// The step that a run of one step made: its node's payload, with the output and the detail in it.
#[track_caller]
fn made(environment: &Environment, ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let head = ran.value()["head"].as_str().unwrap().to_owned();
    let mut step = environment.payload(head);
    for part in ["output", "detail"] {
        step[part] = environment.payload(step[part].as_str().unwrap());
    }
    step
}

/// The node that keeps what an agent said in a failed attempt.
#[track_caller]
fn kept(environment: &Environment, attempt: &Value) -> Value {
    environment.payload(attempt["output"].as_str().unwrap())
}

#[test]
fn a_json_agent_is_run_with_the_thread_and_the_prompt_as_its_last_words() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    environment.program(
        "model",
        "for word; do printf '%s\\0' \"$word\"; done >words\ncat >stdin\n\
         echo '{\"meta\": {\"title\": \"Ode\", \"words\": 12}, \"content\": \"Rust never sleeps.\"}'",
    );
    let ran = environment.step_with(&thread, "model --effort 'very high'", "json");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let words = fs::read_to_string(environment.work().join("words")).unwrap();
    let words: Vec<&str> = words.split_terminator('\0').collect();
    let (prompt, before) = words.split_last().unwrap();
    assert_eq!(before, ["--effort", "very high", "-t", &thread, "-p"]);
    assert!(prompt.starts_with("## Answer format\n\n"), "{prompt}");
    assert!(
        prompt.contains("\n## Goal\n\nWrite a text a stranger understands.\n"),
        "{prompt}"
    );
    assert!(
        prompt.contains("\n## Capabilities\n\n- writing\n"),
        "{prompt}"
    );
    assert!(
        prompt.contains("\n## Procedure\n\nWrite it, then shorten it.\n"),
        "{prompt}"
    );
    assert!(
        prompt.contains("\n## Output\n\nThe title; the text is the body.\n"),
        "{prompt}"
    );
    assert!(
        prompt.contains("\n## Task\n\nA poem about rust\n"),
        "{prompt}"
    );
    assert!(
        prompt.contains("\n## Instruction\n\nWrite the text.\n"),
        "{prompt}"
    );
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
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
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
    assert!(detail["durationMs"].is_u64(), "{detail}");
    assert_eq!(
        *detail,
        json!({
            "protocol": "json",
            "command": "model",
            "exitCode": 0,
            "durationMs": detail["durationMs"],
            "corrections": 0,
            "warnings": [],
            "turns": detail["turns"],
        })
    );
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
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
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
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
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
        assert!(
            ran.stderr.starts_with(&error),
            "{}\nwanted: {error}",
            ran.stderr
        );
        let attempts = environment.attempts(&thread);
        assert_eq!(attempts.len(), position + 1);
        assert_eq!(attempts[position]["class"], "protocol");
        let detail = kept(&environment, &attempts[position]);
        assert_eq!(turns(&environment, &detail), [assistant(output)]);
    }
    assert_eq!(
        environment.json(&["thread", "steps", &thread])["steps"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn an_output_that_is_no_json_at_all_is_told_in_words_and_shown() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    environment.printing("model", "not logged in\n");
    let ran = environment.step_with(&thread, "model", "json");
    assert_eq!(ran.code, Some(3));
    assert!(!ran.stderr.contains("expected ident"), "{}", ran.stderr);
    assert!(ran.stderr.contains("not logged in"), "{}", ran.stderr);
}

#[test]
fn a_place_in_an_output_is_counted_from_one() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
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
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
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

#[test]
fn a_json_answer_that_does_not_fit_is_corrected_once_and_taken() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let answers = [
        r#"{"meta": {"title": 7, "wrods": 3}, "content": "First."}"#,
        r#"{"meta": {"title": "Seven", "words": 3}, "content": "Second."}"#,
    ];
    environment.answering("model", &answers);
    let ran = environment.step_with(&thread, "model", "json");
    let step = made(&environment, &ran);
    assert_eq!(ran.stderr, "");
    assert_eq!(step["output"], json!({"title": "Seven", "words": 3}));
    assert_eq!(step["detail"]["corrections"], 1);
    let turns = turns(&environment, &step["detail"]);
    let roles: Vec<&str> = turns.iter().map(|(role, _)| role.as_str()).collect();
    assert_eq!(roles, ["assistant", "tool", "assistant"]);
    let correction = turns[1].1.as_str();
    assert!(
        correction.contains("\n- `/title` is 7; it must be a string\n"),
        "{correction}"
    );
    assert!(
        correction.contains("\n- `wrods` is no field of this role (did you mean `words`?)\n"),
        "{correction}"
    );
    let (first, second) = (
        environment.prompt("model", 1),
        environment.prompt("model", 2),
    );
    assert!(second.starts_with(first.trim_end()), "{second}");
    assert!(
        second.ends_with(&format!("\n## What is wrong with it\n\n{correction}")),
        "{second}"
    );
}

#[test]
fn the_correction_of_a_json_answer_shows_the_fields_that_were_wrong() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let wrong = r#"{"meta": {"title": 7, "words": 3}, "content": "First."}"#;
    environment.answering(
        "model",
        &[wrong, r#"{"meta": {"title": "T"}, "content": "Second."}"#],
    );
    made(
        &environment,
        &environment.step_with(&thread, "model", "json"),
    );
    let prompt = environment.prompt("model", 2);
    let (_, previous) = prompt.split_once("\n## Your previous answer\n\n").unwrap();
    let (previous, _) = previous.split_once("\n## What is wrong with it\n").unwrap();
    assert!(previous.contains("\"title\""), "{previous}");
}

#[test]
fn a_json_answer_that_never_fits_is_findable_with_its_fields() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    environment.printing("model", r#"{"meta": {"title": 4711}, "content": "First."}"#);
    let ran = environment.step_with(&thread, "model", "json");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""));
    let detail = kept(&environment, &environment.attempts(&thread)[0]);
    let answers: Vec<_> = turns(&environment, &detail)
        .into_iter()
        .filter(|(role, _)| role == "assistant")
        .collect();
    assert_eq!(answers.len(), 3);
    for (_, answer) in answers {
        assert!(
            answer.contains("First.") && answer.contains("4711"),
            "{answer}"
        );
    }
}

#[test]
fn a_markdown_answer_is_kept_in_nodes_that_say_how_it_came_about() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let answer = "---\ntitle: Ode\nwords: 12\n---\n\n# Rust\n\nNever sleeps.\n";
    environment.answering("model", &[answer]);
    let ran = environment.step_with(&thread, "model --flag", "markdown");
    assert_eq!(ran.stderr, "");
    let step = made(&environment, &ran);
    assert_eq!([&step["role"], &step["agent"]], ["writer", "model"]);
    assert_eq!(step["output"], json!({"title": "Ode", "words": 12}));
    let detail = &step["detail"];
    assert_eq!(
        *detail,
        json!({
            "protocol": "markdown",
            "command": "model",
            "exitCode": 0,
            "durationMs": detail["durationMs"],
            "corrections": 0,
            "warnings": [],
            "turns": detail["turns"],
        })
    );
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
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
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
fn a_markdown_answer_is_sent_back_with_what_is_wrong_and_the_next_is_taken() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let wrong = "Let me think.\n\n---\ntitle: [Ode]\nwords: none\n---\n```\ncode\n```\n";
    let right = "---\ntitle: Ode\n---\nRust.\n";
    environment.answering("model", &[wrong, right]);
    let ran = environment.step_with(&thread, "model", "markdown");
    let step = made(&environment, &ran);
    assert_eq!(ran.stderr, "");
    assert_eq!(step["output"], json!({"title": "Ode"}));
    assert_eq!(
        [&step["detail"]["corrections"], &step["detail"]["exitCode"]],
        [1, 0]
    );
    let correction = "Your answer cannot be used:\n\n\
        - line 4: `/title` is a list of 1 item; it must be a string\n\
        - line 5: `/words` is \"none\"; it must be a whole number\n\n\
        Correct this and give the whole answer again, not only the part that was wrong.\n";
    assert_eq!(
        turns(&environment, &step["detail"]),
        [
            assistant(wrong),
            ("tool".to_owned(), correction.to_owned()),
            assistant(right)
        ]
    );
    let whole = environment.prompt("model", 1);
    assert_eq!(
        environment.prompt("model", 2),
        format!(
            "{whole}\n## Your previous answer\n\n````\n{wrong}````\n\n\
             ## What is wrong with it\n\n{correction}"
        )
    );
}

#[test]
fn an_answer_that_still_does_not_fit_after_two_corrections_fails_the_step() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let start = environment.head(&thread);
    let answers = [
        "Just words.\n",
        "---\ntitle: a: b\n---\n",
        "---\ntitel: Ode\nwords: 0\n---\nRust.\n",
        "not asked",
    ];
    environment.answering("model", &answers);
    let ran = environment.step_with(&thread, "model", "markdown");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""));
    let attempts = environment.attempts(&thread);
    let output = attempts[0]["output"].as_str().unwrap();
    let faults = [
        "line 2: `/title` is missing; it must be a string",
        "line 2: `titel` is no field of this role (did you mean `title`?)",
        "line 3: `/words` is 0; it must be at least 1",
    ];
    let record = environment.root().join(format!("attempts/{thread}.jsonl"));
    assert_eq!(
        ran.stderr,
        format!(
            "error: the answer of agent `model` does not fit the role, even after 2 corrections\n\
             {}hint: what it answered is kept: `uwf thread step-details {output}`\n\
             hint: the attempt is on record: {}, line 1\n",
            faults.map(|fault| format!("  because: {fault}\n")).concat(),
            record.display()
        )
    );
    assert_eq!(
        attempts,
        [json!({
            "role": "writer",
            "agent": "model",
            "class": "output",
            "message": format!(
                "the answer of agent `model` does not fit the role, even after 2 corrections: {}",
                faults.join("; ")
            ),
            "output": output,
            "step": null,
            "exitCode": 0,
            "stderr": "",
        })]
    );
    let detail = environment.payload(output);
    assert_eq!([&detail["corrections"], &detail["exitCode"]], [2, 0]);
    let turns = turns(&environment, &detail);
    let answered: Vec<_> = turns
        .iter()
        .step_by(2)
        .map(|(_, text)| text.as_str())
        .collect();
    assert_eq!(answered, answers[..3]);
    assert!(
        turns[1].1.contains("\n- there is no frontmatter: "),
        "{}",
        turns[1].1
    );
    assert!(
        turns[3].1.contains("\n- line 2, column 9: "),
        "{}",
        turns[3].1
    );
    assert_eq!(environment.head(&thread), start);
    // Each correction is of the answer before it, on top of the whole prompt.
    let third = environment.prompt("model", 3);
    assert!(
        third.starts_with(&environment.prompt("model", 1)),
        "{third}"
    );
    assert!(
        third.contains("title: a: b") && !third.contains("Just words."),
        "{third}"
    );
}

#[test]
fn the_command_of_the_hint_shows_what_the_agent_said() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
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
fn an_agent_that_fails_while_it_is_corrected_has_failed() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let start = environment.head(&thread);
    environment.program(
        "model",
        "if [ -e once ]; then printf 'I was about to'; echo 'quota used up' >&2; exit 9; fi\n\
         touch once\necho 'No block.'",
    );
    let ran = environment.step_with(&thread, "model", "markdown");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""));
    assert!(
        ran.stderr.starts_with(
            "quota used up\nerror: agent `model` exited with code 9\n  \
               because: the last it said on stderr:\n    quota used up\n"
        ),
        "{}",
        ran.stderr
    );
    let attempts = environment.attempts(&thread);
    assert_eq!(attempts[0]["class"], "exit");
    let detail = kept(&environment, &attempts[0]);
    assert_eq!([&detail["corrections"], &detail["exitCode"]], [1, 9]);
    let turns = turns(&environment, &detail);
    assert_eq!(
        [&turns[0], &turns[2]],
        [&assistant("No block.\n"), &assistant("I was about to")]
    );
    assert_eq!(environment.head(&thread), start);
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
fn an_agent_that_never_stops_talking_is_ended() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let ran = environment.step_with(&thread, "yes", "markdown");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""));
    let message = "agent `yes` answered more than 16777216 bytes, and was ended";
    assert!(
        ran.stderr.starts_with(&format!("error: {message}\n")),
        "{}",
        ran.stderr
    );
    let attempts = environment.attempts(&thread);
    assert_eq!(
        [&attempts[0]["class"], &attempts[0]["message"]],
        ["output-too-large", message]
    );
}

#[test]
fn a_long_prompt_reaches_a_markdown_agent_whole() {
    let environment = Environment::new();
    environment.put_workflow(DRAFT);
    let task = "großer Auftrag 日本 🦀\n".repeat(4000);
    let thread = environment.start("draft", &task);
    environment.answering("model", &["---\ntitle: Ode\n---\n"]);
    made(
        &environment,
        &environment.step_with(&thread, "model", "markdown"),
    );
    let prompt = environment.prompt("model", 1);
    assert!(
        prompt.contains(&format!("\n## Task\n\n{task}\n## Instruction\n")),
        "{}",
        prompt.len()
    );
}

#[test]
fn bytes_that_are_no_text_are_replaced_and_counted() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
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
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
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

/// Two ways out of one role, by its answer.
const FORK_IN_THE_ROAD: &str = r#"name: fork
description: Two ways
roles:
  judge: &role
    description: Judges
    goal: Judge.
    capabilities: []
    procedure: Judge.
    output: The verdict.
    frontmatter: {type: object, properties: {note: {type: string}, verdict: {type: string}}}
  good: *role
  bad: *role
conditions:
  isGood: {description: It is good, expression: "$last('judge').verdict = 'good'"}
graph:
  $START: [{role: judge, prompt: Judge.}]
  judge: [{role: good, condition: isGood, prompt: Praise.}, {role: bad, prompt: Blame.}]
  good: [{role: $END, prompt: Done.}]
  bad: [{role: $END, prompt: Done.}]
"#;

#[test]
fn windows_line_ends_do_not_change_the_way_a_thread_takes() {
    let environment = Environment::new();
    let thread = environment.thread_of(FORK_IN_THE_ROAD);
    environment.printing(
        "model",
        "\u{feff}---\r\nnote: |\r\n  one\r\n  two\r\nverdict: good\r\n---\r\nBody\r\n",
    );
    let first = made(
        &environment,
        &environment.step_with(&thread, "model", "markdown"),
    );
    assert_eq!(
        first["output"],
        json!({"note": "one\ntwo\n", "verdict": "good"})
    );
    let second = made(
        &environment,
        &environment.step_with(&thread, "model", "markdown"),
    );
    assert_eq!(second["role"], "good");
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
    assert_eq!(
        environment.json(&["thread", "steps", &thread])["steps"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

/// A workflow whose first role answers in this form, and whose second is told of it.
fn workflow_for(schema: &Value, name: &str) -> String {
    let role = |schema: &Value| {
        json!({
            "description": "d", "goal": "g", "capabilities": [], "procedure": "p", "output": "o",
            "frontmatter": schema,
        })
    };
    let roles = json!({"one": role(schema), "two": role(&json!({"type": "object"}))});
    format!(
        "name: {name}\ndescription: d\nroles: {roles}\nconditions: {{}}\ngraph:\n  \
         $START: [{{role: one, prompt: Go.}}]\n  one: [{{role: two, prompt: Go on.}}]\n  \
         two: [{{role: $END, prompt: Done.}}]\n"
    )
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
            made(
                &environment,
                &environment.step_with(&thread, "reader", "markdown"),
            );
            let prompt = environment.prompt("reader", 1);
            let (_, told) = prompt.split_once("\nOutput: {").unwrap();
            let (_, told) = told.split_once("}\n\n").unwrap();
            let wanted = format!("```\n{}```\n\n## Instruction\n", text(body));
            assert!(told.starts_with(&wanted), "{name}: {prompt}");
        }
    }
}

#[test]
fn what_others_wrote_since_its_last_turn_reaches_a_role_whole() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
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
        made(
            &environment,
            &environment.step_with(&thread, agent, "markdown"),
        );
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
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let body = format!("begin {}end", "日本 ".repeat(30_000));
    environment.printing("pen", format!("---\ntitle: T\n---\n{body}"));
    made(
        &environment,
        &environment.step_with(&thread, "pen", "markdown"),
    );
    environment.answering("critic", &["---\naccepted: true\n---\n"]);
    made(
        &environment,
        &environment.step_with(&thread, "critic", "markdown"),
    );
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
    let step = made(
        &environment,
        &environment.step_with(&thread, "model", "markdown"),
    );
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
    assert!(
        ran.stderr
            .contains("because: line 2: `/why` is missing; it must be a string\n"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stderr.contains("url"), "{}", ran.stderr);
}

#[test]
fn escape_sequences_of_an_agent_are_never_printed_raw_within_json() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
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
