//! A node that is not what its name says is never served.

use serde_json::json;

use super::super::cbor;
use super::super::error::Damage;
use super::super::hash::self_hash_of;
use super::*;

const STEP: &str = "81P904K6HWN7F";

/// Puts these bytes in the place of a node and says what reading it reports.
fn damage_by(change: impl FnOnce(&mut Vec<u8>)) -> String {
    let (_root, store) = golden();
    let path = store.path(&hash(STEP));
    let mut bytes = fs::read(&path).unwrap();
    change(&mut bytes);
    fs::write(&path, bytes).unwrap();
    let error = store.get(&hash(STEP)).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("the node {STEP} is damaged ({})", path.display())
    );
    assert!(matches!(
        store.find(&hash(STEP)),
        Err(CasError::Damaged { .. })
    ));
    assert!(matches!(
        store.walk(&hash(STEP)),
        Err(CasError::Damaged { .. })
    ));
    match error {
        CasError::Damaged { why, .. } => why.to_string(),
        other => panic!("{other}"),
    }
}

fn swap(bytes: &mut [u8], from: &str, to: &str) {
    let place = bytes
        .windows(from.len())
        .position(|window| window == from.as_bytes())
        .unwrap();
    bytes[place..place + to.len()].copy_from_slice(to.as_bytes());
}

#[test]
fn every_way_to_damage_a_file_is_found() {
    let forged = damage_by(|bytes| swap(bytes, "writer", "hacker"));
    assert!(
        forged.starts_with("what it holds has the hash "),
        "{forged}"
    );
    let retyped = damage_by(|bytes| swap(bytes, "FZMFBDYPZ0M9Y", "FPVH9K1XJ2DZA"));
    assert!(
        retyped.starts_with("what it holds has the hash "),
        "{retyped}"
    );
    let cut = damage_by(|bytes| bytes.truncate(100));
    assert!(cut.starts_with("it cannot be read: byte "), "{cut}");
    assert_eq!(
        damage_by(Vec::clear),
        "it cannot be read: byte 0: end of input bytes"
    );
    let garbage = damage_by(|bytes| *bytes = b"not a node at all".to_vec());
    assert!(
        garbage.starts_with("it cannot be read: byte 0: "),
        "{garbage}"
    );
    assert_eq!(
        damage_by(|bytes| bytes.push(0)),
        "it cannot be read: byte 204: something follows what should be the end"
    );
    assert_eq!(
        damage_by(|bytes| *bytes = b"\xa1\x64type\x63abc".to_vec()),
        "it does not hold a node: its type is not a hash"
    );
    assert_eq!(
        damage_by(|bytes| *bytes = b"\xa1\x64kind\x63abc".to_vec()),
        "it does not hold a node: unexpected key \"kind\""
    );
    assert_eq!(
        damage_by(|bytes| *bytes = b"\xa1\x67payload\xf6".to_vec()),
        "it does not hold a node: it has no type"
    );
    assert_eq!(
        damage_by(|bytes| *bytes = b"\xa0".to_vec()),
        "it does not hold a node: it has no payload"
    );
    assert_eq!(
        damage_by(|bytes| *bytes = b"\xa1\x69timestamp\xf6".to_vec()),
        "it does not hold a node: its timestamp is not a number"
    );
    assert_eq!(
        damage_by(|bytes| {
            *bytes = b"\xa1\x67payload".to_vec();
            bytes.resize(100_000, 0x81);
        }),
        "it cannot be read: byte 521: it nests deeper than 512 levels"
    );
}

#[test]
fn another_nodes_file_is_not_the_node() {
    let other = fs::read(original().join("cas/95EECVDJRHA3X.bin")).unwrap();
    assert_eq!(
        damage_by(|bytes| *bytes = other),
        "what it holds has the hash 95EECVDJRHA3X"
    );
}

#[test]
fn a_changed_time_is_no_damage() {
    let (_root, store) = golden();
    let node = store.get(&hash(STEP)).unwrap();
    let bytes = cbor::encode_node(node.type_hash.as_str(), &cbor::encode(&node.payload), 7);
    fs::write(store.path(&hash(STEP)), bytes).unwrap();
    assert_eq!(store.get(&hash(STEP)).unwrap().timestamp, 7.into());
}

#[test]
fn only_a_meta_schema_is_its_own_type() {
    let (_root, store) = golden();
    let payload = json!({"type": "object"});
    let name = self_hash_of(&payload);
    let bytes = cbor::encode_node(name.as_str(), &cbor::encode(&payload), 1);
    fs::write(store.path(&name), bytes).unwrap();
    assert!(matches!(
        store.get(&name),
        Err(CasError::Damaged {
            why: Damage::WrongHash { .. },
            ..
        })
    ));
}

#[test]
fn a_damaged_node_is_not_taken_for_one_that_is_stored() {
    let (_root, store) = golden();
    let text = hash("9Y3KSN3PAJ0F4");
    fs::write(store.path(&text), b"junk").unwrap();
    assert!(matches!(
        store.put_text("a plain text node", 1),
        Err(CasError::Damaged { .. })
    ));
    assert_eq!(fs::read(store.path(&text)).unwrap(), b"junk");
}

#[test]
fn a_lost_node_is_left_out_of_a_walk_and_a_lost_schema_is_an_error() {
    let (_root, store) = golden();
    fs::remove_file(store.path(&hash("4KE7W0EGCE72N"))).unwrap();
    let reached = store.walk(&hash(STEP)).unwrap();
    assert!(!reached.contains(&hash("4KE7W0EGCE72N")));
    assert!(reached.contains(&hash("6HA1S8JMB29J3")));
    fs::remove_file(store.path(&hash("BCC0VRPJG3H5P"))).unwrap();
    assert_eq!(
        store.walk(&hash("ABDDB6HGE7WDR")).unwrap_err().to_string(),
        "the type BCC0VRPJG3H5P is not in the store"
    );
    assert!(store.walk(&hash("4KE7W0EGCE72N")).unwrap().is_empty());
}
