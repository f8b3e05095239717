//! Threads whose nodes are missing, damaged or of another type.

use std::fs;

use serde_json::{Value, json};

use super::{HEAD, MEND_NODES, START, THREAD, UNTOUCHED, WORKFLOW, golden, node_file, tamper};
use crate::environment::Ran;

#[test]
fn a_thread_whose_head_is_missing_is_listed_refused_and_can_be_killed() {
    let environment = golden();
    fs::remove_file(node_file(&environment, HEAD)).unwrap();
    let error = format!("the head is missing: there is no node {HEAD}");
    assert_eq!(
        environment.ok(&["thread", "list"]),
        format!(
            "[{{\"thread\":\"{THREAD}\",\"workflow\":null,\"head\":\"{HEAD}\",\
             \"error\":\"{error}\"}},\
             {{\"thread\":\"{UNTOUCHED}\",\"workflow\":\"{WORKFLOW}\",\"head\":\"5ZDNP8G82TBBT\"}}]\n"
        )
    );
    let stderr = format!("error: {error}\n{MEND_NODES}");
    for command in ["show", "steps", "read"] {
        assert_eq!(
            environment.run(&["thread", command, THREAD]),
            Ran::refused(7, &stderr)
        );
    }
    assert_eq!(environment.step(THREAD), Ran::refused(7, &stderr));
    assert_eq!(environment.runs(), 0);

    let ran = environment.run(&["thread", "kill", THREAD]);
    assert_eq!(
        ran.stdout,
        format!("{{\"thread\":\"{THREAD}\",\"archived\":true}}\n")
    );
    assert_eq!(
        ran.stderr,
        format!("warning: the thread is damaged: {error}\n")
    );
    assert_eq!(ran.code, Some(0));
    let history = environment.read_in_root("history.jsonl");
    let last: Value = serde_json::from_str(history.lines().last().unwrap()).unwrap();
    let at = last["completedAt"].as_u64().unwrap();
    assert_eq!(
        last,
        json!({"thread": THREAD, "workflow": null, "head": HEAD, "completedAt": at, "status": "killed"})
    );
    let list = environment.json(&["thread", "list", "--all"]);
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 4);
    assert_eq!(list[3]["thread"], THREAD);
    assert_eq!(list[3]["workflow"], Value::Null);
    assert_eq!(list[3]["head"], HEAD);
    assert_eq!(
        environment.run(&["thread", "show", THREAD]),
        Ran::refused(7, &stderr)
    );
}

#[test]
fn a_thread_whose_head_was_tampered_with_is_refused_and_can_be_killed() {
    let environment = golden();
    tamper(&environment, START);
    let message = format!("cannot read the start of step {HEAD}, the node {START}");
    for command in ["show", "steps", "read"] {
        let ran = environment.run(&["thread", command, THREAD]);
        let stderr = format!(
            "error: {message}
  because: the node {START} is damaged ({})
  because: what it holds has the hash CMMNHYFHAJ8CR
{MEND_NODES}",
            node_file(&environment, START).display()
        );
        assert_eq!(ran, Ran::refused(7, &stderr), "{command}");
    }
    assert_eq!(
        (environment.step(THREAD).code, environment.runs()),
        (Some(7), 0)
    );
    assert_eq!(
        environment.json(&["thread", "kill", THREAD])["archived"],
        json!(true)
    );
    assert_eq!(
        environment
            .json(&["thread", "list"])
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn the_list_says_in_what_way_a_thread_is_damaged() {
    let environment = golden();
    tamper(&environment, START);
    let list = environment.json(&["thread", "list"]);
    assert_eq!(list[0]["workflow"], Value::Null);
    let error = list[0]["error"].as_str().unwrap();
    assert!(
        error.starts_with("cannot read the start of step 56XFMVXEJ5CJ5, the node"),
        "{error}"
    );
    assert!(
        error.contains("what it holds has the hash CMMNHYFHAJ8CR"),
        "only the what: {error}"
    );
    let ran = environment.run(&["thread", "kill", THREAD]);
    assert!(
        ran.stderr
            .contains("what it holds has the hash CMMNHYFHAJ8CR"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_thread_whose_head_is_a_node_of_another_type_is_listed_refused_and_can_be_killed() {
    let environment = golden();
    environment.write_in_root("threads.yaml", &format!("{THREAD}: {WORKFLOW}\n"));
    let error = format!(
        "the head is not a step or a start: the node {WORKFLOW} is of the type 21AME01DDP1EB"
    );
    assert_eq!(
        environment.ok(&["thread", "list"]),
        format!(
            "[{{\"thread\":\"{THREAD}\",\"workflow\":null,\"head\":\"{WORKFLOW}\",\
             \"error\":\"{error}\"}}]\n"
        )
    );
    let stderr = format!("error: {error}\n{MEND_NODES}");
    for command in ["show", "steps", "read"] {
        assert_eq!(
            environment.run(&["thread", command, THREAD]),
            Ran::refused(7, &stderr)
        );
    }
    assert_eq!(environment.step(THREAD), Ran::refused(7, &stderr));
    assert_eq!(
        environment.json(&["thread", "kill", THREAD])["archived"],
        json!(true)
    );
    assert_eq!(environment.runs(), 0);
}

#[test]
fn a_chain_that_is_broken_in_the_middle_is_an_error_and_never_a_shorter_chain() {
    let environment = golden();
    let middle = "7J2PXS102TXFK";
    fs::remove_file(node_file(&environment, middle)).unwrap();
    let stderr = format!(
        "error: the step before {HEAD} is missing: there is no node {middle}\n{MEND_NODES}"
    );
    for command in ["steps", "read"] {
        assert_eq!(
            environment.run(&["thread", command, THREAD]),
            Ran::refused(7, &stderr)
        );
    }
    assert_eq!(environment.step(THREAD), Ran::refused(7, &stderr));
    assert_eq!(environment.runs(), 0);
}

#[test]
fn no_agent_that_is_told_the_history_is_paid_for_a_chain_that_lacks_an_output() {
    let environment = golden();
    let output = "CCPCH7EPJE8CF";
    fs::remove_file(node_file(&environment, output)).unwrap();
    let stderr = format!(
        "error: the output of step {HEAD} is missing: there is no node {output}\n{MEND_NODES}"
    );
    assert_eq!(
        environment.run(&["thread", "steps", THREAD]),
        Ran::refused(7, &stderr)
    );
    for protocol in ["markdown", "json"] {
        let step = [
            "thread",
            "step",
            THREAD,
            "--agent",
            "answer",
            "--protocol",
            protocol,
        ];
        assert_eq!(
            environment.run(&step),
            Ran::refused(7, &stderr),
            "{protocol}"
        );
        assert_eq!(
            environment.runs(),
            0,
            "{protocol}: the agent was run for nothing"
        );
    }
}

#[test]
fn a_registered_workflow_whose_node_is_missing_is_damage() {
    let environment = golden();
    fs::remove_file(node_file(&environment, WORKFLOW)).unwrap();
    let commands: [&[&str]; 2] = [
        &["workflow", "show", "triage-report"],
        &["thread", "start", "triage-report", "-p", "x"],
    ];
    for command in commands {
        let ran = environment.run(command);
        assert!(ran.stderr.contains(WORKFLOW), "{}", ran.stderr);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(7), ""),
            "{command:?}: {}",
            ran.stderr
        );
    }
    // A hash that was typed is only not found.
    assert_eq!(
        environment.run(&["workflow", "show", WORKFLOW]).code,
        Some(1)
    );
}

#[test]
fn a_missing_answer_is_said_and_the_rest_of_the_thread_is_read() {
    let environment = golden();
    let detail = "3PK6WQE6T40GH";
    fs::remove_file(node_file(&environment, detail)).unwrap();
    let ran = environment.run(&["thread", "read", THREAD]);
    assert_eq!(
        ran.stderr,
        format!("warning: the answer of step {HEAD} cannot be shown: there is no node {detail}\n")
    );
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.stdout
            .contains("The store failure is not in the report."),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("## Step 4: writer `56XFMVXEJ5CJ5`"),
        "{}",
        ran.stdout
    );
}
