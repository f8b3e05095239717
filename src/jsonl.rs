//! Files with one JSON object a line: a bad line is told about and skipped, the rest is read.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::fsx;

/// A line that was skipped because it is not what the file is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// The file.
    pub path: PathBuf,
    /// Which line, from 1.
    pub line: usize,
    /// Why it could not be read.
    pub message: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        write!(
            formatter,
            "{path}:{}: skipped this line: {}",
            self.line, self.message
        )
    }
}

/// What every version of a format of ours has.
#[derive(Deserialize)]
pub struct Versioned {
    pub version: u32,
}

/// What a file holds: each record with the number of its line, and the lines that are none.
#[derive(Debug)]
pub struct Lines<T> {
    pub records: Vec<(usize, T)>,
    pub skipped: Vec<BadLine>,
}

/// Reads a file of records; one that does not exist has none. Blank lines count for nothing.
pub fn read<T>(
    path: &Path,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Lines<T>, fsx::FileError> {
    let bytes = fsx::read_optional(path)?.unwrap_or_default();
    let mut lines = Lines {
        records: Vec::new(),
        skipped: Vec::new(),
    };
    for (index, bytes) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let line = index + 1;
        let parsed = std::str::from_utf8(bytes)
            .map_err(|_| "it is not UTF-8 text".to_owned())
            .and_then(&parse);
        match parsed {
            Ok(record) => lines.records.push((line, record)),
            Err(message) => lines.skipped.push(BadLine {
                path: path.to_owned(),
                line,
                message,
            }),
        }
    }
    Ok(lines)
}

/// A record of ours as one line.
pub fn to_line(record: &impl Serialize) -> String {
    #[expect(
        clippy::expect_used,
        reason = "our records are structs of text and numbers, which are always JSON"
    )]
    serde_json::to_string(record).expect("a record is JSON")
}

/// One line as JSON of a known shape.
pub fn from_json<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| describe(&error))
}

/// What serde_json says, with the column alone: its line number counts within the one line.
pub fn describe(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match text.strip_suffix(&place) {
        Some(message) => format!("{message} (column {})", error.column()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use fsx::Access;
    use serde_json::Value;

    use super::*;

    #[test]
    fn bad_lines_are_skipped_and_numbered_and_blank_ones_are_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("some.jsonl");
        let text = b"{\"a\":1}\n\n{\"a\":\n\xff\xfe\n{\"a\":2}\r\n{\"torn";
        fsx::replace(&path, text, Access::Shared).unwrap();
        let lines = read::<Value>(&path, from_json).unwrap();
        let numbers: Vec<_> = lines.records.iter().map(|(line, _)| *line).collect();
        assert_eq!(numbers, [1, 5]);
        let shown = path.display();
        let skipped: Vec<_> = lines.skipped.iter().map(ToString::to_string).collect();
        assert_eq!(
            skipped,
            [
                format!("{shown}:3: skipped this line: EOF while parsing a value (column 5)"),
                format!("{shown}:4: skipped this line: it is not UTF-8 text"),
                format!("{shown}:6: skipped this line: EOF while parsing a string (column 6)"),
            ]
        );
    }

    #[test]
    fn a_file_that_does_not_exist_has_no_lines() {
        let folder = tempfile::tempdir().unwrap();
        let lines = read::<Value>(&folder.path().join("none.jsonl"), from_json).unwrap();
        assert!(lines.records.is_empty() && lines.skipped.is_empty());
        assert!(fsx::file_names(folder.path()).unwrap().is_empty());
    }
}
