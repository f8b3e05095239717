//! Where programs are: the files that a command may mean, and the agents that `PATH` has.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// What the names of programs begin with that are agents on protocol `cas`.
const PREFIX: &str = "uwf-";

/// Where a program is looked for.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// Where a relative path begins, absolute.
    pub cwd: &'a Path,
    /// The environment whose `PATH` counts.
    pub environment: &'a BTreeMap<OsString, OsString>,
}

impl Search<'_> {
    /// The file that runs when this command is run; none when there is none that can be.
    pub fn program(self, command: &OsStr) -> Option<PathBuf> {
        self.files(command)
            .into_iter()
            .find(|file| is_runnable(file))
    }

    /// The names of the agents in the folders of `PATH`, sorted. A folder that cannot be read has
    /// none.
    pub fn agents(self) -> Vec<String> {
        let mut names = BTreeSet::new();
        for folder in self.folders() {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            for entry in entries {
                if let Ok(name) = entry.file_name().into_string()
                    && name.len() > PREFIX.len()
                    && name.starts_with(PREFIX)
                    && is_runnable(&entry.path())
                {
                    names.insert(name);
                }
            }
        }
        names.into_iter().collect()
    }

    /// The files that a command may mean, those that exist, in the order in which the system
    /// tries them.
    pub(super) fn files(self, command: &OsStr) -> Vec<PathBuf> {
        let folders = if command.as_bytes().contains(&b'/') {
            vec![self.cwd.to_owned()]
        } else {
            self.folders()
        };
        folders
            .into_iter()
            .map(|folder| folder.join(command))
            .filter(|file| file.exists())
            .collect()
    }

    fn folders(self) -> Vec<PathBuf> {
        let path = self.environment.get(OsStr::new("PATH"));
        let folders = path.into_iter().flat_map(std::env::split_paths);
        folders.map(|folder| self.cwd.join(folder)).collect()
    }
}

/// Whether two paths lead to one file, by whatever links.
pub(super) fn is_same_file(one: &Path, other: &Path) -> bool {
    let place = |path| fs::metadata(path).map(|it| (it.dev(), it.ino())).ok();
    place(one).is_some_and(|it| place(other) == Some(it))
}

/// Whether a file is one that may be run.
pub(super) fn is_runnable(file: &Path) -> bool {
    fs::metadata(file)
        .is_ok_and(|metadata| !metadata.is_dir() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test lays out its files")]
mod tests {
    use super::*;

    fn file(path: &Path, mode: u32) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn agents_are_the_programs_of_path_that_are_called_so() {
        let root = tempfile::tempdir().unwrap();
        let (first, second) = (root.path().join("first"), root.path().join("second"));
        file(&first.join("uwf-b"), 0o755);
        file(&first.join("uwf-asleep"), 0o644);
        file(&first.join("uwf"), 0o755);
        file(&first.join("uwf-"), 0o755);
        file(&first.join("other"), 0o755);
        fs::create_dir(first.join("uwf-folder")).unwrap();
        file(&second.join("uwf-a"), 0o755);
        file(&second.join("uwf-b"), 0o755);
        file(&second.join("uwf-asleep"), 0o755);
        let path = format!("{}:second:/nowhere", first.display());
        let environment = BTreeMap::from([(OsString::from("PATH"), OsString::from(path))]);
        let search = Search {
            cwd: root.path(),
            environment: &environment,
        };
        assert_eq!(search.agents(), ["uwf-a", "uwf-asleep", "uwf-b"]);
        let found = |command: &str| search.program(OsStr::new(command));
        assert_eq!(found("uwf-b"), Some(first.join("uwf-b")));
        assert_eq!(found("uwf-asleep"), Some(second.join("uwf-asleep")));
        assert_eq!(found("second/uwf-a"), Some(second.join("uwf-a")));
        assert_eq!(found("uwf-c"), None);
        assert_eq!(found("first/uwf-asleep"), None);
    }
}
