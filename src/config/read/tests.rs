//! What a configuration may say, and the exact words for what it may not.

use super::*;
use crate::config::Protocol;
use crate::config::settings::Reference;

fn read(text: &str) -> Config {
    config(text, Path::new("config.yaml")).unwrap()
}

fn refusals(text: &str) -> Vec<String> {
    let findings = config(text, Path::new("config.yaml")).unwrap_err();
    findings.iter().map(ToString::to_string).collect()
}

fn warnings(text: &str) -> Vec<String> {
    read(text)
        .warnings
        .iter()
        .map(ToString::to_string)
        .collect()
}

fn mark(line: usize, column: usize, offset: usize) -> Mark {
    Mark {
        line,
        column,
        offset,
    }
}

fn reference(name: &str, mark: Mark) -> Reference {
    Reference {
        name: name.to_owned(),
        mark,
    }
}

#[test]
fn every_key_is_read() {
    let text = "\
providers:
  local: {baseUrl: \"http://127.0.0.1:1/v1\", apiKeyEnv: LOCAL_KEY}
models:
  default: {provider: local, name: qwen}
agents:
  claude:
    command: /opt/my tools/claude
    args: [--turns, 5, 1.10, yes, '']
    protocol: json
    env: [API_KEY]
    timeout: 90m
    idleTimeout: off
    prompt: stdin
    maxBudgetUsd: 2.50
defaultAgent: claude
agentOverrides:
  triage: {writer: claude}
defaultModel: default
modelOverrides: {extract: default}
";
    let config = read(text);
    assert_eq!(config.path, Path::new("config.yaml"));
    assert_eq!(config.warnings, []);
    assert_eq!(
        config.providers["local"],
        Provider {
            base_url: Some("http://127.0.0.1:1/v1".to_owned()),
            api_key_env: Some("LOCAL_KEY".to_owned()),
            mark: mark(2, 3, 13),
        }
    );
    let model = &config.models["default"];
    assert_eq!(model.name.as_deref(), Some("qwen"));
    assert_eq!(model.provider.as_ref().unwrap().name, "local");
    assert_eq!(
        config.agents["claude"],
        AgentEntry {
            command: Some("/opt/my tools/claude".to_owned()),
            args: ["--turns", "5", "1.10", "yes", ""]
                .map(String::from)
                .to_vec(),
            protocol: Protocol::Json,
            prompt: Some(PromptBy::Stdin),
            env: vec!["API_KEY".to_owned()],
            timeout: Some(Duration::from_secs(5400)),
            idle_timeout: None,
            max_budget_usd: Some(2.5),
            mark: mark(6, 3, 136),
        }
    );
    assert_eq!(
        config.default_agent,
        Some(reference("claude", mark(15, 15, 347)))
    );
    let role = "writer".parse().unwrap();
    assert_eq!(config.agent_overrides["triage"][&role].name, "claude");
    assert_eq!(config.default_model.unwrap().name, "default");
    assert_eq!(config.model_overrides["extract"].name, "default");
}

#[test]
fn nothing_is_needed_and_a_key_left_empty_is_not_given() {
    for text in ["", "# nothing yet\n", "{}", "~"] {
        let path = Path::new("config.yaml");
        assert_eq!(
            read(text),
            Config {
                path: path.to_owned(),
                ..Config::default()
            }
        );
    }
    let config = read("agents:\n  claude:\nagentOverrides: null\nmodelOverrides:\ndefaultAgent:\n");
    assert_eq!(config.agents["claude"].command, None);
    assert_eq!(config.default_agent, None);
    let config =
        read("agents: {claude: {args: , env: , timeout: , protocol: , prompt: , maxBudgetUsd: }}");
    let claude = &config.agents["claude"];
    assert_eq!(claude.args, [""; 0]);
    assert_eq!(claude.protocol, Protocol::Cas);
    assert_eq!((claude.prompt, claude.max_budget_usd), (None, None));
    let hours = |hours| Some(Duration::from_hours(hours));
    assert_eq!((claude.timeout, claude.idle_timeout), (hours(24), hours(2)));
}

#[test]
fn the_configuration_of_the_original_is_read() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/store-original");
    let config = Config::load(Path::new(root)).unwrap();
    assert_eq!(config.warnings, []);
    assert_eq!(config.agents["fake"].command.as_deref(), Some("uwf-fake"));
    assert_eq!(config.default_agent.unwrap().name, "fake");
    assert_eq!(config.default_model.unwrap().name, "default");
}

#[test]
fn unknown_keys_are_warned_about_with_what_was_probably_meant() {
    assert_eq!(
        warnings(
            "defaultagent: a\nagents:\n  a: {comand: x, model: y}\nproviders: {p: {base_url: z}}\n\
             models: {m: {nam: q}}\ncolour: red\n"
        ),
        [
            "config.yaml:1:1: the key `defaultagent` is not known: did you mean `defaultAgent`?",
            "config.yaml:3:7: the key `comand` in `agents.a` is not known: \
             did you mean `command`?",
            "config.yaml:3:18: the key `model` in `agents.a` is not known",
            "config.yaml:4:17: the key `base_url` in `providers.p` is not known: \
             did you mean `baseUrl`?",
            "config.yaml:5:14: the key `nam` in `models.m` is not known: did you mean `name`?",
            "config.yaml:6:1: the key `colour` is not known",
        ]
    );
}

#[test]
fn wrong_values_are_all_told_at_once_with_their_places() {
    let text = "\
providers: [a]
models:
  m: text
  n: {provider: 5, name: {}}
agents:
  a:
    command: 7
    args: --turns
    protocol: jsno
    env: [KEY=secret-value, '']
    timeout: 30
    idleTimeout: false
  b:
    command: \"a\\0b\"
    args: [[], ~, x]
    timeout: [1]
    prompt: standard input
    maxBudgetUsd: -1
defaultAgent: true
agentOverrides:
  triage: {$START: a, writer: [a]}
  other: a
";
    assert_eq!(
        refusals(text),
        [
            "config.yaml:1:12: `providers` is a list, and must be a mapping",
            "config.yaml:3:6: `models.m` is a string, and must be a mapping",
            "config.yaml:4:17: `models.n.provider` is a number, and must be a string: \
             put it in quotes",
            "config.yaml:4:26: `models.n.name` is a mapping, and must be a string",
            "config.yaml:7:14: `agents.a.command` is a number, and must be a string: \
             put it in quotes",
            "config.yaml:8:11: `agents.a.args` is a string, and must be a list",
            "config.yaml:9:15: `agents.a.protocol`: `jsno` is not a protocol: \
             write `cas`, `json` or `markdown`: did you mean `json`?",
            "config.yaml:10:10: `agents.a.env` lists the names of variables: \
             write `KEY` alone, its value belongs in .env",
            "config.yaml:10:10: `agents.a.env` lists the names of variables: one is blank",
            "config.yaml:11:14: `agents.a.timeout`: `30` is not a length of time: \
             write `30s`, `10m`, `2h`, or `off`",
            "config.yaml:12:18: `agents.a.idleTimeout`: `false` is not a length of time: \
             write `30s`, `10m`, `2h`, or `off`",
            "config.yaml:14:14: `agents.b.command` must not hold a NUL character",
            "config.yaml:15:12: `agents.b.args[0]` is a list, and must be a string",
            "config.yaml:15:16: `agents.b.args[1]` is nothing, and must be a string",
            "config.yaml:16:14: `agents.b.timeout` is a list, and must be a string",
            "config.yaml:17:13: `agents.b.prompt`: write `argument` or `stdin`, not \
             `standard input`",
            "config.yaml:18:19: `agents.b.maxBudgetUsd`: `-1` is no amount of dollars above zero, \
             such as `2.50`",
            "config.yaml:19:15: `defaultAgent` is true or false, and must be a string: \
             put it in quotes",
            "config.yaml:21:12: `agentOverrides.triage`: `$START` cannot be a role: \
             names that begin with `$` are places of the graph",
            "config.yaml:21:31: `agentOverrides.triage.writer` is a list, and must be a string",
            "config.yaml:22:10: `agentOverrides.other` is a string, and must be a mapping",
        ]
    );
}

#[test]
fn a_file_that_is_no_mapping_or_no_yaml_is_refused() {
    assert_eq!(
        refusals("just text"),
        ["config.yaml:1:1: the file is a string, and must be a mapping"]
    );
    assert_eq!(
        refusals("agents:\n  a: {}\n  a: {}\n"),
        [
            "config.yaml:3:3: the key `a` is given twice",
            "config.yaml:2:3: first given here"
        ]
    );
}

#[test]
fn no_file_is_no_configuration_and_a_broken_one_is_named() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("config.yaml");
    let config = Config::load(root.path()).unwrap();
    assert_eq!((config.path, config.agents.len()), (path.clone(), 0));

    let text = "agents: 1\nmodels: 2\n";
    crate::fsx::replace(&path, text.as_bytes(), crate::fsx::Access::Shared).unwrap();
    let shown = path.display();
    assert_eq!(
        Config::load(root.path()).unwrap_err().to_string(),
        format!(
            "{shown}:1:9: `agents` is a number, and must be a mapping\n\
             {shown}:2:9: `models` is a number, and must be a mapping"
        )
    );
}
