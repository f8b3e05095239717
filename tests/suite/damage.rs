//! Damage and slips in the files of a storage root: said with the file's name, never read as
//! something else, never overwritten.

mod chains;
mod folders;
mod heads;
mod nodes;
mod records;
mod settings;

use std::fs;
use std::path::PathBuf;

use crate::environment::Environment;

/// The thread of the recorded store that stands between two steps.
const THREAD: &str = "06H2S7T0SYTNXJYWQYS40BBMNR";
/// The one at its start.
const UNTOUCHED: &str = "06H2S7TA9T8B340D04DAXMJ56W";
const START: &str = "0RED5J61WBD57";
const HEAD: &str = "56XFMVXEJ5CJ5";
const WORKFLOW: &str = "6HA1S8JMB29J3";

const MEND_NODES: &str = "hint: the node files are in cas/ of the storage root; a copy of the \
                          missing or damaged one mends the thread\n";

fn node_file(environment: &Environment, hash: &str) -> PathBuf {
    environment.root().join(format!("cas/{hash}.bin"))
}

/// Changes one bit in the middle of a node's file, which is in its payload.
fn tamper(environment: &Environment, hash: &str) {
    let file = node_file(environment, hash);
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(file, bytes).unwrap();
}

/// The recorded store with an agent that leaves a line in `runs.txt`, as all here must not.
fn golden() -> Environment {
    let environment = Environment::with_golden_store();
    environment.program("answer", "echo run >>runs.txt");
    environment
}
