//! Workflow files of a project: where they may lie, and which are there.
//!
//! They lie in `.workflow/`, formerly `.workflows/`, of the working folder or a folder above it.
//! The search ends with the folder that holds `.git`: what lies above a repository is not part of
//! the project.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::fsx::{self, FileError};

/// The folders of a project that hold workflows, the preferred one first.
pub(super) const FOLDERS: [&str; 2] = [".workflow", ".workflows"];

/// The endings of workflow files, the preferred one first.
pub(super) const ENDINGS: [&str; 2] = [".yaml", ".yml"];

/// Something in the way of the search.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The operating system does not tell whether there is such a file.
    #[error("cannot look for {}", path.display())]
    Look {
        /// What was looked for.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A folder cannot be listed.
    #[error(transparent)]
    List(#[from] FileError),
}

/// A workflow of the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalWorkflow {
    /// The name of its file without the ending, by which it is asked for.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
}

/// The workflows of the project around `cwd`, by name. Of two with one name the nearer counts.
/// Nothing is read: a file with faults is listed like any other.
pub fn local_workflows(cwd: &Path) -> Result<Vec<LocalWorkflow>, SearchError> {
    let mut found = BTreeMap::new();
    for folder in project_folders(cwd)? {
        for (folder, ending) in places(&folder) {
            for file in names_in(&folder)? {
                let Some(name) = file.strip_suffix(ending).filter(|name| !name.is_empty()) else {
                    continue;
                };
                let path = folder.join(&file);
                if !found.contains_key(name) && is_file(&path)? {
                    found.insert(name.to_owned(), path);
                }
            }
        }
    }
    let found = found.into_iter();
    Ok(found
        .map(|(name, path)| LocalWorkflow { name, path })
        .collect())
}

/// The file of the workflow of this name, the nearest to the first of the folders.
pub(super) fn find(name: &str, folders: &[PathBuf]) -> Result<Option<PathBuf>, SearchError> {
    for folder in folders {
        for (folder, ending) in places(folder) {
            let path = folder.join(format!("{name}{ending}"));
            if is_file(&path)? {
                return Ok(Some(path));
            }
        }
    }
    Ok(None)
}

/// The working folder and those above it, up to the one that holds `.git`.
pub(super) fn project_folders(cwd: &Path) -> Result<Vec<PathBuf>, SearchError> {
    let mut folders = Vec::new();
    for folder in cwd.ancestors() {
        folders.push(folder.to_owned());
        if exists(&folder.join(".git"))? {
            break;
        }
    }
    Ok(folders)
}

/// Where in a folder workflow files may be, in the order in which they count.
fn places(folder: &Path) -> impl Iterator<Item = (PathBuf, &'static str)> {
    FOLDERS
        .map(|name| folder.join(name))
        .into_iter()
        .flat_map(|folder| ENDINGS.map(|ending| (folder.clone(), ending)))
}

fn names_in(folder: &Path) -> Result<Vec<String>, FileError> {
    match fsx::file_names(folder) {
        // A file of that name is no folder of workflows.
        Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(Vec::new()),
        names => names,
    }
}

/// Whether there is a file, also by way of a link.
pub(super) fn is_file(path: &Path) -> Result<bool, SearchError> {
    Ok(looked(path, path.metadata())?.is_some_and(|metadata| metadata.is_file()))
}

fn exists(path: &Path) -> Result<bool, SearchError> {
    Ok(looked(path, path.symlink_metadata())?.is_some())
}

/// What was found; nothing also when there can be nothing of that name.
fn looked(
    path: &Path,
    metadata: std::io::Result<std::fs::Metadata>,
) -> Result<Option<std::fs::Metadata>, SearchError> {
    match metadata {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) => match error.kind() {
            ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::InvalidInput
            | ErrorKind::InvalidFilename => Ok(None),
            _ => Err(SearchError::Look {
                path: path.to_owned(),
                source: error,
            }),
        },
    }
}
