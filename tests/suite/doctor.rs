//! `uwf doctor`: what it finds, what it says to do, and that it writes nothing.

mod names;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::environment::{Environment, Ran};
use crate::model_server::{ModelServer, Reply};

const KEY: &str = "sk-Secret.0123";

/// Runs it; the exit code and the checks, each as `[check, ok, message, hint]`, with the root and
/// the folder of programs named `ROOT` and `BIN`.
fn doctor(environment: &Environment, arguments: &[&str]) -> (Option<i32>, Vec<Value>) {
    let before = environment.snapshot();
    let mut all = vec!["doctor"];
    all.extend(arguments);
    let ran = environment.run(&all);
    assert_eq!(environment.snapshot(), before, "it writes nothing");
    assert!(!format!("{ran:?}").contains(KEY), "{ran:?}");
    assert_eq!(ran.stderr, "");
    let result: Value = serde_json::from_str(&plain(environment, &ran.stdout)).unwrap();
    assert_eq!(result["root"], "ROOT");
    assert_eq!(result["ok"], ran.code == Some(0));
    let checks = result["checks"].as_array().unwrap().iter();
    let checks = checks.map(|it| json!([it["check"], it["ok"], it["message"], it["hint"]]));
    (ran.code, checks.collect())
}

fn plain(environment: &Environment, text: &str) -> String {
    let bin = environment.work().with_file_name("bin");
    text.replace(&environment.root().display().to_string(), "ROOT")
        .replace(&bin.display().to_string(), "BIN")
}

/// The checks whose names begin like that.
fn only(checks: &[Value], begin: &str) -> Vec<Value> {
    let fits = |check: &&Value| check[0].as_str().unwrap().starts_with(begin);
    checks.iter().filter(fits).cloned().collect()
}

fn write_keys(environment: &Environment, text: &str) {
    environment.write_in_root(".env", text);
    let path = environment.root().join(".env");
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn a_fresh_root_is_told_what_to_do() {
    let environment = Environment::new();
    let (code, checks) = doctor(&environment, &[]);
    assert_eq!(code, Some(1));
    assert_eq!(
        checks,
        [
            json!([
                "root",
                null,
                "there is nothing at ROOT yet",
                "`uwf setup` makes it, and so does `uwf workflow put`"
            ]),
            json!([
                "config",
                null,
                "there is no ROOT/config.yaml yet",
                "`uwf setup` writes it"
            ]),
            json!([".env", null, "there is no ROOT/.env", null]),
            json!([
                "default model",
                null,
                "no model is set: ROOT/config.yaml has no `defaultModel`",
                null
            ]),
            json!([
                "default agent",
                false,
                "none is set: every step needs `--agent`",
                "`uwf setup --agent builtin`, or another one"
            ]),
        ]
    );
    assert!(!environment.root().exists());
}

#[test]
fn what_setup_writes_is_well() {
    let environment = Environment::new();
    environment.program(
        "claude",
        "test \"$*\" = --version && printf '\\n 2.1.332\\033[1m (Claude Code) \\nmore\\n'",
    );
    let word = json!({"choices": [{"message": {"content": "OK\u{1b}"}}]});
    let server = ModelServer::new([Reply::json(200, &word)]);
    let url = server.url();
    let mut arguments = vec!["setup", "--provider", "test", "--base-url", &url];
    arguments.extend(["--model", "m-1", "--api-key", KEY, "--agent", "claude-code"]);
    assert_eq!(environment.run(&arguments).code, Some(0));
    let (code, checks) = doctor(&environment, &[]);
    assert_eq!(code, Some(0));
    let expected = [
        json!(["root", true, "ROOT", null]),
        json!(["lock", true, "nobody holds the lock of the root", null]),
        json!(["config", true, "ROOT/config.yaml", null]),
        json!([".env", true, "ROOT/.env", null]),
        json!([
            "provider test",
            true,
            format!("{url}, its key is TEST_API_KEY in .env"),
            null
        ]),
        json!(["model default", true, "m-1 of test", null]),
        json!(["default model", true, "m-1 of test", null]),
        json!([
            "agent claude-code",
            true,
            "in this program, runs BIN/claude: 2.1.332\\u{1b}[1m (Claude Code)",
            null
        ]),
        json!(["default agent", true, "claude-code", null]),
    ];
    assert_eq!(checks, expected);
    assert_eq!(server.requests().len(), 1);

    let (code, checks) = doctor(&environment, &["--probe"]);
    assert_eq!(code, Some(0));
    assert_eq!(checks[..expected.len()], expected);
    assert_eq!(
        checks[expected.len()..],
        [json!(["probe default", true, "answers OK", null])]
    );
    server.now_answers([Reply::error(401, "no")]);
    let (code, checks) = doctor(&environment, &["--probe"]);
    assert_eq!(code, Some(1));
    let probe = &only(&checks, "probe default")[0];
    assert_eq!(probe[1], false);
    assert!(
        probe[2].as_str().unwrap().contains("answered 401"),
        "{probe}"
    );

    let text = environment.run(&["doctor", "--format", "text"]);
    assert_eq!(
        plain(&environment, &text.stdout),
        format!(
            "\
ok     root               ROOT
ok     lock               nobody holds the lock of the root
ok     config             ROOT/config.yaml
ok     .env               ROOT/.env
ok     provider test      {url}, its key is TEST_API_KEY in .env
ok     model default      m-1 of test
ok     default model      m-1 of test
ok     agent claude-code  in this program, runs BIN/claude: 2.1.332\\u{{1b}}[1m (Claude Code)
ok     default agent      claude-code

All is well.
"
        )
    );
}

#[test]
fn keys_that_are_open_lost_or_unreadable_are_said() {
    let environment = Environment::new();
    environment.write_in_root(
        "config.yaml",
        "providers:\n  a: {baseUrl: 'https://a.invalid', apiKeyEnv: A_KEY}\n  \
         b: {baseUrl: 'https://b.invalid', apiKeyEnv: B_KEY}\n  c: {baseUrl: c}\n  d:\n  \
         e f: {baseUrl: 'https://e.invalid/', apiKeyEnv: E_KEY}\n  g: {baseUrl: 'http://[::1]:1'}\n",
    );
    environment.write_in_root(".env", &format!("A_KEY={KEY}\nB_KEY=\n"));
    let (code, checks) = doctor(&environment, &[]);
    assert_eq!(code, Some(1));
    assert_eq!(
        only(&checks, ".env"),
        [
            json!([".env", true, "ROOT/.env", null]),
            json!([
                ".env",
                false,
                "ROOT/.env can be read by others than its owner",
                "chmod 600 ROOT/.env"
            ])
        ]
    );
    let lost = |name: &str, variable: &str| {
        json!([
            format!("provider {}", name.trim_matches('\'')),
            false,
            format!("its key is not set: {variable} is neither in .env nor in the environment"),
            format!("`uwf setup --provider {name} --api-key - < key.txt`")
        ])
    };
    assert_eq!(
        only(&checks, "provider "),
        [
            json!([
                "provider a",
                true,
                "https://a.invalid, its key is A_KEY in .env",
                null
            ]),
            lost("b", "B_KEY"),
            json!([
                "provider c",
                false,
                "its `baseUrl` cannot be used: it must begin with `http://` or `https://`",
                "`uwf setup --provider c --base-url …`"
            ]),
            json!([
                "provider d",
                false,
                "it has no `baseUrl`",
                "`uwf setup --provider d --base-url …`"
            ]),
            lost("'e f'", "E_KEY"),
            json!(["provider g", true, "http://[::1]:1, without a key", null]),
        ]
    );
    write_keys(&environment, "A_KEY='two\nlines'\n");
    let (_, checks) = doctor(&environment, &[]);
    assert_eq!(
        only(&checks, "provider a")[0],
        json!([
            "provider a",
            false,
            "its key, A_KEY in .env, cannot be used: it has several lines",
            "`uwf setup --provider a --api-key - < key.txt`"
        ])
    );
    write_keys(&environment, &format!("A_KEY={KEY}\nnot a {KEY}\n"));
    let (_, checks) = doctor(&environment, &[]);
    assert_eq!(
        only(&checks, ".env"),
        [json!([
            ".env",
            false,
            "ROOT/.env:2: this line is not `NAME=value`",
            "put a value with spaces, quotes or backslashes between single quotes"
        ])]
    );
    assert_eq!(
        only(&checks, "provider a")[0],
        json!([
            "provider a",
            null,
            "https://a.invalid; whether A_KEY is set cannot be told, since .env cannot be read",
            null
        ])
    );
}

#[test]
fn a_configuration_that_cannot_be_read_is_told_with_every_place() {
    let environment = Environment::new();
    environment.write_in_root("config.yaml", "agents: 3\nmodels: 4\n");
    let (code, checks) = doctor(&environment, &[]);
    assert_eq!(code, Some(1));
    let hint = "mend it there; until then every step is refused";
    assert_eq!(
        only(&checks, "config"),
        [
            json!([
                "config",
                false,
                "ROOT/config.yaml:1:9: `agents` is a number, and must be a mapping",
                hint
            ]),
            json!([
                "config",
                false,
                "ROOT/config.yaml:2:9: `models` is a number, and must be a mapping",
                hint
            ]),
        ]
    );
    assert_eq!(only(&checks, "default"), [] as [Value; 0]);
    environment.write_in_root("config.yaml", "colour: blue\nagent: {}\n");
    let (_, checks) = doctor(&environment, &[]);
    assert_eq!(
        only(&checks, "config"),
        [
            json!(["config", true, "ROOT/config.yaml", null]),
            json!([
                "config",
                null,
                "ROOT/config.yaml:1:1: the key `colour` is not known",
                null
            ]),
            json!([
                "config",
                null,
                "ROOT/config.yaml:2:1: the key `agent` is not known: did you mean `agents`?",
                null
            ]),
        ]
    );
}

#[test]
fn a_root_that_is_none_is_said() {
    let environment = Environment::new();
    fs::write(environment.root(), "a file").unwrap();
    let ran = environment.run(&["doctor", "--format", "text"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(
        plain(&environment, &ran.stdout),
        "\
wrong  root  cannot use ROOT: it is a file, not a folder
             to do: let it and all in it belong to the user who runs uwf

1 thing is wrong.
"
    );
}

#[test]
fn an_interruption_ends_it_with_the_program_it_runs() {
    let environment = Environment::new();
    environment.program("claude", "echo $$ >pid.txt; kill -INT $PPID; exec sleep 60");
    environment.write_in_root("config.yaml", "agents: {c: {command: uwf-claude-code}}\n");
    assert_eq!(
        environment.run(&["doctor"]),
        Ran::refused(130, "error: interrupted\n")
    );
}
