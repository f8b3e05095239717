//! Files that are there already: what is theirs stays, and what cannot be read is not touched.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::{KEY, NOWHERE, unreachable};
use crate::environment::{Environment, Ran};

const MODEL: [&str; 8] = [
    "--provider",
    "foo",
    "--base-url",
    NOWHERE,
    "--api-key",
    "-",
    "--model",
    "m-1",
];

#[test]
fn what_people_wrote_stays_as_they_wrote_it() {
    let environment = Environment::new();
    environment.write_in_root(
        "config.yaml",
        "# Ours.\r\nagents:   # two\r\n    'mine': {command: answer, args: [\"-p\"]}\r\n\r\n\
         favourite:   blue\r\nagentOverrides: {}\r\nproviders: {} # none\r\n\
         defaultAgent:   \"mine\"   # for now",
    );
    environment.program("answer", "");
    let ran = environment.setup(&MODEL, KEY);
    assert_eq!((ran.code, ran.stderr), (Some(0), unreachable()));
    assert_eq!(
        environment.config(),
        "# Ours.\r\nagents:   # two\r\n    'mine': {command: answer, args: [\"-p\"]}\r\n\r\n\
         favourite:   blue\r\nagentOverrides: {}\r\nproviders: # none\r\n    foo:\r\n        \
         baseUrl: http://127.0.0.1:9/v1\r\n        apiKeyEnv: FOO_API_KEY\r\n\
         defaultAgent:   \"mine\"   # for now\r\nmodels:\r\n    default:\r\n        provider: foo\r\n        \
         name: m-1\r\ndefaultModel: default\r\n"
    );
    let ran = environment.setup(&["--agent", "claude-code"], "");
    assert_eq!(ran.code, Some(0));
    assert!(
        environment
            .config()
            .contains("defaultAgent:   \"claude-code\"   # for now\r\n"),
        "{}",
        environment.config()
    );
}

#[test]
fn a_configuration_that_is_json_stays_json() {
    let environment = Environment::new();
    environment.write_in_root("config.yaml", "{\n  \"agents\": {}\n}\n");
    environment.setup(&MODEL, KEY);
    let config: serde_json::Value = serde_json::from_str(&environment.config()).unwrap();
    assert_eq!(
        config,
        serde_json::json!({
            "agents": {"builtin": {"command": "uwf-builtin"}},
            "providers": {"foo": {"baseUrl": NOWHERE, "apiKeyEnv": "FOO_API_KEY"}},
            "models": {"default": {"provider": "foo", "name": "m-1"}},
            "defaultModel": "default",
            "defaultAgent": "builtin",
        })
    );
}

#[test]
fn the_configuration_of_the_original_is_added_to() {
    let environment = Environment::with_golden_store();
    let before = environment.config();
    environment.program("uwf-fake", "");
    let ran = environment.setup(&MODEL, KEY);
    assert_eq!((ran.code, ran.stderr), (Some(0), unreachable()));
    let added = before
        .replace(
            "providers: {}\n",
            "providers:\n  foo:\n    baseUrl: http://127.0.0.1:9/v1\n    apiKeyEnv: FOO_API_KEY\n",
        )
        .replace(
            "models: {}\n",
            "models:\n  default:\n    provider: foo\n    name: m-1\n",
        );
    assert_eq!(environment.config(), added);
}

#[test]
fn a_configuration_that_cannot_be_read_is_said_and_neither_file_is_touched() {
    let environment = Environment::new();
    let file = environment.shown("config.yaml");
    environment.write_in_root(".env", "A=1\n");
    for (content, message) in [
        (
            "agents: [",
            format!("{file}:1:9: the `[` that opens here is not closed"),
        ),
        (
            "a: 1\na: 2\n",
            format!("{file}:2:1: the key `a` is given twice\n{file}:1:1: first given here"),
        ),
        (
            "agents: 3\nproviders: []\n",
            format!(
                "{file}:1:9: `agents` is a number, and must be a mapping\n{file}:2:12: \
                 `providers` is a list, and must be a mapping"
            ),
        ),
        (
            "- agents\n",
            format!("{file}:1:1: the file is a list, and must be a mapping"),
        ),
    ] {
        environment.write_in_root("config.yaml", content);
        let before = environment.snapshot();
        let stderr = format!("error: {message}\nhint: mend the file first; nothing was changed\n");
        for arguments in [&MODEL[..], &["--agent", "builtin"]] {
            assert_eq!(environment.setup(arguments, KEY), Ran::refused(1, &stderr));
        }
        assert_eq!(environment.snapshot(), before);
    }
    fs::write(environment.root().join("config.yaml"), b"a: \xff\n").unwrap();
    let before = environment.snapshot();
    let ran = environment.setup(&MODEL, KEY);
    let stderr = format!(
        "error: cannot read {file}\n  because: it is not UTF-8 text (byte 3)\nhint: nothing was \
         changed\n"
    );
    assert_eq!(ran, Ran::refused(1, &stderr));
    assert_eq!(environment.snapshot(), before);
}

#[test]
fn where_an_anchor_is_in_the_way_the_lines_to_write_are_shown() {
    let environment = Environment::new();
    environment.write_in_root(
        "config.yaml",
        "agents: &all {mine: {command: sh}}\nspare: *all\ndefaultAgent: mine\n",
    );
    let before = environment.snapshot();
    let ran = environment.setup(&["--agent", "builtin"], "");
    let stderr = format!(
        "error: cannot change `agents.builtin.command` in {} and leave the rest of it as it is
agents:
  builtin:
    command: uwf-builtin
defaultAgent: builtin
hint: write these lines into it by hand; nothing was changed
",
        environment.shown("config.yaml")
    );
    assert_eq!(ran, Ran::refused(1, &stderr));
    assert_eq!(environment.snapshot(), before);
}

#[test]
fn the_line_of_the_key_is_replaced_and_the_file_is_closed_to_others() {
    let environment = Environment::new();
    environment.write_in_root(
        ".env",
        "# keys\nexport FOO_API_KEY='old one' # of the team\n\nOTHER=\"a b\" # stays",
    );
    let path = environment.root().join(".env");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let ran = environment.setup(&MODEL, KEY);
    let closed = format!(
        "warning: {} could be read by others; it is its owner's alone now\n",
        path.display()
    );
    assert_eq!(ran.stderr, closed.clone() + &unreachable());
    assert_eq!(
        environment.read_in_root(".env"),
        format!("# keys\nexport FOO_API_KEY={KEY} # of the team\n\nOTHER=\"a b\" # stays")
    );
    assert_eq!(environment.mode(".env"), 0o600);

    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let before = environment.snapshot();
    let ran = environment.setup(&["--agent", "builtin"], "");
    assert_eq!((ran.code, ran.stderr), (Some(0), closed));
    assert_eq!(environment.mode(".env"), 0o600);
    assert_eq!(environment.snapshot(), before);
}

#[test]
fn keys_that_cannot_be_read_are_not_touched() {
    let environment = Environment::new();
    environment.write_in_root(".env", "A=1\nsk-secret two words\n");
    let before = environment.snapshot();
    let stderr = format!(
        "error: {}:2: this line is not `NAME=value`
hint: put a value with spaces, quotes or backslashes between single quotes
hint: nothing was changed
",
        environment.shown(".env")
    );
    assert_eq!(environment.setup(&MODEL, KEY), Ran::refused(1, &stderr));
    assert_eq!(environment.snapshot(), before);
}

#[test]
fn a_link_stays_one() {
    let environment = Environment::new();
    let shared = environment.write("shared.yaml", "# shared\n");
    let keys = environment.write("keys.env", "A=1\n");
    fs::create_dir(environment.root()).unwrap();
    std::os::unix::fs::symlink(&shared, environment.root().join("config.yaml")).unwrap();
    std::os::unix::fs::symlink(&keys, environment.root().join(".env")).unwrap();
    let ran = environment.setup(&MODEL, KEY);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(environment.root().join("config.yaml").is_symlink());
    assert!(
        fs::read_to_string(shared)
            .unwrap()
            .starts_with("# shared\nproviders:\n")
    );
    assert_eq!(
        fs::read_to_string(keys).unwrap(),
        format!("A=1\nFOO_API_KEY={KEY}\n")
    );
}
