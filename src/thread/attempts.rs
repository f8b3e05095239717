//! `attempts/<thread>.jsonl`: the steps of a thread that failed, one a line.
//!
//! A failed step leaves the thread as it was. What it cost and why it failed is kept here.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::fsx::{self, Access, FileError};
use crate::jsonl::{self, BadLine, Versioned};
use crate::model::{Hash, RoleName, ThreadId};

/// The format of a line. Its changes: 1, the first.
const VERSION: u32 = 1;

/// A step that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// When it failed, in milliseconds since 1970.
    pub time: u64,
    /// Where the thread was; none in the records of early versions.
    pub head: Option<Hash>,
    /// The role whose turn it was.
    pub role: RoleName,
    /// The agent that was asked.
    pub agent: String,
    /// What kind of failure it was, in one word.
    pub class: String,
    /// What went wrong.
    pub message: String,
    /// The node with what the agent answered, if it answered.
    pub output: Option<Hash>,
    /// The step it made, if it made one that was not taken.
    pub step: Option<Hash>,
    /// The exit code of the agent's last run; none when it did not end by itself.
    pub exit_code: Option<i32>,
    /// How long that run took, in milliseconds; none when it never ran.
    pub duration_ms: Option<u64>,
    /// The last it said on stderr.
    pub stderr: Option<String>,
}

/// Where an attempt was written down: the file and the number of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedAttempt {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
}

/// The failed steps of one thread.
#[derive(Debug)]
pub struct Attempts {
    /// Each with the number of its line, oldest first.
    pub entries: Vec<(usize, Attempt)>,
    /// The lines that could not be read.
    pub skipped: Vec<BadLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    version: u32,
    time: u64,
    head: Option<Hash>,
    role: RoleName,
    agent: String,
    class: String,
    message: String,
    output: Option<Hash>,
    step: Option<Hash>,
    exit_code: Option<i32>,
    duration_ms: Option<u64>,
    stderr: Option<String>,
}

fn path_of(root: &Path, thread: &ThreadId) -> PathBuf {
    root.join("attempts").join(format!("{thread}.jsonl"))
}

impl Attempt {
    /// Writes down this failed step, and says where.
    ///
    /// The caller holds the thread's step lock: that is what makes the line's number its own.
    pub fn record(&self, root: &Path, thread: &ThreadId) -> Result<RecordedAttempt, FileError> {
        let path = path_of(root, thread);
        let line = jsonl::to_line(&Line {
            version: VERSION,
            time: self.time,
            head: self.head,
            role: self.role.clone(),
            agent: self.agent.clone(),
            class: self.class.clone(),
            message: self.message.clone(),
            output: self.output,
            step: self.step,
            exit_code: self.exit_code,
            duration_ms: self.duration_ms,
            stderr: self.stderr.clone(),
        });
        fsx::append_line(&path, &line, Access::Owner)?;
        let written = fsx::read_optional(&path)?.unwrap_or_default();
        let line = written.iter().filter(|byte| **byte == b'\n').count();
        Ok(RecordedAttempt { path, line })
    }
}

impl Attempts {
    /// Reads the failed steps of a thread. No file: none failed.
    pub fn read(root: &Path, thread: &ThreadId) -> Result<Self, FileError> {
        let lines = jsonl::read(&path_of(root, thread), parse)?;
        Ok(Self {
            entries: lines.records,
            skipped: lines.skipped,
        })
    }
}

fn parse(line: &str) -> Result<Attempt, String> {
    let Versioned { version } = jsonl::from_json(line)?;
    if version != VERSION {
        return Err(format!(
            "its format is version {version}, this program knows {VERSION}"
        ));
    }
    let line: Line = jsonl::from_json(line)?;
    Ok(Attempt {
        time: line.time,
        head: line.head,
        role: line.role,
        agent: line.agent,
        class: line.class,
        message: line.message,
        output: line.output,
        step: line.step,
        exit_code: line.exit_code,
        duration_ms: line.duration_ms,
        stderr: line.stderr,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread() -> ThreadId {
        "06H2S7T0SYTNXJYWQYS40BBMNR".parse().unwrap()
    }

    fn attempt(message: &str, output: Option<&str>) -> Attempt {
        Attempt {
            time: 1_796_044_961_784,
            head: Some("5ZDNP8G82TBBT".parse().unwrap()),
            role: "collector".parse().unwrap(),
            agent: "claude".to_owned(),
            class: "timeout".to_owned(),
            message: message.to_owned(),
            output: output.map(|hash| hash.parse().unwrap()),
            step: None,
            exit_code: Some(9),
            duration_ms: Some(1200),
            stderr: Some("no key".to_owned()),
        }
    }

    #[test]
    fn attempts_are_read_as_they_were_written_with_their_lines() {
        let root = tempfile::tempdir().unwrap();
        let first = attempt("no answer\nafter 10 minutes", None);
        let second = attempt("exit code 1", Some("56XFMVXEJ5CJ5"));
        let path = root
            .path()
            .join("attempts/06H2S7T0SYTNXJYWQYS40BBMNR.jsonl");
        let at = |line| RecordedAttempt {
            path: path.clone(),
            line,
        };
        assert_eq!(first.record(root.path(), &thread()).unwrap(), at(1));
        assert_eq!(second.record(root.path(), &thread()).unwrap(), at(2));
        assert_eq!(
            fsx::read_text_optional(&path).unwrap().as_deref(),
            Some(concat!(
                r#"{"version":1,"time":1796044961784,"head":"5ZDNP8G82TBBT","role":"collector","agent":"claude","#,
                r#""class":"timeout","message":"no answer\nafter 10 minutes","#,
                r#""output":null,"step":null,"exitCode":9,"durationMs":1200,"stderr":"no key"}"#,
                "\n",
                r#"{"version":1,"time":1796044961784,"head":"5ZDNP8G82TBBT","role":"collector","agent":"claude","#,
                r#""class":"timeout","message":"exit code 1","output":"56XFMVXEJ5CJ5","step":null,"#,
                r#""exitCode":9,"durationMs":1200,"stderr":"no key"}"#,
                "\n",
            ))
        );
        let read = Attempts::read(root.path(), &thread()).unwrap();
        assert_eq!(read.entries, [(1, first), (2, second)]);
        assert_eq!(read.skipped, []);
    }

    #[test]
    fn a_torn_line_and_one_of_a_later_format_are_told_about() {
        let root = tempfile::tempdir().unwrap();
        let path = path_of(root.path(), &thread());
        let text = b"{\"version\":2,\"when\":1}\n{\"version\":1,\"ti";
        fsx::replace(&path, text, Access::Shared).unwrap();
        let one = attempt("exit code 1", None);
        assert_eq!(one.record(root.path(), &thread()).unwrap().line, 3);
        let read = Attempts::read(root.path(), &thread()).unwrap();
        assert_eq!(read.entries, [(3, one)]);
        let skipped: Vec<_> = read
            .skipped
            .iter()
            .map(|bad| (bad.line, bad.message.as_str()))
            .collect();
        assert_eq!(
            skipped,
            [
                (1, "its format is version 2, this program knows 1"),
                (2, "EOF while parsing a string (column 16)"),
            ]
        );
    }

    #[test]
    fn a_thread_without_the_file_had_no_failed_step() {
        let root = tempfile::tempdir().unwrap();
        let read = Attempts::read(root.path(), &thread()).unwrap();
        assert!(read.entries.is_empty() && read.skipped.is_empty());
    }
}
