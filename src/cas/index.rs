//! The members of a type: one hash a line, in the order in which they were stored.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::error::{CasError, Result};
use crate::fsx::{self, Access};
use crate::model::Hash;
use crate::wording::excerpt;

/// The lists of a store.
#[derive(Debug)]
pub(super) struct Index {
    folder: PathBuf,
}

impl Index {
    pub(super) fn of(cas: &Path) -> Self {
        Self {
            folder: cas.join("_index"),
        }
    }

    fn path(&self, type_hash: &Hash) -> PathBuf {
        self.folder.join(type_hash.as_str())
    }

    /// The members of a type, each once; none when there is no list.
    pub(super) fn members(&self, type_hash: &Hash) -> Result<Vec<Hash>> {
        let path = self.path(type_hash);
        let text = fsx::read_text_optional(&path)?.unwrap_or_default();
        let mut seen = HashSet::new();
        let mut members = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if line.is_empty() {
                continue;
            }
            let member: Hash = line.parse().map_err(|_| CasError::BadIndex {
                path: path.clone(),
                line: number + 1,
                text: excerpt(line),
            })?;
            if seen.insert(member) {
                members.push(member);
            }
        }
        Ok(members)
    }

    /// Whether a type lists a member. Lines that are no hash are nobody's.
    pub(super) fn lists(&self, type_hash: &Hash, member: &Hash) -> Result<bool> {
        let bytes = fsx::read_optional(&self.path(type_hash))?.unwrap_or_default();
        Ok(bytes
            .split(|byte| *byte == b'\n')
            .any(|line| line == member.as_str().as_bytes()))
    }

    /// The lines of a list that are hashes.
    pub(super) fn legible(&self, type_hash: &Hash) -> Result<Vec<Hash>> {
        let bytes = fsx::read_optional(&self.path(type_hash))?.unwrap_or_default();
        Ok(bytes
            .split(|byte| *byte == b'\n')
            .filter_map(|line| std::str::from_utf8(line).ok()?.parse().ok())
            .collect())
    }

    /// Adds a member at the end. The caller holds the store's lock and knows that it is new.
    pub(super) fn append(&self, type_hash: &Hash, member: &Hash) -> Result<()> {
        let path = self.path(type_hash);
        fsx::append_line(&path, member.as_str(), Access::Shared)?;
        Ok(())
    }

    /// The types that have a list.
    pub(super) fn types(&self) -> Result<Vec<Hash>> {
        let names = fsx::file_names(&self.folder)?;
        Ok(names.iter().filter_map(|name| name.parse().ok()).collect())
    }

    /// Makes these the members of a type. The file stays as it is when it says so already.
    pub(super) fn rewrite(&self, type_hash: &Hash, members: &[Hash]) -> Result<()> {
        let path = self.path(type_hash);
        let mut text = String::with_capacity(members.len() * (Hash::LENGTH + 1));
        for member in members {
            text.push_str(member.as_str());
            text.push('\n');
        }
        if fsx::read_optional(&path)?.as_deref() != Some(text.as_bytes()) {
            fsx::replace(&path, text.as_bytes(), Access::Shared)?;
        }
        Ok(())
    }
}
