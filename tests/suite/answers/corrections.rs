//! Answers that are sent back to the agent, with what is wrong with them.

use serde_json::json;

use super::{assistant, kept, made, turns};
use crate::environment::Environment;

#[test]
fn a_json_answer_that_does_not_fit_is_corrected_once_and_taken() {
    let (environment, thread) = Environment::with_draft();
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
    let (environment, thread) = Environment::with_draft();
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
    let (environment, thread) = Environment::with_draft();
    environment.printing("model", r#"{"meta": {"title": 4711}, "content": "First."}"#);
    let ran = environment.step_with(&thread, "model", "json");
    ran.assert_no_result(4);
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
fn a_markdown_answer_is_sent_back_with_what_is_wrong_and_the_next_is_taken() {
    let (environment, thread) = Environment::with_draft();
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
    let (environment, thread) = Environment::with_draft();
    let start = environment.head(&thread);
    let answers = [
        "Just words.\n",
        "---\ntitle: a: b\n---\n",
        "---\ntitel: Ode\nwords: 0\n---\nRust.\n",
        "not asked",
    ];
    environment.answering("model", &answers);
    let ran = environment.step_with(&thread, "model", "markdown");
    ran.assert_no_result(4);
    let attempts = environment.attempts(&thread);
    let output = attempts[0]["output"].as_str().unwrap();
    let faults = [
        "line 2: `/title` is missing; it must be a string",
        "line 2: `titel` is no field of this role (did you mean `title`?)",
        "line 3: `/words` is 0; it must be at least 1",
    ];
    assert_eq!(
        ran.stderr,
        format!(
            "error: the answer of agent `model` does not fit the role, even after 2 corrections\n\
             {}{}{}",
            faults.map(|fault| format!("  because: {fault}\n")).concat(),
            environment.kept_hint(&thread),
            environment.on_record(&thread, 1)
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
fn an_agent_that_fails_while_it_is_corrected_has_failed() {
    let (environment, thread) = Environment::with_draft();
    let start = environment.head(&thread);
    environment.program(
        "model",
        "if [ -e once ]; then printf 'I was about to'; echo 'quota used up' >&2; exit 9; fi\n\
         touch once\necho 'No block.'",
    );
    let ran = environment.step_with(&thread, "model", "markdown");
    ran.assert_no_result(3);
    ran.assert_begins(
        "quota used up\nerror: agent `model` exited with code 9\n  \
               because: the last it said on stderr:\n    quota used up\n",
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
