//! What agents start and let go of: nothing of it outlives an interruption or a timeout, and what
//! a finished agent did outlives a signal.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Child;

use serde_json::json;

use crate::environment::{Environment, Ran, wait_until};

/// Starts a daemon, and one of that daemon, which do this when they are asked to end. Both note
/// their ids in the file `pids` of the agent's folder.
fn daemons(name: &str, when_asked: &str) -> String {
    format!(
        "(setsid sh -c '
    trap \"{when_asked}\" TERM
    echo $$ >>pids
    (setsid sleep 300 & echo $! >>pids)
    mkdir up-{name}
    n=0; while [ $n -lt 600 ]; do sleep 0.5; n=$((n+1)); done
' >/dev/null 2>&1 &)
until [ -e up-{name} ]; do sleep 0.02; done
"
    )
}

const IGNORE: &str = "";
const OBEY: &str = "exit";

/// Begins a step with a program that is `working` when this returns.
fn begin_step(environment: &Environment, thread: &str, more: &[&str]) -> Child {
    let step = ["thread", "step", thread, "--protocol", "markdown"];
    let step = environment.spawn(&[step.as_slice(), more].concat());
    wait_until("the agent is at work", || {
        environment.work().join("working").exists()
    });
    step
}

fn interrupt(environment: &Environment, step: Child, signal: &str) -> Ran {
    let pid = step.id();
    assert_eq!(
        environment.shell(&format!("kill -{signal} {pid}")).code,
        Some(0)
    );
    Ran::from(step.wait_with_output().unwrap())
}

/// The ids that daemons have noted.
fn noted(environment: &Environment) -> Vec<String> {
    let pids = std::fs::read_to_string(environment.work().join("pids")).unwrap();
    pids.lines().map(str::to_owned).collect()
}

fn is_there(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

#[track_caller]
fn assert_gone(pids: &[String], count: usize) {
    assert_eq!(pids.len(), count, "{pids:?}");
    for pid in pids {
        assert!(!is_there(pid), "{pid} is still there");
    }
}

#[test]
fn daemons_do_not_outlive_ctrl_c_and_term() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let environment = Environment::with_relay();
        let daemons = daemons("x", IGNORE);
        environment.program("daemonic", &format!("{daemons}mkdir working\nsleep 345"));
        let thread = environment.start("relay", "a poem");
        let step = begin_step(&environment, &thread, &["--agent", "daemonic"]);
        let ran = interrupt(&environment, step, signal);
        assert_eq!(ran.code, Some(code), "{}", ran.stderr);
        assert_gone(&noted(&environment), 2);
    }
}

#[test]
fn daemons_do_not_outlive_a_timeout() {
    let environment = Environment::with_relay();
    let daemons = daemons("x", IGNORE);
    environment.program("daemonic", &format!("{daemons}echo up >&2\nsleep 345"));
    environment.write_in_root(
        "config.yaml",
        "agents:\n  x: {command: daemonic, protocol: markdown, idleTimeout: 3s}\n",
    );
    let thread = environment.start("relay", "a poem");
    let ran = environment.run(&["thread", "step", &thread, "--agent", "x"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stderr.contains("was silent for 3 s"), "{}", ran.stderr);
    assert_gone(&noted(&environment), 2);
}

#[test]
fn daemons_of_a_run_within_a_run_do_not_outlive_the_outer_one() {
    let environment = Environment::with_relay();
    let program = |name, then| format!("{}{then}", daemons(name, OBEY));
    environment.program("daemonic", &program("inner", "mkdir working\nsleep 345"));
    let inner = environment.start("relay", "a poem");
    let step = format!("uwf thread step {inner} --agent daemonic --protocol markdown");
    environment.program("outer", &program("outer", &step));
    let outer = environment.start("relay", "a poem about a poem");
    let step = begin_step(&environment, &outer, &["--agent", "outer"]);
    let ran = interrupt(&environment, step, "TERM");
    assert_eq!(ran.code, Some(143), "{}", ran.stderr);
    assert_gone(&noted(&environment), 4);
    for thread in [inner, outer] {
        let attempts = environment.read_in_root(&format!("attempts/{thread}.jsonl"));
        assert!(attempts.contains(r#""class":"interrupted""#), "{attempts}");
    }
}

#[test]
fn what_an_agent_leaves_on_purpose_outlives_it_and_the_interruption_of_the_next() {
    let environment = Environment::with_relay();
    // It is not there for ever, should this fail.
    let server = "(setsid sh -c 'echo $$ >pids; mkdir up; exec sleep 300' >/dev/null 2>&1 &)
until [ -e up ]; do sleep 0.02; done
printf -- '---\\ntitle: T\\n---\\n'";
    environment.program(
        "serve",
        &format!("if [ -e up ]; then mkdir working; sleep 345; fi\n{server}"),
    );
    let thread = environment.start("relay", "a poem");
    let steps = begin_step(&environment, &thread, &["--agent", "serve", "-c", "2"]);
    let ran = interrupt(&environment, steps, "TERM");
    assert_eq!(ran.code, Some(143), "{}", ran.stderr);
    let servers = noted(&environment);
    assert_eq!(servers.len(), 1);
    assert!(is_there(&servers[0]));
    environment.shell(&format!("kill -KILL {}", servers[0]));
}

#[test]
fn the_step_of_an_agent_that_had_ended_outlives_a_signal() {
    let environment = Environment::with_relay();
    // Its child sends the signal when the agent has ended, and its output has not.
    environment.program(
        "finished",
        "(trap '' TERM
until grep -q '^State:.Z' /proc/$$/status; do sleep 0.01; done
kill -TERM $PPID) &
printf -- '---\\ntitle: T\\n---\\nPaid for.\\n'",
    );
    let thread = environment.start("relay", "a poem");
    let arguments = ["thread", "step", &thread, "--agent", "finished"];
    let ran = environment.run(&[arguments.as_slice(), &["--protocol", "markdown"]].concat());
    assert_eq!(ran.code, Some(143), "{}", ran.stderr);
    let steps = environment.json(&["thread", "steps", &thread]);
    assert_eq!(steps["steps"][1]["role"], json!("writer"), "{steps}");
    let read = environment.ok(&["thread", "read", &thread]);
    assert!(read.contains("Paid for."), "{read}");
    assert!(!environment.root().join("attempts").exists());
}
