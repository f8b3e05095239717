//! `.env` in the storage root: keys and other secrets, and which of them an agent gets.
//!
//! Its values appear in no message and in no debug output.

mod edit;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::fsx::{self, FileError};

const FILE: &str = ".env";

/// Stands for `$` while dotenvy reads: a character that no text holds.
const DOLLAR: char = '\u{fdd0}';

/// The variables of the file.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct DotEnv {
    variables: BTreeMap<String, String>,
}

/// What a child gets of the file.
#[derive(Clone, PartialEq, Eq)]
pub struct Selected {
    /// The variables to add to its environment.
    pub variables: BTreeMap<String, String>,
    /// The names that are set nowhere: worth a warning, since the child may do without them.
    pub missing: Vec<String>,
}

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DotEnvError {
    /// The operating system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// A line is not what it should be. It is not shown: it may hold a secret.
    #[error("{}:{line}: this line is not `NAME=value`", path.display())]
    BadLine {
        /// The file.
        path: PathBuf,
        /// Which line, from 1; the first, when the value spans several.
        line: usize,
    },
    /// No way to write a value is read back as that value.
    #[error("cannot write the value of {name} into {} so that it is read back as it is", path.display())]
    Unwritable {
        /// The variable.
        name: String,
        /// The file.
        path: PathBuf,
    },
}

impl DotEnvError {
    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::File(_) | Self::Unwritable { .. } => None,
            Self::BadLine { .. } => {
                Some("put a value with spaces, quotes or backslashes between single quotes")
            }
        }
    }
}

impl fmt::Debug for DotEnv {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("DotEnv ")?;
        formatter
            .debug_set()
            .entries(self.variables.keys())
            .finish()
    }
}

impl fmt::Debug for Selected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.variables.keys().collect();
        formatter
            .debug_struct("Selected")
            .field("variables", &names)
            .field("missing", &self.missing)
            .finish()
    }
}

impl DotEnv {
    /// The file of a storage root, whether it is there or not.
    pub fn path(root: &Path) -> PathBuf {
        root.join(FILE)
    }

    /// Reads the file of a storage root. No file: no variables.
    pub fn load(root: &Path) -> Result<Self, DotEnvError> {
        let path = Self::path(root);
        match fsx::read_text_optional(&path)? {
            Some(text) => Self::parse(&text, &path),
            None => Ok(Self::default()),
        }
    }

    /// Reads the text of such a file; `path` is what messages call it. Of two lines for one name
    /// the last counts.
    pub fn parse(text: &str, path: &Path) -> Result<Self, DotEnvError> {
        let assignments = assignments(text, path)?.into_iter();
        let pair = |assignment: Assignment| (assignment.name, assignment.value);
        Ok(Self {
            variables: assignments.map(pair).collect(),
        })
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// What a child gets whose entry lists these names.
    ///
    /// A variable that the caller has set, and not to nothing, stays as the caller set it.
    pub fn select(&self, names: &[String], caller: &BTreeMap<OsString, OsString>) -> Selected {
        let mut selected = Selected {
            variables: BTreeMap::new(),
            missing: Vec::new(),
        };
        for name in names {
            let set_by_caller = caller
                .get(OsStr::new(name))
                .is_some_and(|value| !value.is_empty());
            if set_by_caller {
                continue;
            }
            match self.get(name) {
                Some(value) => {
                    selected.variables.insert(name.clone(), value.to_owned());
                }
                None => selected.missing.push(name.clone()),
            }
        }
        selected
    }
}

/// A variable, and the lines that set it.
struct Assignment {
    name: String,
    value: String,
    /// From 0. What stands between two assignments are comments and blank lines.
    lines: Range<usize>,
}

/// All of a text, in its order.
fn assignments(text: &str, path: &Path) -> Result<Vec<Assignment>, DotEnvError> {
    let text = without_mark(text);
    let bad_line = |line| DotEnvError::BadLine {
        path: path.to_owned(),
        line,
    };
    if let Some(offset) = text.find(DOLLAR) {
        return Err(bad_line(text[..offset].matches('\n').count() + 1));
    }
    // Without an end of line dotenvy refuses a last line that ends in a space.
    let prepared = hide_dollars(text) + "\n";
    let lines_read = Cell::new(0);
    let mut pairs = dotenvy::from_read_iter(LineByLine {
        rest: prepared.as_bytes(),
        lines_read: &lines_read,
    });
    let mut assignments = Vec::new();
    loop {
        let before = lines_read.get();
        match pairs.next() {
            None => return Ok(assignments),
            Some(Ok((name, value))) => assignments.push(Assignment {
                name,
                value: value.replace(DOLLAR, "$"),
                lines: first_meaningful_line(text, before) - 1..lines_read.get(),
            }),
            Some(Err(_)) => return Err(bad_line(first_meaningful_line(text, before))),
        }
    }
}

/// The text behind the byte order mark that it may begin with.
fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Puts a stand-in for every `$` that dotenvy would take for the start of a variable's name.
///
/// The original takes `$` as it stands, and so must we: a key that holds one would be changed in
/// silence, and with something out of this process's environment. An escaped `\$` is left to
/// dotenvy, which makes it a `$`.
fn hide_dollars(text: &str) -> String {
    let mut hidden = String::with_capacity(text.len() + 1);
    let mut escaped = false;
    for character in text.chars() {
        hidden.push(match character {
            '$' if !escaped => DOLLAR,
            other => other,
        });
        escaped = character == '\\' && !escaped;
    }
    hidden
}

/// The number of the first line after some others that is neither blank nor a comment: dotenvy
/// passes over those without a word, and does not count lines.
fn first_meaningful_line(text: &str, after: usize) -> usize {
    let meaningful = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let passed_over = text
        .lines()
        .skip(after)
        .take_while(|line| !meaningful(line));
    after + passed_over.count() + 1
}

/// Gives one line a call, so that whoever reads through a buffer has read no further than the
/// line it is at.
struct LineByLine<'a> {
    rest: &'a [u8],
    lines_read: &'a Cell<usize>,
}

impl Read for LineByLine<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let line_end = self.rest.iter().position(|byte| *byte == b'\n');
        let line = line_end.map_or(self.rest.len(), |at| at + 1);
        let length = line.min(buffer.len());
        let (given, rest) = self.rest.split_at(length);
        buffer[..length].copy_from_slice(given);
        if given.ends_with(b"\n") {
            self.lines_read.set(self.lines_read.get() + 1);
        }
        self.rest = rest;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> BTreeMap<String, String> {
        DotEnv::parse(text, Path::new(".env")).unwrap().variables
    }

    fn pairs(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        pairs.iter().map(owned).collect()
    }

    #[test]
    fn values_are_read_as_they_stand_a_dollar_too() {
        assert_eq!(
            parse(
                "\u{feff}# keys\r\nA=1\r\nexport B='two words # $HOME'\nC=\"x\\ny\"\n\n\
                 D=sk$HOME${PATH}$ # remark\nE=\\$x\nF='a\\$b\\\\$c'\nG=\"\n$1\n\"\nA=last\nH= "
            ),
            pairs(&[
                ("A", "last"),
                ("B", "two words # $HOME"),
                ("C", "x\ny"),
                ("D", "sk$HOME${PATH}$"),
                ("E", "$x"),
                ("F", "a\\$b\\\\$c"),
                ("G", "\n$1\n"),
                ("H", ""),
            ])
        );
        assert_eq!(parse(""), BTreeMap::new());
    }

    #[test]
    fn a_bad_line_is_named_and_never_shown() {
        for (text, line) in [
            ("sk-secret", 1),
            ("A=1\n\n# remark\n  # more\nB=two secret words\nC=3\n", 5),
            ("A=\"1\n2\"\nB=\"secret\nand on", 3),
            ("A=1\r\n=secret", 2),
            ("A=se\\cret", 1),
            ("A=1\n$B=secret", 2),
            ("A=1\nB=\u{fdd0}secret", 2),
            ("A=1 # x\nB='secret", 2),
        ] {
            let error = DotEnv::parse(text, Path::new("/root/.env")).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("/root/.env:{line}: this line is not `NAME=value`")
            );
            assert!(!format!("{error:?}").contains("secret"));
        }
    }

    #[test]
    fn a_long_line_counts_once() {
        let text = format!("A={}\nB=two words", "x".repeat(100_000));
        let error = DotEnv::parse(&text, Path::new(".env")).unwrap_err();
        assert_eq!(error.to_string(), ".env:2: this line is not `NAME=value`");
    }

    #[test]
    fn a_child_gets_what_is_listed_unless_the_caller_set_it() {
        let file = DotEnv::parse("A=1\nB=2\nC=3\nD=4", Path::new(".env")).unwrap();
        let caller = [("B", "mine"), ("C", ""), ("E", "other")]
            .map(|(name, value)| (OsString::from(name), OsString::from(value)))
            .into();
        let names = ["A", "B", "C", "E", "F"].map(String::from);
        assert_eq!(
            file.select(&names, &caller),
            Selected {
                variables: pairs(&[("A", "1"), ("C", "3")]),
                missing: vec!["F".to_owned()],
            }
        );
    }

    #[test]
    fn values_are_not_in_the_debug_output() {
        let file = DotEnv::parse("KEY=secret", Path::new(".env")).unwrap();
        assert_eq!(format!("{file:?}"), "DotEnv {\"KEY\"}");
        let selected = file.select(&["KEY".to_owned(), "X".to_owned()], &BTreeMap::new());
        assert_eq!(
            format!("{selected:?}"),
            "Selected { variables: [\"KEY\"], missing: [\"X\"] }"
        );
    }

    #[test]
    fn no_file_is_no_variables() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(DotEnv::load(root.path()).unwrap(), DotEnv::default());
    }
}
