//! The registry: which workflow a name means on this machine.
//!
//! One file in the storage root, `name: hash` a line. The original's program calls it
//! `workflows.yaml`, its documents `registry.yaml`: the former is used where it exists, and a
//! fresh root gets the latter.

use std::path::{Path, PathBuf};

use crate::fsx::{self, Access, FileError, Lock};
use crate::model::Hash;
use crate::wording::{is_harmful, quoted};
use crate::yaml::{self, Entry, Kind, Strictness};

const OF_THE_PROGRAM: &str = "workflows.yaml";
const OF_THE_DOCUMENTS: &str = "registry.yaml";

/// Why the registry cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// The file holds something else. It is left as it is.
    #[error("the registry {}:{line}:{column} cannot be read: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where, from 1.
        line: usize,
        /// Where in the line, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// The operating system refused something.
    #[error(transparent)]
    File(#[from] FileError),
}

impl RegistryError {
    /// What to do about it, where that is not plain.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Damaged { .. } => Some(
                "mend the file, or move it away and register the workflows again; it was left as it is",
            ),
            Self::File(_) => None,
        }
    }
}

/// What the registry holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered {
    /// The file it is in, or will be.
    pub path: PathBuf,
    /// Names and the nodes they mean, in the order of the file.
    pub entries: Vec<(String, Hash)>,
}

impl Registered {
    /// The node that a name means.
    pub fn get(&self, name: &str) -> Option<Hash> {
        let mut entries = self.entries.iter();
        entries
            .find(|(known, _)| known == name)
            .map(|(_, hash)| *hash)
    }
}

/// The registry of a storage root.
#[derive(Debug, Clone)]
pub struct Registry {
    root: PathBuf,
}

impl Registry {
    /// The registry of this storage root. Nothing is read yet.
    pub fn at(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    /// What it holds now; nothing when there is no file.
    pub fn read(&self) -> Result<Registered, RegistryError> {
        for name in [OF_THE_PROGRAM, OF_THE_DOCUMENTS] {
            let path = self.root.join(name);
            if let Some(text) = fsx::read_text_optional(&path)? {
                return match parse(&text) {
                    Ok(entries) => Ok(Registered { path, entries }),
                    Err(fault) => Err(RegistryError::Damaged {
                        path,
                        line: fault.mark.line,
                        column: fault.mark.column,
                        message: fault.message,
                    }),
                };
            }
        }
        Ok(Registered {
            path: self.root.join(OF_THE_DOCUMENTS),
            entries: Vec::new(),
        })
    }

    /// Lets a name mean this node from now on. Its place in the file stays; a new one comes last.
    pub fn set(&self, name: &str, hash: Hash) -> Result<(), RegistryError> {
        let _lock = Lock::acquire(&self.root.join("locks").join("root.lock"))?;
        let Registered { path, mut entries } = self.read()?;
        match entries.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) if *known == hash => return Ok(()),
            Some((_, known)) => *known = hash,
            None => entries.push((name.to_owned(), hash)),
        }
        fsx::replace(&path, write(&entries).as_bytes(), Access::Shared)?;
        Ok(())
    }
}

fn parse(text: &str) -> Result<Vec<(String, Hash)>, yaml::Fault> {
    let fault = |mark, message: String| yaml::Fault {
        message,
        mark,
        related: None,
    };
    let Some(root) = yaml::parse(text, Strictness::Strict)? else {
        let start = yaml::Mark {
            line: 1,
            column: 1,
            offset: 0,
        };
        let message = "it is empty; a registry without workflows is written `{}`";
        return Err(fault(start, message.to_owned()));
    };
    let Kind::Mapping(entries) = &root.kind else {
        let message = format!(
            "it must be a mapping of names to hashes, and is {}",
            root.describe()
        );
        return Err(fault(root.span.start, message));
    };
    let read = |entry: &Entry| {
        let hash = match &entry.value.kind {
            // The text, not the value: a hash of digits alone is no number here.
            Kind::Scalar(scalar) => scalar.text.parse().map_err(|error| format!("{error}")),
            _ => Err(format!("it is {}", entry.value.describe())),
        };
        match hash {
            Ok(hash) => Ok((entry.key.clone(), hash)),
            Err(why) => {
                let message = format!("{} has no hash: {why}", quoted(&entry.key));
                Err(fault(entry.value.span.start, message))
            }
        }
    };
    entries.iter().map(read).collect()
}

fn write(entries: &[(String, Hash)]) -> String {
    if entries.is_empty() {
        return "{}\n".to_owned();
    }
    let lines = entries.iter().map(|(name, hash)| {
        let (name, hash) = (scalar(name), scalar(hash.as_str()));
        if name.len() > LONGEST_KEY {
            format!("? {name}\n: {hash}\n")
        } else {
            format!("{name}: {hash}\n")
        }
    });
    lines.collect()
}

/// Bytes up to which every reader sees that a text before a colon is a key.
const LONGEST_KEY: usize = 500;

/// A text as YAML that every reader takes for a string.
///
/// `serde_yaml` is not asked: it leaves `12345678E1234` bare, which overflows its floats, and which
/// the original reads as infinity.
fn scalar(text: &str) -> String {
    let is_word = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text
            .chars()
            .all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character));
    let means_a_value = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word));
    let is_no_number = text
        .parse::<Hash>()
        .is_ok_and(|_| text.contains(|letter: char| letter.is_ascii_alphabetic() && letter != 'E'));
    if is_no_number || (is_word && !means_a_value) {
        return text.to_owned();
    }
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if is_harmful(character) => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
