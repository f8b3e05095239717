//! Runs that give no answer: the class of each, and what is kept.

use serde_json::{Value, json};

use super::{DONE, Stage, answer, recorded};

#[test]
fn every_failure_has_its_class_and_leaves_the_thread_where_it_was() {
    let api = |status: u64, text: &str| {
        json!({"type": "result", "subtype": "success", "is_error": true,
            "api_error_status": status, "result": text, "num_turns": 1})
        .to_string()
    };
    let broken = json!({"type": "result", "subtype": "error_during_execution", "is_error": true,
        "num_turns": 3, "errors": ["the shell is gone"]})
    .to_string();
    let cases = [
        (
            recorded("claude/err-401-retries1"),
            "authentication",
            "claude failed with status 401: Invalid API key · Fix external API key",
        ),
        (
            api(429, "Too many requests"),
            "rate-limit",
            "claude failed with status 429: Too many requests",
        ),
        (
            api(529, "Overloaded"),
            "overloaded",
            "claude failed with status 529: Overloaded",
        ),
        (
            api(404, "no such model"),
            "api",
            "claude failed with status 404: no such model",
        ),
        (
            recorded("claude/max-turns"),
            "turns",
            "claude was stopped: Reached maximum number of turns (2)",
        ),
        (
            recorded("claude/max-budget"),
            "budget",
            "claude was stopped: Reached maximum budget ($0.005)",
        ),
        (
            broken,
            "crash",
            "claude broke while it was at work: the shell is gone",
        ),
        (
            recorded("claude/empty-answer"),
            "empty",
            "claude ended without an answer, after 2 turns (stop reason `end_turn`)",
        ),
        (
            recorded("claude/sig-TERM"),
            "crash",
            "claude exited with code 1 without a result",
        ),
    ];
    for (play, class, message) in cases {
        let stage = Stage::playing(&[&play]);
        stage.lay_out("exit.1", "1\n");
        let (found, said) = stage.fails("claude", 3);
        assert_eq!(found, class, "{said}");
        assert_eq!(said, format!("agent `claude` failed: {message}"));
    }
}

#[test]
fn the_error_says_what_happened_and_what_is_kept() {
    let stage = Stage::playing(&[&recorded("claude/err-401-retries1")]);
    let ran = stage.step("claude");
    assert_eq!(
        ran.stderr,
        format!(
            "claude: retry 1 of 1 in 1 s: authentication_failed, status 401\n\
             claude: Invalid API key · Fix external API key\n\
             error: agent `claude` failed: claude failed with status 401: Invalid API key · Fix \
             external API key\n\
             hint: check the key in .env of the storage root, or log the program in; `uwf doctor` \
             tells what is set\n\
             {}{}",
            stage.environment.kept_hint(&stage.thread),
            stage.environment.on_record(&stage.thread, 1)
        )
    );
}

#[test]
fn what_a_stopped_run_said_and_cost_is_kept() {
    let stage = Stage::playing(&[&recorded("claude/max-turns")]);
    stage.fails("claude", 3);
    let detail = stage.kept_of_attempt();
    assert_eq!(detail["subtype"], "error_max_turns");
    assert_eq!(detail["totalCostUsd"], 0.00822);
    assert_eq!(detail["usage"]["inputTokens"], 2400);
    let turns = stage.turns(&detail);
    let roles: Vec<&str> = turns.iter().map(|(role, _)| role.as_str()).collect();
    assert_eq!(roles, ["assistant", "tool", "assistant", "tool"]);
    // It may be refused for ever in that session: the next try begins anew.
    assert_eq!(stage.sessions(), json!({}));
}

#[test]
fn what_is_kept_can_be_looked_at() {
    for (play, wanted) in [
        (recorded("claude/max-turns"), "subtype: error_max_turns\n"),
        ("no stream\n".to_owned(), "text: |\n  no stream\n"),
    ] {
        let stage = Stage::playing(&[&play]);
        stage.fails("claude", 3);
        let attempts = stage.attempts();
        let output = attempts[0]["output"].as_str().unwrap();
        let shown = stage.environment.ok(&["thread", "step-details", output]);
        assert!(shown.contains(wanted), "{shown}");
    }
}

#[test]
fn of_a_run_that_crashed_the_last_text_is_kept() {
    let whole = recorded("claude/tool-bash");
    let (cut, _) = whole.rsplit_once("\"total_cost_usd\"").unwrap();
    let stage = Stage::playing(&[cut]);
    stage.lay_out("do.1", "echo 'out of memory' >&2");
    stage.lay_out("exit.1", "134\n");
    let (class, message) = stage.fails("claude", 3);
    assert_eq!(class, "crash");
    assert_eq!(
        message,
        "agent `claude` failed: claude exited with code 134 without a result: out of memory"
    );
    let detail = stage.kept_of_attempt();
    assert_eq!(detail["subtype"], "no_result");
    let turns = stage.turns(&detail);
    assert_eq!(turns.len(), 4);
    assert!(turns[3].1.starts_with("---\nstatus: done\n"));
}

#[test]
fn what_is_no_stream_is_kept_as_it_is() {
    let stage = Stage::playing(&["Welcome to Claude\nDone.\n"]);
    let (class, message) = stage.fails("claude", 3);
    assert_eq!(class, "crash");
    assert_eq!(
        message,
        "agent `claude` failed: claude ended without a result: Welcome to Claude Done."
    );
    assert_eq!(
        stage.kept_of_attempt(),
        json!({"text": "Welcome to Claude\nDone.\n"})
    );
    let stage = Stage::playing(&[]);
    stage.fails("claude", 3);
    assert_eq!(stage.attempts()[0]["output"], Value::Null);
}

#[test]
fn a_program_that_is_not_there_is_a_matter_of_configuration() {
    let stage = Stage::playing(&[]);
    let (class, message) = stage.fails("uwf-claude-code --program no-claude", 1);
    assert_eq!(class, "configuration");
    let (before, behind) = message.split_once(" in PATH (").unwrap();
    assert_eq!(
        before,
        "agent `uwf-claude-code` failed: cannot start agent `claude`: there is no program \
         `no-claude`"
    );
    let (_, behind) = behind.split_once("): ").unwrap();
    assert_eq!(
        behind,
        "install Claude Code (`npm install -g @anthropic-ai/claude-code`), or say where it is \
         with `--program <path>`"
    );
}

#[test]
fn as_root_the_error_says_what_to_do() {
    let stage = Stage::playing(&[]);
    stage.lay_out(
        "do.1",
        "echo '--dangerously-skip-permissions cannot be used with root/sudo privileges for \
         security reasons' >&2\nexit 1",
    );
    let (class, message) = stage.fails("claude", 1);
    assert_eq!(class, "configuration");
    assert_eq!(
        message,
        "agent `claude` failed: claude lets nobody skip its questions as root \
         (--dangerously-skip-permissions cannot be used with root/sudo privileges for security \
         reasons): run as another user; or, in a sandbox, set IS_SANDBOX=1 in the environment of \
         uwf; or say with --permission-mode and --allowed-tools what it may do unasked"
    );
    assert!(!stage.kept("env.1").contains("IS_SANDBOX"));
}

#[test]
fn a_spent_budget_allows_no_correction() {
    let unfit = answer("s1", "---\nmood: good\n---\nHm.\n");
    let stage = Stage::playing(&[&unfit]);
    let (class, message) = stage.fails("uwf-claude-code --max-budget-usd 0.5", 3);
    assert_eq!(class, "budget");
    assert_eq!(
        message,
        "agent `uwf-claude-code` failed: the budget of $0.5 is spent, and the answer needs a \
         correction"
    );
    assert_eq!(stage.runs(), 1);
}

#[test]
fn an_answer_that_never_fits_is_kept_with_its_corrections() {
    let unfit = answer("s1", "---\nmood: good\n---\nHm.\n");
    let stage = Stage::playing(&[&unfit, &unfit, &unfit]);
    let (class, _) = stage.fails("claude", 4);
    assert_eq!((class.as_str(), stage.runs()), ("output", 3));
    let detail = stage.kept_of_attempt();
    assert_eq!(detail["totalCostUsd"], 1.5);
    assert_eq!(detail["usage"]["inputTokens"], 21);
    assert_eq!(stage.turns(&detail).len(), 5);
    assert_eq!(
        stage.sessions(),
        json!({stage.key("writer", "claude"): "s1"})
    );
    let stage = Stage::playing(&[&unfit, &answer("s1", DONE)]);
    stage.made("claude");
}
