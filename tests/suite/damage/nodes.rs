//! Nodes and the lists of their types: a read checks the hash.

use std::fs;

use super::{HEAD, START, THREAD, WORKFLOW, golden, node_file, tamper};
use crate::environment::{Environment, evidence};

#[test]
fn a_node_with_any_one_byte_changed_is_refused_by_name() {
    let environment = Environment::new();
    environment.ok(&["cas", "put-text", "hi"]);
    let hash = "D0C8Z3JTGNQ51";
    let file = node_file(&environment, hash);
    let whole = fs::read(&file).unwrap();
    // The time at the end is not part of what is hashed: 1b and eight bytes, or fb and eight.
    let checked = whole.len() - 9;
    let message = format!(
        "error: the node {hash} is damaged ({})\n  because: ",
        file.display()
    );
    for position in 0..checked {
        let mut bytes = whole.clone();
        bytes[position] ^= 1;
        fs::write(&file, bytes).unwrap();
        let ran = environment.run(&["cas", "get", hash]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(7), ""),
            "byte {position}: {ran:?}"
        );
        assert!(
            ran.stderr.starts_with(&message),
            "byte {position}: {}",
            ran.stderr
        );
    }
    for length in [0, 1, whole.len() / 2, whole.len() - 1] {
        fs::write(&file, &whole[..length]).unwrap();
        let ran = environment.run(&["cas", "get", hash]);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(7), ""),
            "{length} bytes: {ran:?}"
        );
        assert!(
            ran.stderr.starts_with(&message),
            "{length} bytes: {}",
            ran.stderr
        );
    }
    fs::write(&file, whole).unwrap();
    environment.ok(&["cas", "get", hash]);
}

#[test]
fn a_cause_is_said_once() {
    let environment = Environment::new();
    environment.ok(&["cas", "put-text", "hi"]);
    let file = node_file(&environment, "D0C8Z3JTGNQ51");
    fs::write(&file, "abc").unwrap();
    let ran = environment.run(&["cas", "get", "D0C8Z3JTGNQ51"]);
    assert_eq!(
        ran.stderr.matches("expected map").count(),
        1,
        "{}",
        ran.stderr
    );
}

#[test]
fn every_command_that_reads_a_tampered_node_names_it() {
    let show = |command| vec!["thread", command, THREAD];
    let step = || {
        vec![
            "thread",
            "step",
            THREAD,
            "--agent",
            "answer",
            "--protocol",
            "markdown",
        ]
    };
    let walk = || vec!["cas", "walk", HEAD];
    let start = |workflow| vec!["thread", "start", workflow, "-p", "x"];
    let of_step = |command| vec!["thread", command, HEAD];
    let put = evidence("triage-report.yaml");
    let put = || vec!["workflow", "put", put.to_str().unwrap()];
    let nodes: [(&str, &str, Vec<Vec<&str>>); 8] = [
        (
            "the head",
            HEAD,
            vec![
                show("show"),
                show("steps"),
                show("read"),
                step(),
                of_step("fork"),
                of_step("step-details"),
                walk(),
            ],
        ),
        (
            "the start",
            START,
            vec![
                show("show"),
                show("steps"),
                show("read"),
                step(),
                of_step("fork"),
                of_step("step-details"),
                walk(),
            ],
        ),
        (
            "a step in the middle",
            "7J2PXS102TXFK",
            vec![show("steps"), show("read"), step(), walk()],
        ),
        (
            "an output",
            "CCPCH7EPJE8CF",
            vec![show("steps"), step(), walk()],
        ),
        (
            "a detail",
            "3PK6WQE6T40GH",
            vec![show("read"), step(), of_step("step-details"), walk()],
        ),
        (
            "the workflow",
            WORKFLOW,
            vec![
                show("read"),
                step(),
                vec!["workflow", "show", "triage-report"],
                start("triage-report"),
                start(WORKFLOW),
                put(),
                walk(),
            ],
        ),
        (
            "the schema of the next role",
            "50MWR891XZW63",
            vec![step(), put(), walk()],
        ),
        (
            "the schema of a role",
            "BCC0VRPJG3H5P",
            vec![
                put(),
                vec!["cas", "schema", "list"],
                vec!["cas", "schema", "get", "BCC0VRPJG3H5P"],
                vec!["cas", "put", "BCC0VRPJG3H5P", "{}"],
                vec!["cas", "refs", "CCPCH7EPJE8CF"],
            ],
        ),
    ];
    for (what, hash, mut commands) in nodes {
        let environment = golden();
        tamper(&environment, hash);
        let before = environment.snapshot();
        commands.extend([vec!["cas", "get", hash], vec!["cas", "refs", hash]]);
        let damage = format!("the node {hash} is damaged");
        for command in commands {
            let ran = environment.run(&command);
            let said = ran.stderr.contains(&damage);
            assert!(said && ran.code == Some(7), "{what}: {command:?}: {ran:?}");
            assert_eq!(ran.stdout, "", "{what}: {command:?}");
        }
        assert_eq!(environment.runs(), 0, "{what}: an agent was run");
        let changed: Vec<_> = environment
            .snapshot()
            .into_iter()
            .filter(|file| !before.contains(file))
            .collect();
        let changed: Vec<_> = changed
            .iter()
            .filter(|(path, _)| {
                let is_in = |folder| path.starts_with(environment.root().join(folder));
                // That a step failed is logged, and its thread is the last one.
                !is_in("locks") && !is_in("logs") && !is_in("current.json")
            })
            .collect();
        assert!(changed.is_empty(), "{what}: {changed:?}");
    }
}

#[test]
fn a_list_of_members_that_cannot_be_read_says_how_it_is_made_anew() {
    let environment = golden();
    let index = environment.root().join("cas/_index/3RZYZ9X0Y34K7");
    let whole = fs::read_to_string(&index).unwrap();
    fs::write(&index, format!("{whole}garbage\n")).unwrap();
    let ran = environment.run(&["cas", "schema", "list"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(7), ""));
    assert!(
        ran.stderr
            .starts_with(&format!("error: {}", index.display())),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("`garbage` is not a hash"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("\nhint: ") && ran.stderr.contains("uwf cas reindex"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_reindex_mends_the_lists_of_members() {
    let environment = golden();
    let index = environment.root().join("cas/_index/3RZYZ9X0Y34K7");
    let whole = environment.snapshot();
    let text = fs::read_to_string(&index).unwrap();
    fs::write(&index, format!("{text}garbage\n")).unwrap();
    assert_eq!(
        environment.ok(&["cas", "reindex"]),
        "{\"status\":\"reindexed\"}\n"
    );
    let locks = environment.root().join("locks");
    let after: Vec<_> = environment
        .snapshot()
        .into_iter()
        .filter(|(path, _)| !path.starts_with(&locks))
        .collect();
    assert!(whole == after);
}

#[test]
fn a_reindex_names_the_nodes_it_cannot_read_and_what_is_wrong_with_them() {
    let environment = golden();
    tamper(&environment, START);
    let ran = environment.run(&["cas", "reindex"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(7), "{\"status\":\"reindexed\"}\n")
    );
    let beginning = "error: 1 node cannot be read; ";
    assert!(ran.stderr.starts_with(beginning), "{}", ran.stderr);
    assert!(
        ran.stderr.contains(&format!("the node {START} is damaged")),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr
            .contains("what it holds has the hash CMMNHYFHAJ8CR"),
        "{}",
        ran.stderr
    );
}

#[test]
fn json_that_is_no_text_is_refused_in_words_that_can_be_understood() {
    let environment = Environment::new();
    let ran = environment.run(&["cas", "put", "86N29KJ2R9X6K", "\"\\ud800\""]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert!(ran.stderr.contains("surrogate"), "{}", ran.stderr);
}

#[test]
fn a_stored_node_whose_type_is_missing_is_damage() {
    let environment = golden();
    let (node, type_hash) = ("CCPCH7EPJE8CF", "BCC0VRPJG3H5P");
    fs::remove_file(node_file(&environment, type_hash)).unwrap();
    for command in ["refs", "walk"] {
        let ran = environment.run(&["cas", command, node]);
        assert!(ran.stderr.contains(type_hash), "{}", ran.stderr);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(7), ""),
            "{command}: {}",
            ran.stderr
        );
    }
    // A type that was typed is only not found.
    let ran = environment.run(&["cas", "put", type_hash, "{}"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
}

#[test]
fn a_listed_schema_that_is_missing_is_damage_and_a_reindex_mends_the_list() {
    let environment = golden();
    let schema = "BCC0VRPJG3H5P";
    fs::remove_file(node_file(&environment, schema)).unwrap();
    let ran = environment.run(&["cas", "schema", "list"]);
    assert!(ran.stderr.contains(schema), "{}", ran.stderr);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(7), ""),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("uwf cas reindex"), "{}", ran.stderr);
    environment.ok(&["cas", "reindex"]);
    let list = environment.ok(&["cas", "schema", "list"]);
    assert!(!list.contains(schema), "{list}");
}

#[test]
fn a_detail_that_is_missing_is_named_with_the_step_that_was_asked_for() {
    let environment = golden();
    let detail = "3PK6WQE6T40GH";
    fs::remove_file(node_file(&environment, detail)).unwrap();
    let ran = environment.run(&["thread", "step-details", HEAD]);
    assert_eq!(ran.stdout, "");
    assert!(ran.stderr.contains(detail), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("detail") && ran.stderr.contains(HEAD),
        "{}",
        ran.stderr
    );
}
