//! What can be said with options, and what is missing when it is not.

use serde_json::json;

use super::{KEY, NOWHERE, REFUSED, unreachable};
use crate::environment::{Environment, Ran};

const WRITTEN: &str = "\
providers:
  foo:
    baseUrl: http://127.0.0.1:9/v1
    apiKeyEnv: FOO_API_KEY
models:
  default:
    provider: foo
    name: m-1
defaultModel: default
agents:
  builtin:
    command: uwf-builtin
defaultAgent: builtin
";

const HINT: &str = "hint: `uwf setup --provider openai --model gpt-5 --api-key -` reads the key \
                    from standard input; `--api-key ''` is for a provider that wants none\n";

fn all(key: &str) -> Vec<&str> {
    vec![
        "--provider",
        "foo",
        "--base-url",
        NOWHERE,
        "--api-key",
        key,
        "--model",
        "m-1",
    ]
}

#[test]
fn a_fresh_root_gets_both_files_and_the_result_has_its_keys() {
    let environment = Environment::new();
    let ran = environment.setup(&all("-"), &format!("{KEY}\n"));
    let failed = json!({"ok": false, "error": REFUSED});
    assert_eq!(
        ran,
        Ran {
            code: Some(0),
            stdout: environment.result("foo", "m-1", "builtin", &failed),
            stderr: unreachable(),
        }
    );
    assert_eq!(environment.config(), WRITTEN);
    assert_eq!(
        environment.read_in_root(".env"),
        format!("FOO_API_KEY={KEY}\n")
    );
    assert_eq!(environment.mode(".env"), 0o600);
    assert_eq!(environment.mode("config.yaml"), 0o644);
}

#[test]
fn a_key_on_the_command_line_does_what_it_did_with_a_warning() {
    let environment = Environment::new();
    let ran = environment.setup(&all(KEY), "");
    assert_eq!(
        ran.stderr,
        format!(
            "warning: a key on the command line can be seen by every user of this machine while \
             the command runs, and stays in the history of the shell: give it with `--api-key -` \
             on standard input\n{}",
            unreachable()
        )
    );
    assert_eq!(environment.config(), WRITTEN);
    assert_eq!(
        environment.read_in_root(".env"),
        format!("FOO_API_KEY={KEY}\n")
    );
}

#[test]
fn the_same_once_more_changes_no_byte_and_logs_nothing() {
    let environment = Environment::new();
    environment.setup(&all("-"), KEY);
    let before = environment.snapshot();
    let ran = environment.setup(&all("-"), KEY);
    assert_eq!(ran.code, Some(0));
    assert_eq!(environment.snapshot(), before);
    let log = environment.json(&["log", "show"]);
    let told: Vec<_> = log
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["msg"].as_str().unwrap())
        .collect();
    assert_eq!(
        told,
        [
            "process started command=setup version=0.1.0",
            "configuration changed provider=foo agent=builtin"
        ]
    );
}

#[test]
fn a_known_provider_needs_no_address_and_one_on_this_machine_no_key() {
    let environment = Environment::new();
    let mut command =
        environment.command(&["setup", "--provider", "ollama", "--model", "qwen3:8b"]);
    // Whether somebody serves models here is none of the test's business.
    command.env("UWF_PROBE_TIMEOUT", "1ms");
    let ran = Ran::from(command.output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        environment.config(),
        "\
providers:
  ollama:
    baseUrl: http://127.0.0.1:11434/v1
models:
  default:
    provider: ollama
    name: qwen3:8b
defaultModel: default
agents:
  builtin:
    command: uwf-builtin
defaultAgent: builtin
"
    );
    assert!(!environment.root().join(".env").exists());
}

#[test]
fn the_agent_alone_may_be_said() {
    let environment = Environment::new();
    let ran = environment.setup(&["--agent", "builtin"], "");
    let paths = format!(
        r#"{{"configPath":"{}","envPath":"{}","#,
        environment.shown("config.yaml"),
        environment.shown(".env")
    );
    assert_eq!(
        ran.stdout,
        paths
            + r#""provider":null,"model":null,"defaultAgent":"builtin","validation":{"ok":null,"value":null}}"#
            + "\n"
    );
    assert_eq!(
        ran.stderr,
        "warning: the agent `builtin` needs a model, and none is set: `uwf setup --provider … \
         --model …`\n"
    );
    assert_eq!(
        environment.config(),
        "agents:\n  builtin:\n    command: uwf-builtin\ndefaultAgent: builtin\n"
    );
    assert!(!environment.root().join(".env").exists());
}

#[test]
fn of_what_is_set_up_each_part_can_be_said_alone() {
    let environment = Environment::new();
    environment.setup(&all("-"), KEY);
    let ran = environment.setup(&["--model", "m-2"], "");
    let failed = json!({"ok": false, "error": REFUSED});
    assert_eq!(
        ran.stdout,
        environment.result("foo", "m-2", "builtin", &failed)
    );
    let with_second = WRITTEN.replace(
        "defaultModel: default\n",
        "  m-2:\n    provider: foo\n    name: m-2\ndefaultModel: m-2\n",
    );
    assert_eq!(environment.config(), with_second);

    environment.setup(&["--api-key", "-"], "another");
    assert_eq!(environment.config(), with_second);
    assert_eq!(environment.read_in_root(".env"), "FOO_API_KEY=another\n");

    environment.setup(&["--base-url", "http://127.0.0.1:9/v2/"], "");
    let moved = with_second.replace(NOWHERE, "http://127.0.0.1:9/v2");
    assert_eq!(environment.config(), moved);

    let ran = environment.setup(&["--provider", "foo", "--model", "m-1"], "");
    let failed = json!({"ok": false, "error": REFUSED.replace("v1", "v2")});
    assert_eq!(
        ran.stdout,
        environment.result("foo", "m-1", "builtin", &failed)
    );
    assert_eq!(
        environment.config(),
        moved.replace("defaultModel: m-2", "defaultModel: default")
    );
    environment.setup(&["--provider", "foo"], "");
    assert_eq!(
        environment.config(),
        moved.replace("defaultModel: m-2", "defaultModel: default")
    );
}

#[test]
fn a_second_provider_leaves_the_first_and_its_models_as_they_are() {
    let environment = Environment::new();
    environment.setup(&all("-"), KEY);
    let second = ["--provider", "bar", "--base-url", NOWHERE, "--model", "m-1"];
    environment.setup(&second, "");
    assert_eq!(
        environment.config(),
        WRITTEN
            .replace(
                "models:\n",
                "  bar:\n    baseUrl: http://127.0.0.1:9/v1\nmodels:\n"
            )
            .replace(
                "defaultModel: default\n",
                "  m-1:\n    provider: bar\n    name: m-1\ndefaultModel: m-1\n"
            )
    );
    let third = ["--provider", "baz", "--base-url", NOWHERE, "--model", "m-1"];
    environment.setup(&third, "");
    assert!(
        environment
            .config()
            .contains("  baz/m-1:\n    provider: baz\n    name: m-1\ndefaultModel: baz/m-1\n"),
        "{}",
        environment.config()
    );
}

#[test]
fn all_that_is_missing_is_named_at_once_and_nothing_is_made() {
    let environment = Environment::new();
    for (arguments, needs) in [
        (
            vec!["--provider", "foo"],
            "`--base-url` (the address of `foo`, which is no provider that uwf knows), `--model` \
             (what `foo` calls the model) and `--api-key` (FOO_API_KEY is set neither in .env nor \
             in the environment)",
        ),
        (
            vec!["--provider", "openai"],
            "`--model` (what `openai` calls the model) and `--api-key` (OPENAI_API_KEY is set \
             neither in .env nor in the environment)",
        ),
        (
            vec!["--provider", "foo", "--base-url", NOWHERE],
            "`--model` (what `foo` calls the model)",
        ),
        (
            vec![
                "--provider",
                "openai",
                "--model",
                "m",
                "--api-key-env",
                "MINE",
            ],
            "`--api-key` (MINE is set neither in .env nor in the environment)",
        ),
        (vec!["--model", "m"], "`--provider` (who serves the model)"),
        (
            vec!["--base-url", NOWHERE],
            "`--provider` (who serves the model) and `--model` (what the provider calls it)",
        ),
        (
            vec!["--api-key", ""],
            "`--provider` (who serves the model) and `--model` (what the provider calls it)",
        ),
    ] {
        let stderr = format!("error: `uwf setup` needs {needs}\n{HINT}");
        assert_eq!(environment.setup(&arguments, ""), Ran::refused(2, &stderr));
    }
    let ran = environment.setup(
        &["--provider", "opnai", "--model", "m", "--api-key", ""],
        "",
    );
    let stderr = format!(
        "error: `uwf setup` needs `--base-url` (the address of `opnai`, which is no provider that \
         uwf knows)\nhint: did you mean `openai`?\n{HINT}"
    );
    assert_eq!(ran, Ran::refused(2, &stderr));
    assert!(!environment.root().exists());
}

#[test]
fn without_options_and_without_a_terminal_the_options_are_shown() {
    let environment = Environment::new();
    let stderr = "\
error: `uwf setup` asks its questions on a terminal, and there is none here
hint: say it with options: `uwf setup --provider openai --model gpt-5 --api-key - < key.txt`
hint: `uwf setup --help` tells them all
";
    assert_eq!(environment.setup(&[], ""), Ran::refused(2, stderr));
    assert!(!environment.root().exists());
}

#[test]
fn words_that_cannot_be_used_are_refused_before_anything_is_made() {
    let environment = Environment::new();
    let long = "n".repeat(201);
    for (option, value, message) in [
        (
            "--provider",
            " ",
            "the name of the provider is blank".to_owned(),
        ),
        (
            "--provider",
            "a\nb",
            "the name of the provider holds a line break or another control character".to_owned(),
        ),
        (
            "--provider",
            &long,
            "the name of the provider is longer than any name".to_owned(),
        ),
        ("--model", "", "the name of the model is blank".to_owned()),
        (
            "--model",
            "a\u{1b}[2J",
            "the name of the model holds a line break or another control character".to_owned(),
        ),
        (
            "--base-url",
            "api.example.org",
            "the address `api.example.org` cannot be used: it must begin with `http://` or \
             `https://`\nhint: it looks like `https://api.openai.com/v1`"
                .to_owned(),
        ),
        (
            "--base-url",
            "https://me:sk-Secret.0123/456@host/v1",
            "the address `…@host/v1` cannot be used: it must not hold a name or a password: give \
             the key with `--api-key -`\nhint: it looks like `https://api.openai.com/v1`"
                .to_owned(),
        ),
        (
            "--api-key-env",
            "1KEY",
            "`1KEY` cannot be the name of a variable\nhint: write letters, digits and `_`, no \
             digit first"
                .to_owned(),
        ),
    ] {
        let mut arguments = all("-");
        match arguments.iter().position(|argument| *argument == option) {
            Some(at) => arguments[at + 1] = value,
            None => arguments.extend([option, value]),
        }
        let stderr = format!("error: {message}\n");
        assert_eq!(
            environment.setup(&arguments, KEY),
            Ran::refused(1, &stderr),
            "{option} {value:?}"
        );
    }
    assert!(!environment.root().exists());
}

#[test]
fn a_limit_that_is_none_is_a_usage_error() {
    let environment = Environment::new();
    let mut command = environment.command(&["setup", "--agent", "builtin"]);
    command.env("UWF_PROBE_TIMEOUT", "soon");
    let stderr = "error: UWF_PROBE_TIMEOUT is `soon`, and must be a length of time such as `30s`\n";
    assert_eq!(
        Ran::from(command.output().unwrap()),
        Ran::refused(2, stderr)
    );
}
