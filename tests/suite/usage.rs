//! Wrong invocations: what is said, and with which code the program ends.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use crate::environment::{Environment, Ran};
use crate::snapshot;

const FILE: &str = "tests/snapshots/usage.txt";

/// A working folder with things in it that are not what they are taken for.
fn environment() -> Environment {
    let environment = Environment::with_golden_store();
    fs::create_dir(environment.work().join("folder")).unwrap();
    environment.write("notes.txt", "no JSON, no workflow\n");
    environment.write("empty.yaml", "");
    environment.write(
        "broken.yaml",
        "name: broken\ndescription: Not whole\nroles: {}\nconditions: {}\ngraph:\n  $START:\n  - role: nobody\n    prompt: Do it.\n",
    );
    environment
}

#[test]
fn every_wrong_invocation_is_answered_as_recorded_and_changes_nothing() {
    let environment = environment();
    let mut before = environment.snapshot();
    let mut now = String::new();
    let mut invocations = 0;
    let mut odd: Vec<String> = Vec::new();
    // Answers are left out and given anew; headings are kept.
    let mut after_blank = false;
    for line in snapshot::read(FILE).lines() {
        if let Some(invocation) = line.strip_prefix("$ uwf ") {
            let ran = run(&environment, invocation);
            if !ran.stdout.is_empty() || !matches!(ran.code, Some(1 | 2)) {
                odd.push(line.to_owned());
            }
            let code = ran.code.unwrap_or_default();
            now.push_str(&format!("\n{line}\nexit {code}\n{}", ran.stderr));
            invocations += 1;
        } else if line.starts_with("# ") {
            now.push_str(if after_blank { "\n" } else { "" });
            now.push_str(&format!("{line}\n"));
        }
        after_blank = line.is_empty();
    }
    assert!(invocations >= 100, "only {invocations} invocations");
    snapshot::assert_is(FILE, &now);
    assert_eq!(odd, [""; 0], "a result, or neither code 1 nor 2");
    // A step takes its thread's lock, and is logged, before it is asked who shall do it.
    let ours = |files: &mut Vec<(PathBuf, Vec<u8>)>| {
        let root = environment.root();
        let passing = [root.join("locks"), root.join("logs")];
        files.retain(|(path, _)| !passing.iter().any(|folder| path.starts_with(folder)));
    };
    let mut after = environment.snapshot();
    ours(&mut before);
    ours(&mut after);
    let paths = |files: &[(PathBuf, Vec<u8>)]| {
        files
            .iter()
            .map(|(path, _)| path.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(paths(&before), paths(&after));
    assert!(before == after, "a file was changed");
}

/// Runs a line as a shell would split it; no path in the answer depends on the machine.
fn run(environment: &Environment, invocation: &str) -> Ran {
    let arguments = shell_words::split(invocation).unwrap();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let mut ran = environment.run(&arguments);
    for (path, name) in [
        (environment.root(), "<root>"),
        (environment.work(), "<work>"),
    ] {
        ran.stderr = ran.stderr.replace(path.to_str().unwrap(), name);
    }
    ran
}

#[test]
fn an_argument_that_is_no_text_is_refused() {
    let environment = environment();
    let mut command = environment.command(&["thread", "show"]);
    command.arg(OsStr::from_bytes(b"06H2\xff"));
    let ran = Ran::from(command.output().unwrap());
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.stderr, "error: an argument is not valid UTF-8\n");
}

#[test]
fn a_group_without_a_command_shows_its_help() {
    let environment = environment();
    for group in ["thread", "cas", "workflow"] {
        let ran = environment.run(&[group]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
        assert_eq!(ran.stderr, environment.ok(&[group, "--help"]));
    }
}
