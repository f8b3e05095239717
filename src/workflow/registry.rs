//! The registry: which workflow a name means on this machine.
//!
//! One file in the storage root, `name: hash` a line. The original's program calls it
//! `workflows.yaml`, its documents `registry.yaml`: the former is used where it exists, and a
//! fresh root gets the latter.

use std::io;
use std::path::{Path, PathBuf};

use crate::fsx::{self, FileError};
use crate::model::Hash;
use crate::pointers::{self, About, Damaged};

const OF_THE_PROGRAM: &str = "workflows.yaml";
const OF_THE_DOCUMENTS: &str = "registry.yaml";

const ABOUT: About = About {
    file: "the registry of workflows",
    line: "<name>: <hash>",
};

/// Why the registry cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// The file holds something else than names and hashes.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// The operating system refused something.
    #[error(transparent)]
    File(#[from] FileError),
}

impl RegistryError {
    /// What to do about it, where that is not plain.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::File(error) if error.kind() != io::ErrorKind::InvalidData => None,
            Self::Damaged(_) | Self::File(_) => Some(
                "mend the file, or move it away and register the workflows again; it was left as it is",
            ),
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
                let entries = pointers::parse(&text, &path, ABOUT)?;
                return Ok(Registered { path, entries });
            }
        }
        Ok(Registered {
            path: self.root.join(OF_THE_DOCUMENTS),
            entries: Vec::new(),
        })
    }

    /// Lets a name mean this node from now on. Its place in the file stays; a new one comes last.
    pub fn set(&self, name: &str, hash: Hash) -> Result<(), RegistryError> {
        let _lock = pointers::lock_root(&self.root)?;
        let Registered { path, mut entries } = self.read()?;
        match entries.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) if *known == hash => return Ok(()),
            Some((_, known)) => *known = hash,
            None => entries.push((name.to_owned(), hash)),
        }
        Ok(pointers::write(&path, &entries)?)
    }
}
