//! What is stored, what is refused, and what two writers at once leave behind.

use std::thread;

use serde_json::json;

use super::super::cbor;
use super::super::known::{self, META_SCHEMA, START_NODE, TEXT, UWF_DETAIL};
use super::*;

fn fresh() -> (TempDir, Store) {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(&root.path().join("root"));
    (root, store)
}

#[test]
fn the_first_write_registers_what_every_store_has() {
    let (root, store) = fresh();
    let text = store.put_text("hello", 1_700_000_000_000).unwrap();
    let written = files(root.path());
    let names: Vec<_> = written.keys().map(String::as_str).collect();
    let node = format!("root/cas/{text}.bin");
    let mut expected = vec![
        "root/cas/21AME01DDP1EB.bin",
        "root/cas/3RZYZ9X0Y34K7.bin",
        "root/cas/86N29KJ2R9X6K.bin",
        "root/cas/FPVH9K1XJ2DZA.bin",
        "root/cas/FZMFBDYPZ0M9Y.bin",
        "root/cas/_index/3RZYZ9X0Y34K7",
        "root/cas/_index/86N29KJ2R9X6K",
        "root/locks/cas.lock",
        node.as_str(),
    ];
    expected.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!(
        String::from_utf8_lossy(&written["root/cas/_index/3RZYZ9X0Y34K7"]),
        "3RZYZ9X0Y34K7\n21AME01DDP1EB\nFPVH9K1XJ2DZA\nFZMFBDYPZ0M9Y\n86N29KJ2R9X6K\n"
    );
    assert_eq!(
        String::from_utf8_lossy(&written["root/cas/_index/86N29KJ2R9X6K"]),
        format!("{text}\n")
    );
    assert_eq!(
        store.get(&known::WORKFLOW).unwrap().timestamp,
        1_700_000_000_000_u64.into()
    );
}

#[test]
fn registering_the_meta_schema_registers_what_every_store_has() {
    let (_root, store) = fresh();
    assert_eq!(store.register(&META_SCHEMA, 1).unwrap(), META_SCHEMA);
    assert_eq!(store.register(&TEXT, 2).unwrap(), TEXT);
    let members = store.members(&META_SCHEMA).unwrap();
    assert_eq!(members.len(), 5);
    assert_eq!(store.get(&META_SCHEMA).unwrap().type_hash, META_SCHEMA);
}

#[test]
fn reading_an_empty_root_finds_the_built_in_schemas_and_writes_nothing() {
    let (root, store) = fresh();
    assert!(store.find(&TEXT).unwrap().is_none());
    assert!(!store.contains(&TEXT).unwrap());
    assert!(store.members(&META_SCHEMA).unwrap().is_empty());
    assert!(store.walk(&TEXT).unwrap().is_empty());
    assert_eq!(
        store.get(&TEXT).unwrap_err().to_string(),
        format!(
            "the node 86N29KJ2R9X6K is not in the store: there is no folder {}",
            root.path().join("root/cas").display()
        )
    );
    assert!(matches!(store.refs(&TEXT), Err(CasError::NoStore { .. })));
    let schemas: Vec<_> = store
        .schemas()
        .unwrap()
        .into_iter()
        .map(|(hash, title)| format!("{hash} {title}"))
        .collect();
    assert_eq!(
        schemas,
        [
            "3RZYZ9X0Y34K7 (meta-schema)",
            "21AME01DDP1EB Workflow",
            "FPVH9K1XJ2DZA StartNode",
            "FZMFBDYPZ0M9Y StepNode",
            "86N29KJ2R9X6K (unnamed)",
        ]
    );
    assert_eq!(store.schema(&TEXT).unwrap(), json!({"type": "string"}));
    assert!(store.schema(&UWF_DETAIL).is_err());
    assert_eq!(store.reindex().unwrap().nodes, 0);
    assert!(files(root.path()).is_empty());
    assert!(!root.path().join("root").exists());
}

#[test]
fn reading_leaves_a_store_as_it_is() {
    let (root, store) = golden();
    let before = files(root.path());
    for (schema, _) in store.schemas().unwrap() {
        for member in store.members(&schema).unwrap() {
            store.get(&member).unwrap();
            store.refs(&member).unwrap();
            store.walk(&member).unwrap();
        }
    }
    assert!(matches!(
        store.get(&hash("0000000000000")),
        Err(CasError::Missing { .. })
    ));
    assert_eq!(files(root.path()), before);
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_written() {
    let (root, store) = fresh();
    let start = json!({"workflow": "x", "promt": "p"});
    assert_eq!(
        store.put(&START_NODE, &start, 1).unwrap_err().to_string(),
        "the payload does not fit its type FPVH9K1XJ2DZA: \
         `/prompt` is missing; it must be a string; \
         `/workflow` is \"x\"; it must be a hash: 13 characters of 0-9 and A-Z without I, L, O \
         and U; \
         `/promt` is not allowed here; allowed: `prompt`, `workflow`"
    );
    let unknown = store.put(&hash("AAAAAAAAAAAAA"), &json!(1), 1).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "the type AAAAAAAAAAAAA is not in the store"
    );
    assert!(matches!(
        store.put(&UWF_DETAIL, &json!({}), 1),
        Err(CasError::UnknownType { .. })
    ));
    let typo = json!({"properties": {"x": {"type": "strng"}}});
    let CasError::IllegalSchema { faults } = store.put_schema(&typo, 1).unwrap_err() else {
        panic!("another error");
    };
    assert_eq!(faults[0].pointer, "/properties/x/type");
    assert!(files(root.path()).is_empty());
}

#[test]
fn only_schemas_are_types() {
    let (_root, store) = fresh();
    let text = store.put_text("hello", 1).unwrap();
    assert_eq!(
        store.put(&text, &json!("x"), 1).unwrap_err().to_string(),
        format!("the node {text} is not a schema")
    );
    assert!(matches!(
        store.schema(&text),
        Err(CasError::NotASchema { .. })
    ));
}

#[test]
fn a_schema_of_the_whole_draft_is_stored_and_checks() {
    let (_root, store) = fresh();
    let schema = json!({"oneOf": [{"type": "string", "pattern": "^a"}, {"$ref": "#/$defs/n"}], "$defs": {"n": {"minimum": 3, "type": "number"}}});
    let type_hash = store.put_schema(&schema, 1).unwrap();
    assert!(store.put(&type_hash, &json!("abc"), 1).is_ok());
    assert!(store.put(&type_hash, &json!(3.5), 1).is_ok());
    assert!(matches!(
        store.put(&type_hash, &json!("x"), 1),
        Err(CasError::Unfit { .. })
    ));
    assert_eq!(store.schemas().unwrap().last().unwrap().1, "(unnamed)");
}

#[test]
fn references_of_the_whole_draft_are_walked_and_shown() {
    let (_root, store) = fresh();
    let schema = json!({
        "patternProperties": {"_node$": {"$ref": "#node"}},
        "then": {"unevaluatedProperties": {"contains": {"$ref": "#/$defs/no%64e"}}},
        "$defs": {"node": {"$anchor": "node", "type": "string", "format": "cas_ref"}},
    });
    let type_hash = store.put_schema(&schema, 1).unwrap();
    let (one, other) = (
        store.put_text("one", 1).unwrap(),
        store.put_text("other", 1).unwrap(),
    );
    let node = json!({"a_node": one, "text": "1700000000000", "list": ["x", other]});
    let node = store.put(&type_hash, &node, 1).unwrap();
    let mut refs = store.refs(&node).unwrap();
    refs.sort_unstable();
    let mut expected = [one, other];
    expected.sort_unstable();
    assert_eq!(refs, expected);
    assert_eq!(store.walk(&node).unwrap().len(), 3);
    assert_eq!(
        store.expand(&node).unwrap(),
        json!({"list": ["x", "other"], "text": "1700000000000", "a_node": "one"})
    );
}

#[test]
fn a_detail_of_ours_is_stored_with_its_references() {
    let (_root, store) = fresh();
    assert_eq!(store.register(&UWF_DETAIL, 1).unwrap(), UWF_DETAIL);
    store.register(&known::BUILTIN_TURN, 1).unwrap();
    assert!(matches!(
        store.register(&hash("AAAAAAAAAAAAA"), 1),
        Err(CasError::UnknownType { .. })
    ));
    let turn = json!({"role": "assistant", "content": "done"});
    let turn = store.put(&known::BUILTIN_TURN, &turn, 1).unwrap();
    let detail = json!({
        "protocol": "markdown", "command": "cat", "exitCode": null, "durationMs": 5,
        "corrections": 0, "warnings": [], "turns": [turn],
    });
    let detail = store.put(&UWF_DETAIL, &detail, 1).unwrap();
    assert_eq!(store.refs(&detail).unwrap(), [turn]);
    assert_eq!(store.walk(&detail).unwrap(), [detail, turn]);
}

#[test]
fn nodes_of_a_later_json_cas_are_read_as_what_they_are() {
    let (root, store) = fresh();
    let later = hash("EWS0VP6PJ6SPB");
    let schema = known::find(&later).unwrap().schema();
    store.put_text("x", 1).unwrap();
    let bytes = cbor::encode_node(known::LATER_META_SCHEMA.as_str(), &cbor::encode(schema), 1);
    fs::write(root.path().join("root/cas/EWS0VP6PJ6SPB.bin"), bytes).unwrap();
    assert_eq!(store.schema(&later).unwrap(), *schema);
    let start = json!({"workflow": "AAAAAAAAAAAAA", "prompt": "p"});
    let start = store.put(&later, &start, 1).unwrap();
    assert!(known::is_start_node(&store.get(&start).unwrap().type_hash));
    assert_eq!(texts(&store.refs(&start).unwrap()), ["AAAAAAAAAAAAA"]);
}

#[test]
fn writers_at_once_all_succeed_and_lose_and_double_nothing() {
    let (root, store) = fresh();
    thread::scope(|scope| {
        for writer in 0..8 {
            let root = root.path().join("root");
            scope.spawn(move || {
                let store = Store::open(&root);
                for number in 0..5 {
                    store.put_text(&format!("shared {number}"), 1).unwrap();
                    store.put_text(&format!("{writer} {number}"), 1).unwrap();
                }
            });
        }
    });
    let listed = fs::read_to_string(root.path().join("root/cas/_index/86N29KJ2R9X6K")).unwrap();
    assert_eq!(listed.lines().count(), 5 + 40);
    let members = store.members(&TEXT).unwrap();
    assert_eq!(members.len(), 5 + 40);
    for member in members {
        store.get(&member).unwrap();
    }
    assert_eq!(
        fs::read_to_string(root.path().join("root/cas/_index/3RZYZ9X0Y34K7")).unwrap(),
        "3RZYZ9X0Y34K7\n21AME01DDP1EB\nFPVH9K1XJ2DZA\nFZMFBDYPZ0M9Y\n86N29KJ2R9X6K\n"
    );
}

#[test]
fn a_node_is_written_while_another_writer_holds_the_lock_of_the_lists() {
    let (root, store) = fresh();
    let first = store.put_text("first", 1).unwrap();
    let second = hash_of(TEXT.as_str(), &json!("second"));
    thread::scope(|scope| {
        let held = store.lock().unwrap();
        // What is complete needs no lock.
        assert_eq!(store.put_text("first", 2).unwrap(), first);
        let root = root.path().join("root");
        let writer = scope.spawn(move || Store::open(&root).put_text("second", 1).unwrap());
        while !store.contains(&second).unwrap() {
            thread::yield_now();
        }
        assert_eq!(store.members(&TEXT).unwrap(), [first]);
        drop(held);
        assert_eq!(writer.join().unwrap(), second);
    });
    assert_eq!(store.members(&TEXT).unwrap(), [first, second]);
}

#[test]
fn a_node_that_another_writer_has_not_listed_yet_is_listed_once() {
    let (root, store) = fresh();
    let text = store.put_text("text", 1).unwrap();
    let list = root.path().join("root/cas/_index/86N29KJ2R9X6K");
    fs::write(&list, "").unwrap();
    thread::scope(|scope| {
        for _ in 0..8 {
            let root = root.path().join("root");
            scope.spawn(move || Store::open(&root).put_text("text", 1).unwrap());
        }
    });
    assert_eq!(fs::read_to_string(&list).unwrap(), format!("{text}\n"));
}
