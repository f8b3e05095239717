//! Files of lines `name: hash`: the names that move, over nodes that do not.
//!
//! The heads of threads and the registry of workflows are such files. A file that cannot be read
//! is an error with its place, never an empty list, and is never replaced. What is written is
//! read as text by everyone, also where it looks like a number. What the names are, and when a
//! file may be changed, is not known here.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::fsx::{self, Access, FileError, Lock, SharedLock};
use crate::model::Hash;
use crate::wording::quoted;
use crate::yaml::{self, Entry, Fault, Kind, Mark, Strictness};

const LOCK: &str = "locks/root.lock";

/// Bytes up to which every reader sees that a text before a colon is a key.
const LONGEST_KEY: usize = 500;

/// How messages speak of a file.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// What it is: `the registry of workflows`.
    pub file: &'static str,
    /// What one line of it is: `<name>: <hash>`.
    pub line: &'static str,
}

/// A file holds something else than names and hashes. It is left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}:{}:{}: cannot read {file}: {message}", path.display(), mark.line, mark.column)]
pub struct Damaged {
    /// The file.
    pub path: PathBuf,
    /// Where in it.
    pub mark: Mark,
    /// What the file is.
    pub file: &'static str,
    /// What is wrong there.
    pub message: String,
}

/// Waits for the lock under which the files of the storage root are changed.
pub fn lock_root(root: &Path) -> Result<Lock, FileError> {
    Lock::acquire(&root.join(LOCK))
}

/// Waits until nobody changes the files of the storage root, and keeps it so. None when nobody ever
/// did. Makes no file.
pub fn share_root(root: &Path) -> Result<Option<SharedLock>, FileError> {
    SharedLock::acquire(&root.join(LOCK))
}

/// Reads the text of a file, in its order. `path` is what messages call it.
pub fn parse<K: FromStr<Err: Display>>(
    text: &str,
    path: &Path,
    about: About,
) -> Result<Vec<(K, Hash)>, Damaged> {
    let damaged = |(mark, message)| Damaged {
        path: path.to_owned(),
        mark,
        file: about.file,
        message,
    };
    let document = yaml::parse(text, Strictness::Strict)
        .map_err(|fault| damaged((fault.mark, explain(&fault, path))))?
        .ok_or_else(|| {
            let message = "it is empty, without even `{}`: it was cut off";
            damaged((Mark::START, message.to_owned()))
        })?;
    let Kind::Mapping(entries) = &document.kind else {
        let found = document.describe();
        let message = format!("it holds {found}, and one line of it is `{}`", about.line);
        return Err(damaged((document.span.start, message)));
    };
    entries
        .iter()
        .map(|entry| pair(entry).map_err(damaged))
        .collect()
}

/// Writes a file, whole or not at all. The caller holds the lock of the storage root.
pub fn write<K: Display>(path: &Path, entries: &[(K, Hash)]) -> Result<(), FileError> {
    fsx::replace(path, render(entries).as_bytes(), Access::Shared)
}

/// What is wrong, and on a line of its own the second place that matters.
fn explain(fault: &Fault, path: &Path) -> String {
    let message = &fault.message;
    match fault.related {
        Some((what, Mark { line, column, .. })) => {
            format!("{message}\n{}:{line}:{column}: {what}", path.display())
        }
        None => message.clone(),
    }
}

fn pair<K: FromStr<Err: Display>>(entry: &Entry) -> Result<(K, Hash), (Mark, String)> {
    let key = entry
        .key
        .parse()
        .map_err(|error| (entry.key_span.start, format!("{error}")))?;
    let hash = hash(entry).map_err(|why| {
        let message = format!("{} has no hash{why}", quoted(&entry.key));
        (entry.value.span.start, message)
    })?;
    Ok((key, hash))
}

/// A hash is its text: `0123456789012` without quotes means those thirteen characters, whatever
/// number YAML makes of them.
fn hash(entry: &Entry) -> Result<Hash, String> {
    match &entry.value.kind {
        _ if entry.value.is_null() => Err(String::new()),
        Kind::Scalar(scalar) => scalar.text.parse().map_err(|error| format!(": {error}")),
        _ => Err(format!(": it has {}", entry.value.describe())),
    }
}

fn render<K: Display>(entries: &[(K, Hash)]) -> String {
    if entries.is_empty() {
        return "{}\n".to_owned();
    }
    let line = |(key, hash): &(K, Hash)| {
        let (key, hash) = (yaml::scalar(&key.to_string()), yaml::scalar(hash.as_str()));
        if key.len() > LONGEST_KEY {
            format!("? {key}\n: {hash}\n")
        } else {
            format!("{key}: {hash}\n")
        }
    };
    entries.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: About = About {
        file: "the list of things",
        line: "<thing>: <hash>",
    };
    const HASH: &str = "6HA1S8JMB29J3";

    fn parse(text: &str) -> Result<Vec<(String, Hash)>, Damaged> {
        super::parse(text, Path::new("things.yaml"), ABOUT)
    }

    fn entries<'n>(pairs: impl IntoIterator<Item = (&'n str, &'n str)>) -> Vec<(String, Hash)> {
        let owned = |(name, hash): (&str, &str)| (name.to_owned(), hash.parse().unwrap());
        pairs.into_iter().map(owned).collect()
    }

    #[test]
    fn what_looks_like_something_else_is_quoted_and_read_back() {
        let long = "n".repeat(5_000);
        let entries = entries([
            ("plain-name_1.x", "6HA1S8JMB29J3"),
            ("digits", "0123456789012"),
            ("exponent", "12345678E1234"),
            ("leading-zero", "0123456789E12"),
            ("overflow", "12345E6789012"),
            ("letter-first", "E123456789012"),
            ("letter-last", "123456789012E"),
            ("two-letters", "123E456E78901"),
            ("123", HASH),
            ("1E5", HASH),
            ("1e5", HASH),
            ("0x1F", HASH),
            ("0o17", HASH),
            ("2026-11-30", HASH),
            ("Null", HASH),
            ("no", HASH),
            ("~", HASH),
            (".inf", HASH),
            ("-", HASH),
            ("a: b", HASH),
            ("# \"c\"\\", HASH),
            ("é\n\u{85}\u{feff}𝄞", HASH),
            ("", HASH),
            (&long, "0123456789012"),
            ("01234567890123456789012345", HASH),
            ("0123456789012E456789012345", HASH),
            ("06H2S7T0SYTNXJYWQYS40BBMNR", HASH),
        ]);
        let text = render(&entries);
        assert_eq!(
            text,
            format!(
                r##"plain-name_1.x: 6HA1S8JMB29J3
digits: "0123456789012"
exponent: "12345678E1234"
leading-zero: "0123456789E12"
overflow: "12345E6789012"
letter-first: E123456789012
letter-last: 123456789012E
two-letters: 123E456E78901
"123": 6HA1S8JMB29J3
"1E5": 6HA1S8JMB29J3
"1e5": 6HA1S8JMB29J3
"0x1F": 6HA1S8JMB29J3
"0o17": 6HA1S8JMB29J3
"2026-11-30": 6HA1S8JMB29J3
"Null": 6HA1S8JMB29J3
"no": 6HA1S8JMB29J3
"~": 6HA1S8JMB29J3
".inf": 6HA1S8JMB29J3
"-": 6HA1S8JMB29J3
"a: b": 6HA1S8JMB29J3
"# \"c\"\\": 6HA1S8JMB29J3
"é\u000a\u0085\ufeff𝄞": 6HA1S8JMB29J3
"": 6HA1S8JMB29J3
? {long}
: "0123456789012"
"01234567890123456789012345": 6HA1S8JMB29J3
"0123456789012E456789012345": 6HA1S8JMB29J3
06H2S7T0SYTNXJYWQYS40BBMNR: 6HA1S8JMB29J3
"##
            )
        );
        assert_eq!(parse(&text).unwrap(), entries);
    }

    #[test]
    fn every_character_of_a_name_is_read_back() {
        let names: Vec<_> = ('\0'..'\u{3000}')
            .chain([
                '\u{d7ff}', '\u{e000}', '\u{fdd0}', '\u{fffd}', '\u{fffe}', '\u{ffff}',
            ])
            .chain(['\u{10000}', '\u{10ffff}'])
            .flat_map(|character| [format!("{character}"), format!("a{character}b")])
            .collect();
        let entries = entries(names.iter().map(|name| (name.as_str(), HASH)));
        assert_eq!(parse(&render(&entries)).unwrap(), entries);
    }

    #[test]
    fn no_entries_are_written_as_an_empty_mapping() {
        let text = render::<String>(&[]);
        assert_eq!(text, "{}\n");
        assert_eq!(parse(&text).unwrap(), []);
    }

    #[test]
    fn a_hash_is_its_text_however_it_is_quoted() {
        let text =
            "# by hand\na: 0123456789012\nb:   '12345678E1234'\r\n\"c\": \"6HA1S8JMB29J3\" # last";
        assert_eq!(
            parse(text).unwrap(),
            entries([
                ("a", "0123456789012"),
                ("b", "12345678E1234"),
                ("c", "6HA1S8JMB29J3")
            ])
        );
    }

    #[test]
    fn what_is_no_such_file_is_an_error_with_its_place() {
        let empty =
            "1:1: cannot read the list of things: it is empty, without even `{}`: it was cut off";
        for (text, message) in [
            ("", empty),
            (" \n", empty),
            ("# nothing\n", empty),
            (
                "- a",
                "1:1: cannot read the list of things: it holds a list, and one line of it is \
                 `<thing>: <hash>`",
            ),
            (
                "a: 6HA1S8JMB29J3\nb:",
                "2:2: cannot read the list of things: `b` has no hash",
            ),
            (
                "a: [6HA1S8JMB29J3]",
                "1:4: cannot read the list of things: `a` has no hash: it has a list",
            ),
            (
                "a: 6HA1S8JMB29J3\n\nb: 6HA1",
                "3:4: cannot read the list of things: `b` has no hash: `6HA1` is not a hash: \
                 a hash is 13 characters of 0-9 and A-Z without I, L, O and U",
            ),
            (
                "a: 6HA1S8JMB29J3\na: 6HA1S8JMB29J3",
                "2:1: cannot read the list of things: the key `a` is given twice\n\
                 things.yaml:1:1: first given here",
            ),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.to_string(), format!("things.yaml:{message}"));
        }
        let error = super::parse::<Hash>("x: 6HA1S8JMB29J3", Path::new("t"), ABOUT).unwrap_err();
        assert_eq!(
            error.to_string(),
            "t:1:1: cannot read the list of things: `x` is not a hash: \
             a hash is 13 characters of 0-9 and A-Z without I, L, O and U"
        );
    }
}
