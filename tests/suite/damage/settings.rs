//! `config.yaml` and `.env`, and what an agent gets of them.

use std::fs;

use crate::environment::{Environment, Ran};

/// The environment of the agent in a step, as lines.
fn seen_by_agent(environment: &Environment, step: &[&str], variables: &[(&str, &str)]) -> String {
    environment.program(
        "looker",
        "env >seen.txt\nprintf -- '---\\ntitle: T\\n---\\n'",
    );
    let mut command = environment.command(step);
    command.envs(variables.iter().copied());
    let ran = Ran::from(command.output().unwrap());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    fs::read_to_string(environment.work().join("seen.txt")).unwrap()
}

#[test]
fn an_agent_gets_of_the_keys_those_that_its_entry_lists_and_no_other() {
    let environment = Environment::with_relay();
    environment.write_in_root(".env", "FIRST_KEY=first-secret\nSECOND_KEY=second-secret\n");
    environment.write_in_root(
        "config.yaml",
        "agents:\n  some: {command: looker, protocol: markdown, env: [SECOND_KEY]}\n  \
         none: {command: looker, protocol: markdown}\n",
    );
    let thread = environment.start("relay", "a poem");
    let seen = seen_by_agent(
        &environment,
        &["thread", "step", &thread, "--agent", "some"],
        &[],
    );
    assert!(seen.contains("\nSECOND_KEY=second-secret\n"), "{seen}");
    assert!(
        !seen.contains("FIRST_KEY") && !seen.contains("first-secret"),
        "{seen}"
    );
    let seen = seen_by_agent(
        &environment,
        &["thread", "step", &thread, "--agent", "none"],
        &[],
    );
    assert!(!seen.contains("_KEY") && !seen.contains("secret"), "{seen}");
}

#[test]
fn an_agent_is_told_the_root_and_its_instruction_and_not_of_an_outer_agent() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let step = [
        "thread",
        "step",
        &thread,
        "--agent",
        "looker",
        "--protocol",
        "markdown",
    ];
    let variables = [
        ("UNCAGED_WORKFLOW_STORAGE_ROOT", "../root"),
        ("UWF_EDGE_PROMPT", "of an outer run"),
        ("CLAUDECODE", "1"),
        ("CLAUDE_CODE_ENTRYPOINT", "cli"),
        ("MINE", "stays"),
    ];
    let seen = seen_by_agent(&environment, &step, &variables);
    let value = |name: &str| {
        let line = seen
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        line.map(str::to_owned)
    };
    let root = value("UNCAGED_WORKFLOW_STORAGE_ROOT").unwrap();
    assert!(root.starts_with('/'), "{root}");
    assert_eq!(
        fs::canonicalize(root).unwrap(),
        fs::canonicalize(environment.root()).unwrap()
    );
    assert_eq!(value("UWF_EDGE_PROMPT").as_deref(), Some("Write the text."));
    assert_eq!(value("MINE").as_deref(), Some("stays"));
    assert_eq!(value("CLAUDECODE"), None);
    assert_eq!(value("CLAUDE_CODE_ENTRYPOINT"), None);
}

#[test]
fn a_bad_line_of_the_keys_is_named_and_never_shown() {
    let environment = Environment::with_relay();
    environment.write_in_root(
        "config.yaml",
        "agents: {a: {command: answer, env: [KEY]}}\n",
    );
    environment.write_in_root(
        ".env",
        "KEY=fine\n\n# note\nexport sk-secret-1 \"sk-secret-2\n",
    );
    let thread = environment.start("relay", "a poem");
    let stderr = format!(
        "error: {}:4: this line is not `NAME=value`
hint: put a value with spaces, quotes or backslashes between single quotes
",
        environment.root().join(".env").display()
    );
    let step = ["thread", "step", &thread, "--agent", "a"];
    assert_eq!(environment.run(&step), Ran::refused(1, &stderr));
    assert_eq!(environment.runs(), 0);
}

#[test]
fn a_key_that_is_set_nowhere_is_warned_about() {
    let environment = Environment::with_relay();
    let config = "agents: {a: {command: answer, protocol: markdown, env: [KEY]}}\n";
    environment.write_in_root("config.yaml", config);
    let thread = environment.start("relay", "a poem");
    let ran = environment.run(&["thread", "step", &thread, "--agent", "a"]);
    let warning = "warning: agent `a` is to get `KEY`, which is set neither in .env nor in the \
                   environment\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), warning));
}

#[test]
fn a_configuration_that_is_wrong_is_said_with_its_places_and_no_agent_is_run() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let file = environment.root().join("config.yaml");
    let file = file.display();
    let cases = [
        (
            "agents: [",
            format!("{file}:1:9: the `[` that opens here is not closed"),
        ),
        (
            "- agents\n",
            format!("{file}:1:1: the file is a list, and must be a mapping"),
        ),
        (
            "agents: 3\n",
            format!("{file}:1:9: `agents` is a number, and must be a mapping"),
        ),
        (
            "agents:\n  a: {command: true, args: -p}\n",
            format!(
                "{file}:2:16: `agents.a.command` is true or false, and must be a string: put it in \
                 quotes\n{file}:2:28: `agents.a.args` is a string, and must be a list"
            ),
        ),
        (
            "agents:\n  a: {command: x, timeout: 5}\n",
            format!(
                "{file}:2:28: `agents.a.timeout`: `5` is not a length of time: write `30s`, `10m`, \
                 `2h`, or `off`"
            ),
        ),
        (
            "agents:\n  a: {command: x, env: [KEY=sk-secret]}\n",
            format!(
                "{file}:2:24: `agents.a.env` lists the names of variables: write `KEY` alone, its \
                 value belongs in .env"
            ),
        ),
    ];
    for (content, message) in cases {
        environment.write_in_root("config.yaml", content);
        assert_eq!(
            environment.step(&thread),
            Ran::refused(1, &format!("error: {message}\n")),
            "{content:?}"
        );
        assert_eq!(environment.read_in_root("config.yaml"), content);
    }
    assert_eq!(environment.runs(), 0);
}

#[test]
fn an_unknown_key_of_the_configuration_is_warned_about_with_what_was_meant() {
    let environment = Environment::with_relay();
    let config = "agents:\n  a: {command: answer, protcol: json, protocol: markdown}\n\
                  defualtAgent: a\nfavouriteColour: blue\n";
    environment.write_in_root("config.yaml", config);
    let thread = environment.start("relay", "a poem");
    let ran = environment.run(&["thread", "step", &thread, "--agent", "a"]);
    let file = environment.root().join("config.yaml");
    let file = file.display();
    assert_eq!(
        ran.stderr,
        format!(
            "warning: {file}:2:24: the key `protcol` in `agents.a` is not known: did you mean `protocol`?
warning: {file}:3:1: the key `defualtAgent` is not known: did you mean `defaultAgent`?
warning: {file}:4:1: the key `favouriteColour` is not known
"
        )
    );
    assert_eq!(ran.code, Some(0));
}

#[test]
fn an_agent_that_the_configuration_does_not_describe_is_said_with_its_place() {
    let environment = Environment::with_relay();
    environment.write_in_root(
        "config.yaml",
        "agents: {claude: {command: c}}\ndefaultAgent: cluade\n",
    );
    let thread = environment.start("relay", "a poem");
    let stderr = format!(
        "error: {}:2:15: `defaultAgent` names `cluade`, which is not in `agents`: did you mean `claude`?
hint: describe it in the same file:
  agents:
    cluade:
      command: cluade
",
        environment.root().join("config.yaml").display()
    );
    assert_eq!(
        environment.run(&["thread", "step", &thread]),
        Ran::refused(1, &stderr)
    );
}
