//! What `claude` is called with, and what it is told.

use std::fs;

use super::{DONE, Stage, answer, recorded};
use crate::environment::Ran;

const PLAIN: [&str; 5] = [
    "-p",
    "--output-format",
    "stream-json",
    "--verbose",
    "--dangerously-skip-permissions",
];

#[test]
fn the_first_turn_is_told_everything_in_the_threads_folder() {
    let stage = Stage::playing(&[&recorded("claude/tool-bash")]);
    let ran = stage.step("claude");
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            Some(0),
            "claude: I will run a command.\n\
             claude: Bash: echo hi > hello.txt && cat hello.txt\n\
             claude: --- status: done summary: wrote hello.txt --- All done. The file \
             **hello.txt** was written.\n"
        )
    );
    assert_eq!(stage.argv(1), PLAIN);
    let prompt = stage.kept("stdin.1");
    for part in [
        "## Goal\n\nWrite the file.\n",
        "## Task\n\nA poem about rust\n",
        "## Instruction\n\nWrite hello.txt.\n",
    ] {
        assert!(prompt.contains(part), "{prompt}");
    }
    assert!(prompt.ends_with("This is step 1 of the thread, and turn 1 of the role `writer`.\n"));
    let folder = fs::canonicalize(stage.environment.work()).unwrap();
    assert_eq!(stage.kept("pwd.1").trim_end(), folder.to_str().unwrap());
}

#[test]
fn options_are_passed_on() {
    let stage = Stage::playing(&[&answer("s1", DONE)]);
    let agent = "uwf-claude-code --model opus --max-turns 7 --max-budget-usd 2.50 \
                 --permission-mode acceptEdits --allowed-tools 'Bash(git *) Edit' \
                 --claude-arg --add-dir --claude-arg '../my lib'";
    stage.made(agent);
    let wanted = [
        "-p",
        "--output-format",
        "stream-json",
        "--verbose",
        "--permission-mode",
        "acceptEdits",
        "--model",
        "opus",
        "--max-turns",
        "7",
        "--max-budget-usd",
        "2.5",
        "--allowedTools",
        "Bash(git *) Edit",
        "--add-dir",
        "../my lib",
    ];
    assert_eq!(stage.argv(1), wanted);
}

#[test]
fn another_program_can_be_named() {
    let stage = Stage::playing(&[&answer("s1", DONE)]);
    let claude = stage.environment.home().join("my claude");
    let own = stage.environment.program("claude", "exit 1");
    let script = super::CLAUDE.replace("STAGE", &stage.folder().display().to_string());
    let named = stage.environment.program("named", &script);
    fs::rename(named, &claude).unwrap();
    stage.made(&format!("uwf-claude-code --program '{}'", claude.display()));
    assert_eq!(stage.runs(), 1);
    fs::remove_file(own).unwrap();
}

/// A step with a variable set.
fn step_with(stage: &Stage, name: &str, value: &str) -> Ran {
    let mut command =
        stage
            .environment
            .command(&["thread", "step", &stage.thread, "--agent", "claude"]);
    Ran::from(command.env(name, value).output().unwrap())
}

#[test]
fn the_budget_and_the_model_can_come_from_the_environment() {
    let stage = Stage::playing(&[&answer("s1", DONE)]);
    assert_eq!(
        step_with(&stage, "UWF_MAX_BUDGET_USD", "0.75").code,
        Some(0)
    );
    let argv = stage.argv(1).join(" ");
    assert!(argv.contains(" --max-budget-usd 0.75 "), "{argv}");
    assert!(!stage.kept("env.1").contains("UWF_MAX_BUDGET_USD"));
    let stage = Stage::playing(&[&answer("s1", DONE)]);
    assert_eq!(step_with(&stage, "CLAUDE_MODEL", "sonnet").code, Some(0));
    let argv = stage.argv(1).join(" ");
    assert!(argv.contains(" --model sonnet "), "{argv}");
}

#[test]
fn of_two_budgets_the_lower_one_counts() {
    for (of_call, counts) in [("0.75", "0.75"), ("9", "5")] {
        let stage = Stage::playing(&[&answer("s1", DONE)]);
        let agent = "uwf-claude-code --max-budget-usd 5";
        let arguments = ["thread", "step", &stage.thread, "--agent", agent];
        let mut command = stage.environment.command(&arguments);
        command.env("UWF_MAX_BUDGET_USD", of_call);
        assert_eq!(Ran::from(command.output().unwrap()).code, Some(0));
        let argv = stage.argv(1).join(" ");
        let told = format!(" --max-budget-usd {counts} ");
        assert!(argv.contains(&told), "{argv}");
    }
}

#[test]
fn a_budget_that_is_none_is_refused_before_anything_is_paid() {
    let stage = Stage::playing(&[]);
    let ran = step_with(&stage, "UWF_MAX_BUDGET_USD", "2,50");
    ran.assert_no_result(1);
    ran.assert_begins(
        "error: agent `claude` failed: UWF_MAX_BUDGET_USD: `2,50` is no amount of dollars \
         above zero, such as `2.50`\n",
    );
    assert_eq!(stage.runs(), 0);
}

#[test]
fn what_can_be_no_limit_is_refused() {
    let stage = Stage::playing(&[]);
    for (option, value, message) in [
        ("--max-turns", "0", "must be a positive integer, not `0`"),
        (
            "--max-turns",
            "many",
            "must be a positive integer, not `many`",
        ),
        (
            "--max-budget-usd",
            "-1",
            "cannot be `-1`: `-1` is no amount of dollars above zero, such as `2.50`",
        ),
    ] {
        let thread = stage.thread.as_str();
        let arguments = ["agent", "claude-code", option, value, thread, "writer"];
        let ran = stage.environment.run(&arguments);
        assert_eq!(
            ran,
            Ran::refused(2, &format!("error: `{option}` {message}\n"))
        );
    }
    assert_eq!(stage.runs(), 0);
}

#[test]
fn a_long_task_arrives_whole_and_nothing_of_it_is_an_argument() {
    let stage = Stage::playing(&[&answer("s1", DONE)]);
    let task = format!(
        "---\n--resume\n{}the end",
        "Ein Gedicht über Rost.\n".repeat(10_000)
    );
    assert!(task.len() > 128 << 10);
    let file = stage.environment.write("task.md", &task);
    let file = file.to_str().unwrap();
    let started = stage
        .environment
        .json(&["thread", "start", "talk", "--prompt-file", file]);
    let thread = started["thread"].as_str().unwrap();
    let ran = stage.environment.step_by(thread, "claude");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(stage.argv(1), PLAIN);
    assert!(
        stage
            .kept("stdin.1")
            .contains(&format!("## Task\n\n{task}\n"))
    );
}

#[test]
fn a_key_is_in_the_environment_alone() {
    let stage = Stage::playing(&[&recorded("claude/err-401-retries1")]);
    let key = "sk-ant-4711";
    stage
        .environment
        .write_in_root(".env", &format!("ANTHROPIC_API_KEY={key}\n"));
    stage.environment.write_in_root(
        "config.yaml",
        "agents: {claude: {command: uwf-claude-code, env: [ANTHROPIC_API_KEY]}}\n",
    );
    let ran = stage.step("claude");
    ran.assert_no_result(3);
    assert!(
        stage
            .kept("env.1")
            .contains(&format!("ANTHROPIC_API_KEY={key}\n"))
    );
    assert!(!stage.kept("argv.1").contains(key));
    assert!(!ran.stderr.contains(key));
    for (path, content) in stage.environment.snapshot() {
        let holds = content
            .windows(key.len())
            .any(|bytes| bytes == key.as_bytes());
        assert_eq!(holds, path.ends_with(".env"), "{}", path.display());
    }
}

#[test]
fn what_an_outer_session_left_in_the_environment_stays_out() {
    let stage = Stage::playing(&[&answer("s1", DONE)]);
    assert_eq!(step_with(&stage, "CLAUDECODE", "1").code, Some(0));
    let environment = stage.kept("env.1");
    for name in ["CLAUDECODE", "UWF_EDGE_PROMPT", "UWF_AGENT"] {
        assert!(!environment.contains(&format!("{name}=")), "{environment}");
    }
    assert!(environment.contains("UNCAGED_WORKFLOW_STORAGE_ROOT="));
}
