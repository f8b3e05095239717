//! The key: where it comes from, and that it is written nowhere else.

use super::{KEY, NOWHERE, unreachable};
use crate::environment::{Environment, Ran};

fn foo<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["--provider", "foo", "--model", "m"];
    arguments.extend(["--base-url", "https://127.0.0.1.nip.invalid/v1"]);
    arguments.extend(more);
    arguments
}

fn local<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["--provider", "foo", "--model", "m", "--base-url", NOWHERE];
    arguments.extend(more);
    arguments
}

/// What the configuration says of the provider.
fn provider(environment: &Environment) -> String {
    let config = environment.config();
    config.split("models:").next().unwrap().to_owned()
}

const WITH: &str = "providers:\n  foo:\n    baseUrl: http://127.0.0.1:9/v1\n    apiKeyEnv: ";
const WITHOUT: &str = "providers:\n  foo:\n    baseUrl: http://127.0.0.1:9/v1\n";

#[test]
fn a_key_that_is_set_is_used() {
    for place in [".env", "environment"] {
        let environment = Environment::new();
        let mut command = environment.command(&["setup"]);
        command.args(foo(&[])).env("UWF_PROBE_TIMEOUT", "1ms");
        if place == ".env" {
            environment.write_keys(&format!("FOO_API_KEY={KEY}\n"));
        } else {
            command.env("FOO_API_KEY", KEY);
        }
        let ran = Ran::from(command.output().unwrap());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(
            environment
                .config()
                .contains("    apiKeyEnv: FOO_API_KEY\n")
        );
        assert_eq!(environment.root().join(".env").exists(), place == ".env");
        assert!(!format!("{ran:?}").contains(KEY));
    }
}

#[test]
fn none_is_needed_where_that_is_said_or_the_model_is_served_here() {
    for arguments in [local(&[]), local(&["--api-key", ""])] {
        let environment = Environment::new();
        let ran = environment.setup(&arguments, "");
        assert_eq!((ran.code, ran.stderr), (Some(0), unreachable()));
        assert_eq!(provider(&environment), WITHOUT);
        assert!(!environment.root().join(".env").exists());
    }
    let environment = Environment::new();
    environment.setup(&local(&["--api-key", "-"]), KEY);
    assert_eq!(provider(&environment), format!("{WITH}FOO_API_KEY\n"));
    // It is set now, and stays in use until somebody says that none is needed.
    environment.setup(&["--model", "m"], "");
    assert_eq!(provider(&environment), format!("{WITH}FOO_API_KEY\n"));
    environment.setup(&["--api-key", ""], "");
    assert_eq!(provider(&environment), format!("{WITH}null\n"));
    assert_eq!(
        environment.read_in_root(".env"),
        format!("FOO_API_KEY={KEY}\n")
    );
}

#[test]
fn the_variable_can_be_named_and_one_that_is_named_already_stays() {
    let environment = Environment::new();
    let ran = environment.setup(
        &local(&["--api-key-env", "TEAM_KEY", "--api-key", "-"]),
        KEY,
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(provider(&environment), format!("{WITH}TEAM_KEY\n"));
    environment.setup(&["--api-key", "-"], "another");
    assert_eq!(environment.read_in_root(".env"), "TEAM_KEY=another\n");

    let environment = Environment::new();
    environment.write_keys("TEAM_KEY=set\n");
    let ran = environment.setup(&local(&["--api-key-env", "TEAM_KEY"]), "");
    assert_eq!((ran.code, ran.stderr), (Some(0), unreachable()));
    assert_eq!(provider(&environment), format!("{WITH}TEAM_KEY\n"));
}

#[test]
fn the_variable_of_an_odd_name_is_one_that_can_be_set() {
    for (name, written, variable) in [
        (
            "my proxy: 2.0",
            "\"my proxy: 2.0\"",
            "MY_PROXY__2_0_API_KEY",
        ),
        ("01-ai", "\"01-ai\"", "_01_AI_API_KEY"),
        ("null", "\"null\"", "NULL_API_KEY"),
        ("ünïcode'\"#", "\"ünïcode'\\\"#\"", "_N_CODE____API_KEY"),
    ] {
        let environment = Environment::new();
        let mut arguments = local(&["--api-key", "-"]);
        arguments[1] = name;
        let ran = environment.setup(&arguments, KEY);
        assert_eq!((ran.code, ran.stderr), (Some(0), unreachable()), "{name}");
        assert_eq!(
            environment.read_in_root(".env"),
            format!("{variable}={KEY}\n")
        );
        let quote = if variable.starts_with('_') { "\"" } else { "" };
        assert!(
            environment.config().starts_with(&format!(
                "providers:\n  {written}:\n    baseUrl: http://127.0.0.1:9/v1\n    apiKeyEnv: \
                 {quote}{variable}{quote}\n"
            )),
            "{}",
            environment.config()
        );
    }
}

#[test]
fn a_key_with_signs_is_read_back_and_one_of_several_lines_is_refused() {
    let environment = Environment::new();
    let ran = environment.setup(&local(&["--api-key", "-"]), " a'b\"c$d\\e#f`g \r\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        environment.read_in_root(".env"),
        "FOO_API_KEY=\"a'b\\\"c$d\\\\e#f`g\"\n"
    );
    let before = environment.snapshot();
    let hint = "hint: a key is one word of letters, digits and signs; nothing was changed\n";
    for (key, why) in [
        ("sk-1\nsk-2", "it has several lines"),
        ("sk 1", "it holds a character that no key has"),
        ("sk-\u{7}", "it holds a character that no key has"),
    ] {
        let stderr = format!("error: the key cannot be used: {why}\n{hint}");
        let from_stdin = environment.setup(&local(&["--api-key", "-"]), key);
        assert_eq!(from_stdin, Ran::refused(1, &stderr));
        assert_eq!(
            environment.setup(&local(&["--api-key", key]), ""),
            Ran::refused(1, &stderr)
        );
    }
    let nothing = "error: cannot read the key from standard input\n  because: there is nothing in \
                   it\n";
    let ran = environment.setup(&local(&["--api-key", "-"]), "\n");
    assert_eq!(ran, Ran::refused(1, nothing));
    assert_eq!(environment.snapshot(), before);
}

#[test]
fn a_key_that_another_hides_is_warned_about_and_so_is_one_that_can_be_overheard() {
    let environment = Environment::new();
    let mut command = environment.command(&["setup"]);
    command
        .args(["--provider", "foo", "--model", "m", "--api-key", "a-key"])
        .args(["--base-url", "http://host.invalid/v1"])
        .env("FOO_API_KEY", "of the shell")
        .env("UWF_PROBE_TIMEOUT", "1ms");
    let ran = Ran::from(command.output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let warned: Vec<_> = ran.stderr.lines().skip(1).take(2).collect();
    assert_eq!(
        warned,
        [
            "warning: FOO_API_KEY is another one in the environment, and counts before the one in \
             .env",
            "warning: http://host.invalid/v1 is not encrypted: the key can be read on its way",
        ]
    );
}

#[test]
fn what_looks_like_something_else_is_no_key() {
    let environment = Environment::new();
    for (key, why, hint) in [
        (
            "https://api.example.org/v1",
            "it looks like an address",
            "a key is one word of letters, digits and signs; nothing was changed",
        ),
        (
            "FOO_API_KEY=sk-1",
            "it looks like `FOO_API_KEY=…`, a line of .env",
            "give what stands behind the `=`; nothing was changed",
        ),
    ] {
        let stderr = format!("error: the key cannot be used: {why}\nhint: {hint}\n");
        let ran = environment.setup(&local(&["--api-key", "-"]), key);
        assert_eq!(ran, Ran::refused(1, &stderr));
    }
    for variable in ["PATH", "HOME", "LC_ALL"] {
        let stderr = format!(
            "error: {variable} cannot hold a key: every environment has it\nhint: name the \
             variable that has the key of `foo`, such as FOO_API_KEY\n"
        );
        let ran = environment.setup(&local(&["--api-key-env", variable]), "");
        assert_eq!(ran, Ran::refused(1, &stderr));
    }
    assert!(!environment.root().exists());
}

#[test]
fn a_key_that_is_not_given_or_goes_elsewhere_is_warned_about() {
    let warned = |environment: &Environment, arguments: &[&str]| {
        let mut command = environment.command(&["setup"]);
        command.args(arguments).env("UWF_PROBE_TIMEOUT", "1ms");
        let ran = Ran::from(command.output().unwrap());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stderr.lines().next().unwrap().to_owned()
    };
    let environment = Environment::new();
    assert_eq!(
        warned(&environment, &foo(&["--api-key", ""])),
        "warning: `foo` is asked without a key; if it wants one: `uwf setup --provider foo \
         --api-key - < key.txt`"
    );
    environment.setup(&local(&["--api-key", "-"]), KEY);
    assert_eq!(
        warned(&environment, &foo(&[])),
        "warning: the key in FOO_API_KEY, given for another address, is sent to \
         https://127.0.0.1.nip.invalid/v1 from now on"
    );
}
