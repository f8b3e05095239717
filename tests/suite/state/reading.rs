//! Commands that only read, and commands that are refused, change nothing.

use std::fs;

use super::UNKNOWN;
use crate::environment::Environment;

#[test]
fn in_an_empty_home_no_command_that_reads_or_is_refused_creates_anything() {
    let environment = Environment::new();
    environment.write("bad.yaml", "name: good\n");
    let before = fs::read_dir(environment.work()).unwrap().count();
    let cases: [(&[&str], i32, &str); 31] = [
        (&["workflow", "list"], 0, "[]\n"),
        (&["workflow", "list", "--format", "yaml"], 0, "[]\n"),
        (&["workflow", "show", "relay"], 1, ""),
        (&["workflow", "show", "6HA1S8JMB29J3"], 1, ""),
        (&["workflow", "show", "./bad.yaml"], 1, ""),
        (&["workflow", "put", "bad.yaml"], 1, ""),
        (&["workflow", "put", "absent.yaml"], 1, ""),
        (&["thread", "list"], 0, "[]\n"),
        (&["thread", "list", "--all"], 0, "[]\n"),
        (&["thread", "show", UNKNOWN], 1, ""),
        (&["thread", "steps", UNKNOWN], 1, ""),
        (&["thread", "read", UNKNOWN], 1, ""),
        (&["thread", "step", UNKNOWN, "--agent", "true"], 1, ""),
        (&["thread", "step", UNKNOWN, "-c", "0"], 2, ""),
        (&["thread", "kill", UNKNOWN], 1, ""),
        (&["thread", "fork", "56XFMVXEJ5CJ5"], 1, ""),
        (&["thread", "step-details", "56XFMVXEJ5CJ5"], 1, ""),
        (&["thread", "start", "relay", "-p", "x"], 1, ""),
        (&["thread", "start", "./bad.yaml", "-p", "x"], 1, ""),
        (&["cas", "get", "56XFMVXEJ5CJ5"], 1, ""),
        (&["cas", "has", "56XFMVXEJ5CJ5"], 1, "{\"exists\":false}\n"),
        (&["cas", "refs", "56XFMVXEJ5CJ5"], 1, ""),
        (&["cas", "walk", "56XFMVXEJ5CJ5"], 0, "{\"hashes\":[]}\n"),
        (
            &["cas", "schema", "get", "86N29KJ2R9X6K"],
            0,
            "{\"type\":\"string\"}\n",
        ),
        (&["cas", "schema", "get", "56XFMVXEJ5CJ5"], 1, ""),
        (&["cas", "put", "86N29KJ2R9X6K", "5"], 1, ""),
        (&["cas", "put", "86N29KJ2R9X6K", "absent.json"], 1, ""),
        (&["cas", "put", "56XFMVXEJ5CJ5", "5"], 1, ""),
        (&["cas", "reindex"], 0, "{\"status\":\"reindexed\"}\n"),
        (&["thread", "frobnicate"], 2, ""),
        (&["--version"], 0, "uwf 0.1.0\n"),
    ];
    for (arguments, code, stdout) in cases {
        let ran = environment.run(arguments);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(code), stdout),
            "{arguments:?}: {ran:?}"
        );
        assert_eq!(
            ran.stderr.is_empty(),
            !stdout.is_empty(),
            "{arguments:?}: {ran:?}"
        );
        assert!(
            !environment.root().exists(),
            "{arguments:?} created the storage root"
        );
    }
    assert_eq!(fs::read_dir(environment.home()).unwrap().count(), 0);
    assert_eq!(fs::read_dir(environment.work()).unwrap().count(), before);
}

#[test]
fn in_a_full_root_no_command_that_is_refused_changes_anything() {
    let environment = Environment::with_golden_store();
    environment.write("bad.yaml", "name: good\n");
    let before = environment.snapshot();
    let done = "06H2S7SN4W24ANMYFNWWF49HHW";
    let cases: [(&[&str], i32); 20] = [
        (&["workflow", "show", "nothing"], 1),
        (&["workflow", "show", "56XFMVXEJ5CJ5"], 1),
        (&["workflow", "put", "bad.yaml"], 1),
        (&["thread", "show", UNKNOWN], 1),
        (&["thread", "steps", UNKNOWN], 1),
        (&["thread", "read", UNKNOWN], 1),
        (
            &[
                "thread",
                "read",
                "06H2S7T0SYTNXJYWQYS40BBMNR",
                "--before",
                "6HA1S8JMB29J3",
            ],
            1,
        ),
        (&["thread", "step", UNKNOWN, "--agent", "true"], 1),
        (&["thread", "step", done, "--agent", "true"], 1),
        (&["thread", "kill", UNKNOWN], 1),
        (&["thread", "kill", done], 1),
        (&["thread", "fork", "0000000000000"], 1),
        (&["thread", "step-details", "0RED5J61WBD57"], 1),
        (&["thread", "start", "nothing", "-p", "x"], 1),
        (&["thread", "start", "56XFMVXEJ5CJ5", "-p", "x"], 1),
        (
            &[
                "thread",
                "start",
                "triage-report",
                "-p",
                "x",
                "--cwd",
                "absent",
            ],
            1,
        ),
        (&["cas", "get", "0000000000000"], 1),
        (&["cas", "put", "2173296RVFE27", "{}"], 1),
        (&["cas", "put", "56XFMVXEJ5CJ5", "{}"], 1),
        (&["cas", "schema", "get", "56XFMVXEJ5CJ5"], 1),
    ];
    for (arguments, code) in cases {
        let ran = environment.run(arguments);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(code), ""),
            "{arguments:?}: {ran:?}"
        );
        assert!(
            before == environment.snapshot(),
            "{arguments:?} has written"
        );
    }
}

#[test]
fn to_fork_or_look_into_a_node_that_is_no_step_is_no_damage() {
    let environment = Environment::with_golden_store();
    for command in ["fork", "step-details"] {
        let ran = environment.run(&["thread", command, "6HA1S8JMB29J3"]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(1), ""),
            "{}",
            ran.stderr
        );
        assert!(ran.stderr.contains("6HA1S8JMB29J3"), "{}", ran.stderr);
        assert!(
            !ran.stderr.contains("the head"),
            "no head was asked for: {}",
            ran.stderr
        );
        assert!(
            !ran.stderr.contains("damaged"),
            "nothing is damaged: {}",
            ran.stderr
        );
    }
}
