//! `--long`: how threads stand; and `thread list` by status, workflow and number.

use std::fs;

use serde_json::{Value, json};

use crate::environment::{DRAFT, Environment, RELAY};
use crate::state::{begin_slow_step, let_go};

const THREAD: &str = "06H2S7T0SYTNXJYWQYS40BBMNR";

/// The keys that `--long` adds to those of the original, as they are printed.
fn added(value: &Value, original: usize) -> Vec<&str> {
    let keys = value.as_object().unwrap().keys();
    keys.map(String::as_str).skip(original).collect()
}

fn show(environment: &Environment, thread: &str) -> Value {
    environment.json(&["thread", "show", thread, "--long"])
}

#[test]
fn threads_of_the_original_are_told_with_all_that_is_known() {
    let environment = Environment::with_golden_store();
    let before = environment.snapshot();
    assert_eq!(
        environment.ok(&["thread", "list", "--all", "--long"]),
        "[{\"thread\":\"06H2S7T0SYTNXJYWQYS40BBMNR\",\"workflow\":\"6HA1S8JMB29J3\",\
         \"head\":\"56XFMVXEJ5CJ5\",\"status\":\"active\",\"next\":\"checker\",\"steps\":4,\
         \"lastAttempt\":null,\"cwd\":null,\"startedAt\":1796044961065,\"updatedAt\":1796044963042},\
         {\"thread\":\"06H2S7TA9T8B340D04DAXMJ56W\",\"workflow\":\"6HA1S8JMB29J3\",\
         \"head\":\"5ZDNP8G82TBBT\",\"status\":\"active\",\"next\":\"collector\",\"steps\":0,\
         \"lastAttempt\":null,\"cwd\":null,\"startedAt\":1796044966479,\"updatedAt\":1796044966479},\
         {\"thread\":\"06H2S7SN4W24ANMYFNWWF49HHW\",\"workflow\":\"6HA1S8JMB29J3\",\
         \"head\":\"BRB4722M3Y7T7\",\"status\":\"completed\",\"next\":null,\"steps\":5,\
         \"lastAttempt\":null,\"cwd\":null,\"startedAt\":1796044961065,\"updatedAt\":1796044963544},\
         {\"thread\":\"06H2S7T4PCHB3EJSX9FV4HQ570\",\"workflow\":\"6HA1S8JMB29J3\",\
         \"head\":\"95EECVDJRHA3X\",\"status\":\"killed\",\"next\":null,\"steps\":1,\
         \"lastAttempt\":null,\"cwd\":null,\"startedAt\":1796044965045,\"updatedAt\":1796044966176}]\n"
    );
    assert_eq!(
        environment.ok(&["thread", "show", THREAD, "--long", "--format", "yaml"]),
        "workflow: 6HA1S8JMB29J3
thread: 06H2S7T0SYTNXJYWQYS40BBMNR
head: 56XFMVXEJ5CJ5
done: false
status: active
next: checker
steps: 4
lastAttempt: null
cwd: null
startedAt: 1796044961065
updatedAt: 1796044963042
durationMs: 0
turns: 4
usage: null
"
    );
    let steps = environment.json(&["thread", "steps", "06H2S7SN", "--long"]);
    let steps = steps["steps"].as_array().unwrap();
    assert_eq!(added(&steps[0], 4), [""; 0]);
    let told: Vec<Value> = steps[1..]
        .iter()
        .map(|step| {
            assert_eq!(
                added(step, 6),
                [
                    "edgePrompt",
                    "durationMs",
                    "visit",
                    "model",
                    "turns",
                    "usage"
                ]
            );
            json!([
                step["role"],
                step["edgePrompt"],
                step["durationMs"],
                step["visit"]
            ])
        })
        .collect();
    assert_eq!(
        told,
        [
            json!(["collector", "Collect every failing check.", 0, 1]),
            json!(["writer", "Write the report from the failures.", 0, 1]),
            json!(["checker", "Check the report against the failures.", 0, 1]),
            json!(["writer", "Add what the checker found missing.", 0, 2]),
            json!(["checker", "Check the report against the failures.", 0, 2]),
        ]
    );
    assert!(before == environment.snapshot(), "reading has written");
}

#[test]
fn a_step_tells_how_the_thread_stands_after_it() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let step = [
        "thread", "step", "@", "--agent", "answer", "--long", "-c", "2",
    ];
    let stepped = environment.json(&[&step[..], &["--protocol", "markdown"]].concat());
    let told = |result: &Value| {
        assert_eq!(
            added(result, 4),
            [
                "status",
                "next",
                "steps",
                "lastAttempt",
                "cwd",
                "startedAt",
                "updatedAt"
            ]
        );
        json!([
            result["status"],
            result["next"],
            result["steps"],
            result["cwd"]
        ])
    };
    let work = environment.work().canonicalize().unwrap();
    assert_eq!(told(&stepped[0]), json!(["active", "reviewer", 1, work]));
    assert_eq!(told(&stepped[1]), json!(["completed", null, 2, work]));
    assert_eq!(show(&environment, &thread)["status"], "completed");
    let detail = environment.json(&["thread", "steps", &thread, "--long"]);
    assert!(detail["steps"][1]["durationMs"].is_u64(), "{detail}");
}

#[test]
fn a_running_step_is_told_with_its_process_and_its_beginning() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let idle = environment.start("relay", "another");
    let working = begin_slow_step(&environment, &thread);
    let before = environment.snapshot();
    let shown = show(&environment, &thread);
    assert_eq!(
        added(&shown, 4)[..4],
        ["status", "pid", "since", "next"],
        "{shown}"
    );
    assert_eq!(
        [&shown["status"], &shown["pid"], &shown["next"]],
        [&json!("running"), &json!(working.id()), &json!("writer")]
    );
    assert!(shown["since"].as_u64() >= shown["startedAt"].as_u64());
    assert_eq!(shown["updatedAt"], shown["since"]);
    let listed = |status| environment.json(&["thread", "list", "--status", status]);
    assert_eq!(listed("running")[0]["thread"], json!(thread));
    assert_eq!(listed("active")[0]["thread"], json!(idle));
    assert!(before == environment.snapshot(), "looking has written");

    assert_eq!(let_go(&environment, working).code, Some(0));
    let shown = show(&environment, &thread);
    assert_eq!(shown["status"], "active");
    assert_eq!(shown.get("pid"), None);
}

#[test]
fn a_failed_step_is_told_until_one_succeeds() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    environment.program("broken", "exit 3");
    let ran = environment.step_with(&thread, "broken", "markdown");
    assert_eq!(ran.code, Some(3));
    let shown = show(&environment, &thread);
    assert_eq!([&shown["status"], &shown["next"]], ["failed", "writer"]);
    let attempt = &shown["lastAttempt"];
    assert_eq!(
        *attempt,
        json!({
            "time": attempt["time"],
            "role": "writer",
            "agent": "broken",
            "class": "exit",
            "message": "agent `broken` exited with code 3",
            "output": null,
        })
    );
    assert_eq!(shown["updatedAt"], attempt["time"]);
    let failed = environment.json(&["thread", "list", "--status", "failed"]);
    assert_eq!(failed[0]["thread"], json!(thread));
    assert_eq!(added(&failed[0], 3), [""; 0], "the plain list stays plain");

    assert_eq!(environment.step(&thread).code, Some(0));
    let shown = show(&environment, &thread);
    assert_eq!([&shown["status"], &shown["next"]], ["active", "reviewer"]);
    assert_eq!(shown["lastAttempt"]["class"], "exit");
}

#[test]
fn when_the_moderator_cannot_decide_it_is_said_why() {
    let environment = Environment::new();
    let thread = environment
        .thread_of(&DRAFT.replace("    - {role: $END, prompt: The text is accepted.}\n", ""));
    environment.printing("write", "---\ntitle: T\n---\n");
    environment.printing("accept", "---\naccepted: true\n---\n");
    environment.step_with(&thread, "write", "markdown");
    let ran = environment.run(&[
        "thread",
        "step",
        &thread,
        "--agent",
        "accept",
        "--protocol",
        "markdown",
        "--long",
    ]);
    assert_eq!(ran.code, Some(5), "{ran:?}");
    let why = "cannot decide what follows `reviewer`: condition `rejected` does not hold, and \
               there is no other transition";
    for told in [ran.value(), show(&environment, &thread)] {
        assert_eq!(
            added(&told, 4)[..4],
            ["status", "next", "nextError", "steps"]
        );
        assert_eq!(
            [
                &told["status"],
                &told["next"],
                &told["nextError"],
                &told["steps"]
            ],
            [&json!("active"), &json!(null), &json!(why), &json!(2)]
        );
    }
}

#[test]
fn a_damaged_thread_is_told_as_far_as_it_is_known() {
    let environment = Environment::with_golden_store();
    fs::remove_file(environment.root().join("cas/81P904K6HWN7F.bin")).unwrap();
    let ran = environment.run(&["thread", "show", THREAD, "--long"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (
            Some(7),
            "{\"workflow\":\"6HA1S8JMB29J3\",\"thread\":\"06H2S7T0SYTNXJYWQYS40BBMNR\",\
             \"head\":\"56XFMVXEJ5CJ5\",\"done\":false,\
             \"error\":\"the step before 7J2PXS102TXFK is missing: there is no node 81P904K6HWN7F\",\
             \"status\":\"damaged\",\"next\":null,\"steps\":null,\"lastAttempt\":null,\"cwd\":null,\
             \"startedAt\":1796044961065,\"updatedAt\":1796044963042}\n"
        )
    );
    assert!(
        ran.stderr.starts_with(
            "error: the step before 7J2PXS102TXFK is missing: there is no node 81P904K6HWN7F\n"
        ),
        "{}",
        ran.stderr
    );
    let listed = environment.json(&["thread", "list", "--long", "--status", "damaged"]);
    assert_eq!(listed[0]["thread"], THREAD);
    assert_eq!(added(&listed[0], 3)[..2], ["error", "status"]);

    // Without its head nothing at all is known of the chain.
    fs::remove_file(environment.root().join("cas/56XFMVXEJ5CJ5.bin")).unwrap();
    let error = "the head is missing: there is no node 56XFMVXEJ5CJ5";
    let expected = json!({
        "thread": THREAD,
        "workflow": null,
        "head": "56XFMVXEJ5CJ5",
        "error": error,
        "status": "damaged",
        "next": null,
        "steps": null,
        "lastAttempt": null,
        "cwd": null,
        "startedAt": null,
        "updatedAt": null,
    });
    let listed = environment.json(&["thread", "list", "--long", "--limit", "1"]);
    assert_eq!(listed, json!([expected]));
    let ran = environment.run(&["thread", "show", THREAD, "--long"]);
    assert_eq!((ran.code, &ran.value()["error"]), (Some(7), &json!(error)));

    // How a thread was ended stays known.
    environment.run(&["thread", "kill", THREAD]);
    let ran = environment.run(&["thread", "show", THREAD, "--long"]);
    let shown = ran.value();
    assert_eq!(
        (ran.code, &shown["status"], &shown["error"]),
        (Some(7), &json!("killed"), &json!(error))
    );
}

#[test]
fn a_thread_whose_workflow_is_gone_is_damaged() {
    let environment = Environment::with_golden_store();
    fs::remove_file(environment.root().join("cas/6HA1S8JMB29J3.bin")).unwrap();
    let ran = environment.run(&["thread", "show", THREAD, "--long"]);
    let shown = ran.value();
    assert_eq!((ran.code, &shown["status"]), (Some(7), &json!("damaged")));
    // Without --long the workflow is not looked at, and people see more than programs do.
    let plain = ["thread", "show", THREAD, "--format"];
    assert_eq!(
        environment.run(&[&plain[..], &["json"]].concat()).code,
        Some(0)
    );
    let text = environment.run(&[&plain[..], &["text"]].concat());
    assert_eq!(text.code, Some(0));
    assert!(text.stdout.contains("\nstatus       damaged\n"), "{text:?}");
    assert_eq!(shown["steps"], 4, "the chain is whole");
    let error = shown["error"].as_str().unwrap();
    let missing = "the node 6HA1S8JMB29J3 is not in the store";
    assert!(error.starts_with(missing), "{error}");
}

#[test]
fn what_cannot_be_read_beside_the_chain_is_a_warning() {
    let environment = Environment::with_relay();
    let thread = environment.start("relay", "a poem");
    let name = format!("threads/{thread}.json");
    environment.write_in_root(&name, "{");
    environment.write_in_root(&format!("attempts/{thread}.jsonl"), "{\n");
    let ran = environment.run(&["thread", "list", "--long"]);
    assert_eq!(ran.code, Some(0));
    let listed = &ran.value()[0];
    assert_eq!(
        [&listed["status"], &listed["cwd"]],
        [&json!("active"), &json!(null)]
    );
    let path = |name: &str| environment.root().join(name).display().to_string();
    let warnings: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(
        warnings,
        [
            format!(
                "warning: cannot read what is known of the thread in {}: EOF while parsing an \
                 object at line 1 column 1",
                path(&name)
            ),
            format!(
                "warning: {}:1: skipped this line: EOF while parsing an object (column 1)",
                path(&format!("attempts/{thread}.jsonl"))
            ),
        ]
    );
}

#[test]
fn a_thread_begins_when_it_is_started_or_forked_though_its_start_is_older() {
    let environment = Environment::with_golden_store();
    let before = environment.json(&["cas", "get", "0RED5J61WBD57", "--timestamp"]);
    let same_prompt = before["payload"]["prompt"].as_str().unwrap();
    let started = environment.start("triage-report", same_prompt);
    let forked = environment.json(&["thread", "fork", "0RED5J61WBD57"])["thread"].clone();
    for thread in [&started, forked.as_str().unwrap()] {
        let recorded = environment.read_in_root(&format!("threads/{thread}.json"));
        let recorded: Value = serde_json::from_str(&recorded).unwrap();
        let shown = show(&environment, thread);
        assert_eq!(shown["head"], "0RED5J61WBD57");
        assert_eq!(shown["startedAt"], recorded["startedAt"]);
        assert_ne!(shown["startedAt"], before["timestamp"]);
    }
}

fn threads(listed: &Value) -> Vec<&str> {
    let listed = listed.as_array().unwrap().iter();
    listed
        .map(|entry| entry["thread"].as_str().unwrap())
        .collect()
}

#[test]
fn threads_are_listed_by_status_workflow_and_number() {
    let environment = Environment::with_golden_store();
    let listed = |options: &[&str]| environment.json(&[&["thread", "list"], options].concat());
    let (ended, killed) = ("06H2S7SN4W24ANMYFNWWF49HHW", "06H2S7T4PCHB3EJSX9FV4HQ570");
    let (first, second) = (THREAD, "06H2S7TA9T8B340D04DAXMJ56W");
    assert_eq!(threads(&listed(&["--status", "completed"])), [ended]);
    assert_eq!(threads(&listed(&["--status", "killed"])), [killed]);
    assert_eq!(threads(&listed(&["--status", "active"])), [first, second]);
    assert_eq!(threads(&listed(&["--status", "running"])), [""; 0]);
    assert_eq!(threads(&listed(&["--limit", "1"])), [first]);
    assert_eq!(threads(&listed(&["--limit", "0"])), [""; 0]);
    assert_eq!(
        threads(&listed(&["--all", "--limit", "3"])),
        [first, second, ended]
    );
    let of_workflow = ["--status", "killed", "--workflow", "6ha1"];
    assert_eq!(threads(&listed(&of_workflow)), [killed]);
    let ran = environment.run(&["thread", "list", "--status", "done"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert_eq!(
        ran.stderr,
        "error: `--status` must be `active`, `running`, `failed`, `completed`, `killed` or \
         `damaged`, not `done`\n"
    );
}

#[test]
fn a_workflows_name_means_every_version_of_it_and_its_hash_one() {
    let environment = Environment::new();
    let old = environment.thread_of(RELAY);
    let hash = environment.json(&["workflow", "show", "relay"])["hash"].clone();
    let new = environment.thread_of(&RELAY.replace("Just do it.", "Do it well."));
    let other = environment.thread_of(DRAFT);
    let of = |workflow: &str| environment.json(&["thread", "list", "--workflow", workflow]);
    assert_eq!(threads(&of("relay")), [&old, &new]);
    assert_eq!(threads(&of("./relay.yaml")), [&old, &new]);
    assert_eq!(threads(&of(hash.as_str().unwrap())), [&old]);
    assert_eq!(threads(&of("draft")), [&other]);

    // What cannot be read is not taken for a name that is not known.
    let registry = environment.root().join("registry.yaml");
    fs::rename(&registry, registry.with_extension("kept")).unwrap();
    fs::create_dir(&registry).unwrap();
    let ran = environment.run(&["thread", "list", "--workflow", "relay"]);
    let unread = format!("error: cannot read {}\n", registry.display());
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert!(ran.stderr.starts_with(&unread), "{}", ran.stderr);
    fs::remove_dir(&registry).unwrap();
    fs::rename(registry.with_extension("kept"), &registry).unwrap();
    // A thread may run a workflow that is registered no more.
    environment.write_in_root("registry.yaml", "{}\n");
    assert_eq!(threads(&of("relay")), [&old, &new]);
    let ran = environment.run(&["thread", "list", "--workflow", "relais"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert!(
        ran.stderr
            .starts_with("error: there is no workflow `relais` in "),
        "{}",
        ran.stderr
    );
}
