//! `uwf-mock`: a workflow is tested without a model, and every kind of failure can be played.

use serde_json::{Value, json};

use crate::environment::{Environment, Ran, wait_until};

const SCRIPT: &str = "\
writer:
  - answers:
      - no block at all
      - |
        ---
        title: First
        ---
        Rust never sleeps.
  - {answer: \"---\\ntitle: Second\\n---\\nIt does not.\\n\", delay: 10ms}
reviewer:
  - {answer: \"---\\naccepted: false\\n---\\nSay why.\\n\"}
  - {answer: \"---\\naccepted: true\\n---\\n\"}
";

/// A thread of the draft, and an agent `mock` that plays this script.
fn playing(script: &str) -> (Environment, String) {
    let (environment, thread) = Environment::with_draft();
    let path = environment.write("script.yaml", script);
    environment.write_in_root(
        "config.yaml",
        &format!(
            "agents: {{mock: {{command: uwf-mock, args: ['{}']}}}}\ndefaultAgent: mock\n",
            path.display()
        ),
    );
    (environment, thread)
}

fn step(environment: &Environment, thread: &str) -> Ran {
    environment.run(&["thread", "step", thread])
}

#[test]
fn a_script_answers_by_role_and_visit_to_the_end() {
    let (environment, thread) = playing(SCRIPT);
    let ran = environment.run(&["thread", "step", &thread, "-c", "20"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.stderr,
        "the answer does not fit the role: asking again\n"
    );
    let shown = environment.json(&["thread", "steps", &thread, "--long"]);
    let told: Vec<Value> = shown["steps"].as_array().unwrap()[1..]
        .iter()
        .map(|step| json!([step["role"], step["output"], step["agent"], step["turns"]]))
        .collect();
    assert_eq!(
        told,
        [
            json!(["writer", {"title": "First"}, "uwf-mock", 2]),
            json!(["reviewer", {"accepted": false}, "uwf-mock", 1]),
            json!(["writer", {"title": "Second"}, "uwf-mock", 1]),
            json!(["reviewer", {"accepted": true}, "uwf-mock", 1]),
        ]
    );
    let first = shown["steps"][1]["hash"].as_str().unwrap();
    let detail = environment.ok(&["thread", "step-details", first, "--format", "json"]);
    let detail: Value = serde_json::from_str(&detail).unwrap();
    assert_eq!(
        (&detail["corrections"], &detail["usage"], &detail["notes"]),
        (&json!(1), &Value::Null, &json!([]))
    );
    let turns: Vec<&Value> = detail["turns"].as_array().unwrap().iter().collect();
    assert_eq!(turns.len(), 3);
    assert_eq!(turns[0]["content"], "no block at all");
    assert_eq!(turns[1]["role"], "tool");
    assert_eq!(
        turns[2]["content"],
        "---\ntitle: First\n---\nRust never sleeps.\n"
    );
}

#[test]
fn a_failure_is_told_once_with_its_class_and_leaves_the_thread_as_it_was() {
    for (class, code, kind) in [
        ("rate-limit", 3, "agent"),
        ("authentication", 3, "agent"),
        ("output", 4, "output"),
        ("configuration", 1, "request"),
    ] {
        let script = format!("writer: [{{fail: {{class: {class}, message: it said no}}}}]\n");
        let (environment, thread) = playing(&script);
        let start = environment.head(&thread);
        let ran = environment.run(&["thread", "step", &thread, "--error-format", "json"]);
        ran.assert_no_result(code);
        let error: Value = serde_json::from_str(&ran.stderr).unwrap();
        assert_eq!(
            (&error["error"], &error["kind"]),
            (&json!("agent `mock` failed: it said no"), &json!(kind))
        );
        assert_eq!(environment.head(&thread), start);
        let attempts = environment.attempts(&thread);
        assert_eq!(attempts.len(), 1);
        assert_eq!(attempts[0]["class"], class);
        assert_eq!(attempts[0]["message"], "agent `mock` failed: it said no");
    }
}

#[test]
fn junk_and_exit_codes_are_played_as_they_stand() {
    let (environment, thread) = playing("writer: [{print: \"junk\\n\", exit: 9, stderr: oh}]\n");
    let ran = step(&environment, &thread);
    ran.assert_no_result(3);
    assert!(
        ran.stderr
            .starts_with("oh\nerror: agent `mock` exited with code 9\n"),
        "{}",
        ran.stderr
    );
    let (environment, thread) = playing("writer: [{print: junk}]\n");
    let ran = step(&environment, &thread);
    ran.assert_no_result(3);
    assert!(ran.stderr.contains("the very last is `junk`"), "{ran:?}");
}

#[test]
fn a_script_that_cannot_be_played_is_refused_with_its_place() {
    for (script, message) in [
        ("writer: [{answr: x}]", "unknown field `answr`"),
        ("writer:\n  - {answer: 'x}", ":2:"),
        (
            "writer: [{}]",
            "`writer`: a scene needs `answer`, `answers`, `fail`, `print` or `exit`",
        ),
        (
            "writer: [{answer: x, exit: 1}]",
            "`writer`: a scene has one of `answer`, `answers`, `fail`, and `print` with `exit`",
        ),
        (
            "writer: [{answer: x, delay: soon}]",
            "`writer`: `delay`: `soon` is not a length of time",
        ),
        (
            "writer: [{fail: {class: bad, message: x}}]",
            "`writer`: `fail.class`: `bad` is no class of failure",
        ),
        (
            "reviewer: [{answer: x}]",
            "has no scene for the role `writer`",
        ),
    ] {
        let (environment, thread) = playing(script);
        let ran = step(&environment, &thread);
        ran.assert_no_result(1);
        assert!(ran.stderr.starts_with("error: agent `mock` failed: "));
        assert!(ran.stderr.contains(message), "{script}: {}", ran.stderr);
    }
}

/// What the system tells of the agents that do a turn of this thread.
#[cfg(target_os = "linux")]
fn at_work(thread: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap();
    let told = processes.filter_map(|entry| {
        let path = entry.unwrap().path();
        let arguments = std::fs::read_to_string(path.join("cmdline")).ok()?;
        // Not the step, nor its child that is about to become the agent.
        let is_agent = arguments.contains("\0agent\0mock\0") && arguments.contains(thread);
        let status = || std::fs::read_to_string(path.join("status")).ok();
        is_agent.then(status)?
    });
    told.collect()
}

/// Whether a process does something of its own when it gets a TERM.
#[cfg(target_os = "linux")]
fn heeds_terminations(status: &str) -> bool {
    let caught = status
        .lines()
        .find_map(|line| line.strip_prefix("SigCgt:"))
        .unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() & (1 << 14) != 0
}

#[cfg(target_os = "linux")]
#[test]
fn an_agent_in_the_binary_does_not_outlive_a_step_that_was_killed() {
    let (environment, thread) = playing("writer: [{delay: 1h, answer: x}]\n");
    let mut step = environment.spawn(&["thread", "step", &thread]);
    // From then on it is told the end of the step as well.
    wait_until("the agent is at work", || {
        let told = at_work(&thread);
        told.iter().any(|status| heeds_terminations(status))
    });
    step.kill().unwrap();
    step.wait().unwrap();
    wait_until("the agent is gone", || at_work(&thread).is_empty());
    environment.write("script.yaml", SCRIPT);
    assert_eq!(environment.run(&["thread", "step", &thread]).code, Some(0));
}

#[test]
fn by_hand_a_role_that_is_none_is_a_request_that_cannot_be_met() {
    let (environment, thread) = playing(SCRIPT);
    let script = environment.work().join("script.yaml");
    for (role, hint) in [
        ("writr", "did you mean `writer`?"),
        ("nobody", "its roles are `reviewer` and `writer`"),
    ] {
        let mut command = environment.command(&["agent", "uwf-mock"]);
        command.env("UWF_EDGE_PROMPT", "x").arg(&script);
        let ran = Ran::from(command.args([&thread, role]).output().unwrap());
        ran.assert_no_result(1);
        assert_eq!(
            ran.stderr,
            format!("error: workflow `draft` has no role `{role}`\nhint: {hint}\n")
        );
    }
}
