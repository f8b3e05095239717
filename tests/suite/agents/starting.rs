//! How an agent is found and started, with what around it, and why it cannot be.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;

use super::put_next_step;
use crate::environment::{DRAFT, Environment};

#[test]
fn a_command_is_found_though_its_path_has_a_space() {
    let (environment, thread) = Environment::with_draft();
    let path = environment.work().join("my agents/an agent");
    fs::create_dir(path.parent().unwrap()).unwrap();
    for (position, agent) in ["'my agents/an agent' --flag", "spaced"].iter().enumerate() {
        let step = put_next_step(&environment, &thread);
        let program = environment.program("moved", &format!("echo \"$1\" >argument\necho {step}"));
        fs::rename(program, &path).unwrap();
        environment.write_in_root(
            "config.yaml",
            &format!(
                "agents: {{spaced: {{command: '{}', args: ['two words']}}}}",
                path.display()
            ),
        );
        let ran = environment.step_by(&thread, agent);
        ran.assert_clean();
        let argument = fs::read_to_string(environment.work().join("argument")).unwrap();
        assert_eq!(argument, ["--flag\n", "two words\n"][position]);
    }
}

/// Why an agent could not be started: the lines under the error, without the one on the record.
#[track_caller]
fn start_failure(environment: &Environment, agent: &str, name: &str, class: &str) -> String {
    let thread = environment.start("draft", "A poem");
    let ran = environment.step_by(&thread, agent);
    ran.assert_no_result(3);
    let attempts = environment.attempts(&thread);
    assert_eq!(
        [&attempts[0]["agent"], &attempts[0]["class"]],
        [name, class]
    );
    assert_eq!(attempts[0]["output"], Value::Null);
    let why = ran
        .stderr
        .strip_prefix(&format!("error: cannot start agent `{name}`\n"))
        .unwrap();
    why.strip_suffix(&environment.on_record(&thread, 1))
        .unwrap()
        .to_owned()
}

#[test]
fn each_reason_why_an_agent_cannot_be_started_has_its_own_words() {
    let environment = Environment::new();
    environment.put_workflow(DRAFT);
    let work = environment.work();
    let script = |name: &str, text: &str, mode: u32| {
        let path = environment.write(name, text);
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        path.display().to_string()
    };
    let failure = |agent: &str, class: &str| {
        let name = PathBuf::from(agent)
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        start_failure(&environment, agent, &name, class)
    };

    let missing = failure("no-such-agent", "not-found");
    assert!(
        missing.starts_with("  because: there is no program `no-such-agent` in PATH ("),
        "{missing}"
    );

    let bare = failure("claude-code", "not-found");
    assert!(
        bare.ends_with("\nhint: did you mean `uwf-claude-code`?\n"),
        "{bare}"
    );

    let absent = work.join("bin/agent").display().to_string();
    assert_eq!(
        failure(&absent, "not-found"),
        format!("  because: there is no file {absent}\n")
    );

    let no_bit = script("no-run-bit", "#!/bin/sh\necho hello\n", 0o644);
    assert_eq!(
        failure(&no_bit, "not-executable"),
        format!(
            "  because: {no_bit} is not executable: it has no run bit\nhint: chmod +x {no_bit}\n"
        )
    );

    let folder = work.display().to_string();
    assert_eq!(
        failure(&folder, "not-executable"),
        format!("  because: {folder} is a folder\n")
    );

    let bad = script(
        "bad-interpreter",
        "#!/opt/no-such-shell -e\necho hello\n",
        0o755,
    );
    assert_eq!(
        failure(&bad, "interpreter"),
        format!("  because: {bad} is a script for `/opt/no-such-shell`, which cannot be run\n")
    );

    let windows = script("windows-lines", "#!/bin/sh\r\necho hello\r\n", 0o755);
    assert_eq!(
        failure(&windows, "interpreter"),
        format!(
            "  because: {windows} is a script for `/bin/sh\\r`, which cannot be run\n\
             hint: save the script with LF line ends\n"
        )
    );

    let junk = script("junk", "\u{1}\0\u{2}\0", 0o755);
    assert_eq!(
        failure(&junk, "interpreter"),
        format!("  because: {junk} is no program that this machine can run\n")
    );

    let home = failure("~/agent", "not-found");
    assert!(
        home.ends_with("hint: `~` means the home folder to a shell only: write the path in full\n"),
        "{home}"
    );
}

#[test]
fn a_command_line_that_names_no_program_is_refused_before_anything_is_run() {
    let (environment, thread) = Environment::with_draft();
    for (agent, why) in [
        ("  ", "it names no program"),
        ("'agent --flag", "missing closing quote"),
    ] {
        let ran = environment.step_by(&thread, agent);
        ran.assert_no_result(1);
        assert_eq!(
            ran.stderr,
            format!(
                "error: cannot split the command of `--agent` into words: {why}\n\
                 hint: give the name of an agent of the configuration, or a command as for a shell\n"
            )
        );
    }
    assert_eq!(environment.attempts(&thread), Vec::<Value>::new());
}

#[test]
fn the_stdin_of_an_agent_is_empty_and_at_its_end() {
    let (environment, thread) = Environment::with_draft();
    environment.program(
        "waits",
        "cat >read.txt\necho \"read $(wc -c <read.txt)\" >&2\nexit 1",
    );
    // Also when whoever calls has something to say.
    let mut command = environment.command(&["thread", "step", &thread, "--agent", "waits"]);
    let mut child = command
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    drop(stdin);
    assert_eq!(
        fs::read_to_string(environment.work().join("read.txt")).unwrap(),
        ""
    );
}

#[test]
fn an_agent_gets_the_callers_environment_without_the_marks_of_other_agents() {
    let (environment, thread) = Environment::with_draft();
    environment.write_in_root(".env", "GRANTED=secret\nWITHHELD=secret\n");
    environment.write_in_root(
        "config.yaml",
        "agents: {looks: {command: looks, env: [GRANTED]}}",
    );
    environment.program("looks", "env | sort >environment.txt\nexit 1");
    let elsewhere = environment.home().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let mut command = environment.command(&["thread", "step", &thread, "--agent", "looks"]);
    command
        .current_dir(elsewhere)
        .env("CLAUDECODE", "1")
        .env("CLAUDE_CODE_ENTRYPOINT", "cli")
        .env("UWF_EDGE_PROMPT", "of an outer run")
        .env("MINE", "kept");
    assert_eq!(command.output().unwrap().status.code(), Some(3));
    // It ran in the thread's folder, not in the caller's.
    let seen = fs::read_to_string(environment.work().join("environment.txt")).unwrap();
    let is_of_the_shell = |line: &&str| {
        !["_=", "SHLVL=", "OLDPWD="]
            .iter()
            .any(|own| line.starts_with(own))
    };
    let path = environment
        .command(&[])
        .get_envs()
        .find(|(name, _)| *name == "PATH")
        .unwrap()
        .1
        .unwrap()
        .to_owned();
    assert_eq!(
        seen.lines().filter(is_of_the_shell).collect::<Vec<_>>(),
        [
            "GRANTED=secret".to_owned(),
            format!("HOME={}", environment.home().display()),
            "MINE=kept".to_owned(),
            format!("PATH={}", path.to_str().unwrap()),
            format!("PWD={}", environment.work().display()),
            format!(
                "UNCAGED_WORKFLOW_STORAGE_ROOT={}",
                environment.root().display()
            ),
            "UWF_EDGE_PROMPT=Write the text.".to_owned(),
        ]
    );
}
