//! Files that hold what the program prints, compared and renewed.

use std::path::Path;
use std::{env, fs};

/// Set, it makes the tests write these files instead of comparing them.
const UPDATE: &str = "UPDATE_SNAPSHOTS";

/// The file, from the project's root; empty when there is none yet.
pub fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap_or_default()
}

/// Compares the file with what it should hold now; says the first line that differs.
#[track_caller]
pub fn assert_is(file: &str, now: &str) {
    if env::var_os(UPDATE).is_some() {
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(file), now).unwrap();
        return;
    }
    let recorded = read(file);
    if recorded == now {
        return;
    }
    let mut lines = recorded.lines().zip(now.lines()).enumerate();
    let (line, recorded, now) = match lines.find(|(_, (recorded, now))| recorded != now) {
        Some((at, (recorded, now))) => (at + 1, recorded, now),
        None => (
            recorded.lines().count().min(now.lines().count()) + 1,
            "",
            "",
        ),
    };
    panic!(
        "{file} is not what is printed now, first in line {line}\n  recorded: {recorded}\n  \
         printed:  {now}\nwhen that is meant, renew it and read the difference:\n  \
         {UPDATE}=1 cargo test --test suite && git diff {file}\n"
    );
}
