//! Every recorded run, and what else a run may end with.

use serde_json::{Value, json};

use super::super::record::tests::{heard, recording, run_of};
use super::*;

const WELL: End<'_> = End {
    ending: None,
    stderr: "",
};

fn exit(code: i32, stderr: &str) -> End<'_> {
    End {
        ending: Some(Ending::Exit(code)),
        stderr,
    }
}

fn refused(class: FailureClass, message: &str) -> Verdict {
    Verdict::Refused(Refusal::new(class, message))
}

#[test]
fn every_recorded_run_is_what_it_is() {
    use FailureClass::{Authentication, Budget, Crash, Empty, Turns};
    let done = "---\nstatus: done\nsummary: wrote hello.txt\n---\n\nAll done. The file \
                **hello.txt** was written.\n";
    let answer = |text: &str| Verdict::Answer(text.to_owned());
    let cases = [
        ("claude/text", answer(done)),
        ("claude/tool-bash", answer(done)),
        ("claude/json-schema-ok", answer("{\"status\":\"done\"}")),
        ("claude-2.1.332/tool-bash", answer(done)),
        (
            "claude-2.1.332/resume",
            answer("---\nstatus: resumed\n---\n\nI remember.\n"),
        ),
        (
            "claude/empty-answer",
            refused(
                Empty,
                "claude ended without an answer, after 2 turns (stop reason `end_turn`)",
            ),
        ),
        (
            "claude/err-401-retries1",
            refused(
                Authentication,
                "claude failed with status 401: Invalid API key · Fix external API key",
            ),
        ),
        (
            "claude/max-budget",
            refused(
                Budget,
                "claude was stopped: Reached maximum budget ($0.005)",
            ),
        ),
        (
            "claude/max-turns",
            refused(
                Turns,
                "claude was stopped: Reached maximum number of turns (2)",
            ),
        ),
        (
            "claude/resume-unknown",
            refused(
                Crash,
                "claude broke while it was at work: No conversation found with session ID: \
                 00000000-0000-4000-8000-000000000000",
            ),
        ),
        (
            "claude/sig-TERM",
            refused(Crash, "claude exited with code 1 without a result"),
        ),
    ];
    for (name, verdict) in cases {
        assert_eq!(
            judge(&recording(name), exit(1, ""), false),
            verdict,
            "{name}"
        );
    }
}

#[test]
fn a_session_that_cannot_be_gone_on_with_is_gone_only_for_whoever_asked_for_it() {
    let gone = |why: &str| Verdict::Gone(why.to_owned());
    let unknown = recording("claude/resume-unknown");
    let words = "No conversation found with session ID: 00000000-0000-4000-8000-000000000000";
    assert_eq!(judge(&unknown, exit(1, ""), true), gone(words));
    let (nothing, _) = heard(b"");
    assert_eq!(judge(&nothing, exit(1, words), true), gone(words));
    let result = |result: Value| run_of(&[result]);
    let broken = json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
        "num_turns": 0, "errors": ["boom"]});
    assert_eq!(judge(&result(broken), exit(1, ""), true), gone("boom"));
    let full = json!({"type": "result", "subtype": "success", "is_error": true,
        "api_error_status": 400, "num_turns": 1, "result": "Prompt is too long"});
    assert_eq!(
        judge(&result(full.clone()), exit(1, ""), true),
        gone("Prompt is too long")
    );
    assert_eq!(
        judge(&result(full), exit(1, ""), false),
        refused(
            FailureClass::Api,
            "claude failed with status 400: Prompt is too long"
        )
    );
    let later = json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
        "num_turns": 3, "errors": ["boom"]});
    assert_eq!(
        judge(&result(later), exit(1, ""), true),
        refused(
            FailureClass::Crash,
            "claude broke while it was at work: boom"
        )
    );
}

/// The class of an outcome that is an error, though its subtype says success.
fn class_of(status: &Value, text: &str) -> FailureClass {
    let run = run_of(&[
        json!({"type": "result", "subtype": "success", "is_error": true,
        "api_error_status": status, "result": text}),
    ]);
    match judge(&run, exit(1, ""), false) {
        Verdict::Refused(refusal) => refusal.class,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_error_is_classed_by_its_status_else_by_its_text() {
    use FailureClass::{Api, Authentication, Budget, Network, Overloaded, RateLimit};
    for (status, class) in [
        (400, Api),
        (401, Authentication),
        (403, Authentication),
        (404, Api),
        (429, RateLimit),
        (500, Overloaded),
        (503, Overloaded),
        (529, Overloaded),
    ] {
        assert_eq!(class_of(&json!(status), "x"), class, "{status}");
        assert_eq!(class_of(&json!(status.to_string()), "x"), class, "{status}");
        let text = format!("API Error: {status} {{\"type\":\"error\"}}");
        assert_eq!(class_of(&Value::Null, &text), class, "{text}");
    }
    for (text, class) in [
        ("Invalid API key · Please run /login", Authentication),
        ("Not logged in · Please run /login", Authentication),
        ("OAuth token has expired", Authentication),
        ("Claude AI usage limit reached|1764500000", RateLimit),
        ("This request would exceed your rate limit", RateLimit),
        ("API Error: Overloaded", Overloaded),
        ("API Error: Connection error.", Network),
        ("Unable to connect to API (ConnectionRefused)", Network),
        ("Credit balance is too low", Budget),
        ("", Api),
    ] {
        assert_eq!(class_of(&Value::Null, text), class, "{text}");
    }
    let named = run_of(&[
        json!({"type": "assistant", "error": "rate_limit", "message": {"content": "wait"}}),
        json!({"type": "result", "is_error": true, "result": "wait"}),
    ]);
    assert_eq!(
        judge(&named, WELL, false),
        refused(RateLimit, "claude failed: wait")
    );
}

#[test]
fn an_answer_counts_whatever_the_exit_code_and_blank_is_none() {
    let run =
        |result: Value| run_of(&[json!({"type": "result", "num_turns": 1, "result": result})]);
    let ends = [
        WELL,
        exit(1, "a hook failed"),
        End {
            ending: Some(Ending::Signal(9)),
            stderr: "",
        },
    ];
    for end in ends {
        assert_eq!(
            judge(&run(json!("x")), end, false),
            Verdict::Answer("x".to_owned())
        );
    }
    for nothing in [json!(""), json!(" \n"), json!(null), json!(3)] {
        assert_eq!(
            judge(&run(nothing), WELL, false),
            refused(
                FailureClass::Empty,
                "claude ended without an answer, after 1 turn"
            )
        );
    }
    let declined = |is_error: bool, result: &str| {
        run_of(&[json!({"type": "result", "num_turns": 1, "result": result,
            "is_error": is_error, "stop_reason": "refusal"})])
    };
    assert_eq!(
        judge(&declined(true, "I cannot"), WELL, false),
        refused(FailureClass::Refused, "the model refused: I cannot")
    );
    assert_eq!(
        judge(&declined(false, ""), WELL, false),
        refused(
            FailureClass::Refused,
            "claude ended without an answer, after 1 turn (stop reason `refusal`)"
        )
    );
}

#[test]
fn a_run_without_an_outcome_is_explained_by_what_it_said_last() {
    use FailureClass::{Authentication, Configuration, Crash};
    let (nothing, _) = heard(b"");
    let (text, _) = heard(b"just text\nof a wrapper\n");
    let cases = [
        (&nothing, WELL, Crash, "claude ended without a result"),
        (
            &text,
            WELL,
            Crash,
            "claude ended without a result: just text of a wrapper",
        ),
        (
            &text,
            End {
                ending: Some(Ending::Signal(9)),
                stderr: "out of\nmemory",
            },
            Crash,
            "claude was ended by SIGKILL without a result: out of memory",
        ),
        (
            &nothing,
            exit(1, "Invalid API key · Please run /login"),
            Authentication,
            "claude exited with code 1 without a result: Invalid API key · Please run /login",
        ),
        (
            &nothing,
            exit(1, "error: unknown option '--max-budget-usd'"),
            Configuration,
            "claude does not take its arguments: error: unknown option '--max-budget-usd'",
        ),
        (
            &nothing,
            exit(
                1,
                "--dangerously-skip-permissions cannot be used with root/sudo privileges for \
                 security reasons",
            ),
            Configuration,
            "claude lets nobody skip its questions as root (--dangerously-skip-permissions cannot \
             be used with root/sudo privileges for security reasons): run as another user; or, in \
             a sandbox, set IS_SANDBOX=1 in the environment of uwf; or say \
             with --permission-mode and --allowed-tools what it may do unasked",
        ),
    ];
    for (run, end, class, message) in cases {
        assert_eq!(judge(run, end, false), refused(class, message));
    }
    let long = "é".repeat(700);
    let Verdict::Refused(refusal) = judge(&nothing, exit(1, &long), false) else {
        panic!("it is refused");
    };
    assert_eq!(
        refusal.message,
        format!(
            "claude exited with code 1 without a result: {}…",
            "é".repeat(600)
        )
    );
}

#[test]
fn an_interruption_tells_of_the_retry_it_came_in() {
    let end = End {
        ending: Some(Ending::Interrupted(15)),
        stderr: "",
    };
    let interrupted = |message: &str| {
        Verdict::Refused(Refusal {
            message: message.to_owned(),
            ..Refusal::interrupted(15)
        })
    };
    let run = recording("claude/sig-TERM");
    assert_eq!(
        judge(&run, end, false),
        interrupted("interrupted by signal 15")
    );
    let retrying = run_of(&[
        json!({"type": "system", "subtype": "api_retry", "attempt": 3,
        "max_retries": 10, "retry_delay_ms": 2000, "error": "authentication_failed"}),
    ]);
    assert_eq!(
        judge(&retrying, end, false),
        interrupted(
            "interrupted by signal 15; claude was at retry 3 of 10 in 2 s: authentication_failed"
        )
    );
}
