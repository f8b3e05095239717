//! `history.jsonl`: the threads that ended, in the order in which they did.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::fsx::{self, Access, FileError};
use crate::jsonl::{self, BadLine};
use crate::model::{Hash, ThreadId};

const FILE: &str = "history.jsonl";

/// How a thread ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Its workflow came to its end.
    Completed,
    /// Somebody ended it.
    Killed,
}

/// A thread that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archived {
    /// The thread.
    pub thread: ThreadId,
    /// Its workflow; none when the thread was too damaged to tell.
    pub workflow: Option<Hash>,
    /// Its last head.
    pub head: Hash,
    /// When it ended, in milliseconds since 1970.
    pub completed_at: u64,
    /// How it ended; none when the original archived it, which writes down the same for both.
    pub status: Option<Status>,
}

/// One line of the file. The original writes no `status`, and reads past it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    thread: ThreadId,
    workflow: Option<Hash>,
    head: Hash,
    completed_at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<Status>,
}

impl From<Line> for Archived {
    fn from(line: Line) -> Self {
        Self {
            thread: line.thread,
            workflow: line.workflow,
            head: line.head,
            completed_at: line.completed_at,
            status: line.status,
        }
    }
}

impl From<&Archived> for Line {
    fn from(archived: &Archived) -> Self {
        Self {
            thread: archived.thread,
            workflow: archived.workflow,
            head: archived.head,
            completed_at: archived.completed_at,
            status: archived.status,
        }
    }
}

/// The threads that ended, as they were when the file was read.
#[derive(Debug)]
pub struct History {
    /// In the order of the file. A thread can be there more than once; its last entry counts.
    pub entries: Vec<Archived>,
    /// The lines that could not be read.
    pub skipped: Vec<BadLine>,
}

impl History {
    /// Reads the history. No file: nothing has ended yet.
    pub fn read(root: &Path) -> Result<Self, FileError> {
        let lines = jsonl::read::<Line>(&root.join(FILE), jsonl::from_json)?;
        Ok(Self {
            entries: lines
                .records
                .into_iter()
                .map(|(_, line)| line.into())
                .collect(),
            skipped: lines.skipped,
        })
    }

    /// The last entry of a thread.
    pub fn find(&self, thread: &ThreadId) -> Option<&Archived> {
        self.entries
            .iter()
            .rev()
            .find(|entry| entry.thread == *thread)
    }
}

/// The last entry of a thread, found without reading those of others.
///
/// A line that cannot be read is passed over here; whoever reads the whole history tells of it.
pub(super) fn last_of(root: &Path, thread: &ThreadId) -> Result<Option<Archived>, FileError> {
    let bytes = fsx::read_optional(&root.join(FILE))?.unwrap_or_default();
    let entry = |line: &[u8]| {
        let text = std::str::from_utf8(line).ok()?;
        let line: Line = text
            .contains(thread.as_str())
            .then(|| serde_json::from_str(text).ok())??;
        (line.thread == *thread).then(|| line.into())
    };
    Ok(bytes.rsplit(|byte| *byte == b'\n').find_map(entry))
}

/// Adds an entry at the end.
pub(super) fn append(root: &Path, archived: &Archived) -> Result<(), FileError> {
    let line = jsonl::to_line(&Line::from(archived));
    fsx::append_line(&root.join(FILE), &line, Access::Shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREAD: &str = "06H2S7T0SYTNXJYWQYS40BBMNR";
    const HEAD: &str = "56XFMVXEJ5CJ5";

    fn archived(status: Option<Status>) -> Archived {
        Archived {
            thread: THREAD.parse().unwrap(),
            workflow: None,
            head: HEAD.parse().unwrap(),
            completed_at: 1_796_044_963_544,
            status,
        }
    }

    #[test]
    fn entries_are_written_with_the_keys_of_the_original_first() {
        let root = tempfile::tempdir().unwrap();
        let mut entry = archived(Some(Status::Killed));
        append(root.path(), &entry).unwrap();
        entry.workflow = Some("6HA1S8JMB29J3".parse().unwrap());
        entry.status = Some(Status::Completed);
        append(root.path(), &entry).unwrap();
        let text = fsx::read_text_optional(&root.path().join(FILE)).unwrap();
        assert_eq!(
            text.as_deref(),
            Some(concat!(
                r#"{"thread":"06H2S7T0SYTNXJYWQYS40BBMNR","workflow":null,"#,
                r#""head":"56XFMVXEJ5CJ5","completedAt":1796044963544,"status":"killed"}"#,
                "\n",
                r#"{"thread":"06H2S7T0SYTNXJYWQYS40BBMNR","workflow":"6HA1S8JMB29J3","#,
                r#""head":"56XFMVXEJ5CJ5","completedAt":1796044963544,"status":"completed"}"#,
                "\n",
            ))
        );
        let history = History::read(root.path()).unwrap();
        assert_eq!(history.find(&entry.thread), Some(&entry));
    }

    #[test]
    fn a_line_without_status_or_with_more_keys_is_read_and_a_bad_one_is_told_about() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join(FILE);
        let good = format!(
            r#"{{"head":"{HEAD}","thread":"{THREAD}","workflow":null,"completedAt":1796044963544,"more":[1]}}"#
        );
        let unknown = good.replace("\"more\":[1]", "\"status\":\"lost\"");
        let foreign = good.replace(HEAD, "56xfmvxej5cj5");
        let text = format!("{unknown}\n{foreign}\n{good}\n{{\"thread\":\"06H2");
        fsx::replace(&path, text.as_bytes(), Access::Shared).unwrap();
        let history = History::read(root.path()).unwrap();
        assert_eq!(history.entries, [archived(None)]);
        let skipped: Vec<_> = history
            .skipped
            .iter()
            .map(|bad| (bad.line, bad.message.as_str()))
            .collect();
        assert_eq!(
            skipped,
            [
                (
                    1,
                    "unknown variant `lost`, expected `completed` or `killed` (column 121)"
                ),
                (
                    2,
                    "`56xfmvxej5cj5` is not a hash: a hash is 13 characters of 0-9 and A-Z \
                     without I, L, O and U (column 23)"
                ),
                (4, "EOF while parsing a string (column 15)"),
            ]
        );
    }
}
