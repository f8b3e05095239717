//! Drop-in the other way: what is written here is what the original would have written.
//!
//! The agent is a shell program on protocol `cas` that answers as the recorded agent did. Hashes
//! do not depend on the time, so the same workflow, prompt and answers must give the same nodes.

use std::fs;

use serde_json::{Value, json};

use crate::environment::{Environment, evidence};

const WORKFLOW: &str = "6HA1S8JMB29J3";
const TASK: &str = "Why is the nightly build red? (job 42)";

/// The steps of the recorded thread, in their order.
const STEPS: [&str; 5] = [
    "5YR25K3ZCXZVK",
    "81P904K6HWN7F",
    "7J2PXS102TXFK",
    "56XFMVXEJ5CJ5",
    "BRB4722M3Y7T7",
];

/// An agent on protocol `cas` that answers with the files `<role>.<visit>.answer` and
/// `<role>.<visit>.output` of its folder, as the original's agents store what they did.
const FAKE_AGENT: &str = r#"
set -eu
thread=$1 role=$2
field() { sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p'; }
chain=$(uwf thread steps "$thread" | sed 's/{"hash"/\n{"hash"/g' | grep '^{"hash"')
start=$(printf '%s\n' "$chain" | head -n 1 | sed 's/{"hash":"\([^"]*\)".*/\1/')
last=$(printf '%s\n' "$chain" | tail -n 1 | sed 's/{"hash":"\([^"]*\)".*/\1/')
prev=\"$last\"
if [ "$last" = "$start" ]; then prev=null; fi
visit=$(printf '%s\n' "$chain" | grep -c "\"role\":\"$role\"" || true)
workflow=$(printf '%s\n' "$chain" | head -n 1 | field workflow)
schema=$(uwf workflow show "$workflow" | sed 's/.*"'"$role"'":{"goal"[^}]*"frontmatter":"\([^"]*\)".*/\1/')
answers=$FAKE_ANSWERS/$role.$visit
turn=$(uwf cas put EY17ZNT37EHBB "$answers.turn" | field hash)
detail=$(uwf cas put 7K46GP3A10K80 \
  '{"sessionId":"fake-session","model":"fake-model","duration":0,"turnCount":1,"turns":["'"$turn"'"]}' | field hash)
output=$(uwf cas put "$schema" "$answers.output" | field hash)
echo "working on: $UWF_EDGE_PROMPT" >&2
uwf cas put FZMFBDYPZ0M9Y '{"start":"'"$start"'","prev":'"$prev"',"role":"'"$role"'","output":"'"$output"'","detail":"'"$detail"'","agent":"uwf-fake","edgePrompt":"'"$UWF_EDGE_PROMPT"'"}' | field hash
"#;

/// Lays out what the recorded agent answered, by role and visit, and the agent itself.
fn install_fake_agent(environment: &Environment) {
    let golden = Environment::with_golden_store();
    let mut visits = std::collections::BTreeMap::new();
    for hash in STEPS {
        let step = golden.json(&["cas", "get", hash])["payload"].clone();
        let role = step["role"].as_str().unwrap().to_owned();
        let visit = visits.entry(role.clone()).or_insert(0);
        let node =
            |hash: &Value| golden.json(&["cas", "get", hash.as_str().unwrap()])["payload"].clone();
        let turn = node(&node(&step["detail"])["turns"][0]);
        environment.write(&format!("answers/{role}.{visit}.turn"), &turn.to_string());
        environment.write(
            &format!("answers/{role}.{visit}.output"),
            &node(&step["output"]).to_string(),
        );
        *visit += 1;
    }
    environment.program("uwf-fake", FAKE_AGENT);
}

/// Stores the schemas of the recorded agent's details, as that agent does.
fn store_detail_schemas(environment: &Environment) {
    let schemas: Value =
        serde_json::from_str(&fs::read_to_string(evidence("schemas.json")).unwrap()).unwrap();
    for name in ["builtin.builtin_turn", "builtin.builtin_detail"] {
        let schema = &schemas["schemas"][name];
        let put = environment.json(&[
            "cas",
            "put",
            "3RZYZ9X0Y34K7",
            &schema["payload"].to_string(),
        ]);
        assert_eq!(put, json!({"hash": schema["hash"]}));
    }
}

fn step(environment: &Environment, thread: &str, count: &str) -> (Option<i32>, String, String) {
    let mut command =
        environment.command(&["thread", "step", thread, "--agent", "uwf-fake", "-c", count]);
    command.env("FAKE_ANSWERS", environment.work().join("answers"));
    let output = command.output().unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn the_same_workflow_task_and_answers_give_the_same_nodes() {
    let environment = Environment::new();
    install_fake_agent(&environment);
    let file = evidence("triage-report.yaml");
    let put = environment.ok(&["workflow", "put", file.to_str().unwrap()]);
    assert_eq!(
        put,
        format!("{{\"name\":\"triage-report\",\"hash\":\"{WORKFLOW}\"}}\n")
    );
    store_detail_schemas(&environment);
    let started = environment.json(&["thread", "start", "triage-report", "-p", TASK]);
    let thread = started["thread"].as_str().unwrap();
    assert_eq!(started, json!({"workflow": WORKFLOW, "thread": thread}));

    let (code, stdout, stderr) = step(&environment, thread, "9");
    assert_eq!(code, Some(0), "{stderr}");
    let expected: Vec<Value> = STEPS
        .iter()
        .map(|head| {
            let done = *head == "BRB4722M3Y7T7";
            json!({"workflow": WORKFLOW, "thread": thread, "head": head, "done": done})
        })
        .collect();
    assert_eq!(
        serde_json::from_str::<Value>(&stdout).unwrap(),
        Value::from(expected)
    );
    let said = [
        "Collect every failing check.",
        "Write the report from the failures.",
        "Check the report against the failures.",
        "Add what the checker found missing.",
        "Check the report against the failures.",
    ];
    assert_eq!(
        stderr,
        said.map(|prompt| format!("working on: {prompt}\n"))
            .concat()
    );

    // The nodes are the recorded ones, but for the time in them; so are the lists of members.
    let original = Environment::with_golden_store();
    for node in fs::read_dir(environment.root().join("cas")).unwrap() {
        let name = node.unwrap().file_name().into_string().unwrap();
        let Some(hash) = name.strip_suffix(".bin") else {
            continue;
        };
        assert_eq!(
            environment.ok(&["cas", "get", hash]),
            original.ok(&["cas", "get", hash]),
            "{hash}"
        );
    }
    for index in [
        "21AME01DDP1EB",
        "2173296RVFE27",
        "50MWR891XZW63",
        "BCC0VRPJG3H5P",
    ] {
        let index = format!("cas/_index/{index}");
        assert_eq!(
            environment.read_in_root(&index),
            original.read_in_root(&index),
            "{index}"
        );
    }
}

#[test]
fn an_active_thread_of_the_original_is_stepped_to_its_end() {
    let environment = Environment::with_golden_store();
    install_fake_agent(&environment);
    let thread = "06H2S7T0SYTNXJYWQYS40BBMNR";
    let (code, stdout, stderr) = step(&environment, thread, "1");
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(
        stdout,
        format!(
            "{{\"workflow\":\"{WORKFLOW}\",\"thread\":\"{thread}\",\"head\":\"BRB4722M3Y7T7\",\"done\":true}}\n"
        )
    );
    assert_eq!(
        environment.read_in_root("threads.yaml"),
        "06H2S7TA9T8B340D04DAXMJ56W: 5ZDNP8G82TBBT\n"
    );
    let history = environment.read_in_root("history.jsonl");
    let original = fs::read_to_string(evidence("store-original/history.jsonl")).unwrap();
    let added: Value = serde_json::from_str(history.strip_prefix(&original).unwrap()).unwrap();
    let at = added["completedAt"].as_u64().unwrap();
    assert_eq!(
        added,
        json!({"thread": thread, "workflow": WORKFLOW, "head": "BRB4722M3Y7T7", "completedAt": at, "status": "completed"})
    );
}

#[test]
fn the_untouched_thread_of_the_original_is_stepped_with_a_program_that_prints_markdown() {
    let environment = Environment::with_golden_store();
    environment.program(
        "collect",
        "cat >prompt.txt\nprintf -- '---\\ncount: 0\\nfailures: []\\n---\\nNothing.\\n'",
    );
    let thread = "06H2S7TA9T8B340D04DAXMJ56W";
    let result = environment.json(&[
        "thread",
        "step",
        thread,
        "--agent",
        "collect",
        "--protocol",
        "markdown",
    ]);
    assert_eq!(result["done"], json!(true));
    let step = environment.json(&["cas", "get", result["head"].as_str().unwrap()]);
    assert_eq!(step["type"], "FZMFBDYPZ0M9Y");
    let payload = &step["payload"];
    assert_eq!(
        step["payload"],
        json!({
            "prev": null,
            "role": "collector",
            "agent": "collect",
            "start": "5ZDNP8G82TBBT",
            "detail": payload["detail"],
            "output": payload["output"],
            "edgePrompt": "Collect every failing check.",
        })
    );
    let output = environment.json(&["cas", "get", payload["output"].as_str().unwrap()]);
    assert_eq!(
        output,
        json!({"type": "2173296RVFE27", "payload": {"count": 0, "failures": []}})
    );
    let prompt = fs::read_to_string(environment.work().join("prompt.txt")).unwrap();
    assert!(
        prompt.contains("\n## Task\n\nUntouched — ünïcode ✓ \"quotes\" and a\nsecond line\n"),
        "{prompt}"
    );
}
