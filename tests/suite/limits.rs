//! What an agent may take and how its prompt reaches it: by entry, and by call.

use std::fs;
use std::os::unix::fs::symlink;

use crate::environment::{Environment, Ran};

const ANSWER: &str = "printf -- '---\\ntitle: T\\n---\\n'";

fn configured(entry: &str) -> (Environment, String) {
    let (environment, thread) = Environment::with_draft();
    environment.write_in_root("config.yaml", &format!("agents: {{a: {{{entry}}}}}\n"));
    (environment, thread)
}

fn step(environment: &Environment, thread: &str, more: &[&str]) -> Ran {
    environment.run(&[&["thread", "step", thread, "--agent", "a"], more].concat())
}

#[test]
fn a_limit_of_the_call_counts_before_the_one_of_the_entry() {
    let (environment, thread) = configured("command: slow, timeout: 1h, idleTimeout: 1h");
    environment.program("slow", "sleep 1000");
    let ran = step(&environment, &thread, &["--timeout", "100ms"]);
    ran.assert_no_result(3);
    ran.assert_begins("error: agent `a` was not done within 100 ms, and was ended\n");
    let ran = step(&environment, &thread, &["--idle-timeout", "100ms"]);
    ran.assert_no_result(3);
    ran.assert_begins("error: agent `a` was silent for 100 ms, and was ended\n");
    let classes: Vec<_> = environment
        .attempts(&thread)
        .iter()
        .map(|attempt| attempt["class"].clone())
        .collect();
    assert_eq!(classes, ["timeout", "idle"]);
}

#[test]
fn a_limit_is_off_by_a_word() {
    let (environment, thread) = configured("command: a, protocol: markdown, timeout: 1ms");
    environment.program("a", ANSWER);
    step(&environment, &thread, &["--timeout", "off"]).assert_clean();
}

#[test]
fn a_budget_is_told_to_who_can_keep_it() {
    let (environment, thread) = configured("command: a, protocol: markdown, maxBudgetUsd: 2.50");
    environment.program(
        "a",
        &format!("printf '%s' \"$UWF_MAX_BUDGET_USD\" >>budget.txt\n{ANSWER}"),
    );
    step(&environment, &thread, &[]).assert_clean();
    let budget = fs::read_to_string(environment.work().join("budget.txt")).unwrap();
    assert_eq!(budget, "2.5");

    let (environment, thread) = configured("command: uwf-mock, args: [script.yaml]");
    environment.write(
        "script.yaml",
        "writer: [{answer: \"---\\ntitle: T\\n---\\n\"}]\n",
    );
    let ran = step(&environment, &thread, &["--max-budget-usd", "1"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.stderr,
        "warning: agent `a` is not told what its model costs: `maxBudgetUsd` means nothing\n"
    );
}

#[test]
fn a_prompt_goes_where_the_entry_says_and_a_long_one_by_stdin() {
    let keep = format!("printf '%s' \"$1\" >argument.txt\ncat >stdin.txt\n{ANSWER}");
    let (environment, thread) =
        configured("command: a, args: [], protocol: markdown, prompt: argument");
    environment.program("a", &keep);
    let read = |environment: &Environment, name: &str| {
        fs::read_to_string(environment.work().join(name)).unwrap()
    };
    step(&environment, &thread, &[]).assert_clean();
    assert!(read(&environment, "argument.txt").contains("A poem about rust"));
    assert_eq!(read(&environment, "stdin.txt"), "");

    environment.write("task.txt", &"x".repeat(200_000));
    let started = environment.json(&["thread", "start", "draft", "--prompt-file", "task.txt"]);
    let long = started["thread"].as_str().unwrap();
    step(&environment, long, &[]).assert_clean();
    assert_eq!(read(&environment, "argument.txt"), "");
    assert!(read(&environment, "stdin.txt").contains(&"x".repeat(200_000)));

    let (environment, thread) = configured("command: a, protocol: json, prompt: stdin");
    environment.program(
        "a",
        "printf '%s' \"$4\" >argument.txt\ncat >stdin.txt\n\
         printf '{\"meta\": {\"title\": \"T\"}, \"content\": \"\"}'",
    );
    step(&environment, &thread, &[]).assert_clean();
    assert_eq!(read(&environment, "argument.txt"), "-");
    assert!(read(&environment, "stdin.txt").contains("A poem about rust"));

    let (environment, thread) = configured("command: uwf-mock, args: [script.yaml], prompt: stdin");
    environment.write(
        "script.yaml",
        "writer: [{answer: \"---\\ntitle: T\\n---\\n\"}]\n",
    );
    assert_eq!(
        step(&environment, &thread, &[]).stderr,
        "warning: agent `a` is on protocol `cas` and is given no prompt: `prompt` means nothing\n"
    );
}

#[test]
fn the_call_says_which_variables_go_to_the_agent_and_how_its_prompt_does() {
    let (environment, thread) = Environment::with_draft();
    environment.write_in_root(".env", "FIRST=1\nSECOND=2\nTHIRD=3\n");
    environment.program(
        "a",
        &format!("printf '%s' \"$1\" >argument.txt\nenv >env.txt\ncat >stdin.txt\n{ANSWER}"),
    );
    let by_call = ["--protocol", "markdown", "--prompt-by", "argument"];
    let names = ["--env", "FIRST", "--env", "THIRD"];
    step(&environment, &thread, &[&by_call[..], &names].concat()).assert_clean();
    let read = |name: &str| fs::read_to_string(environment.work().join(name)).unwrap();
    assert!(read("argument.txt").contains("A poem about rust"));
    assert_eq!(read("stdin.txt"), "");
    let given = read("env.txt");
    let has = |line: &str| given.lines().any(|it| it == line);
    assert!(has("FIRST=1") && has("THIRD=3"), "{given}");
    assert!(!given.contains("SECOND"), "{given}");
    assert_eq!(
        step(&environment, &thread, &["--env", "KEY=sk-secret"]),
        Ran::refused(
            2,
            "error: `--env` takes the name of a variable: write `KEY` alone, its value belongs in \
             .env\n"
        )
    );
}

#[test]
fn a_program_on_path_comes_before_the_agent_in_the_binary() {
    let (environment, thread) = Environment::with_draft();
    environment.program("uwf-mock", "echo \"mine: $UWF_AGENT\" >&2\nexit 5");
    let ran = environment.step_by(&thread, "uwf-mock script.yaml");
    ran.assert_no_result(3);
    ran.assert_begins("mine: uwf-mock\nerror: agent `uwf-mock` exited with code 5\n");
}

#[test]
fn the_binary_is_the_agent_by_whose_name_it_is_called() {
    let (environment, thread) = Environment::with_draft();
    let script = environment.write(
        "script.yaml",
        "writer: [{answer: \"---\\ntitle: T\\n---\\n\"}]\n",
    );
    let link = environment.work().join("uwf-mock");
    symlink(env!("CARGO_BIN_EXE_uwf"), &link).unwrap();
    let agent = format!("{} {}", link.display(), script.display());
    environment.step_by(&thread, &agent).assert_clean();

    // By hand, as the original's engine does it.
    let by_hand = format!("UWF_EDGE_PROMPT='Say it' {agent} {thread} writer");
    let ran = environment.shell(&by_hand);
    ran.assert_clean();
    let step = environment.payload(ran.stdout.trim());
    assert_eq!(step["edgePrompt"], "Say it");
    assert_eq!(step["prev"], environment.head(&thread).as_str());
    let ran = environment.shell(&format!("{agent} {thread} writer"));
    assert_eq!(
        ran,
        Ran::refused(
            1,
            "error: UWF_EDGE_PROMPT is not set: it holds what the role is to do in this turn\n\
             hint: `uwf thread step` sets it and runs the agent; to run one by hand, set it to \
             what is to be done\n"
        )
    );
}
