//! `thread diff`: two threads of one workflow side by side.

use serde_json::{Value, json};

use crate::environment::{DRAFT, Environment, RELAY, Ran};

const THREAD: &str = "06H2S7T0SYTNXJYWQYS40BBMNR";
const LONGER: &str = "06H2S7SN4W24ANMYFNWWF49HHW";

/// A thread with one step of the writer, and a fork of it at that step.
fn forked(environment: &Environment) -> (String, String) {
    let thread = environment.thread_of(DRAFT);
    step(environment, &thread, "title: One\nwords: 3");
    let fork = environment.json(&["thread", "fork", &environment.head(&thread)]);
    (thread, fork["thread"].as_str().unwrap().to_owned())
}

fn step(environment: &Environment, thread: &str, fields: &str) -> String {
    environment.printing("answer", format!("---\n{fields}\n---\nBody.\n"));
    let ran = environment.step_with(thread, "answer", "markdown");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.value()["head"].as_str().unwrap().to_owned()
}

fn reviewed(hash: &str, accepted: bool) -> Value {
    json!({"hash": hash, "role": "reviewer", "output": {"accepted": accepted}, "agent": "answer"})
}

#[test]
fn a_thread_that_went_on_is_the_other_one_and_more() {
    let environment = Environment::with_golden_store();
    let before = environment.snapshot();
    assert_eq!(
        environment.ok(&["thread", "diff", "06H2S7T0", "06H2S7SN"]),
        format!(
            "{{\"workflow\":\"6HA1S8JMB29J3\",\"a\":\"{THREAD}\",\"b\":\"{LONGER}\",\"common\":4,\
             \"parting\":{{\"a\":null,\"b\":\"BRB4722M3Y7T7\"}},\"after\":[{{\"step\":5,\"a\":null,\
             \"b\":{{\"hash\":\"BRB4722M3Y7T7\",\"role\":\"checker\",\
             \"output\":{{\"missing\":[],\"accepted\":true}},\"agent\":\"uwf-fake\"}},\
             \"differs\":[]}}]}}\n"
        )
    );
    assert_eq!(
        environment.ok(&["thread", "diff", THREAD, THREAD]),
        format!(
            "{{\"workflow\":\"6HA1S8JMB29J3\",\"a\":\"{THREAD}\",\"b\":\"{THREAD}\",\"common\":4,\
             \"parting\":{{\"a\":null,\"b\":null}},\"after\":[]}}\n"
        )
    );
    assert!(before == environment.snapshot(), "reading has written");
}

#[test]
fn a_fork_and_its_source_part_where_they_were_forked() {
    let environment = Environment::new();
    let (thread, fork) = forked(&environment);
    let diff = || environment.json(&["thread", "diff", &thread, &fork]);
    let same = diff();
    assert_eq!(
        [&same["common"], &same["parting"], &same["after"]],
        [&json!(1), &json!({"a": null, "b": null}), &json!([])]
    );

    let rejected = step(&environment, &thread, "accepted: false");
    let accepted = step(&environment, &fork, "accepted: true");
    let reworked = step(&environment, &thread, "title: Two");
    assert_eq!(
        diff(),
        json!({
            "workflow": same["workflow"],
            "a": thread,
            "b": fork,
            "common": 1,
            "parting": {"a": rejected, "b": accepted},
            "after": [
                {
                    "step": 2,
                    "a": reviewed(&rejected, false),
                    "b": reviewed(&accepted, true),
                    "differs": ["output/accepted"],
                },
                {
                    "step": 3,
                    "a": {
                        "hash": reworked,
                        "role": "writer",
                        "output": {"title": "Two"},
                        "agent": "answer",
                    },
                    "b": null,
                    "differs": [],
                },
            ],
        })
    );
}

#[test]
fn threads_of_different_prompts_part_at_their_start_and_are_compared_by_what_they_say() {
    let environment = Environment::new();
    let (one, two) = (
        environment.thread_of(DRAFT),
        environment.start("draft", "A poem about iron"),
    );
    let (a, b) = (environment.head(&one), environment.head(&two));
    let first = step(&environment, &one, "title: One\nwords: 3");
    let second = step(&environment, &two, "title: One");
    let diff = environment.json(&["thread", "diff", &one, &two]);
    assert_eq!(diff["common"], 0);
    assert_eq!(diff["parting"], json!({"a": a, "b": b}));
    assert_eq!(
        diff["after"][0],
        json!({
            "step": 0,
            "a": {"hash": a, "prompt": "A poem about rust"},
            "b": {"hash": b, "prompt": "A poem about iron"},
            "differs": ["prompt"],
        })
    );
    assert_eq!(diff["after"][1]["a"]["hash"], json!(first));
    assert_eq!(diff["after"][1]["b"]["hash"], json!(second));
    assert_eq!(diff["after"][1]["differs"], json!(["output/words"]));
}

#[test]
fn threads_of_different_workflows_are_not_compared() {
    let environment = Environment::new();
    let (draft, relay) = (environment.thread_of(DRAFT), environment.thread_of(RELAY));
    let hash = |name| {
        let shown = environment.json(&["workflow", "show", name]);
        shown["hash"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        environment.run(&["thread", "diff", &draft, "@"]),
        Ran::refused(
            1,
            &format!(
                "error: cannot compare the threads: they do not run the same workflow\n  \
                   because: thread {draft} runs `draft` ({})\n  \
                   because: thread {relay} runs `relay` ({})\n",
                hash("draft"),
                hash("relay")
            )
        )
    );
}
