//! What a workflow becomes: the nodes of the original, under the hashes of the original.

use std::path::Path;

use serde_json::{Value, json};

use super::{EXPRESSIONS, SOUND, inspected, with};
use crate::cas::{Store, known};
use crate::fsx;
use crate::model::Hash;
use crate::workflow::inspect::inspect;
use crate::workflow::{Definition, StoredError, stored};

const TRIAGE: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/vectors/triage-report.yaml"
));
const ORIGINAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/store-original");

fn triage() -> Definition {
    let path = Path::new("triage-report.yaml");
    let inspection = inspect(path, TRIAGE.to_owned(), EXPRESSIONS);
    assert_eq!(inspection.report.render(), "");
    inspection.definition.unwrap()
}

fn defined(text: &str) -> Definition {
    let inspection = inspected(text);
    let said = inspection.report.render();
    inspection.definition.unwrap_or_else(|| panic!("{said}"))
}

fn lines(path: &Path) -> Vec<String> {
    let text = fsx::read_text_optional(path).unwrap().unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_same_file_has_the_hash_and_the_payload_of_the_original() {
    let definition = triage();
    let hash: Hash = "6HA1S8JMB29J3".parse().unwrap();
    assert_eq!(definition.hash(), hash);
    let original = Store::open(Path::new(ORIGINAL)).get(&hash).unwrap();
    assert_eq!(original.type_hash, known::WORKFLOW);
    assert_eq!(
        definition.payload().to_string(),
        original.payload.to_string()
    );
}

#[test]
fn what_is_stored_is_stored_as_the_original_does() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path());
    let definition = triage();
    let hash = definition.store(&store, 7).unwrap();
    assert_eq!(hash, definition.hash());
    let original = Store::open(Path::new(ORIGINAL));
    for node in store.walk(&hash).unwrap() {
        assert_eq!(
            store.get(&node).unwrap().payload.to_string(),
            original.get(&node).unwrap().payload.to_string()
        );
    }
    // The schemas were put in the order of the file, after the built-in ones.
    let index = Path::new("cas/_index").join(known::META_SCHEMA.as_str());
    assert_eq!(
        lines(&root.path().join(&index)),
        lines(&Path::new(ORIGINAL).join(&index))[..8]
    );
}

#[test]
fn storing_again_changes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path());
    let first = triage().store(&store, 7).unwrap();
    let names = fsx::file_names(&root.path().join("cas")).unwrap();
    assert_eq!(triage().store(&store, 8).unwrap(), first);
    assert_eq!(fsx::file_names(&root.path().join("cas")).unwrap(), names);
    assert_eq!(store.get(&first).unwrap().timestamp, 7.into());
}

#[test]
fn a_schema_gets_a_title_unless_it_has_one() {
    let definition = defined(&with(
        "      type: object\n      properties: {words: {type: integer}}",
        "      title: Words\n      type: object\n      properties: {words: {type: integer}}",
    ));
    let titles: Vec<_> = definition
        .schemas()
        .iter()
        .map(|(role, schema)| (role.as_str(), schema["title"].clone()))
        .collect();
    assert_eq!(
        titles,
        [
            ("writer", json!("Words")),
            ("reviewer", json!("flow.reviewer"))
        ]
    );
}

#[test]
fn a_schema_is_stored_as_the_file_means_it() {
    let schema = "      properties: {a: {enum: [no, 1.0, 1e2, 0x10, ~, true, 007, 2026-06-01]}}";
    let definition = defined(&with("      properties: {words: {type: integer}}", schema));
    let (_, stored) = &definition.schemas()[0];
    assert_eq!(
        stored["properties"]["a"]["enum"],
        json!(["no", 1, 100, 16, null, true, 7, "2026-06-01"])
    );
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path());
    definition.store(&store, 7).unwrap();
    let role = &definition.workflow().roles[&"writer".parse().unwrap()];
    assert_eq!(
        store.schema(&role.frontmatter).unwrap()["properties"],
        stored["properties"]
    );
}

#[test]
fn the_empty_schema_is_a_schema() {
    let definition = defined(&with(
        "    frontmatter:\n      type: object\n      properties: {words: {type: integer}}",
        "    frontmatter: {}",
    ));
    assert_eq!(definition.schemas()[0].1, json!({"title": "flow.writer"}));
}

#[test]
fn a_schema_may_use_all_of_draft_2020_12() {
    let definition = defined(&with(
        "      properties: {words: {type: integer}}",
        "      oneOf: [{required: [a]}, {required: [b]}]\n      $defs: {x: {pattern: '^a'}}",
    ));
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path());
    let hash = definition.store(&store, 7).unwrap();
    assert_eq!(hash, definition.hash());
    assert_eq!(store.get(&hash).unwrap().payload, definition.payload());
}

#[test]
fn an_edge_without_a_condition_is_stored_with_null() {
    let payload = defined(SOUND).payload();
    let edges = |source: &str| payload["graph"][source].clone();
    let stored = json!({"role": "writer", "condition": null, "prompt": "Write it."});
    assert_eq!(edges("$START"), json!([stored]));
    assert_eq!(edges("writer")[0]["condition"], Value::Null);
    assert_eq!(edges("reviewer")[0]["condition"], "rejected");
}

#[test]
fn keys_that_are_ignored_change_no_hash() {
    let extra = with(
        "description: Writes\n",
        "description: Writes\n    colour: red\n",
    );
    assert_eq!(defined(&extra).hash(), defined(SOUND).hash());
    let changed = with("description: Writes\n", "description: Writes!\n");
    assert_ne!(defined(&changed).hash(), defined(SOUND).hash());
}

#[test]
fn an_empty_workflow_can_be_stored() {
    let definition = defined("{name: flow, description: '', roles: {}, conditions: {}, graph: {}}");
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path());
    let hash = definition.store(&store, 7).unwrap();
    assert_eq!(
        store.get(&hash).unwrap().payload.to_string(),
        definition.payload().to_string()
    );
}

#[test]
fn a_stored_workflow_is_read_back() {
    let store = Store::open(Path::new(ORIGINAL));
    let hash: Hash = "6HA1S8JMB29J3".parse().unwrap();
    assert_eq!(stored(&store, &hash).unwrap(), *triage().workflow());
    let error = stored(&store, &known::WORKFLOW).unwrap_err();
    assert!(matches!(error, StoredError::OtherType { .. }));
    assert_eq!(
        error.to_string(),
        "the node 21AME01DDP1EB is not a workflow: its type is 3RZYZ9X0Y34K7"
    );
    let missing: Hash = "0000000000000".parse().unwrap();
    let error = stored(&store, &missing).unwrap_err();
    assert!(matches!(error, StoredError::Store(_)));
}

#[test]
fn a_stored_workflow_with_names_none_can_have_is_not_used() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::open(root.path());
    let payload = json!({
        "name": "flow", "description": "", "roles": {}, "conditions": {}, "graph": {"$NEVER": []},
    });
    let hash = store.put(&known::WORKFLOW, &payload, 7).unwrap();
    let error = stored(&store, &hash).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the workflow {hash} cannot be used")
    );
    assert_eq!(
        std::error::Error::source(&error).unwrap().to_string(),
        "`$NEVER` cannot be a role: names that begin with `$` are places of the graph"
    );
}
