//! `current.json`: the thread that was started, stepped or forked last, which `@` means.
//!
//! A convenience of one person at one keyboard: of two commands at once, the later write counts.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::fsx::{self, Access, FileError};
use crate::model::ThreadId;

/// The format of the file. Its changes: 1, the first, has the thread.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Format {
    version: u32,
    thread: ThreadId,
}

/// The part that every version of the format has.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// Why it is not known which thread was the last.
#[derive(Debug, thiserror::Error)]
pub enum CurrentError {
    /// The operating system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not JSON of the right shape.
    #[error("cannot read which thread was the last in {}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// The file was written by a later uwf.
    #[error("cannot read {}: its format is version {version}, this program knows {VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version it says.
        version: u32,
    },
}

fn path_of(root: &Path) -> PathBuf {
    root.join("current.json")
}

/// The thread that was started, stepped or forked last; none when there was none yet.
pub fn current(root: &Path) -> Result<Option<ThreadId>, CurrentError> {
    let path = path_of(root);
    let Some(text) = fsx::read_text_optional(&path)? else {
        return Ok(None);
    };
    let malformed = |source| CurrentError::Malformed {
        path: path.clone(),
        source,
    };
    let Versioned { version } = serde_json::from_str(&text).map_err(malformed)?;
    if version != VERSION {
        return Err(CurrentError::Version { path, version });
    }
    let Format { thread, .. } = serde_json::from_str(&text).map_err(malformed)?;
    Ok(Some(thread))
}

/// Makes this thread the last one. A file of a later uwf is left as it is, and so is one that
/// cannot be read.
pub fn make_current(root: &Path, thread: ThreadId) -> Result<(), CurrentError> {
    if current(root)? == Some(thread) {
        return Ok(());
    }
    let format = Format {
        version: VERSION,
        thread,
    };
    let text = crate::jsonl::to_line(&format) + "\n";
    fsx::replace(&path_of(root), text.as_bytes(), Access::Shared)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread() -> ThreadId {
        "06H2S7T0SYTNXJYWQYS40BBMNR".parse().unwrap()
    }

    #[test]
    fn the_last_thread_is_remembered() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        assert_eq!(current(root).unwrap(), None);
        let other = "06H2S7TA9T8B340D04DAXMJ56W".parse().unwrap();
        make_current(root, other).unwrap();
        make_current(root, thread()).unwrap();
        assert_eq!(current(root).unwrap(), Some(thread()));
        assert_eq!(
            fsx::read_text_optional(&path_of(root)).unwrap().as_deref(),
            Some("{\"version\":1,\"thread\":\"06H2S7T0SYTNXJYWQYS40BBMNR\"}\n")
        );
    }

    #[test]
    fn a_file_that_cannot_be_read_is_named_and_never_overwritten() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let path = path_of(root);
        let cannot_read = format!(
            "cannot read which thread was the last in {}",
            path.display()
        );
        let later = format!(
            "cannot read {}: its format is version 2, this program knows 1",
            path.display()
        );
        for (text, message) in [
            ("", &cannot_read),
            ("{\"version\":1,\"thread\":\"06H2\"}", &cannot_read),
            ("{\"version\":2,\"threads\":[]}", &later),
        ] {
            fsx::replace(&path, text.as_bytes(), Access::Shared).unwrap();
            assert_eq!(current(root).unwrap_err().to_string(), *message);
            assert_eq!(
                make_current(root, thread()).unwrap_err().to_string(),
                *message
            );
            let kept = fsx::read_text_optional(&path).unwrap();
            assert_eq!(kept.as_deref(), Some(text));
        }
    }
}
