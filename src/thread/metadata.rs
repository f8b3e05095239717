//! `threads/<thread>.json`: what is known of a thread beside its chain — the folder it works in, and
//! when it began.
//!
//! Threads of the original have no such file.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::fsx::{self, Access, FileError};
use crate::jsonl::{self, Versioned};
use crate::model::ThreadId;

/// The format of the file. Its changes: 1, the first, has the working folder and the beginning.
const VERSION: u32 = 1;

/// What is known of a thread beside its chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    /// The folder its agents work in, absolute.
    pub cwd: PathBuf,
    /// When it began, in milliseconds since 1970. Its start node does not tell: threads of one
    /// workflow and one prompt share it, and so do a thread and its forks.
    pub started_at: Option<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Format {
    version: u32,
    cwd: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    started_at: Option<u64>,
}

/// Why the working folder of a thread cannot be kept, or not be found out.
#[derive(Debug, thiserror::Error)]
pub enum MetadataError {
    /// The operating system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file is not JSON of the right shape.
    #[error("cannot read what is known of the thread in {}", path.display())]
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
    /// JSON holds text, and the path is none.
    #[error("cannot record the working folder {}: its path is not UTF-8 text", cwd.display())]
    NotText {
        /// The working folder.
        cwd: PathBuf,
    },
    /// A relative path would depend on where the caller is.
    #[error("the working folder recorded in {} is not an absolute path: {}", path.display(), cwd.display())]
    Relative {
        /// The file.
        path: PathBuf,
        /// What it says.
        cwd: PathBuf,
    },
    /// The folder the thread works in is not there any more.
    #[error("the working folder of thread {thread} is gone: {}", cwd.display())]
    FolderGone {
        /// The thread.
        thread: ThreadId,
        /// The folder.
        cwd: PathBuf,
        /// The file that records it.
        path: PathBuf,
    },
    /// Something else stands where the folder the thread works in was.
    #[error("the working folder of thread {thread} is not a folder: {}", cwd.display())]
    NotAFolder {
        /// The thread.
        thread: ThreadId,
        /// What stands there.
        cwd: PathBuf,
        /// The file that records it.
        path: PathBuf,
    },
    /// The folder the thread works in cannot be looked at.
    #[error("cannot look at {}, the working folder of thread {thread}", cwd.display())]
    FolderUnreachable {
        /// The thread.
        thread: ThreadId,
        /// The folder.
        cwd: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

impl MetadataError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::FolderGone { path, .. } => Some(format!(
                "make the folder again, or write the folder to work in as `cwd` in {}",
                path.display()
            )),
            Self::NotAFolder { path, .. } => Some(format!(
                "write the folder to work in as `cwd` in {}",
                path.display()
            )),
            Self::Version { .. } => Some("use the uwf that started the thread".to_owned()),
            Self::Malformed { path, .. } | Self::Relative { path, .. } => Some(format!(
                "correct {path}, or remove it to run the thread in the folder uwf is called in",
                path = path.display()
            )),
            _ => None,
        }
    }
}

fn path_of(root: &Path, thread: &ThreadId) -> PathBuf {
    root.join("threads").join(format!("{thread}.json"))
}

impl Metadata {
    /// Reads what is known of a thread; none when there is no file.
    pub fn read(root: &Path, thread: &ThreadId) -> Result<Option<Self>, MetadataError> {
        let path = path_of(root, thread);
        let Some(text) = fsx::read_text_optional(&path)? else {
            return Ok(None);
        };
        let malformed = |source| MetadataError::Malformed {
            path: path.clone(),
            source,
        };
        let Versioned { version } = serde_json::from_str(&text).map_err(malformed)?;
        if version != VERSION {
            return Err(MetadataError::Version { path, version });
        }
        let format: Format = serde_json::from_str(&text).map_err(malformed)?;
        let cwd = PathBuf::from(format.cwd);
        if cwd.is_relative() {
            return Err(MetadataError::Relative { path, cwd });
        }
        let started_at = format.started_at;
        Ok(Some(Self { cwd, started_at }))
    }

    /// Writes down what is known of a thread.
    pub fn write(&self, root: &Path, thread: &ThreadId) -> Result<(), MetadataError> {
        let cwd = self.cwd.to_str().ok_or_else(|| MetadataError::NotText {
            cwd: self.cwd.clone(),
        })?;
        let format = Format {
            version: VERSION,
            cwd: cwd.to_owned(),
            started_at: self.started_at,
        };
        let text = jsonl::to_line(&format) + "\n";
        fsx::replace(&path_of(root, thread), text.as_bytes(), Access::Shared)?;
        Ok(())
    }
}

/// The folder a thread works in: the recorded one, which must be there; the caller's when none is
/// recorded.
pub fn working_folder(
    root: &Path,
    thread: &ThreadId,
    caller: &Path,
) -> Result<PathBuf, MetadataError> {
    let Some(Metadata { cwd, .. }) = Metadata::read(root, thread)? else {
        return Ok(caller.to_owned());
    };
    match cwd.metadata() {
        Ok(found) if found.is_dir() => Ok(cwd),
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(MetadataError::FolderUnreachable {
                thread: *thread,
                cwd,
                source,
            })
        }
        Ok(_) => Err(MetadataError::NotAFolder {
            thread: *thread,
            cwd,
            path: path_of(root, thread),
        }),
        Err(_) => Err(MetadataError::FolderGone {
            thread: *thread,
            cwd,
            path: path_of(root, thread),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread() -> ThreadId {
        "06H2S7T0SYTNXJYWQYS40BBMNR".parse().unwrap()
    }

    fn put(root: &Path, text: &str) -> PathBuf {
        let path = path_of(root, &thread());
        fsx::replace(&path, text.as_bytes(), Access::Shared).unwrap();
        path
    }

    #[test]
    fn what_is_written_is_read_and_no_file_means_the_callers_folder() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        assert_eq!(Metadata::read(root, &thread()).unwrap(), None);
        let caller = Path::new("/some/where");
        assert_eq!(working_folder(root, &thread(), caller).unwrap(), caller);

        let metadata = Metadata {
            cwd: PathBuf::from("/a b/\"c\""),
            started_at: Some(1_796_044_961_784),
        };
        metadata.write(root, &thread()).unwrap();
        let text = fsx::read_text_optional(&path_of(root, &thread())).unwrap();
        assert_eq!(
            text.as_deref(),
            Some("{\"version\":1,\"cwd\":\"/a b/\\\"c\\\"\",\"startedAt\":1796044961784}\n")
        );
        assert_eq!(Metadata::read(root, &thread()).unwrap(), Some(metadata));
    }

    #[test]
    fn a_recorded_folder_must_be_there() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let cwd = root.join("checkout");
        let metadata = Metadata {
            cwd: cwd.clone(),
            started_at: None,
        };
        metadata.write(root, &thread()).unwrap();
        let error = working_folder(root, &thread(), root).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the working folder of thread 06H2S7T0SYTNXJYWQYS40BBMNR is gone: {}",
                cwd.display()
            )
        );
        assert_eq!(
            error.hint().unwrap(),
            format!(
                "make the folder again, or write the folder to work in as `cwd` in {}",
                path_of(root, &thread()).display()
            )
        );
        fsx::create_folder(&cwd).unwrap();
        assert_eq!(working_folder(root, &thread(), root).unwrap(), cwd);
    }

    #[test]
    fn a_later_format_is_refused_even_when_it_looks_different() {
        let root = tempfile::tempdir().unwrap();
        let path = put(root.path(), "{\"version\":2,\"folders\":[]}");
        assert_eq!(
            Metadata::read(root.path(), &thread())
                .unwrap_err()
                .to_string(),
            format!(
                "cannot read {}: its format is version 2, this program knows 1",
                path.display()
            )
        );
    }

    #[test]
    fn a_damaged_file_is_named() {
        let root = tempfile::tempdir().unwrap();
        for text in ["", "{\"version\":1,\"cwd\":\"/a", "{\"version\":1}", "[]"] {
            let path = put(root.path(), text);
            assert_eq!(
                Metadata::read(root.path(), &thread())
                    .unwrap_err()
                    .to_string(),
                format!(
                    "cannot read what is known of the thread in {}",
                    path.display()
                )
            );
        }
        let path = put(root.path(), "{\"version\":1,\"cwd\":\"a/b\"}");
        assert_eq!(
            Metadata::read(root.path(), &thread())
                .unwrap_err()
                .to_string(),
            format!(
                "the working folder recorded in {} is not an absolute path: a/b",
                path.display()
            )
        );
    }
}
