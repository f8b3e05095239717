//! What a thread is to do: in the command line, in a file, on standard input.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::environment::{Environment, RELAY, Ran};

/// The task of the thread that a command started.
fn task(environment: &Environment, ran: &Ran) -> String {
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let thread = ran.value()["thread"].as_str().unwrap().to_owned();
    let steps = environment.json(&["thread", "steps", &thread]);
    steps["steps"][0]["prompt"].as_str().unwrap().to_owned()
}

#[test]
fn a_task_can_come_from_a_file_or_from_standard_input_whole() {
    let environment = Environment::new();
    environment.write("relay.yaml", RELAY);
    let long = format!("{}ende\n", "A poem — about rust.\n".repeat(100_000));
    environment.write("task.md", &long);
    let start = ["thread", "start", "./relay.yaml", "--prompt-file"];
    let from_file = environment.run(&[&start[..], &["task.md"]].concat());
    assert!(task(&environment, &from_file) == long);

    let mut command = environment.command(&[&start[..], &["-"]].concat());
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(long.as_bytes())
        .unwrap();
    let from_stdin = Ran::from(child.wait_with_output().unwrap());
    assert!(task(&environment, &from_stdin) == long);
}

#[test]
fn a_task_that_is_too_long_is_refused_for_its_length() {
    let environment = Environment::new();
    environment.write("relay.yaml", RELAY);
    // The 16 MiB end within a character.
    let task = environment.write("task.md", &"日".repeat((16 << 20) / 3 + 1));
    let mut start = environment.command(&["thread", "start", "./relay.yaml", "--prompt-file", "-"]);
    let ran = start
        .stdin(fs::File::open(&task).unwrap())
        .output()
        .unwrap();
    let stderr = "error: cannot read the prompt from standard input\n  because: it has more than 16777216 bytes\n";
    assert_eq!(Ran::from(ran), Ran::refused(1, stderr));
}

#[test]
fn a_task_is_given_once() {
    let environment = Environment::new();
    environment.write("relay.yaml", RELAY);
    let start = ["thread", "start", "./relay.yaml"];
    let from_file = [&start[..], &["--prompt-file", "task.md"]].concat();
    let both = [&from_file[..], &["-p", "x"]].concat();
    assert_eq!(environment.run(&both).code, Some(2));
    assert_eq!(environment.run(&start).code, Some(2));
    let missing = environment.run(&from_file);
    let stderr = format!(
        "error: there is no file {}\nhint: give --prompt-file a text file, or `-` for standard input\n",
        environment.work().join("task.md").display()
    );
    assert_eq!(missing, Ran::refused(1, &stderr));
    fs::write(environment.work().join("task.md"), b"a \xff").unwrap();
    let no_text = environment.run(&from_file);
    let stderr = format!(
        "error: cannot read {}\n  because: it is not UTF-8 text (byte 2)\n",
        environment.work().join("task.md").display()
    );
    assert_eq!(no_text, Ran::refused(1, &stderr));
    assert!(!environment.root().exists(), "nothing is stored");
}
