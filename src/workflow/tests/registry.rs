//! The registry's file, read and written.

use std::path::Path;

use crate::fsx::{self, Access, Lock};
use crate::model::Hash;
use crate::workflow::{Registry, RegistryError};

const FIRST: &str = "6HA1S8JMB29J3";
const SECOND: &str = "21AME01DDP1EB";

fn hash(text: &str) -> Hash {
    text.parse().unwrap()
}

fn write(root: &Path, name: &str, text: &str) {
    fsx::replace(&root.join(name), text.as_bytes(), Access::Shared).unwrap();
}

fn read(root: &Path, name: &str) -> Option<String> {
    fsx::read_text_optional(&root.join(name)).unwrap()
}

#[test]
fn a_fresh_root_has_an_empty_registry_and_reading_writes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let registered = Registry::at(root.path()).read().unwrap();
    assert_eq!(registered.path, root.path().join("registry.yaml"));
    assert_eq!(registered.entries, []);
    assert!(fsx::file_names(root.path()).unwrap().is_empty());
}

#[test]
fn names_keep_their_order_and_get_new_hashes_in_place() {
    let root = tempfile::tempdir().unwrap();
    let registry = Registry::at(root.path());
    registry.set("zeta", hash(FIRST)).unwrap();
    registry.set("alpha", hash(FIRST)).unwrap();
    registry.set("zeta", hash(SECOND)).unwrap();
    assert_eq!(
        read(root.path(), "registry.yaml").unwrap(),
        format!("zeta: {SECOND}\nalpha: {FIRST}\n")
    );
    let registered = registry.read().unwrap();
    assert_eq!(registered.get("zeta"), Some(hash(SECOND)));
    assert_eq!(registered.get("beta"), None);
}

#[test]
fn the_originals_file_is_the_registry_where_it_exists() {
    let root = tempfile::tempdir().unwrap();
    let original = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/vectors/store-original/workflows.yaml"
    ));
    write(root.path(), "workflows.yaml", original);
    write(root.path(), "registry.yaml", "another: 21AME01DDP1EB\n");
    let registry = Registry::at(root.path());
    let registered = registry.read().unwrap();
    assert_eq!(registered.path, root.path().join("workflows.yaml"));
    assert_eq!(
        registered.entries,
        [("triage-report".to_owned(), hash(FIRST))]
    );
    registry.set("flow", hash(SECOND)).unwrap();
    assert_eq!(
        read(root.path(), "workflows.yaml").unwrap(),
        format!("{original}flow: {SECOND}\n")
    );
    assert_eq!(
        read(root.path(), "registry.yaml").unwrap(),
        "another: 21AME01DDP1EB\n"
    );
}

#[test]
fn any_text_can_be_a_name() {
    let root = tempfile::tempdir().unwrap();
    let registry = Registry::at(root.path());
    for name in ["123", "a: b", ""] {
        registry.set(name, hash("12345678E1234")).unwrap();
    }
    assert_eq!(
        read(root.path(), "registry.yaml").unwrap(),
        "\"123\": \"12345678E1234\"\n\"a: b\": \"12345678E1234\"\n\"\": \"12345678E1234\"\n"
    );
    let registered = registry.read().unwrap();
    assert_eq!(registered.get("a: b"), Some(hash("12345678E1234")));
}

#[test]
fn an_empty_mapping_is_an_empty_registry() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "workflows.yaml", "{}\n");
    let registry = Registry::at(root.path());
    assert_eq!(registry.read().unwrap().entries, []);
    registry.set("flow", hash(FIRST)).unwrap();
    assert_eq!(
        read(root.path(), "workflows.yaml").unwrap(),
        format!("flow: {FIRST}\n")
    );
}

#[test]
fn a_damaged_registry_is_named_and_never_overwritten() {
    let cases = [
        ("", "1:1", "it is empty, without even `{}`: it was cut off"),
        (
            "flow",
            "1:1",
            "it holds a string, and one line of it is `<name>: <hash>`",
        ),
        (
            "flow: 6HA1S8JMB29J3\nother: 6HA1S8J",
            "2:8",
            "`other` has no hash: `6HA1S8J` is not a hash: a hash is 13 characters of 0-9 and A-Z without I, L, O and U",
        ),
    ];
    for (text, place, message) in cases {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "registry.yaml", text);
        let registry = Registry::at(root.path());
        let path = root.path().join("registry.yaml");
        let expected = format!(
            "{}:{place}: cannot read the registry of workflows: {message}",
            path.display()
        );
        for error in [
            registry.read().unwrap_err(),
            registry.set("flow", hash(FIRST)).unwrap_err(),
        ] {
            assert!(matches!(error, RegistryError::Damaged(_)));
            assert_eq!(error.to_string(), expected);
            assert!(error.hint().is_some());
        }
        assert_eq!(read(root.path(), "registry.yaml").as_deref(), Some(text));
    }
}

#[test]
fn many_writers_lose_no_name() {
    let root = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for writer in 0..12 {
            let registry = Registry::at(root.path());
            scope.spawn(move || {
                registry
                    .set(&format!("flow-{writer}"), hash(FIRST))
                    .unwrap();
            });
        }
    });
    let registered = Registry::at(root.path()).read().unwrap();
    assert_eq!(registered.entries.len(), 12);
    let lock = root.path().join("locks/root.lock");
    assert!(Lock::try_acquire(&lock).unwrap().is_some());
}
