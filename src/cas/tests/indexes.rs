//! The lists of members, and making them anew.

use super::super::known::{META_SCHEMA, TEXT};
use super::*;

const LIST: &str = "cas/_index/86N29KJ2R9X6K";

#[test]
fn a_node_that_was_never_listed_is_listed_when_it_is_put_again() {
    let (root, store) = golden();
    for remains in [None, Some("")] {
        match remains {
            None => fs::remove_file(root.path().join(LIST)).unwrap(),
            Some(text) => fs::write(root.path().join(LIST), text).unwrap(),
        }
        store.put_text("a plain text node", 1).unwrap();
        assert_eq!(texts(&store.members(&TEXT).unwrap()), ["9Y3KSN3PAJ0F4"]);
    }
}

#[test]
fn a_built_in_schema_that_was_never_listed_is_listed_by_the_next_write() {
    let (root, store) = golden();
    let list = root.path().join("cas/_index/3RZYZ9X0Y34K7");
    fs::write(&list, "3RZYZ9X0Y34K7\n21AME01DDP1EB\n").unwrap();
    store.put_text("new", 1).unwrap();
    assert_eq!(
        texts(&store.members(&META_SCHEMA).unwrap()),
        [
            "3RZYZ9X0Y34K7",
            "21AME01DDP1EB",
            "FPVH9K1XJ2DZA",
            "FZMFBDYPZ0M9Y",
            "86N29KJ2R9X6K",
        ]
    );
}

#[test]
fn a_line_that_is_no_hash_is_named_and_a_repeated_one_counts_once() {
    let (root, store) = golden();
    let path = root.path().join(LIST);
    fs::write(&path, "9Y3KSN3PAJ0F4\n9Y3KSN3PAJ0F4\n").unwrap();
    assert_eq!(texts(&store.members(&TEXT).unwrap()), ["9Y3KSN3PAJ0F4"]);
    fs::write(&path, "9Y3KSN3PAJ0F4\n9Y3KSN").unwrap();
    assert_eq!(
        store.members(&TEXT).unwrap_err().to_string(),
        format!("{}:2: `9Y3KSN` is not a hash", path.display())
    );
    // It is in nobody's way.
    let new = store.put_text("new", 1).unwrap();
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        format!("9Y3KSN3PAJ0F4\n9Y3KSN\n{new}\n")
    );
    store.reindex().unwrap();
    assert_eq!(store.members(&TEXT).unwrap(), [hash("9Y3KSN3PAJ0F4"), new]);
}

#[test]
fn a_reindex_of_a_store_in_order_changes_nothing() {
    let (root, store) = golden();
    let before = files(root.path());
    let outcome = store.reindex().unwrap();
    assert_eq!((outcome.nodes, outcome.types), (36, 10));
    assert!(outcome.damaged.is_empty());
    let mut after = files(root.path());
    after.remove("locks/cas.lock");
    assert_eq!(after, before);
}

#[test]
fn a_reindex_makes_lost_lists_anew_by_time() {
    let (root, store) = golden();
    let before = files(&root.path().join("cas/_index"));
    fs::remove_dir_all(root.path().join("cas/_index")).unwrap();
    store.reindex().unwrap();
    assert_eq!(files(&root.path().join("cas/_index")), before);
}

#[test]
fn a_reindex_keeps_the_order_of_what_is_listed_and_drops_what_is_gone() {
    let (root, store) = golden();
    let list = root.path().join("cas/_index/EY17ZNT37EHBB");
    fs::write(
        &list,
        "CTJGS28MMYKY0\nAAAAAAAAAAAAA\nB42B3393G4M4T\nCTJGS28MMYKY0\n",
    )
    .unwrap();
    fs::write(
        root.path().join("cas/_index/AAAAAAAAAAAAA"),
        "BBBBBBBBBBBBB\n",
    )
    .unwrap();
    store.reindex().unwrap();
    assert_eq!(
        texts(&store.members(&hash("EY17ZNT37EHBB")).unwrap()),
        [
            "CTJGS28MMYKY0",
            "B42B3393G4M4T",
            "7KXTQYES1QC3W",
            "A4YR9NAW4BA0N",
            "5DYGS76CE201S",
        ]
    );
    assert!(store.members(&hash("AAAAAAAAAAAAA")).unwrap().is_empty());
}

#[test]
fn a_reindex_reports_damaged_nodes_and_goes_on() {
    let (root, store) = golden();
    let text = hash("9Y3KSN3PAJ0F4");
    fs::write(store.path(&text), b"junk").unwrap();
    fs::write(root.path().join("cas/readme.txt"), b"no node").unwrap();
    let outcome = store.reindex().unwrap();
    assert_eq!((outcome.nodes, outcome.damaged.len()), (35, 1));
    assert!(matches!(
        &outcome.damaged[0],
        CasError::Damaged { hash, .. } if *hash == text
    ));
    assert_eq!(store.members(&TEXT).unwrap(), [text]);
}
