//! The store that the original wrote is read, and extended as the original would.

use serde_json::{Value, json};

use super::super::{cbor, known};
use super::*;

const EXPECTED: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/vectors/store-original.expected.json"
));

/// What the original printed for each `uwf cas <command> …`: the arguments and the output.
fn printed(command: &[&str]) -> Vec<(Vec<String>, String)> {
    let expected: Value = serde_json::from_str(EXPECTED).unwrap();
    let mut found = Vec::new();
    for case in expected.as_array().unwrap() {
        let argv: Vec<_> = case["argv"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap().to_owned())
            .collect();
        if argv[1..].starts_with(
            &command
                .iter()
                .map(|word| (*word).to_owned())
                .collect::<Vec<_>>(),
        ) {
            let rest = argv[1 + command.len()..].to_vec();
            found.push((rest, case["stdout"].as_str().unwrap().trim_end().to_owned()));
        }
    }
    assert!(!found.is_empty());
    found
}

#[test]
fn every_node_is_read_and_printed_as_the_original_does() {
    let store = Store::open(&original());
    for (arguments, output) in printed(&["cas", "get"]) {
        let node = store.get(&hash(&arguments[0])).unwrap();
        let (kind, payload, time) = (node.type_hash, node.payload, node.timestamp);
        let ours = if arguments.len() == 1 {
            format!(r#"{{"type":"{kind}","payload":{payload}}}"#)
        } else {
            format!(r#"{{"type":"{kind}","payload":{payload},"timestamp":{time}}}"#)
        };
        assert_eq!(ours, output);
    }
}

#[test]
fn every_file_is_what_we_would_have_written() {
    let nodes = files(&original().join("cas"));
    let mut count = 0;
    for (name, bytes) in &nodes {
        let Some(name) = name.strip_suffix(".bin") else {
            continue;
        };
        let node = Store::open(&original()).get(&hash(name)).unwrap();
        let ours = cbor::encode_node(
            node.type_hash.as_str(),
            &cbor::encode(&node.payload),
            node.timestamp.as_u64().unwrap(),
        );
        assert_eq!(ours, *bytes, "{name}");
        count += 1;
    }
    assert_eq!(count, 36);
}

#[test]
fn references_and_what_can_be_reached_are_the_originals() {
    let store = Store::open(&original());
    for (arguments, output) in printed(&["cas", "refs"]) {
        let refs = store.refs(&hash(&arguments[0])).unwrap();
        assert_eq!(json!({ "refs": refs }).to_string(), output);
    }
    for (arguments, output) in printed(&["cas", "walk"]) {
        let hashes = store.walk(&hash(&arguments[0])).unwrap();
        assert_eq!(json!({ "hashes": hashes }).to_string(), output);
    }
}

#[test]
fn the_schemas_are_the_originals() {
    let store = Store::open(&original());
    let listed: Vec<_> = store
        .schemas()
        .unwrap()
        .into_iter()
        .map(|(hash, title)| json!({"hash": hash, "title": title}))
        .collect();
    assert_eq!(
        Value::from(listed).to_string(),
        printed(&["cas", "schema", "list"])[0].1
    );
    for (arguments, output) in printed(&["cas", "schema", "get"]) {
        let schema = store.schema(&hash(&arguments[0])).unwrap();
        assert_eq!(schema.to_string(), output);
    }
    for (arguments, output) in printed(&["cas", "has"]) {
        let exists = store.contains(&hash(&arguments[0])).unwrap();
        assert_eq!(json!({ "exists": exists }).to_string(), output);
    }
}

#[test]
fn putting_what_is_there_changes_nothing() {
    let (root, store) = golden();
    let before = files(root.path());
    for type_hash in [
        known::TEXT,
        known::STEP_NODE,
        known::BUILTIN_TURN,
        hash("BCC0VRPJG3H5P"),
    ] {
        for member in store.members(&type_hash).unwrap() {
            let payload = store.get(&member).unwrap().payload;
            assert_eq!(store.put(&type_hash, &payload, 1).unwrap(), member);
        }
    }
    assert_eq!(files(root.path()), before);
}

#[test]
fn a_new_node_is_one_file_and_one_line_more() {
    let (root, store) = golden();
    let before = files(root.path());
    let text = store.put_text("another", 1_796_044_970_000).unwrap();
    let mut expected = before;
    expected.insert(
        format!("cas/{text}.bin"),
        files(root.path())[&format!("cas/{text}.bin")].clone(),
    );
    expected.insert(
        "cas/_index/86N29KJ2R9X6K".to_owned(),
        format!("9Y3KSN3PAJ0F4\n{text}\n").into_bytes(),
    );
    expected.insert("locks/cas.lock".to_owned(), Vec::new());
    assert_eq!(files(root.path()), expected);
    assert_eq!(store.get(&text).unwrap().payload, "another");
}

#[test]
fn a_store_written_anew_is_the_same_byte_for_byte() {
    let theirs = Store::open(&original());
    let root = tempfile::tempdir().unwrap();
    let ours = Store::open(root.path());
    let types = theirs.members(&known::META_SCHEMA).unwrap();
    for type_hash in &types {
        for member in theirs.members(type_hash).unwrap() {
            if member == known::META_SCHEMA {
                continue;
            }
            let node = theirs.get(&member).unwrap();
            let time = node.timestamp.as_u64().unwrap();
            assert_eq!(ours.put(type_hash, &node.payload, time).unwrap(), member);
        }
    }
    let mut expected = files(&original().join("cas"));
    let mut written = files(&root.path().join("cas"));
    // They are registered together, so their times differ by the milliseconds it took.
    for known in known::built_in() {
        let name = format!("{}.bin", known.hash);
        assert!(expected.remove(&name).is_some());
        assert!(written.remove(&name).is_some());
    }
    assert_eq!(written, expected);
}
