//! Each test gives a text and the whole text that comes of it.

use super::*;

fn change(text: &str, settings: &[Setting]) -> String {
    match edited(text, Path::new("config.yaml"), settings) {
        Ok(changed) => {
            let again = edited(&changed, Path::new("config.yaml"), settings);
            assert_eq!(again.as_deref(), Ok(changed.as_str()), "a second time");
            changed
        }
        Err(error) => panic!("{error}"),
    }
}

fn provider() -> Vec<Setting> {
    vec![
        Setting::text(
            &["providers", "openai", "baseUrl"],
            "https://api.openai.com/v1",
        ),
        Setting::text(&["providers", "openai", "apiKeyEnv"], "OPENAI_API_KEY"),
    ]
}

fn agent(name: &str) -> Setting {
    Setting::text(&["defaultAgent"], name)
}

#[test]
fn a_fresh_file_is_written_line_by_line() {
    let mut settings = provider();
    settings.push(Setting::words(
        &["agents", "claude-code", "env"],
        &["A_KEY".to_owned()],
    ));
    settings.push(agent("claude-code"));
    assert_eq!(
        change("", &settings),
        "\
providers:
  openai:
    baseUrl: https://api.openai.com/v1
    apiKeyEnv: OPENAI_API_KEY
agents:
  claude-code:
    env: [A_KEY]
defaultAgent: claude-code
"
    );
    assert_eq!(change("# mine", &[agent("a")]), "# mine\ndefaultAgent: a\n");
    assert_eq!(change("---\n", &[agent("a")]), "---\ndefaultAgent: a\n");
}

#[test]
fn comments_order_quotes_indentation_and_unknown_keys_stay() {
    let text = "\
# All of it.
colour:   blue      # not ours
agents:
    old:            # the first
        command: 'old'
        args: [ -p ]

    # nothing behind this
defaultAgent: \"old\" # for now
providers:
    mine: {baseUrl: \"http://127.0.0.1:1\"}
# the end
";
    let mut settings = provider();
    settings.push(Setting::text(
        &["agents", "builtin", "command"],
        "uwf-builtin",
    ));
    settings.push(agent("builtin"));
    settings.push(Setting::text(&["agents", "old", "command"], "it's new"));
    assert_eq!(
        change(text, &settings),
        "\
# All of it.
colour:   blue      # not ours
agents:
    old:            # the first
        command: 'it''s new'
        args: [ -p ]
    builtin:
        command: uwf-builtin

    # nothing behind this
defaultAgent: \"builtin\" # for now
providers:
    mine: {baseUrl: \"http://127.0.0.1:1\"}
    openai:
        baseUrl: https://api.openai.com/v1
        apiKeyEnv: OPENAI_API_KEY
# the end
"
    );
}

#[test]
fn what_is_said_already_changes_no_byte() {
    let text = "providers:   {openai:   {apiKeyEnv: OPENAI_API_KEY, baseUrl: 'https://api.openai.com/v1'}}";
    assert_eq!(change(text, &provider()), text);
    assert_eq!(
        change(text, &[Setting::nothing(&["models", "a", "name"])]),
        text
    );
    assert_eq!(
        change("models:\n", &[Setting::nothing(&["models", "a"])]),
        "models:\n"
    );
}

#[test]
fn line_ends_and_a_missing_last_one_are_kept() {
    assert_eq!(
        change("agents:\r\n  a:\r\n    command: a\r\n", &provider()[..1]),
        "agents:\r\n  a:\r\n    command: a\r\nproviders:\r\n  openai:\r\n    baseUrl: https://api.openai.com/v1\r\n"
    );
    assert_eq!(
        change(
            "agents: # none\r\ncolour: blue",
            &[Setting::text(&["agents", "a", "command"], "a")]
        ),
        "agents: # none\r\n  a:\r\n    command: a\r\ncolour: blue"
    );
    assert_eq!(
        change("colour: blue", &[agent("a")]),
        "colour: blue\ndefaultAgent: a\n"
    );
    assert_eq!(
        change(
            "agents:",
            &[Setting::text(&["agents", "a", "command"], "a")]
        ),
        "agents:\n  a:\n    command: a\n"
    );
    assert_eq!(
        change("\u{feff}colour: blue\n", &[agent("a")]),
        "\u{feff}colour: blue\ndefaultAgent: a\n"
    );
}

#[test]
fn what_was_left_empty_is_filled() {
    for (text, filled) in [
        (
            "providers:\nmodels: {}\n",
            "providers:\n  openai:\n    baseUrl: https://api.openai.com/v1\nmodels: {}\n",
        ),
        (
            "providers: {}\nmodels: {}\n",
            "providers:\n  openai:\n    baseUrl: https://api.openai.com/v1\nmodels: {}\n",
        ),
        (
            "providers: {} # none\n",
            "providers: # none\n  openai:\n    baseUrl: https://api.openai.com/v1\n",
        ),
        (
            "providers: ~\nx: 1\n",
            "providers:\n  openai:\n    baseUrl: https://api.openai.com/v1\nx: 1\n",
        ),
        (
            "providers:\n  openai: # soon\n  # more\nx: 1\n",
            "providers:\n  openai: # soon\n    baseUrl: https://api.openai.com/v1\n  # more\nx: 1\n",
        ),
        (
            "{}\n",
            "providers:\n  openai:\n    baseUrl: https://api.openai.com/v1\n",
        ),
        (
            "{}",
            "providers:\n  openai:\n    baseUrl: https://api.openai.com/v1\n",
        ),
        (
            "{providers: }",
            "{providers: {openai: {baseUrl: \"https://api.openai.com/v1\"}} }",
        ),
        (
            "{providers: {}}",
            "{providers: {openai: {baseUrl: \"https://api.openai.com/v1\"}}}",
        ),
        (
            "{providers: null}",
            "{providers: {openai: {baseUrl: \"https://api.openai.com/v1\"}}}",
        ),
    ] {
        assert_eq!(change(text, &provider()[..1]), filled, "{text:?}");
    }
    for (text, filled) in [
        ("defaultAgent:\nx: 1\n", "defaultAgent: a\nx: 1\n"),
        ("defaultAgent: # none\n", "defaultAgent: a # none\n"),
        ("defaultAgent: null\n", "defaultAgent: a\n"),
        ("{\"defaultAgent\":null}", "{\"defaultAgent\":\"a\"}"),
        ("defaultAgent:", "defaultAgent: a"),
    ] {
        assert_eq!(change(text, &[agent("a")]), filled, "{text:?}");
    }
}

#[test]
fn between_braces_the_style_is_kept() {
    for (text, changed) in [
        ("{x: 1}", "{x: 1, defaultAgent: a}"),
        ("{x: 1,}", "{x: 1, defaultAgent: a,}"),
        ("{x, y: }", "{defaultAgent: a, x, y: }"),
        ("{\"x\": 1}\n", "{\"x\": 1, \"defaultAgent\": \"a\"}\n"),
        (
            "{\n  \"x\": 1\n}\n",
            "{\n  \"x\": 1,\n  \"defaultAgent\": \"a\"\n}\n",
        ),
        (
            "{\n  x: [1], # one\n}\n",
            "{\n  x: [1], # one\n  defaultAgent: a,\n}\n",
        ),
        (
            "{\n  x: 1 # one\n}\n",
            "{\n  x: 1, # one\n  defaultAgent: a\n}\n",
        ),
        (
            "{\r\n\t\"x\": 1}",
            "{\r\n\t\"x\": 1,\r\n\t\"defaultAgent\": \"a\"}",
        ),
    ] {
        assert_eq!(change(text, &[agent("a")]), changed, "{text:?}");
    }
}

#[test]
fn what_ends_in_a_text_of_several_lines_is_added_to() {
    for (text, changed) in [
        (
            "x: |\n  one\n\n  two\n",
            "x: |\n  one\n\n  two\ndefaultAgent: a\n",
        ),
        ("x: |+\n  one\n\n", "x: |+\n  one\n\ndefaultAgent: a\n"),
        ("x: |\n  one", "x: |\n  one\ndefaultAgent: a\n"),
        ("x: |-\n  one", "x: |-\n  one\ndefaultAgent: a\n"),
        ("x: one\n  two\n", "x: one\n  two\ndefaultAgent: a\n"),
        ("x:\n- 1\n- 2\n", "x:\n- 1\n- 2\ndefaultAgent: a\n"),
        ("---\nx: 1\n...\n", "---\nx: 1\ndefaultAgent: a\n...\n"),
        (
            "x: \"a\n  b\" # c\n",
            "x: \"a\n  b\" # c\ndefaultAgent: a\n",
        ),
    ] {
        assert_eq!(change(text, &[agent("a")]), changed, "{text:?}");
    }
}

#[test]
fn anchors_stay_where_they_are_in_nobodys_way() {
    assert_eq!(
        change("x: &n old\ndefaultAgent: *n\n", &[agent("a")]),
        "x: &n old\ndefaultAgent: a\n"
    );
    assert_eq!(
        change("defaultAgent: &n old # x\n", &[agent("a")]),
        "defaultAgent: &n a # x\n"
    );
    assert_eq!(
        change(
            "agents: &all\n  b: {command: b}\n",
            &[Setting::text(&["agents", "a", "command"], "a")]
        ),
        "agents: &all\n  b: {command: b}\n  a:\n    command: a\n"
    );
}

#[test]
fn a_change_that_would_change_something_else_is_refused_with_what_to_write() {
    for (text, setting, key) in [
        ("defaultAgent: &n old\nx: *n\n", agent("a"), "defaultAgent"),
        (
            "x: &all\n  b: {command: b}\nagents: *all\n",
            Setting::text(&["agents", "a", "command"], "a"),
            "agents.a.command",
        ),
        (
            "agents: &all\n  b: {command: b}\nx: *all\n",
            Setting::text(&["agents", "a", "command"], "a"),
            "agents.a.command",
        ),
        ("defaultAgent: >\n  folded\n", agent("a"), "defaultAgent"),
        (
            "agents: 3\n",
            Setting::text(&["agents", "a", "command"], "a"),
            "agents.a.command",
        ),
        ("? x\n: 1\n", agent("a"), "defaultAgent"),
    ] {
        let error = edited(text, Path::new("/root/config.yaml"), &[setting]).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("cannot change `{key}` in /root/config.yaml and leave the rest of it as it is")
        );
    }
    let error = edited(
        "x: &a {b: {}}\nproviders: *a\n",
        Path::new("c"),
        &provider(),
    )
    .unwrap_err();
    assert_eq!(
        error.by_hand,
        "providers:\n  openai:\n    baseUrl: https://api.openai.com/v1\n    apiKeyEnv: OPENAI_API_KEY\n"
    );
}

#[test]
fn hostile_words_are_read_back_as_they_were() {
    for word in [
        "a: b",
        "# no",
        "'",
        "\"",
        "\\",
        "a\nb",
        "*x",
        "&x",
        "!x",
        "{",
        "]",
        "- a",
        "yes",
        "1e5",
        "007",
        "",
        " ",
        "é\u{202e}",
        "https://x/#y",
        "a:",
        "a//b",
        "http://[::1]:1/v1",
        "@scope/model",
        "%",
        "null",
        "~",
        "a,b",
        "a/b,c",
        "a/b: c",
    ] {
        let key = Setting::text(&["models", word, "name"], word);
        for text in [
            "",
            "x: 1\n",
            "{x: 1}",
            "{\"x\": 1}",
            "models: {}\n",
            "models:\n  'o': {name: o}\n",
        ] {
            let changed = change(text, std::slice::from_ref(&key));
            let read = yaml::parse(&changed, Strictness::Strict).unwrap().unwrap();
            assert_eq!(
                read.to_value()["models"][word]["name"],
                *word,
                "{changed:?}"
            );
        }
        for text in [
            "defaultAgent: 'o'\n",
            "defaultAgent: \"o\"\n",
            "defaultAgent: o\n",
        ] {
            change(text, &[agent(word)]);
        }
    }
}
