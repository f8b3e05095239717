//! The store as its callers see it, on stores of their own in temporary folders.

#![expect(
    clippy::disallowed_methods,
    reason = "the tests make the files that the store must cope with"
)]

mod damage;
mod golden;
mod indexes;
mod writing;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;
use crate::model::Hash;

pub(super) fn hash(text: &str) -> Hash {
    text.parse().unwrap()
}

pub(super) fn texts(hashes: &[Hash]) -> Vec<&str> {
    hashes.iter().map(Hash::as_str).collect()
}

pub(super) fn original() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/store-original")
}

/// A copy of the store that the original wrote.
pub(super) fn golden() -> (TempDir, Store) {
    let root = tempfile::tempdir().unwrap();
    for folder in ["cas", "cas/_index"] {
        fs::create_dir(root.path().join(folder)).unwrap();
        for entry in fs::read_dir(original().join(folder)).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                let copy = root.path().join(folder).join(entry.file_name());
                fs::copy(entry.path(), copy).unwrap();
            }
        }
    }
    let store = Store::open(root.path());
    (root, store)
}

/// Every file below a folder with its bytes, by its path from there.
pub(super) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                found.insert(name.to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}
