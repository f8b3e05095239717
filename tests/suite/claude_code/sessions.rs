//! Which session a turn is done in.

use serde_json::json;

use super::{DONE, Stage, TEXT_SESSION, answer, recorded};

/// What a turn ends with that goes on with a session.
const SECOND_TURN: &str = "This is step 3 of the thread, and turn 2 of the role `writer`.\n";

#[track_caller]
fn is_turn_only(stage: &Stage, run: usize) {
    let prompt = stage.kept(&format!("stdin.{run}"));
    assert!(
        prompt.starts_with("## What happened since your last turn\n"),
        "{prompt}"
    );
    assert!(prompt.contains("It is too short."), "{prompt}");
    assert!(
        prompt.contains("## Instruction\n\nWrite it once more.\n"),
        "{prompt}"
    );
    assert!(prompt.ends_with(SECOND_TURN), "{prompt}");
    assert!(!prompt.contains("## Task"), "{prompt}");
}

#[track_caller]
fn is_whole(stage: &Stage, run: usize) {
    let prompt = stage.kept(&format!("stdin.{run}"));
    assert!(
        prompt.contains("## Task\n\nA poem about rust\n"),
        "{prompt}"
    );
    assert!(!stage.argv(run).contains(&"--resume".to_owned()));
}

#[track_caller]
fn resumes(stage: &Stage, run: usize, session: &str) {
    let argv = stage.argv(run);
    let at = argv.iter().position(|argument| argument == "--resume");
    assert_eq!(
        at.map(|at| argv[at + 1].as_str()),
        Some(session),
        "{argv:?}"
    );
}

#[test]
fn the_next_turn_of_the_role_goes_on_in_its_session() {
    let again = answer("new-id", DONE);
    let stage = Stage::playing(&[&recorded("claude/text"), &again, &again]);
    stage.made("claude");
    let key = stage.key("writer", "claude");
    assert_eq!(stage.sessions(), json!({&key: TEXT_SESSION}));
    stage.made("checker");
    stage.made("claude");
    resumes(&stage, 2, TEXT_SESSION);
    is_turn_only(&stage, 2);
    // It had another name for it, which counts from then on.
    assert_eq!(stage.sessions(), json!({&key: "new-id"}));
    stage.made("checker");
    stage.made("claude");
    resumes(&stage, 3, "new-id");
}

#[test]
fn a_session_that_is_gone_is_told_and_the_turn_begins_anew() {
    let gone = recorded("claude/resume-unknown");
    let stage = Stage::playing(&[&answer("s1", DONE), &gone, &answer("s2", DONE)]);
    stage.lay_out("exit.2", "1\n");
    stage.made("claude");
    stage.made("checker");
    let ran = stage.step("claude");
    let told = "the session `s1` cannot be gone on with (No conversation found with session ID: \
                00000000-0000-4000-8000-000000000000): beginning anew";
    assert_eq!(
        (ran.code, ran.stderr),
        (Some(0), format!("claude: {told}\n"))
    );
    resumes(&stage, 2, "s1");
    is_turn_only(&stage, 2);
    is_whole(&stage, 3);
    assert!(stage.kept("stdin.3").ends_with(SECOND_TURN));
    let turns = stage.turns(&stage.last_step()["detail"]);
    assert_eq!(turns[0], ("note".to_owned(), told.to_owned()));
    assert_eq!(
        stage.sessions(),
        json!({stage.key("writer", "claude"): "s2"})
    );
}

#[test]
fn a_correction_whose_session_is_gone_is_asked_with_all_there_is() {
    let unfit = answer("s1", "---\nmood: good\n---\nHm.\n");
    let stage = Stage::playing(&[
        &unfit,
        &recorded("claude/resume-unknown"),
        &answer("s2", DONE),
    ]);
    stage.made("claude");
    resumes(&stage, 2, "s1");
    is_whole(&stage, 3);
    let prompt = stage.kept("stdin.3");
    let correction = stage.kept("stdin.2");
    assert!(prompt.contains("## Your previous answer\n"), "{prompt}");
    assert!(prompt.contains("mood: good"), "{prompt}");
    assert!(
        prompt.ends_with(&format!("## What is wrong with it\n\n{correction}")),
        "{prompt}"
    );
}

#[test]
fn two_agents_of_one_kind_have_a_session_each() {
    let stage = Stage::playing(&[
        &answer("s1", DONE),
        &answer("s2", DONE),
        &answer("s3", DONE),
        &answer("s3", DONE),
    ]);
    stage.made("claude");
    stage.made("checker");
    stage.made("other");
    is_whole(&stage, 2);
    // The other one's turn is not in the first one's session, which is of no use any more.
    assert_eq!(
        stage.sessions(),
        json!({stage.key("writer", "other"): "s2"})
    );
    stage.made("checker");
    stage.made("claude");
    is_whole(&stage, 3);
    stage.made("checker");
    stage.made("claude");
    resumes(&stage, 4, "s3");
}

#[test]
fn a_session_without_another_programs_turn_is_not_gone_on_with() {
    let stage = Stage::playing(&[&answer("s1", DONE), &answer("s2", DONE)]);
    stage.made("claude");
    stage.made("checker");
    stage.made("checker");
    stage.made("checker");
    stage.made("claude");
    is_whole(&stage, 2);
}

#[test]
fn an_entry_of_the_original_counts_when_it_made_the_last_turn() {
    // Nobody has had a turn, so it cannot be of this agent.
    let stage = Stage::playing(&[&answer("s1", DONE), &answer("old-1", DONE)]);
    let plain = format!("{}:writer", stage.thread);
    let remember = |entries: &serde_json::Value| {
        stage
            .environment
            .write_in_root("cache/agent-sessions.json", &entries.to_string());
    };
    remember(&json!({&plain: "old-0"}));
    stage.made("claude");
    is_whole(&stage, 1);
    assert_eq!(
        stage.sessions(),
        json!({stage.key("writer", "claude"): "s1"})
    );
    stage.made("checker");
    // The last step names `uwf-claude-code`, as the original's does.
    remember(&json!({&plain: "old-1"}));
    stage.made("claude");
    resumes(&stage, 2, "old-1");
    is_turn_only(&stage, 2);
    assert_eq!(
        stage.sessions(),
        json!({stage.key("writer", "claude"): "old-1"})
    );
    // Another program made the last turn.
    let stage = Stage::playing(&[&answer("s1", DONE)]);
    let plain = format!("{}:writer", stage.thread);
    stage.made("checker");
    stage.made("checker");
    stage.environment.write_in_root(
        "cache/agent-sessions.json",
        &json!({&plain: "old-2"}).to_string(),
    );
    stage.made("claude");
    is_whole(&stage, 1);
}

#[test]
fn a_list_of_sessions_that_cannot_be_read_is_set_aside() {
    let stage = Stage::playing(&[&answer("s1", DONE)]);
    stage
        .environment
        .write_in_root("cache/agent-sessions.json", "{\"cut off");
    let ran = stage.step("claude");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let path = stage.environment.root().join("cache/agent-sessions.json");
    let why = format!(
        "warning: {} is no JSON: EOF while parsing a string at line 1 column 9",
        path.display()
    );
    assert_eq!(
        ran.stderr,
        format!(
            "{why}\n{why}; it is kept as {}.unreadable\n",
            path.display()
        )
    );
    assert_eq!(
        stage
            .environment
            .read_in_root("cache/agent-sessions.json.unreadable"),
        "{\"cut off"
    );
    assert_eq!(
        stage.sessions(),
        json!({stage.key("writer", "claude"): "s1"})
    );
}

#[test]
fn a_name_that_could_be_an_option_is_no_session() {
    let stage = Stage::playing(&[&answer("s1", DONE), &answer("s2", DONE)]);
    stage.made("claude");
    stage.made("checker");
    let key = stage.key("writer", "claude");
    stage.environment.write_in_root(
        "cache/agent-sessions.json",
        &json!({key: "--mcp-config=x"}).to_string(),
    );
    let ran = stage.step("claude");
    assert_eq!(
        ran.stderr,
        "claude: the session `--mcp-config=x` cannot be gone on with (that is no name of a \
         session): beginning anew\n"
    );
    is_whole(&stage, 2);
}

#[test]
fn a_session_that_breaks_its_program_does_not_block_the_thread() {
    let stage = Stage::playing(&[&answer("s1", DONE), "", &answer("s2", DONE)]);
    stage.lay_out("exit.2", "139\n");
    stage.made("claude");
    stage.made("checker");
    let ran = stage.step("claude");
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            Some(0),
            "claude: the session `s1` cannot be gone on with (claude exited with code 139 without \
             a result): beginning anew\n"
        )
    );
    resumes(&stage, 2, "s1");
    is_whole(&stage, 3);
    assert_eq!(
        stage.sessions(),
        json!({stage.key("writer", "claude"): "s2"})
    );
}
