//! Agents that err, lie, hang or talk too much: what becomes of the step, the thread and them.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::environment::{DRAFT, Environment, Ran};

const STEP: &str = "FZMFBDYPZ0M9Y";
const TEXT: &str = "86N29KJ2R9X6K";

/// Only what never comes takes this long.
const FOREVER: Duration = Duration::from_secs(60);

/// A node of this type with this payload; its hash.
#[track_caller]
fn put(environment: &Environment, type_hash: &str, payload: &Value) -> String {
    let put = environment.json(&["cas", "put", type_hash, &payload.to_string()]);
    put["hash"].as_str().unwrap().to_owned()
}

#[track_caller]
fn put_text(environment: &Environment, text: &str) -> String {
    environment.json(&["cas", "put-text", text])["hash"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// The schema of a role of `DRAFT`.
#[track_caller]
fn schema(environment: &Environment, role: &str) -> String {
    let shown = environment.json(&["workflow", "show", "draft"]);
    shown["payload"]["roles"][role]["frontmatter"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// What a truthful agent would store as the next step of a thread of `DRAFT`.
#[track_caller]
fn next_step(environment: &Environment, thread: &str) -> Value {
    let shown = environment.json(&["thread", "steps", thread]);
    let steps = shown["steps"].as_array().unwrap();
    let (role, output) = match steps.len() % 2 {
        1 => ("writer", json!({"title": "Ode"})),
        _ => ("reviewer", json!({"accepted": true})),
    };
    let prev = if steps.len() == 1 {
        Value::Null
    } else {
        steps.last().unwrap()["hash"].clone()
    };
    json!({
        "start": steps[0]["hash"],
        "prev": prev,
        "role": role,
        "output": put(environment, &schema(environment, role), &output),
        "detail": put_text(environment, "how it came about"),
        "agent": "claim",
        "edgePrompt": "",
    })
}

/// Runs a step with an agent that does nothing but name this step.
fn claim(environment: &Environment, thread: &str, hash: &str) -> Ran {
    environment.program("claim", &format!("echo {hash}"));
    environment.run(&["thread", "step", thread, "--agent", "claim"])
}

/// Makes a thread's next step, truthfully; its hash.
#[track_caller]
fn advance(environment: &Environment, thread: &str) -> String {
    let hash = put(environment, STEP, &next_step(environment, thread));
    let ran = claim(environment, thread, &hash);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(environment.head(thread), hash);
    hash
}

/// The place of a thread's attempt in its record, as hints name it.
/// The hint that leads to what the agent had printed in the last attempt.
fn kept_hint(environment: &Environment, thread: &str) -> String {
    let attempts = environment.attempts(thread);
    let output = attempts.last().unwrap()["output"]
        .as_str()
        .unwrap()
        .to_owned();
    format!("hint: what it answered is kept: `uwf thread step-details {output}`\n")
}

fn on_record(environment: &Environment, thread: &str, line: usize) -> String {
    let path = environment.root().join(format!("attempts/{thread}.jsonl"));
    format!(
        "hint: the attempt is on record: {}, line {line}\n",
        path.display()
    )
}

/// The agent names a step that must not be taken, for this reason.
#[track_caller]
fn refuse(environment: &Environment, thread: &str, hash: &str, why: &str) {
    let threads = environment.read_in_root("threads.yaml");
    let before = environment.attempts(thread).len();
    let ran = claim(environment, thread, hash);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(3), ""),
        "{}",
        ran.stderr
    );
    let message = format!("agent `claim` named the step {hash}, which {why}");
    assert!(
        ran.stderr.starts_with(&format!("error: {message}\n")),
        "{}\nwanted: {message}",
        ran.stderr
    );
    assert!(
        ran.stderr
            .ends_with(&on_record(environment, thread, before + 1)),
        "{}",
        ran.stderr
    );
    assert_eq!(environment.read_in_root("threads.yaml"), threads);
    let attempts = environment.attempts(thread);
    let attempt = &attempts[before];
    assert_eq!(attempts.len(), before + 1);
    assert_eq!(attempt["role"], next_step(environment, thread)["role"]);
    assert_eq!(
        [
            &attempt["agent"],
            &attempt["class"],
            &attempt["message"],
            &attempt["step"]
        ],
        ["claim", "protocol", message.as_str(), hash]
    );
}

#[test]
fn the_step_of_another_thread_is_refused() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let other = environment.start("draft", "Another poem");
    let start = environment.head(&other);
    let step = advance(&environment, &other);
    let why = format!("belongs to another thread, the one that starts at {start}");
    refuse(&environment, &thread, &step, &why);
    // The other thread is where it was, too.
    assert_eq!(environment.head(&other), step);
}

#[test]
fn an_older_step_of_the_thread_is_refused() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let first = advance(&environment, &thread);
    refuse(
        &environment,
        &thread,
        &first,
        &format!("follows the start, while the head of the thread is {first}"),
    );
    // Another step in the place of the last one is as wrong.
    let mut beside = next_step(&environment, &thread);
    beside["prev"] = Value::Null;
    let beside = put(&environment, STEP, &beside);
    let why = format!("follows the start, while the head of the thread is {first}");
    refuse(&environment, &thread, &beside, &why);
}

#[test]
fn a_step_that_follows_none_of_the_thread_is_refused() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let mut step = next_step(&environment, &thread);
    let start = step["start"].as_str().unwrap().to_owned();
    step["prev"] = json!(start);
    let step = put(&environment, STEP, &step);
    let why = format!("follows {start}, while the head of the thread is the start");
    refuse(&environment, &thread, &step, &why);
}

#[test]
fn the_step_of_another_role_is_refused() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let mut step = next_step(&environment, &thread);
    step["role"] = json!("reviewer");
    let step = put(&environment, STEP, &step);
    refuse(
        &environment,
        &thread,
        &step,
        "is of role `reviewer`, while it is the turn of `writer`",
    );
}

#[test]
fn a_node_that_is_no_step_is_refused() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let text = put_text(&environment, "done");
    let why = format!("is not a StepNode but a node of type {TEXT}");
    refuse(&environment, &thread, &text, &why);
    let start = environment.head(&thread);
    refuse(
        &environment,
        &thread,
        &start,
        "is not a StepNode but a node of type FPVH9K1XJ2DZA",
    );
}

#[test]
fn a_hash_that_is_not_in_the_store_is_refused() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    refuse(
        &environment,
        &thread,
        "0123456789ABC",
        "is not in the store",
    );
}

#[test]
fn a_step_whose_output_was_never_stored_is_refused() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let mut step = next_step(&environment, &thread);
    step["output"] = json!("0123456789ABC");
    let step = put(&environment, STEP, &step);
    let why = "has the output 0123456789ABC, which is not in the store";
    refuse(&environment, &thread, &step, why);
}

#[test]
fn what_the_agent_printed_is_kept_also_when_its_step_is_refused() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    environment.program("talker", "echo 'I fixed it, see:'\necho 0123456789ABC");
    let ran = environment.run(&["thread", "step", &thread, "--agent", "talker"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let output = environment.attempts(&thread)[0]["output"].clone();
    assert!(output.is_string(), "nothing is kept: {output}");
    assert_eq!(
        environment.payload(output.as_str().unwrap()),
        "I fixed it, see:\n0123456789ABC\n"
    );
}

#[test]
fn an_output_that_does_not_fit_the_role_is_refused_with_every_reason() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    // The agent has stored it under a type of its own, which says nothing.
    let anything = put(&environment, "3RZYZ9X0Y34K7", &json!({"type": "object"}));
    let mut step = next_step(&environment, &thread);
    step["output"] = json!(put(&environment, &anything, &json!({"words": 0})));
    let hash = put(&environment, STEP, &step);
    let ran = claim(&environment, &thread, &hash);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""));
    assert_eq!(
        ran.stderr,
        "error: the answer of agent `claim` does not fit the role\n  \
           because: `/title` is missing; it must be a string\n  \
           because: `/words` is 0; it must be at least 1\n"
            .to_owned()
            + &kept_hint(&environment, &thread)
            + &on_record(&environment, &thread, 1)
    );
    assert_eq!(environment.head(&thread), step["start"]);
    let attempts = environment.attempts(&thread);
    assert_eq!(
        [&attempts[0]["class"], &attempts[0]["step"]],
        ["output", hash.as_str()]
    );
    assert_eq!(
        attempts[0]["message"],
        "the answer of agent `claim` does not fit the role: `/title` is missing; it must be a \
         string; `/words` is 0; it must be at least 1"
    );
}

#[test]
fn an_output_under_a_type_of_its_own_is_taken_when_it_fits_the_role() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let anything = put(&environment, "3RZYZ9X0Y34K7", &json!({"type": "object"}));
    let mut step = next_step(&environment, &thread);
    step["output"] = json!(put(
        &environment,
        &anything,
        &json!({"title": "Ode", "more": 1})
    ));
    let hash = put(&environment, STEP, &step);
    let ran = claim(&environment, &thread, &hash);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

#[test]
fn a_detail_that_was_never_stored_is_said_and_the_step_is_taken() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let mut step = next_step(&environment, &thread);
    step["detail"] = json!("0123456789ABC");
    let hash = put(&environment, STEP, &step);
    let ran = claim(&environment, &thread, &hash);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(
        ran.stderr,
        format!(
            "warning: the step {hash} has the detail 0123456789ABC, which is not in the store: \
             its answer cannot be shown\n"
        )
    );
    assert_eq!(ran.value()["head"], json!(hash));
}

#[test]
fn lines_after_the_hash_do_not_cost_the_step() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let step = put(&environment, STEP, &next_step(&environment, &thread));
    let script = format!(
        "echo 0123456789ABC\nprintf '  {step}\\t\\r\\n'\necho\n\
         i=0; while [ $i -lt 19 ]; do i=$((i + 1)); echo \"closing session $i\"; echo; done"
    );
    environment.program("chatty", &script);
    let ran = environment.run(&["thread", "step", &thread, "--agent", "chatty"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.value()["head"], json!(step));
}

#[test]
fn a_last_line_that_is_no_hash_is_shown() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    environment.program(
        "chatty",
        "echo 'All done.'\nprintf 'Step: 0123456789ABC \\033[0m\\n'",
    );
    let ran = environment.run(&["thread", "step", &thread, "--agent", "chatty"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""));
    let attempts = environment.attempts(&thread);
    let output = attempts[0]["output"].as_str().unwrap();
    assert_eq!(
        environment.payload(output),
        "All done.\nStep: 0123456789ABC \u{1b}[0m\n"
    );
    assert_eq!(
        ran.stderr,
        format!(
            "error: agent `chatty` did not answer as its protocol asks\n  \
               because: none of its last lines is the hash of a step; the very last is \
               `Step: 0123456789ABC \\u{{1b}}[0m`\n\
             hint: on protocol `cas` an agent stores its step itself; for a program that reads a prompt \
             and prints an answer, say `--protocol markdown`, or `protocol: markdown` in its entry of \
             config.yaml\n\
             hint: what it answered is kept: `uwf thread step-details {output}`\n{}",
            on_record(&environment, &thread, 1)
        )
    );
}

#[test]
fn an_agent_that_prints_nothing_is_told_what_was_expected() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    environment.program("silent", "printf '\\n  \\n'");
    let ran = environment.run(&["thread", "step", &thread, "--agent", "silent"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""));
    assert!(
        ran.stderr.starts_with(
            "error: agent `silent` did not answer as its protocol asks\n  \
               because: it printed nothing; its last line must be the hash of the step it has stored\n"
        ),
        "{}",
        ran.stderr
    );
}

#[test]
fn sixty_megabytes_before_the_hash_are_no_matter() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let step = put(&environment, STEP, &next_step(&environment, &thread));
    let script = format!("yes 'thinking about it' | head -c 60000000\necho\necho {step}");
    environment.program("verbose", &script);
    let ran = environment.run(&["thread", "step", &thread, "--agent", "verbose"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.value()["head"], json!(step));
}

#[test]
fn of_an_output_that_was_cut_it_is_not_said_that_all_is_kept() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    environment.program("verbose", "yes 'thinking about it' | head -c 1000000");
    let ran = environment.run(&["thread", "step", &thread, "--agent", "verbose"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let output = environment.attempts(&thread)[0]["output"].clone();
    let kept = environment.payload(output.as_str().unwrap());
    assert!(kept.as_str().unwrap().len() < 1_000_000);
    assert!(
        !ran.stderr.contains("all it answered is kept"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_command_is_found_though_its_path_has_a_space() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let path = environment.work().join("my agents/an agent");
    fs::create_dir(path.parent().unwrap()).unwrap();
    for (position, agent) in ["'my agents/an agent' --flag", "spaced"].iter().enumerate() {
        let step = put(&environment, STEP, &next_step(&environment, &thread));
        let program = environment.program("moved", &format!("echo \"$1\" >argument\necho {step}"));
        fs::rename(program, &path).unwrap();
        environment.write_in_root(
            "config.yaml",
            &format!(
                "agents: {{spaced: {{command: '{}', args: ['two words']}}}}",
                path.display()
            ),
        );
        let ran = environment.run(&["thread", "step", &thread, "--agent", agent]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        let argument = fs::read_to_string(environment.work().join("argument")).unwrap();
        assert_eq!(argument, ["--flag\n", "two words\n"][position]);
    }
}

/// Why an agent could not be started: the lines under the error, without the one on the record.
#[track_caller]
fn start_failure(environment: &Environment, agent: &str, name: &str, class: &str) -> String {
    let thread = environment.start("draft", "A poem");
    let ran = environment.run(&["thread", "step", &thread, "--agent", agent]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(3), ""),
        "{}",
        ran.stderr
    );
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
    why.strip_suffix(&on_record(environment, &thread, 1))
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
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    for (agent, why) in [
        ("", "it names no program"),
        ("  ", "it names no program"),
        ("'agent --flag", "missing closing quote"),
    ] {
        let ran = environment.run(&["thread", "step", &thread, "--agent", agent]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
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
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
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
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
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

#[test]
fn an_exit_code_is_told_with_the_last_the_agent_said() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    environment.program("fails", "echo half\necho 'key has expired' >&2\nexit 41");
    let ran = environment.run(&["thread", "step", &thread, "--agent", "fails"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""));
    let attempts = environment.attempts(&thread);
    let output = attempts[0]["output"].as_str().unwrap();
    assert_eq!(
        ran.stderr,
        format!(
            "key has expired\n\
             error: agent `fails` exited with code 41\n  \
               because: the last it said on stderr:\n    \
                 key has expired\n\
             hint: what it answered is kept: `uwf thread step-details {output}`\n{}",
            on_record(&environment, &thread, 1)
        )
    );
    assert_eq!(environment.payload(output), "half\n");
    assert_eq!(
        attempts,
        [json!({
            "role": "writer",
            "agent": "fails",
            "class": "exit",
            "message": "agent `fails` exited with code 41",
            "output": output,
            "step": null,
            "exitCode": 41,
            "stderr": "key has expired",
        })]
    );
}

#[test]
fn an_exit_code_counts_though_the_step_is_there() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let step = put(&environment, STEP, &next_step(&environment, &thread));
    environment.program("fails", &format!("echo {step}\nexit 1"));
    let ran = environment.run(&["thread", "step", &thread, "--agent", "fails"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""));
    assert_ne!(environment.head(&thread), step);
}

#[test]
fn an_agent_that_a_signal_ends_has_failed() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    environment.program("dies", "kill -KILL $$");
    let ran = environment.run(&["thread", "step", &thread, "--agent", "dies"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""));
    assert_eq!(
        ran.stderr,
        format!(
            "error: agent `dies` was ended by SIGKILL\n{}",
            on_record(&environment, &thread, 1)
        )
    );
    let attempts = environment.attempts(&thread);
    assert_eq!(
        [&attempts[0]["class"], &attempts[0]["output"]],
        [&json!("signal"), &Value::Null]
    );
}

#[test]
fn an_error_begins_on_a_line_of_its_own() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    environment.program("fails", "printf 'cut off in the mid' >&2\nexit 1");
    let ran = environment.run(&["thread", "step", &thread, "--agent", "fails"]);
    assert!(
        ran.stderr
            .contains("\nerror: agent `fails` exited with code 1\n"),
        "{}",
        ran.stderr
    );
    let arguments = [
        "thread",
        "step",
        &thread,
        "--agent",
        "fails",
        "--error-format",
        "json",
    ];
    let stderr = environment.run(&arguments).stderr;
    let error: Value = serde_json::from_str(stderr.lines().last().unwrap()).expect(&stderr);
    assert_eq!(error["kind"], "agent");
}

#[test]
fn of_a_long_stderr_the_last_whole_lines_are_told_again() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    environment.program(
        "fails",
        "i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); echo \"líne $i\"; done >&2\nexit 1",
    );
    let ran = environment.run(&["thread", "step", &thread, "--agent", "fails"]);
    let all: String = (1..=3000).map(|line| format!("líne {line}\n")).collect();
    let error = ran.stderr.strip_prefix(&all).unwrap();
    let beginning =
        "error: agent `fails` exited with code 1\n  because: the last it said on stderr:\n";
    let told = error.strip_prefix(beginning).unwrap();
    let told: Vec<&str> = told
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .collect();
    let whole: Vec<&str> = all.lines().collect();
    assert_eq!(told, whole[whole.len() - told.len()..]);
    assert!((100..2900).contains(&told.len()), "{}", told.len());
}

/// Lines that come through a pipe, read as they come.
struct Lines(Receiver<String>);

impl Lines {
    fn of(pipe: impl Read + Send + 'static) -> Self {
        Self::reading(move || Some(Box::new(pipe)))
    }

    fn reading(open: impl FnOnce() -> Option<Box<dyn Read>> + Send + 'static) -> Self {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(open().unwrap()).lines() {
                if sender.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        Self(receiver)
    }

    #[track_caller]
    fn next(&self) -> String {
        self.0.recv_timeout(FOREVER).unwrap()
    }

    /// What is left, up to the end: it comes when nobody holds the other side of the pipe.
    #[track_caller]
    fn rest(&self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.0.recv_timeout(FOREVER) {
                Ok(line) => lines.push(line),
                Err(mpsc::RecvTimeoutError::Disconnected) => return lines,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    panic!("somebody holds the pipe: {lines:?}")
                }
            }
        }
    }
}

#[test]
fn stderr_is_shown_while_the_agent_works() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    environment.shell("mkfifo go");
    environment.program(
        "works",
        "echo 'reading the plan' >&2\nread word <go\necho $word >&2\nexit 1",
    );
    let mut child = environment.spawn(&["thread", "step", &thread, "--agent", "works"]);
    let lines = Lines::of(child.stderr.take().unwrap());
    assert_eq!(lines.next(), "reading the plan");
    // It waits for this line, so what was read above was shown while it worked.
    fs::write(environment.work().join("go"), "writing\n").unwrap();
    assert_eq!(lines.next(), "writing");
    assert_eq!(lines.next(), "error: agent `works` exited with code 1");
    lines.rest();
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

/// A pipe that an agent and all it starts hold open: it ends when none of them is left.
fn leash(environment: &Environment) -> Lines {
    environment.shell("mkfifo leash");
    let path = environment.work().join("leash");
    Lines::reading(move || Some(Box::new(fs::File::open(path).unwrap())))
}

/// An agent with a child and a grandchild; all hold the leash.
const FAMILY: &str = r#"
exec 3>leash
echo partial
sleep 1000 &
(
  sleep 1000 &
  outsider
  echo 'family' >&3
  wait
) &
"#;

/// A grandchild in a session of its own.
const OUTSIDER: &str = "if command -v setsid >/dev/null; then setsid sleep 1000 & fi";

/// Writes an agent that waits for its family.
fn family(environment: &Environment, name: &str) {
    environment.program(name, &format!("outsider() {{ {OUTSIDER}; }}\n{FAMILY}wait"));
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// How `uwf` ended, and what it said on stderr.
#[track_caller]
fn end_of(child: Child) -> (Option<i32>, String, String) {
    let ran = Ran::from(child.wait_with_output().unwrap());
    (ran.code, ran.stdout, ran.stderr)
}

/// The thread did not move, an attempt of this class is on record, and the thread can be stepped.
#[track_caller]
fn unharmed(environment: &Environment, thread: &str, start: &str, attempt: [&str; 2]) {
    assert_eq!(environment.head(thread), start);
    let attempts = environment.attempts(thread);
    assert_eq!(attempts.len(), 1);
    assert_eq!([&attempts[0]["class"], &attempts[0]["message"]], attempt);
    assert_eq!(
        environment.payload(attempts[0]["output"].as_str().unwrap()),
        "partial\n"
    );
    advance(environment, thread);
}

#[test]
fn an_agent_that_takes_too_long_is_ended_with_all_it_started() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let start = environment.head(&thread);
    family(&environment, "slow");
    environment.write_in_root(
        "config.yaml",
        "agents: {slow: {command: slow, timeout: 1s}}",
    );
    let leash = leash(&environment);
    let ran = environment.run(&["thread", "step", &thread, "--agent", "slow"]);
    assert_eq!(leash.rest(), ["family"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""));
    let message = "agent `slow` was not done within 1 s, and was ended";
    assert!(
        ran.stderr.starts_with(&format!("error: {message}\n")),
        "{}",
        ran.stderr
    );
    unharmed(&environment, &thread, &start, ["timeout", message]);
}

#[test]
fn an_agent_that_is_silent_too_long_is_ended_with_all_it_started() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let start = environment.head(&thread);
    family(&environment, "slow");
    environment.write_in_root(
        "config.yaml",
        "agents: {slow: {command: slow, idleTimeout: 1s}}",
    );
    let leash = leash(&environment);
    let ran = environment.run(&["thread", "step", &thread, "--agent", "slow"]);
    assert_eq!(leash.rest(), ["family"]);
    let message = "agent `slow` was silent for 1 s, and was ended";
    assert!(
        ran.stderr.starts_with(&format!("error: {message}\n")),
        "{}",
        ran.stderr
    );
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""));
    unharmed(&environment, &thread, &start, ["idle", message]);
}

#[test]
fn ctrl_c_ends_the_agent_with_all_it_started() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let start = environment.head(&thread);
    family(&environment, "slow");
    let leash = leash(&environment);
    let child = environment.spawn(&["thread", "step", &thread, "--agent", "slow"]);
    assert_eq!(leash.next(), "family");
    signal(&child, Signal::INT);
    let (code, stdout, stderr) = end_of(child);
    assert_eq!(leash.rest(), Vec::<String>::new());
    assert_eq!((code, stdout.as_str()), (Some(130), ""));
    let message = "agent `slow` was interrupted by SIGINT";
    assert!(
        stderr.starts_with(&format!("error: {message}\n")),
        "{stderr}"
    );
    unharmed(&environment, &thread, &start, ["interrupted", message]);
}

#[test]
fn a_kill_ends_the_agent_with_all_it_started() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let start = environment.head(&thread);
    family(&environment, "slow");
    let leash = leash(&environment);
    let arguments = [
        "thread",
        "step",
        &thread,
        "-c",
        "3",
        "--agent",
        "slow",
        "--protocol",
        "markdown",
    ];
    let child = environment.spawn(&arguments);
    assert_eq!(leash.next(), "family");
    signal(&child, Signal::TERM);
    let (code, stdout, stderr) = end_of(child);
    assert_eq!(leash.rest(), Vec::<String>::new());
    assert_eq!((code, stdout.as_str()), (Some(143), ""));
    let message = "agent `slow` was interrupted by SIGTERM";
    assert!(
        stderr.starts_with(&format!("error: {message}\n")),
        "{stderr}"
    );
    assert_eq!(environment.head(&thread), start);
    let attempts = environment.attempts(&thread);
    assert_eq!(
        [&attempts[0]["class"], &attempts[0]["message"]],
        ["interrupted", message]
    );
    // A protocol with turns keeps what was said as one.
    let detail = environment.payload(attempts[0]["output"].as_str().unwrap());
    assert_eq!(
        environment.payload(detail["turns"][0].as_str().unwrap())["content"],
        "partial\n"
    );
    advance(&environment, &thread);
}

/// Neither the agent nor its child nor its grandchild heeds a request to end; it says when it got
/// one.
const STUBBORN: &str = r#"
trap '' INT TERM
exec 3>leash
echo partial
(sleep 1000 & wait) &
trap 'echo asked >&3' INT TERM
echo family >&3
while :; do sleep 0.05; done
"#;

#[test]
fn an_agent_that_ignores_requests_to_end_is_killed_with_all_it_started() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let start = environment.head(&thread);
    environment.program("stubborn", STUBBORN);
    let leash = leash(&environment);
    let child = environment.spawn(&["thread", "step", &thread, "--agent", "stubborn"]);
    assert_eq!(leash.next(), "family");
    signal(&child, Signal::TERM);
    let (code, stdout, stderr) = end_of(child);
    assert_eq!(leash.rest(), ["asked"]);
    assert_eq!((code, stdout.as_str()), (Some(143), ""), "{stderr}");
    let message = "agent `stubborn` was interrupted by SIGTERM";
    unharmed(&environment, &thread, &start, ["interrupted", message]);
}

#[test]
fn a_second_ctrl_c_kills_an_agent_at_once() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let start = environment.head(&thread);
    environment.program("stubborn", STUBBORN);
    let leash = leash(&environment);
    let child = environment.spawn(&["thread", "step", &thread, "--agent", "stubborn"]);
    assert_eq!(leash.next(), "family");
    signal(&child, Signal::INT);
    // It was asked, so the first is noted.
    assert_eq!(leash.next(), "asked");
    signal(&child, Signal::INT);
    let (code, stdout, stderr) = end_of(child);
    assert_eq!(leash.rest(), Vec::<String>::new());
    assert_eq!((code, stdout.as_str()), (Some(130), ""), "{stderr}");
    let message = "agent `stubborn` was interrupted by SIGINT";
    unharmed(&environment, &thread, &start, ["interrupted", message]);
}

#[test]
fn what_an_agent_leaves_behind_is_ended_and_costs_nothing() {
    let environment = Environment::new();
    let thread = environment.thread_of(DRAFT);
    let step = put(&environment, STEP, &next_step(&environment, &thread));
    // The children hold the agent's stdout and stderr as well.
    let script = format!("outsider() {{ :; }}\n{FAMILY}read ready <ready\necho {step}");
    environment.program("careless", &script);
    environment.shell("mkfifo ready");
    let leash = leash(&environment);
    let child = environment.spawn(&["thread", "step", &thread, "--agent", "careless"]);
    assert_eq!(leash.next(), "family");
    fs::write(environment.work().join("ready"), "go\n").unwrap();
    let (code, stdout, stderr) = end_of(child);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert_eq!(
        serde_json::from_str::<Value>(&stdout).unwrap()["head"],
        json!(step)
    );
    assert_eq!(leash.rest(), Vec::<String>::new());
}
