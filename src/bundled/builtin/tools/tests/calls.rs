//! What a model may write as a call, and what is told of one.

use super::*;

fn answer(name: &str, arguments: &str) -> String {
    let workplace = Workplace::new();
    workplace.write("there.txt", "there\n");
    workplace
        .toolbox()
        .call(name, arguments, &mut quiet_guard(), &mut Told::default())
        .unwrap()
}

#[test]
fn a_tool_that_is_not_there_is_told_with_those_that_are() {
    let tools = "there are read_file, write_file, edit_file, list_dir, grep and run_command";
    assert_eq!(
        answer("readfile", "{}"),
        format!("error: there is no tool `readfile`, did you mean `read_file`?; {tools}")
    );
    assert_eq!(
        answer("\u{1b}[2J", "{}"),
        format!("error: there is no tool `\\u{{1b}}[2J`; {tools}")
    );
}

#[test]
fn arguments_that_cannot_be_read_are_told() {
    for (arguments, told) in [
        (
            "{\"path\": \"a",
            "the arguments of read_file end in the middle (EOF while parsing a string at line 1 \
             column 11). If they are cut off because they are long, do it in several calls",
        ),
        (
            "{path: 1}",
            "the arguments of read_file are no JSON (key must be a string at line 1 column 2): \
             write {\"path\": …}",
        ),
        (
            "[\"there.txt\"]",
            "the arguments of read_file are no JSON object: write {\"path\": …}",
        ),
        (
            "",
            "read_file needs `path` (The file, relative to the working folder): call it again \
             with that",
        ),
        (
            "{\"path\": null}",
            "read_file needs `path` (The file, relative to the working folder): call it again \
             with that",
        ),
        (
            "{\"pth\": \"there.txt\"}",
            "read_file has no parameter `pth`, did you mean `path`?; it has path, offset and limit",
        ),
        (
            "{\"path\": [\"there.txt\"]}",
            "`path` of read_file must be a text, not `[\"there.txt\"]`",
        ),
        (
            "{\"path\": \"there.txt\", \"offset\": \"x\"}",
            "`offset` of read_file must be a whole number, 1 or more, not `\"x\"`",
        ),
        (
            "{\"path\": \"there.txt\", \"offset\": 0}",
            "`offset` of read_file must be a whole number, 1 or more, not `0`",
        ),
        (
            "{\"path\": \"there.txt\", \"limit\": 1.5}",
            "`limit` of read_file must be a whole number, 1 or more, not `1.5`",
        ),
        (
            "{\"path\": \"there.txt\", \"limit\": 1e300}",
            "`limit` of read_file must be a whole number, 1 or more, not `1e+300`",
        ),
    ] {
        assert_eq!(answer("read_file", arguments), format!("error: {told}"));
    }
    assert_eq!(
        answer(
            "edit_file",
            r#"{"path":"a","old_text":"a","new_text":"b","replace_all":"yes"}"#
        ),
        "error: `replace_all` of edit_file must be true or false, not `\"yes\"`"
    );
}

#[test]
fn what_is_not_said_may_be_null_and_a_whole_number_may_have_a_point() {
    let arguments = r#"{"path": "there.txt", "offset": 1.0, "limit": null}"#;
    assert_eq!(answer("read_file", arguments), "there\n");
    assert_eq!(answer("list_dir", " "), "there.txt (6 bytes)\n");
}

#[test]
fn the_definitions_are_the_same_each_time_and_say_what_is_required() {
    let workplace = Workplace::new();
    let definitions = workplace.toolbox().definitions();
    assert_eq!(definitions, workplace.toolbox().definitions());
    let names: Vec<_> = definitions
        .iter()
        .map(|it| it["function"]["name"].as_str().unwrap())
        .collect();
    let tools = [
        "read_file",
        "write_file",
        "edit_file",
        "list_dir",
        "grep",
        "run_command",
    ];
    assert_eq!(names, tools);
    assert_eq!(
        definitions[5],
        json!({"type": "function", "function": {
            "name": "run_command",
            "description": "Run a command by /bin/sh in the working folder. Its output and its \
                exit code are given; of a long output the beginning and the end. It has nothing \
                to read on its standard input. What it leaves in the background is ended with it.",
            "parameters": {
                "type": "object",
                "properties": {
                    "command": {
                        "type": "string",
                        "description": "The command, as the shell takes it",
                    },
                    "timeout_seconds": {
                        "type": "integer",
                        "minimum": 1,
                        "description": "How long it may take: 120 without this, 1200 at most",
                    },
                },
                "required": ["command"],
                "additionalProperties": false,
            },
        }})
    );
}

#[test]
fn a_summary_is_one_short_harmless_line() {
    let toolbox = Workplace::new().toolbox();
    for (name, arguments, summary) in [
        (
            "read_file",
            r#"{"path": "src/main.rs"}"#,
            "read_file src/main.rs",
        ),
        (
            "edit_file",
            r#"{"path": "a", "old_text": "x", "new_text": "y"}"#,
            "edit_file a",
        ),
        ("list_dir", "{}", "list_dir"),
        ("grep", r#"{"pattern": "fn main"}"#, "grep fn main"),
        (
            "run_command",
            r#"{"command": "cargo test\n\techo \u001b[31m"}"#,
            "run_command cargo test echo [31m",
        ),
        ("read_file", r#"{"path": "#, "read_file"),
        ("nonsense\u{202e}", "{}", "nonsense\\u{202e}"),
    ] {
        assert_eq!(toolbox.summary(name, arguments), summary);
    }
    let long = json!({"command": "y".repeat(100_000)}).to_string();
    assert_eq!(
        toolbox.summary("run_command", &long),
        format!("run_command {}…", "y".repeat(80))
    );
}

#[test]
fn what_is_not_there_is_no_place_for_tools() {
    let mut settings = Workplace::new().settings;
    settings.cwd = "/none".into();
    assert_eq!(
        Toolbox::new(settings).unwrap_err(),
        "cannot use the working folder /none: No such file or directory (os error 2)"
    );
    let workplace = Workplace::new();
    let mut settings = workplace.settings;
    settings.allowed = vec!["/none".into()];
    assert_eq!(
        Toolbox::new(settings).unwrap_err(),
        "cannot use the allowed path /none: No such file or directory (os error 2)"
    );
}

#[test]
fn the_limits_that_are_told_are_those_that_hold() {
    let definitions = Workplace::new().toolbox().definitions();
    let function = |name: &str| {
        let mut functions = definitions.iter().map(|it| &it["function"]);
        functions.find(|it| it["name"] == name).unwrap().clone()
    };
    let seconds = &function("run_command")["parameters"]["properties"]["timeout_seconds"];
    assert_eq!(
        seconds["description"],
        "How long it may take: 120 without this, 1200 at most"
    );
    assert_eq!(
        function("read_file")["description"],
        "Read a text file. At most 100000 bytes are given at once; a longer file is read on with \
         `offset`."
    );
}
