//! What is read from and written to `threads.yaml`, also when it is damaged, and changes from many
//! sides at once.

use std::path::Path;

use super::*;
use crate::fsx::Access;

const ONE: &str = "06H2S7T0SYTNXJYWQYS40BBMNR";
const TWO: &str = "06H2S7TA9T8B340D04DAXMJ56W";

fn id(text: &str) -> ThreadId {
    text.parse().unwrap()
}

fn head(text: &str) -> Hash {
    text.parse().unwrap()
}

fn put(root: &Path, text: &str) -> PathBuf {
    let path = root.join(FILE);
    fsx::replace(&path, text.as_bytes(), Access::Shared).unwrap();
    path
}

fn file(root: &Path) -> String {
    fsx::read_text_optional(&root.join(FILE)).unwrap().unwrap()
}

fn refusal(text: &str) -> String {
    let root = tempfile::tempdir().unwrap();
    let path = put(root.path(), text);
    let error = Heads::read(root.path()).unwrap_err();
    assert!(error.hint().is_some(), "{error}");
    assert!(Heads::locked(root.path()).is_err());
    assert_eq!(file(root.path()), text, "a damaged file is never written");
    error
        .to_string()
        .replace(&path.display().to_string(), "threads.yaml")
}

/// A refusal with its place in front.
fn damaged(message: &str) -> String {
    let (place, message) = message.split_once(": ").unwrap();
    format!("threads.yaml:{place}: cannot read the list of active threads: {message}")
}

#[test]
fn no_file_is_no_thread_and_reading_makes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let heads = Heads::read(root.path()).unwrap();
    assert_eq!(heads.iter().count(), 0);
    assert_eq!(heads.get(&id(ONE)), None);
    assert!(fsx::file_names(root.path()).unwrap().is_empty());
}

#[test]
fn a_list_is_written_in_the_style_of_the_original_and_keeps_its_order() {
    let root = tempfile::tempdir().unwrap();
    let mut heads = Heads::locked(root.path()).unwrap();
    heads.insert(id(TWO), head("5ZDNP8G82TBBT")).unwrap();
    heads.insert(id(ONE), head("56XFMVXEJ5CJ5")).unwrap();
    assert_eq!(
        file(root.path()),
        "06H2S7TA9T8B340D04DAXMJ56W: 5ZDNP8G82TBBT\n06H2S7T0SYTNXJYWQYS40BBMNR: 56XFMVXEJ5CJ5\n"
    );
    assert_eq!(Heads::read(root.path()).unwrap(), *heads);
    assert!(heads.remove(&id(TWO)).unwrap());
    assert!(!heads.remove(&id(TWO)).unwrap());
    assert_eq!(
        file(root.path()),
        "06H2S7T0SYTNXJYWQYS40BBMNR: 56XFMVXEJ5CJ5\n"
    );
    assert!(heads.remove(&id(ONE)).unwrap());
    assert_eq!(file(root.path()), "{}\n");
    drop(heads);
    assert_eq!(Heads::read(root.path()).unwrap().iter().count(), 0);
}

#[test]
fn an_empty_or_cut_file_is_an_error_and_is_left_alone() {
    for text in ["", " \n", "# nothing\n"] {
        assert_eq!(
            refusal(text),
            "threads.yaml:1:1: cannot read the list of active threads: \
             it is empty, without even `{}`: it was cut off"
        );
    }
    for (text, message) in [
        (
            "06H2S7T0SYTN",
            "1:1: it holds a string, and one line of it is `<thread>: <head>`",
        ),
        (
            "06H2S7T0SYTNXJYWQYS40BBMNR: 56XFMVXEJ5CJ5\n06H2S7TA9T8B340D04DAXMJ56W:",
            "2:27: `06H2S7TA9T8B340D04DAXMJ56W` has no hash",
        ),
        (
            "06H2S7T0SYTNXJYWQYS40BBMNR: 56XFMVXEJ5CJ5\n06H2S7TA9T8B340D04DAXMJ56W: 5ZDN",
            "2:29: `06H2S7TA9T8B340D04DAXMJ56W` has no hash: `5ZDN` is not a hash: \
             a hash is 13 characters of 0-9 and A-Z without I, L, O and U",
        ),
    ] {
        assert_eq!(refusal(text), damaged(message));
    }
    let cut_in_the_id = refusal("06H2S7T0SYTNXJYWQYS40BBMNR: 56XFMVXEJ5CJ5\n06H2S7TA9T");
    assert!(
        cut_in_the_id.starts_with("threads.yaml:2:1: "),
        "{cut_in_the_id}"
    );
}

#[test]
fn what_is_no_thread_or_no_hash_is_an_error_with_its_place() {
    for (text, message) in [
        (
            "a: 56XFMVXEJ5CJ5",
            "1:1: `a` is not a thread id: an id is 26 characters of 0-9 and A-Z without \
             I, L, O and U, the first at most 7",
        ),
        (
            "06H2S7T0SYTNXJYWQYS40BBMNR: {head: 56XFMVXEJ5CJ5}",
            "1:29: `06H2S7T0SYTNXJYWQYS40BBMNR` has no hash: it has a mapping",
        ),
        (
            "06H2S7T0SYTNXJYWQYS40BBMNR: 56XFMVXEJ5CJ5\n\n06H2S7T0SYTNXJYWQYS40BBMNR: 5ZDNP8G82TBBT",
            "3:1: the key `06H2S7T0SYTNXJYWQYS40BBMNR` is given twice\n\
             threads.yaml:1:1: first given here",
        ),
    ] {
        assert_eq!(refusal(text), damaged(message));
    }
}

#[test]
fn a_file_that_is_no_text_is_left_alone() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join(FILE);
    fsx::replace(&path, b"\xff\xfe", Access::Shared).unwrap();
    let error = Heads::locked(root.path()).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot read {}", path.display()));
    assert_eq!(
        fsx::read_optional(&path).unwrap().as_deref(),
        Some(&b"\xff\xfe"[..])
    );
}

#[test]
fn a_head_moves_only_from_where_it_is_expected() {
    let root = tempfile::tempdir().unwrap();
    let (first, second) = (head("56XFMVXEJ5CJ5"), head("5ZDNP8G82TBBT"));
    let mut heads = Heads::locked(root.path()).unwrap();
    heads.insert(id(ONE), first).unwrap();
    heads.advance(id(ONE), first, second).unwrap();
    let moved = heads.advance(id(ONE), first, second).unwrap_err();
    assert_eq!(
        moved.to_string(),
        "cannot move thread 06H2S7T0SYTNXJYWQYS40BBMNR on from 56XFMVXEJ5CJ5: \
         its head is 5ZDNP8G82TBBT meanwhile"
    );
    let gone = heads.advance(id(TWO), first, second).unwrap_err();
    assert_eq!(
        gone.to_string(),
        "cannot move thread 06H2S7TA9T8B340D04DAXMJ56W on: it is not active any more"
    );
    let taken = heads.insert(id(ONE), first).unwrap_err();
    assert_eq!(
        taken.to_string(),
        "cannot add thread 06H2S7T0SYTNXJYWQYS40BBMNR: there is an active thread of that id"
    );
    assert_eq!(
        file(root.path()),
        "06H2S7T0SYTNXJYWQYS40BBMNR: 5ZDNP8G82TBBT\n"
    );
}

#[test]
fn twelve_at_once_are_all_listed() {
    let root = tempfile::tempdir().unwrap();
    let threads: Vec<_> = (10..22)
        .map(|number| id(&format!("01ARZ3NDEKTSV4RRFFQ69G5F{number}")))
        .collect();
    std::thread::scope(|scope| {
        for thread in &threads {
            scope.spawn(|| {
                let mut heads = Heads::locked(root.path()).unwrap();
                heads.insert(*thread, head("56XFMVXEJ5CJ5")).unwrap();
            });
        }
    });
    let mut listed: Vec<_> = Heads::read(root.path())
        .unwrap()
        .iter()
        .map(|(thread, _)| thread)
        .collect();
    listed.sort_unstable();
    assert_eq!(listed, threads);
}

#[test]
fn one_of_many_who_move_the_same_head_succeeds() {
    let root = tempfile::tempdir().unwrap();
    let (first, second) = (head("56XFMVXEJ5CJ5"), head("5ZDNP8G82TBBT"));
    let mut heads = Heads::locked(root.path()).unwrap();
    heads.insert(id(ONE), first).unwrap();
    drop(heads);
    let moved = std::thread::scope(|scope| {
        let movers: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let mut heads = Heads::locked(root.path()).unwrap();
                    heads.advance(id(ONE), first, second).is_ok()
                })
            })
            .collect();
        movers
            .into_iter()
            .map(|mover| mover.join().unwrap())
            .filter(|moved| *moved)
            .count()
    });
    assert_eq!(moved, 1);
}

#[test]
fn a_list_of_the_original_is_extended_in_its_own_style() {
    const ORIGINAL: &str = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/vectors/store-original/threads.yaml"
    ));
    let root = tempfile::tempdir().unwrap();
    put(root.path(), ORIGINAL);
    let mut heads = Heads::locked(root.path()).unwrap();
    heads
        .insert(id("01ARZ3NDEKTSV4RRFFQ69G5FAV"), head("0RED5J61WBD57"))
        .unwrap();
    assert_eq!(
        file(root.path()),
        format!("{ORIGINAL}01ARZ3NDEKTSV4RRFFQ69G5FAV: 0RED5J61WBD57\n")
    );
    heads.remove(&id("01ARZ3NDEKTSV4RRFFQ69G5FAV")).unwrap();
    assert_eq!(file(root.path()), ORIGINAL);
}
