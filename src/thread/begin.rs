//! How a thread comes into being: with a start of its own, or at a step of another one.
//!
//! The head is written last: until then there is no thread, and nothing that hinders a second
//! try.

use std::path::Path;

use super::chain::Chain;
use super::heads::{Heads, HeadsError};
use super::metadata::{Metadata, MetadataError};
use crate::cas::{CasError, Store, known};
use crate::model::{Hash, StartNode, ThreadId};

/// Why a thread could not begin.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// The start could not be stored.
    #[error("cannot store the start of the thread")]
    Store(#[source] CasError),
    /// The working folder could not be written down.
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    /// The list of active threads cannot be read or written.
    #[error(transparent)]
    Heads(#[from] HeadsError),
}

/// Begins a thread that runs a workflow, and says what its head is.
///
/// `thread` is a new id, `cwd` the folder its agents will work in.
pub fn start(
    store: &Store,
    root: &Path,
    thread: ThreadId,
    node: &StartNode,
    cwd: &Path,
    now_ms: u64,
) -> Result<Hash, BeginError> {
    // A list that cannot be read is found out before anything is stored.
    Heads::read(root)?;
    let payload = serde_json::json!({ "workflow": node.workflow, "prompt": node.prompt });
    let head = store
        .put(&known::START_NODE, &payload, now_ms)
        .map_err(BeginError::Store)?;
    add(root, thread, head, cwd, now_ms)?;
    Ok(head)
}

/// Begins a thread whose chain is the one given. What is added to either stays its own.
pub fn fork(
    root: &Path,
    thread: ThreadId,
    chain: &Chain<'_>,
    cwd: &Path,
    now_ms: u64,
) -> Result<(), BeginError> {
    Heads::read(root)?;
    add(root, thread, chain.head(), cwd, now_ms)
}

fn add(
    root: &Path,
    thread: ThreadId,
    head: Hash,
    cwd: &Path,
    now_ms: u64,
) -> Result<(), BeginError> {
    let metadata = Metadata {
        cwd: cwd.to_owned(),
        started_at: Some(now_ms),
    };
    metadata.write(root, &thread)?;
    Heads::locked(root)?.insert(thread, head)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fsx::{self, Access};
    use crate::thread::{Located, locate, working_folder};

    const ONE: &str = "06H2S7T0SYTNXJYWQYS40BBMNR";
    const TWO: &str = "06H2S7TA9T8B340D04DAXMJ56W";

    fn id(text: &str) -> ThreadId {
        text.parse().unwrap()
    }

    fn node() -> StartNode {
        StartNode {
            workflow: "6HA1S8JMB29J3".parse().unwrap(),
            prompt: "Why is the nightly build red? (job 42)".to_owned(),
        }
    }

    #[test]
    fn a_new_thread_stands_at_its_start_and_works_in_the_callers_folder() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let store = Store::open(root);
        let head = start(&store, root, id(ONE), &node(), root, 1).unwrap();
        assert_eq!(head.as_str(), "0RED5J61WBD57", "as the original has it");
        assert_eq!(locate(root, &id(ONE)).unwrap(), Located::Active { head });
        let chain = Chain::load(&store, head).unwrap();
        assert_eq!(chain.start().node, node());
        let elsewhere = Path::new("/else/where");
        assert_eq!(working_folder(root, &id(ONE), elsewhere).unwrap(), root);

        fork(root, id(TWO), &chain, elsewhere, 2).unwrap();
        assert_eq!(locate(root, &id(TWO)).unwrap(), Located::Active { head });
        assert_eq!(
            Metadata::read(root, &id(TWO)).unwrap().unwrap(),
            Metadata {
                cwd: elsewhere.to_owned(),
                started_at: Some(2),
            }
        );
    }

    #[test]
    fn with_a_damaged_list_nothing_is_stored() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        fsx::replace(&root.join("threads.yaml"), b"", Access::Shared).unwrap();
        let error = start(&Store::open(root), root, id(ONE), &node(), root, 1).unwrap_err();
        assert!(matches!(error, BeginError::Heads(HeadsError::Damaged(_))));
        assert_eq!(fsx::file_names(root).unwrap(), ["threads.yaml"]);
    }

    #[test]
    fn twelve_starts_at_once_are_twelve_threads() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let threads: Vec<_> = (10..22)
            .map(|number| id(&format!("01ARZ3NDEKTSV4RRFFQ69G5F{number}")))
            .collect();
        std::thread::scope(|scope| {
            for thread in &threads {
                scope.spawn(|| {
                    let store = Store::open(root);
                    start(&store, root, *thread, &node(), root, 1).unwrap();
                });
            }
        });
        let mut listed: Vec<_> = Heads::read(root)
            .unwrap()
            .iter()
            .map(|(thread, _)| thread)
            .collect();
        listed.sort_unstable();
        assert_eq!(listed, threads);
    }
}
