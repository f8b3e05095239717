//! What a program is given, and why it does not start.

use super::*;

#[test]
fn a_program_gets_its_arguments_its_folder_its_environment_and_an_empty_stdin() {
    let folder = folder();
    let mut agent = script(&folder, r#"pwd -P; printf '<%s>' "$@"; env; cat; echo end"#);
    agent
        .arguments
        .extend(["a b".into(), "".into(), "$HOME".into()]);
    agent.environment.insert("MINE".into(), "1 2".into());
    let finished = run_quietly(&agent).unwrap();
    let output = text(&finished);
    let cwd = folder.path().canonicalize().unwrap();
    assert!(output.starts_with(&format!("{}\n<a b><><$HOME>", cwd.display())));
    assert!(output.contains("MINE=1 2\n"));
    assert!(!output.contains("CARGO"));
    assert!(output.ends_with("end\n"));
    assert_eq!(finished.stdout_total, output.len() as u64);
    assert_eq!(finished.exit_code, Some(0));
    assert_eq!(finished.stderr_tail, "");
}

#[test]
fn a_program_is_found_by_path_and_by_name() {
    let folder = folder();
    write(&folder, "my agent", b"#!/bin/sh\necho here\n", "755");
    let path = folder.path().join("my agent");
    for program in [
        path.as_os_str(),
        OsStr::new("./my agent"),
        OsStr::new("my agent"),
    ] {
        let mut agent = invocation(&folder, program);
        agent
            .environment
            .insert("PATH".into(), "/nowhere:.:/bin".into());
        assert_eq!(text(&run_quietly(&agent).unwrap()), "here\n", "{program:?}");
    }
}

#[test]
fn a_script_without_a_first_line_is_run_as_a_shell_would() {
    let folder = folder();
    write(&folder, "plain", b"echo \"$0: $1\"\n", "755");
    for program in ["./plain", "plain"] {
        let mut agent = invocation(&folder, program);
        agent
            .environment
            .insert("PATH".into(), folder.path().into());
        agent.arguments.push("one".into());
        assert!(text(&run_quietly(&agent).unwrap()).ends_with("plain: one\n"));
    }
}

#[test]
fn each_reason_for_not_starting_has_its_own_words() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).display().to_string();
    write(&folder, "no-run-bit", b"#!/bin/sh\n", "644");
    write(&folder, "bad-interpreter", b"#! /no/such/thing -x\n", "755");
    write(&folder, "crlf", b"#!/bin/sh\r\necho\r\n", "755");
    write(&folder, "interpreter-no-run-bit", b"#!no-run-bit\n", "755");
    write(&folder, "garbage", b"\x01\x02\0\x03", "755");
    std::fs::DirBuilder::new()
        .create(folder.path().join("folder"))
        .unwrap();
    let cases = [
        ("", "spawn", "its command is empty".to_owned(), None),
        (
            "a\0b",
            "spawn",
            "its command holds a NUL character".to_owned(),
            None,
        ),
        (
            "no-such-program",
            "not-found",
            format!(
                "there is no program `no-such-program` in PATH (/nowhere:{})",
                at("")
            ),
            None,
        ),
        (
            "./none",
            "not-found",
            format!("there is no file {}", at("./none")),
            None,
        ),
        (
            "no-run-bit/none",
            "not-found",
            format!("there is no file {}", at("no-run-bit/none")),
            None,
        ),
        (
            "~/agent",
            "not-found",
            format!("there is no file {}", at("~/agent")),
            Some("`~` means the home folder to a shell only: write the path in full".to_owned()),
        ),
        (
            "./no-run-bit",
            "not-executable",
            format!(
                "{} is not executable: it has no run bit",
                at("./no-run-bit")
            ),
            Some(format!("chmod +x {}", at("./no-run-bit"))),
        ),
        (
            "no-run-bit",
            "not-executable",
            format!("{} is not executable: it has no run bit", at("no-run-bit")),
            Some(format!("chmod +x {}", at("no-run-bit"))),
        ),
        (
            "./folder",
            "not-executable",
            format!("{} is a folder", at("./folder")),
            None,
        ),
        (
            "./bad-interpreter",
            "interpreter",
            format!(
                "{} is a script for `/no/such/thing`, which cannot be run",
                at("./bad-interpreter")
            ),
            None,
        ),
        (
            "./interpreter-no-run-bit",
            "interpreter",
            format!(
                "{} is a script for `no-run-bit`, which cannot be run",
                at("./interpreter-no-run-bit")
            ),
            None,
        ),
        (
            "./crlf",
            "interpreter",
            format!(
                "{} is a script for `/bin/sh\\r`, which cannot be run",
                at("./crlf")
            ),
            Some("save the script with LF line ends".to_owned()),
        ),
        (
            "./garbage",
            "interpreter",
            format!(
                "{} is no program that this machine can run",
                at("./garbage")
            ),
            None,
        ),
    ];
    for (program, class, message, hint) in cases {
        let mut agent = invocation(&folder, program);
        let path = format!("/nowhere:{}", at(""));
        agent.environment.insert("PATH".into(), path.into());
        let error = run_quietly(&agent).unwrap_err();
        assert_eq!(error.to_string(), "cannot start agent `x`");
        let cause = std::error::Error::source(&error).unwrap();
        assert_eq!(cause.to_string(), message);
        assert_eq!(error.class(), class, "{message}");
        assert_eq!(error.hint(), hint, "{message}");
        assert_eq!(error.finished(), None);
    }
}

#[test]
fn surroundings_that_prevent_a_start_are_named() {
    let folder = folder();
    let cause = |agent: &Invocation| match run_quietly(agent).unwrap_err() {
        AgentError::Start { cause, .. } => (cause.class(), cause.to_string()),
        other => panic!("it started: {other}"),
    };
    let mut nowhere = script(&folder, "");
    nowhere.cwd.push("gone");
    let message = format!("cannot enter its working folder {}", nowhere.cwd.display());
    assert_eq!(cause(&nowhere), ("working-folder", message));

    let mut long = script(&folder, "");
    long.arguments.push("x".repeat(10_000_000).into());
    let message = "its arguments and its environment, 10000050 bytes, are more than this system \
                   passes on";
    assert_eq!(cause(&long), ("arguments-too-long", message.to_owned()));

    let mut argument = script(&folder, "");
    argument.arguments = vec!["a".into(), "b\0".into()];
    assert_eq!(
        cause(&argument),
        ("spawn", "its argument 2 holds a NUL character".to_owned())
    );

    let mut variable = script(&folder, "");
    variable.environment.insert("NAME".into(), "\0".into());
    assert_eq!(
        cause(&variable),
        (
            "spawn",
            "the variable NAME holds a NUL character".to_owned()
        )
    );

    let mut unset = invocation(&folder, "no-such-program");
    unset.environment.clear();
    assert_eq!(
        cause(&unset),
        (
            "not-found",
            "there is no program `no-such-program` in PATH (which is not set)".to_owned()
        )
    );
}
