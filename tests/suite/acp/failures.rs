//! Turns that fail: what is on record of it, and that the thread is as it was.

use serde_json::json;

use super::{STAND_IN, failure, said};
use crate::environment::Environment;

const HERMES: &str = "uwf-hermes --program stand-in";

#[track_caller]
fn assert_fails(otherwise: &str, agent: &str, code: i32, class: &str, message: &str) {
    let (_, ran, words) = failure(otherwise, agent, code);
    let name = agent.split(' ').next().unwrap();
    assert_eq!(words, [class, &format!("agent `{name}` failed: {message}")]);
    ran.assert_tells(&format!("error: agent `{name}` failed: "));
}

#[test]
fn what_a_service_refused_is_no_answer_though_hermes_makes_one_of_it() {
    let answer = |words: &str| {
        format!(
            "agent='{{\"name\":\"hermes-agent\",\"version\":\"1\"}}'\nprompt() {{ text '{words}'; stop end_turn; }}"
        )
    };
    for (words, class) in [
        (
            "API call failed after 3 retries: HTTP 401: no such key",
            "authentication",
        ),
        (
            "API call failed after 3 retries: HTTP 429: slow down",
            "rate-limit",
        ),
        (
            "API call failed after 3 retries: HTTP 529: come back later",
            "overloaded",
        ),
        ("Error: the model does not exist", "api"),
    ] {
        let message = format!("uwf-hermes answered with an error: {words}");
        assert_fails(&answer(words), HERMES, 3, class, &message);
    }
}

#[test]
fn an_answer_with_a_block_is_an_answer_though_hermes_counts_no_tokens() {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in(
        r#"
agent='{"name":"hermes-agent","version":"1"}'
prompt() { text '---\ntitle: HTTP 429\n---\nAn ode.'; stop end_turn; }
"#,
    );
    environment.step_by(&thread, HERMES).assert_clean();
}

#[test]
fn an_error_is_told_with_its_words_and_data_and_what_was_said_is_kept() {
    let otherwise = r#"prompt() {
  text 'Half'
  refuse '{"code":-32603,"message":"Internal error","data":{"status":429,"say":"slow down"}}'
}"#;
    let (environment, _, words) = failure(otherwise, STAND_IN, 3);
    let message = "agent `uwf-acp` failed: uwf-acp answered `session/prompt` with error -32603: \
                   Internal error: {\"status\":429,\"say\":\"slow down\"}";
    assert_eq!(words, ["rate-limit", message]);
    let threads = environment.json(&["thread", "list"]);
    let thread = threads[0]["thread"].as_str().unwrap();
    let output = environment.attempts(thread)[0]["output"].clone();
    let detail = environment.detail(output.as_str().unwrap());
    assert_eq!(detail["turns"], json!([said("Half")]));
    // What was wrong passes: whoever steps again goes on in the session.
    let sessions = environment.read_in_root("cache/agent-sessions.json");
    assert_eq!(
        sessions,
        format!("{{\n  \"{thread}:writer:uwf-acp\": \"s-1\"\n}}\n")
    );
}

#[test]
fn an_agent_that_wants_to_be_logged_in_is_not() {
    let otherwise = r#"
initialize() {
  reply '{"protocolVersion":1,"authMethods":[{"id":"a","name":"Log in with X"},{"id":"b","name":"API key"}]}'
}
new() { refuse '{"code":-32000,"message":"Authentication required"}'; }
"#;
    assert_fails(
        otherwise,
        STAND_IN,
        3,
        "authentication",
        "uwf-acp wants to be logged in: Authentication required; its ways to log in: `Log in with \
         X` and `API key`",
    );
}

#[test]
fn every_way_to_stop_without_an_answer_has_its_class() {
    let stopping = |reason: &str| format!("prompt() {{ text 'Well'; stop {reason}; }}");
    let said = "; it had said: Well";
    for (reason, code, class, why) in [
        ("refusal", 3, "refused", "refused to go on"),
        (
            "max_tokens",
            3,
            "api",
            "was cut off: the model may write no more tokens",
        ),
        (
            "max_turn_requests",
            3,
            "turns",
            "may make no more requests in this turn",
        ),
        (
            "cancelled",
            3,
            "interrupted",
            "says that its turn was cancelled",
        ),
    ] {
        let message = format!("uwf-acp {why}{said}");
        assert_fails(&stopping(reason), STAND_IN, code, class, &message);
    }
    assert_fails(
        "prompt() { stop end_turn; }",
        STAND_IN,
        3,
        "empty",
        "uwf-acp ended its turn without an answer",
    );
}

#[test]
fn an_agent_that_dies_half_way_is_told_with_its_last_words() {
    assert_fails(
        "prompt() { text Half; echo 'Welcome!'; echo 'out of memory' >&2; exit 9; }",
        STAND_IN,
        3,
        "crash",
        "uwf-acp ended in the middle of the conversation, with exit code 9; it had written on \
         stderr: out of memory; on stdout: Welcome!",
    );
    assert_fails(
        "initialize() { echo 'usage: stand-in'; exit 2; }",
        STAND_IN,
        3,
        "crash",
        "uwf-acp ended in the middle of the conversation, with exit code 2; on stdout: usage: \
         stand-in",
    );
}

#[test]
fn an_agent_that_closes_its_output_has_broken_off() {
    assert_fails(
        "prompt() { exec >&-; while hear; do :; done; exit 0; }",
        STAND_IN,
        3,
        "crash",
        "uwf-acp ended in the middle of the conversation, with exit code 0",
    );
}

#[test]
fn an_agent_of_another_version_cannot_be_talked_to() {
    let (_, _, [class, message]) = failure(
        "initialize() { reply '{\"protocolVersion\":0}'; }",
        STAND_IN,
        3,
    );
    assert_eq!(class, "crash");
    assert!(message.contains("`initialize`"), "{message}");
}

#[test]
fn a_message_that_is_too_long_ends_the_conversation() {
    let otherwise = r#"prompt() {
  printf '{"jsonrpc":"2.0","method":"x","params":['
  head -c 40000000 /dev/zero | tr '\0' 1
  printf ']}\n'
}"#;
    let (_, _, [class, message]) = failure(otherwise, STAND_IN, 3);
    assert_eq!(class, "crash");
    assert!(
        message.contains("it sent a message that is too long"),
        "{message}"
    );
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let (environment, thread) = Environment::with_draft();
    let ran = environment.step_by(&thread, "uwf-codex");
    ran.assert_no_result(1);
    let attempts = environment.attempts(&thread);
    assert_eq!(attempts[0]["class"], "configuration");
    let message = attempts[0]["message"].as_str().unwrap();
    let begin = "agent `uwf-codex` failed: cannot start agent `uwf-codex`: there is no program \
                 `codex-acp` in PATH (";
    assert!(message.starts_with(begin), "{message}");
}

#[test]
fn an_agent_without_a_command_is_a_usage_error() {
    let environment = Environment::new();
    let ran = environment.run(&["agent", "acp", "--", "thread", "role"]);
    ran.assert_no_result(2);
    assert_eq!(
        ran.stderr,
        "error: the agent's command, the thread and the role have to stand behind `--`\n\
         hint: usage: `uwf agent acp [--permissions <ANSWER>] -- <COMMAND>… <THREAD> <ROLE>`\n"
    );
    let ran = environment.run(&["agent", "acp", "stand-in", "thread", "role"]);
    ran.assert_no_result(2);
    ran.assert_tells("hint: usage: `uwf agent acp [--permissions <ANSWER>] -- <COMMAND>...`\n");
}

#[test]
fn an_answer_that_cannot_be_read_is_an_error_at_once() {
    let otherwise = r#"prompt() { refuse '"no object"'; }"#;
    let (_, _, [class, message]) = failure(otherwise, STAND_IN, 3);
    assert_eq!(class, "crash");
    assert!(
        message.contains("it sent a message that cannot be read: invalid type: string"),
        "{message}"
    );
}
