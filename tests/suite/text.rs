//! Output for people: `--format text`, colours, terminals, and what must never reach one.

use std::process::Stdio;

use serde_json::json;

use crate::environment::{Environment, Ran};
use crate::terminal;

const LONG: &str = "A description that is so long that no terminal of forty columns shows it whole";

/// A store with a list that is wider than a small terminal.
fn environment() -> Environment {
    let environment = Environment::new();
    let schema = json!({"title": LONG, "type": "string"}).to_string();
    environment.ok(&["cas", "put", "3RZYZ9X0Y34K7", &schema]);
    environment
}

fn with(environment: &Environment, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
    let mut command = environment.command(arguments);
    command.envs(variables.iter().copied());
    Ran::from(command.output().unwrap())
}

#[test]
fn on_a_terminal_tables_fit_it_and_have_bold_headings() {
    let environment = environment();
    let command = || environment.command(&["cas", "schema", "list", "--format", "text"]);
    let (shown, code) = terminal::run(command(), 40);
    assert_eq!(code, Some(0));
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!(
        lines[0],
        "\u{1b}[1mhash\u{1b}[0m           \u{1b}[1mtitle\u{1b}[0m"
    );
    assert_eq!(lines[2], "21AME01DDP1EB  Workflow");
    let last = lines.last().unwrap();
    assert!(last.ends_with("  A description that is so…"), "{last}");

    let mut plain = command();
    plain.env("NO_COLOR", "1");
    let (shown, _) = terminal::run(plain, 40);
    assert_eq!(shown.lines().next(), Some("hash           title"));
    assert!(shown.ends_with("so…\n"), "{shown}");
}

#[test]
fn elsewhere_nothing_is_cut_and_colours_come_only_when_forced() {
    let environment = environment();
    let arguments = ["cas", "schema", "list", "--format", "text"];
    let ran = with(
        &environment,
        &arguments,
        &[("COLUMNS", "40"), ("TERM", "xterm")],
    );
    assert!(
        ran.stdout.starts_with("hash           title\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.ends_with(&format!("  {LONG}\n")),
        "{}",
        ran.stdout
    );

    let forced = with(&environment, &arguments, &[("CLICOLOR_FORCE", "1")]);
    assert!(
        forced.stdout.starts_with("\u{1b}[1mhash\u{1b}[0m"),
        "{}",
        forced.stdout
    );
    assert!(
        forced.stdout.ends_with(&format!("  {LONG}\n")),
        "{}",
        forced.stdout
    );
}

#[test]
fn json_and_yaml_have_no_colours_whatever_is_wished() {
    let environment = environment();
    for format in ["json", "yaml"] {
        let arguments = ["cas", "schema", "list", "--format", format];
        let mut command = environment.command(&arguments);
        command.env("CLICOLOR_FORCE", "1");
        let (shown, code) = terminal::run(command, 40);
        assert_eq!((shown, code), (environment.ok(&arguments), Some(0)));
    }
    let arguments = ["--error-format", "json", "cas", "get", "nope"];
    let forced = with(&environment, &arguments, &[("CLICOLOR_FORCE", "1")]);
    assert!(!forced.stderr.contains('\u{1b}'), "{}", forced.stderr);
}

#[test]
fn the_labels_of_errors_and_the_headings_of_help_have_colours_on_a_terminal() {
    let environment = environment();
    let (shown, code) = terminal::run(environment.command(&["thred"]), 80);
    assert_eq!(code, Some(2));
    assert_eq!(
        shown,
        "\u{1b}[1m\u{1b}[91merror:\u{1b}[0m `uwf` has no command `thred`\n\
         \u{1b}[1m\u{1b}[96mhint:\u{1b}[0m did you mean `uwf thread`?\n"
    );
    let (shown, _) = terminal::run(environment.command(&["thread", "show", "--help"]), 80);
    assert!(
        shown.contains("\n\u{1b}[1mUsage:\u{1b}[0m uwf thread show"),
        "{shown}"
    );
    assert!(
        shown.contains("\n\u{1b}[1mGlobal options:\u{1b}[0m\n"),
        "{shown}"
    );
}

#[test]
fn findings_in_a_file_are_coloured_on_a_terminal_and_its_text_is_not_obeyed() {
    let environment = environment();
    environment.write("evil.yaml", "name: evil # \u{1b}[2J\ndescription: [\n");
    let command = || environment.command(&["workflow", "put", "evil.yaml"]);
    let (coloured, code) = terminal::run(command(), 100);
    assert_eq!(code, Some(1));
    let plain = environment.run(&["workflow", "put", "evil.yaml"]).stderr;
    assert!(!plain.contains('\u{1b}'), "{plain}");
    assert!(
        coloured.contains("\u{1b}[1m\u{1b}[91merror[syntax]"),
        "{coloured}"
    );
    assert_eq!(without_colours(&coloured), plain);
}

/// A text without the escape sequences that set colours.
fn without_colours(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (codes, rest) = piece.split_once('m').unwrap();
        assert!(
            codes
                .chars()
                .all(|code| code.is_ascii_digit() || code == ';'),
            "{codes}"
        );
        plain.push_str(rest);
    }
    plain
}

/// A thread of two words' work, both full of what a terminal would obey.
fn thread_of_an_evil_agent(environment: &Environment) -> String {
    environment.write(
        "review.yaml",
        "name: review\ndescription: d\nroles:\n  writer: {description: d, goal: g, capabilities: [], procedure: p, output: o, \
         frontmatter: {type: object, properties: {title: {type: string}}}}\nconditions: {}\n\
         graph: {$START: [{role: writer, prompt: Write.}], writer: [{role: $END, prompt: Done.}]}\n",
    );
    let answer = "---\ntitle: \"\\e[2Jtitle\"\n---\nBody \u{1b}[31m\u{9b}2J\u{202e}.";
    environment.program(
        "evil",
        &format!("cat >/dev/null\ncat <<'END'\n{answer}\nEND\n"),
    );
    let thread = environment.start("./review.yaml", "\u{1b}[31mtask");
    environment.ok(&[
        "thread",
        "step",
        &thread,
        "--agent",
        "evil",
        "--protocol",
        "markdown",
    ]);
    thread
}

#[test]
fn what_an_agent_says_is_shown_and_not_obeyed() {
    let environment = Environment::new();
    let thread = thread_of_an_evil_agent(&environment);
    let steps = environment.json(&["thread", "steps", &thread]);
    let step = steps["steps"][1]["hash"].as_str().unwrap();

    let body = r"Body \x1b[31m\x9b2J\u{202e}.";
    for (arguments, shown) in [
        (vec!["thread", "steps", &thread], r"\u001b[2Jtitle"),
        (vec!["thread", "read", &thread], body),
        (vec!["thread", "read", &thread], r"\x1b[31mtask"),
        (vec!["thread", "step-details", step], body),
    ] {
        let mut as_text = arguments.clone();
        as_text.extend(["--format", "text"]);
        let text = environment.ok(&as_text);
        assert!(text.contains(shown), "{arguments:?}: {text}");
        assert!(
            !text.contains(['\u{1b}', '\u{9b}', '\u{202e}']),
            "{arguments:?}: {text}"
        );

        // In a format for programs it is what it was, except on a terminal.
        let mut command = environment.command(&arguments);
        command.env("NO_COLOR", "1");
        let (on_terminal, _) = terminal::run(command, 80);
        assert!(
            !on_terminal.contains(['\u{1b}', '\u{9b}', '\u{202e}']),
            "{on_terminal}"
        );
    }
    let page = environment.ok(&["thread", "read", &thread]);
    assert!(page.contains("Body \u{1b}[31m\u{9b}2J\u{202e}."), "{page}");
}

#[test]
fn each_result_of_several_steps_is_one_line_of_text() {
    let environment = Environment::with_golden_store();
    environment.program(
        "collect",
        "cat >/dev/null\nprintf -- '---\\ncount: 0\\nfailures: []\\n---\\nNothing.\\n'",
    );
    let thread = "06H2S7TA9T8B340D04DAXMJ56W";
    let arguments = [
        "thread",
        "step",
        thread,
        "--agent",
        "collect",
        "--protocol",
        "markdown",
    ];
    let mut arguments = arguments.to_vec();
    arguments.extend(["-c", "3", "--format", "text"]);
    let text = environment.ok(&arguments);
    let head = environment.json(&["thread", "show", thread]);
    let head = head["head"].as_str().unwrap();
    assert_eq!(
        text,
        format!("workflow 6HA1S8JMB29J3  thread {thread}  head {head}  done yes\n")
    );
}

#[test]
fn a_table_that_a_terminal_has_no_room_for_is_told_thread_by_thread() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    environment.program("broken", "exit 9");
    let step = ["thread", "step", &thread, "--agent", "broken"];
    let failed = environment.run(&[&step[..], &["--protocol", "markdown"]].concat());
    assert_eq!(failed.code, Some(3));
    let list = ["thread", "list", "--long", "--format", "text"];
    let shown = |columns| {
        let mut command = environment.command(&list);
        command.env("NO_COLOR", "1");
        terminal::run(command, columns).0
    };
    let message = "agent `broken` exited with code 9";
    let narrow = shown(80);
    let lines: Vec<_> = narrow.lines().collect();
    assert_eq!(lines[0], format!("- thread       {thread}"));
    assert_eq!(lines[3], "  status       failed");
    assert_eq!(lines[6], format!("  lastAttempt  {message}"));
    let wide = shown(400);
    let lines: Vec<_> = wide.lines().collect();
    assert_eq!(lines.len(), 2, "{wide}");
    assert!(lines[1].starts_with(&thread), "{wide}");
    assert!(lines[1].contains(message), "{wide}");
}

#[test]
fn killed_does_not_look_like_done() {
    let environment = Environment::with_golden_store();
    environment.program(
        "collect",
        "cat >/dev/null\nprintf -- '---\\ncount: 0\\nfailures: []\\n---\\nNothing.\\n'",
    );
    let [killed, completed] = ["06H2S7T0SYTNXJYWQYS40BBMNR", "06H2S7TA9T8B340D04DAXMJ56W"];
    let status = |thread: &str| {
        let shown = environment.ok(&["thread", "show", thread, "--format", "text"]);
        let line = shown.lines().find_map(|line| line.strip_prefix("status "));
        line.unwrap().trim_start().to_owned()
    };
    assert_eq!(status(killed), "active");
    environment.ok(&["thread", "kill", killed]);
    environment.ok(&[
        "thread",
        "step",
        completed,
        "--agent",
        "collect",
        "--protocol",
        "markdown",
    ]);
    assert_eq!(status(killed), "killed");
    assert_eq!(status(completed), "completed");
    assert_eq!(
        environment.ok(&["thread", "list", "--all", "--format", "text"]),
        "\
thread                      workflow       status     next  steps
06H2S7SN4W24ANMYFNWWF49HHW  6HA1S8JMB29J3  completed  -         5
06H2S7T4PCHB3EJSX9FV4HQ570  6HA1S8JMB29J3  killed     -         1
06H2S7T0SYTNXJYWQYS40BBMNR  6HA1S8JMB29J3  killed     -         4
06H2S7TA9T8B340D04DAXMJ56W  6HA1S8JMB29J3  completed  -         1
"
    );
}

#[test]
fn a_thread_that_is_followed_is_one_line_a_step() {
    let environment = Environment::with_golden_store();
    let ended = "06H2S7T4PCHB3EJSX9FV4HQ570";
    assert_eq!(
        environment.ok(&["thread", "steps", ended, "--follow", "--format", "text"]),
        "hash 2DAC3GSWARPFB  workflow 6HA1S8JMB29J3  prompt A thread that is killed  \
         timestamp 2026-11-30 13:22:45 UTC\n\
         step 1  role collector  hash 95EECVDJRHA3X  agent uwf-fake  timestamp 2026-11-30 13:22:45 UTC  \
         output {\"count\":2,\"failures\":[\"parser.rs:41 unexpected end of input\",\
         \"store.rs:7 ✓ wrong count 🦀\"]}\n"
    );
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let environment = Environment::with_golden_store();
    let long = "x".repeat(1 << 20);
    environment.write("long.json", &json!(long).to_string());
    let put = environment.json(&["cas", "put", "86N29KJ2R9X6K", "long.json"]);
    let hash = put["hash"].as_str().unwrap();
    for format in ["json", "yaml", "text"] {
        let arguments = ["cas", "get", hash, "--format", format];
        // Read to its end, it is whole.
        assert!(environment.ok(&arguments).contains(&long));
        let mut child = environment
            .command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{format}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{format}");
    }
}
