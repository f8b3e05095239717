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
fn names_and_hashes_that_look_like_something_else_are_quoted() {
    let root = tempfile::tempdir().unwrap();
    let registry = Registry::at(root.path());
    let long = "n".repeat(5_000);
    let names = [
        "digits",
        "exponent",
        "123",
        "Null",
        "a: b",
        "# \"c\"\\",
        "é\n\u{85}\u{feff}𝄞",
        "",
        &long,
    ];
    let hashes = [
        "0123456789012",
        "12345678E1234",
        "0123456789E12",
        "0E2E456789012",
    ];
    let entries: Vec<_> = names
        .iter()
        .zip(hashes.iter().cycle())
        .map(|(name, text)| ((*name).to_owned(), hash(text)))
        .collect();
    for (name, hash) in &entries {
        registry.set(name, *hash).unwrap();
    }
    assert_eq!(
        read(root.path(), "registry.yaml").unwrap(),
        format!(
            r##"digits: "0123456789012"
exponent: "12345678E1234"
"123": "0123456789E12"
"Null": "0E2E456789012"
"a: b": "0123456789012"
"# \"c\"\\": "12345678E1234"
"é\u000a\u0085\ufeff𝄞": "0123456789E12"
"": "0E2E456789012"
? {long}
: "0123456789012"
"##
        )
    );
    assert_eq!(registry.read().unwrap().entries, entries);
}

#[test]
fn a_hash_of_digits_alone_is_read_without_quotes_too() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "registry.yaml", "flow: 0123456789012\n");
    let registered = Registry::at(root.path()).read().unwrap();
    assert_eq!(registered.get("flow"), Some(hash("0123456789012")));
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
        (
            "",
            "1:1",
            "it is empty; a registry without workflows is written `{}`",
        ),
        (
            "# nothing\n",
            "1:1",
            "it is empty; a registry without workflows is written `{}`",
        ),
        (
            "- flow\n",
            "1:1",
            "it must be a mapping of names to hashes, and is a list",
        ),
        (
            "flow",
            "1:1",
            "it must be a mapping of names to hashes, and is a string",
        ),
        (
            "flow: 6HA1S8JMB29J3\nother: 6HA1S8J",
            "2:8",
            "`other` has no hash: `6HA1S8J` is not a hash: a hash is 13 characters of 0-9 and A-Z without I, L, O and U",
        ),
        (
            "flow: [6HA1S8JMB29J3]\n",
            "1:7",
            "`flow` has no hash: it is a list",
        ),
        (
            "flow: 6HA1S8JMB29J3\nflow: 21AME01DDP1EB\n",
            "2:1",
            "the key `flow` is given twice",
        ),
    ];
    for (text, place, message) in cases {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "registry.yaml", text);
        let registry = Registry::at(root.path());
        let path = root.path().join("registry.yaml");
        let expected = format!(
            "the registry {}:{place} cannot be read: {message}",
            path.display()
        );
        for error in [
            registry.read().unwrap_err(),
            registry.set("flow", hash(FIRST)).unwrap_err(),
        ] {
            assert!(matches!(error, RegistryError::Damaged { .. }));
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
