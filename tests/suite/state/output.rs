//! Results that are long, and readers that go away.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use super::UNKNOWN;
use crate::environment::{Environment, Ran};

/// A node whose JSON is 200 kB long; its hash.
fn long_node(environment: &Environment) -> String {
    let text = json!("0123456789".repeat(20_000)).to_string();
    let file = environment.write("long.json", &text);
    let put = environment.json(&["cas", "put", "86N29KJ2R9X6K", file.to_str().unwrap()]);
    put["hash"].as_str().unwrap().to_owned()
}

#[test]
fn a_result_of_200_kb_comes_out_whole() {
    let environment = Environment::new();
    let hash = long_node(&environment);
    let result = environment.ok(&["cas", "get", &hash]);
    let payload = "0123456789".repeat(20_000);
    assert!(result == format!("{{\"type\":\"86N29KJ2R9X6K\",\"payload\":\"{payload}\"}}\n"));
}

#[test]
fn a_reader_that_goes_away_is_success() {
    let environment = Environment::new();
    let hash = long_node(&environment);
    for arguments in [
        &["cas", "get", &hash][..],
        &["cas", "get", &hash, "--format", "yaml"],
    ] {
        let mut child = environment.spawn(arguments);
        drop(child.stdout.take());
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
    let ran = environment.shell(&format!("uwf cas get {hash} | head -c 9"));
    assert_eq!(
        ran,
        Ran {
            code: Some(0),
            stdout: "{\"type\":\"".to_owned(),
            stderr: String::new()
        }
    );
}

#[test]
fn steps_go_on_to_the_end_when_nobody_reads_their_results() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let step = [
        "thread",
        "step",
        &thread,
        "--agent",
        "answer",
        "--protocol",
        "markdown",
        "-c",
        "5",
    ];
    let mut child = environment.spawn(&step);
    drop(child.stdout.take());
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(environment.runs(), 2);
    assert_eq!(environment.read_in_root("threads.yaml"), "{}\n");
}

#[test]
fn an_error_keeps_its_exit_code_when_nobody_reads_it() {
    let environment = Environment::new();
    let mut command = environment.command(&["thread", "show", UNKNOWN]);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_result_that_cannot_be_written_for_another_reason_is_an_error() {
    let full = Path::new("/dev/full");
    if !full.exists() {
        return;
    }
    let environment = Environment::new();
    for arguments in [&["workflow", "list"][..], &["--help"], &["--version"]] {
        let mut command = environment.command(arguments);
        let full = fs::OpenOptions::new().write(true).open(full).unwrap();
        let output = command.stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "error: cannot write the result to stdout\n  because: No space left on device (os error 28)\n"
        );
    }
}

#[test]
fn no_escape_sequence_reaches_json_yaml_or_the_error_stream() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "\u{1b}[31mred\u{7}");
    for format in ["json", "yaml"] {
        let steps = environment.ok(&["thread", "steps", &thread, "--format", format]);
        assert!(!steps.contains(['\u{1b}', '\u{7}']), "{steps:?}");
        assert!(steps.contains("[31mred"), "{steps:?}");
    }
    for format in ["json", "text"] {
        let ran = environment.run(&[
            "workflow",
            "show",
            "\u{1b}[31mred",
            "--error-format",
            format,
        ]);
        assert_eq!(ran.code, Some(1));
        assert!(!ran.stderr.contains('\u{1b}'), "{:?}", ran.stderr);
        assert!(ran.stderr.contains("[31mred"), "{:?}", ran.stderr);
    }
}
