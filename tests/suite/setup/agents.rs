//! Which agent does the work: what is written for it can run.

use super::NOWHERE;
use crate::environment::{Environment, Ran};

const NO_CLAUDE: &str = "warning: uwf-claude-code runs the program `claude`, which is not in PATH: \
                         install it before a step\n";

#[test]
fn an_agent_in_the_binary_gets_the_entry_it_needs() {
    for (word, name, program) in [
        ("builtin", "builtin", None),
        ("uwf-builtin", "builtin", None),
        ("claude-code", "claude-code", Some("claude")),
        ("uwf-claude-code", "claude-code", Some("claude")),
        ("hermes", "hermes", Some("hermes")),
        ("codex", "codex", Some("codex-acp")),
        ("gemini", "gemini", Some("gemini")),
    ] {
        let environment = Environment::new();
        if let Some(program) = program {
            environment.program(program, "");
        }
        let ran = environment.setup(&["--agent", word], "");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        if program.is_some() {
            assert_eq!(ran.stderr, "");
        }
        assert_eq!(
            environment.config(),
            format!("agents:\n  {name}:\n    command: uwf-{name}\ndefaultAgent: {name}\n")
        );
    }
}

#[test]
fn an_agent_whose_program_is_not_here_is_set_with_a_warning() {
    let environment = Environment::new();
    let ran = environment.setup(&["--agent", "claude-code"], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), NO_CLAUDE));
}

#[test]
fn a_key_of_its_own_is_granted_when_there_is_one() {
    let environment = Environment::new();
    environment.write_keys("ANTHROPIC_API_KEY=k\nGEMINI_API_KEY=\n");
    environment.setup(&["--agent", "claude-code"], "");
    assert_eq!(
        environment.config(),
        "agents:\n  claude-code:\n    command: uwf-claude-code\n    env: [ANTHROPIC_API_KEY]\n\
         defaultAgent: claude-code\n"
    );
    environment.setup(&["--agent", "gemini"], "");
    assert!(
        environment
            .config()
            .contains("  gemini:\n    command: uwf-gemini\ndefaultAgent: gemini\n")
    );

    let environment = Environment::new();
    let mut arguments = vec!["--provider", "anthropic", "--base-url", NOWHERE];
    arguments.extend(["--model", "m", "--api-key", "-", "--agent", "claude-code"]);
    environment.setup(&arguments, "a-key");
    assert!(
        environment
            .config()
            .contains("    env: [ANTHROPIC_API_KEY]\n")
    );
}

#[test]
fn a_second_setup_heeds_the_agent() {
    let environment = Environment::new();
    environment.setup(&["--agent", "builtin"], "");
    let ran = environment.setup(&["--agent", "claude-code"], "");
    assert_eq!(ran.code, Some(0));
    assert_eq!(
        environment.config(),
        "agents:\n  builtin:\n    command: uwf-builtin\n  claude-code:\n    command: \
         uwf-claude-code\ndefaultAgent: claude-code\n"
    );
}

#[test]
fn a_program_on_the_path_and_an_entry_of_the_configuration_are_agents() {
    let environment = Environment::new();
    environment.program("uwf-own", "");
    for word in ["own", "uwf-own"] {
        let ran = environment.setup(&["--agent", word], "");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        assert_eq!(
            environment.config(),
            "agents:\n  own:\n    command: uwf-own\ndefaultAgent: own\n"
        );
    }
    environment.write_in_root(
        "config.yaml",
        "agents: {mine: {command: sh, args: [-c, x]}, gone: {command: gone}, builtin: {args: [x]}}\n",
    );
    let ran = environment.setup(&["--agent", "mine"], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(environment.config().ends_with("}\ndefaultAgent: mine\n"));
    let ran = environment.setup(&["--agent", "gone"], "");
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (
            Some(0),
            "warning: the agent `gone` cannot run now: there is no program `gone`\n"
        )
    );
    environment.setup(&["--agent", "builtin"], "");
    assert!(
        environment
            .config()
            .contains("builtin: {args: [x], command: uwf-builtin}"),
        "{}",
        environment.config()
    );
}

#[test]
fn an_agent_that_nobody_knows_is_refused_with_those_there_are() {
    let environment = Environment::new();
    environment.program("uwf-own", "");
    environment.write_in_root("config.yaml", "agents: {mine: {command: sh}, bare: {}}\n");
    let before = environment.snapshot();
    let config = environment.shown("config.yaml");
    let there = "hint: the agents there are: `bare`, `mine`, `builtin`, `claude-code`, `hermes`, \
                 `codex`, `gemini` and `own`\n";
    for (word, meant) in [
        ("cladue-code", "hint: did you mean `claude-code`?\n"),
        ("sh -c x", ""),
        ("/bin/sh", ""),
        ("uwf-", ""),
        ("", ""),
    ] {
        let stderr = format!(
            "error: there is no agent `{word}`: it is neither in {config} nor in this program nor \
             a `uwf-…` in PATH\n{meant}{there}"
        );
        assert_eq!(
            environment.setup(&["--agent", word], ""),
            Ran::refused(1, &stderr)
        );
    }
    let stderr = format!(
        "error: the agent `bare` has no `command`\nhint: say in {config} which program it is; \
         nothing was changed\n"
    );
    assert_eq!(
        environment.setup(&["--agent", "bare"], ""),
        Ran::refused(1, &stderr)
    );
    let stderr = format!(
        "error: the agent `mock` does nothing without arguments, which only you can know
hint: write its entry into {config} first:
  agents:
    my-mock: {{command: uwf-mock, args: […]}}
hint: `uwf agent mock --help` tells its arguments
"
    );
    assert_eq!(
        environment.setup(&["--agent", "mock"], ""),
        Ran::refused(1, &stderr)
    );
    assert_eq!(environment.snapshot(), before);
}

#[test]
fn a_default_that_can_run_is_kept_and_another_is_replaced() {
    let model = ["--provider", "foo", "--base-url", NOWHERE, "--model", "m"];
    for (agents, kept, why) in [
        ("mine: {command: sh}", true, ""),
        ("mine: {command: ./mine}", true, ""),
        ("mine: {command: uwf-hermes}", true, ""),
        (
            "mine: {command: gone}",
            false,
            "there is no program of its name",
        ),
        ("mine: {args: [x]}", false, "it has no `command`"),
        ("other: {command: sh}", false, "there is no such agent"),
    ] {
        let environment = Environment::new();
        environment.write_in_root(
            "config.yaml",
            &format!("agents: {{{agents}}}\ndefaultAgent: mine\n"),
        );
        let ran = environment.setup(&model, "");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let config = environment.config();
        assert_eq!(config.contains("defaultAgent: mine\n"), kept, "{config}");
        assert_eq!(
            config.contains("defaultAgent: builtin\n"),
            !kept,
            "{config}"
        );
        let warning = format!(
            "warning: the default agent was `mine`, and cannot run: {why}; now it is `builtin`\n"
        );
        assert_eq!(ran.stderr.contains(&warning), !kept, "{ran:?}");
    }
}
