//! Which files are searched: those below a folder that git does not ignore, in the order of their
//! names.
//!
//! The walk is ours and the rules of `.gitignore` are a crate's: so it looks at the clock and at
//! signals, opens nothing that could keep it waiting, and follows no link.

use std::ffi::OsString;
use std::fs::{self, DirEntry, FileType};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::vec::IntoIter;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::overrides::{Override, OverrideBuilder};

use super::watch::{Halt, Watch};
use crate::fsx;

const GIT: &str = ".git";
const GITIGNORE: &str = ".gitignore";
/// The most bytes of a `.gitignore` that count.
const MOST: u64 = 1 << 20;

/// The files below a folder, one after the other.
pub struct Walk {
    /// The `.gitignore` of each folder above, outermost first.
    above: Vec<Gitignore>,
    /// The folders that are being walked through, outermost first.
    levels: Vec<Level>,
    globs: Override,
    /// Folders and entries that cannot be read.
    pub unreadable: usize,
}

struct Level {
    ignored: Gitignore,
    entries: IntoIter<Entry>,
}

struct Entry {
    path: PathBuf,
    is_folder: bool,
}

impl Walk {
    /// Below this folder, the files that the glob allows.
    pub fn below(folder: &Path, glob: Option<&str>) -> Result<Self, String> {
        let mut globs = OverrideBuilder::new(folder);
        if let Some(glob) = glob {
            globs.add(glob).map_err(|error| error.to_string())?;
        }
        let mut walk = Self {
            above: above(folder),
            levels: Vec::new(),
            globs: globs.build().map_err(|error| error.to_string())?,
            unreadable: 0,
        };
        walk.enter(folder);
        Ok(walk)
    }

    /// The next file; none behind the last. What is passed over takes its time too: a tree may hold
    /// a million files, and none that is wanted.
    pub fn next(&mut self, watch: &mut Watch<'_>) -> Result<Option<PathBuf>, Halt> {
        while let Some(level) = self.levels.last_mut() {
            watch.look()?;
            let Some(entry) = level.entries.next() else {
                self.levels.pop();
                continue;
            };
            if self.is_ignored(&entry) {
                continue;
            }
            if !entry.is_folder {
                return Ok(Some(entry.path));
            }
            self.enter(&entry.path);
        }
        Ok(None)
    }

    fn enter(&mut self, folder: &Path) {
        let mut entries = self.entries(folder);
        entries.sort_by(|one, other| one.0.cmp(&other.0));
        let entries: Vec<Entry> = entries.into_iter().map(|(_, entry)| entry).collect();
        self.levels.push(Level {
            ignored: ignored_in(folder),
            entries: entries.into_iter(),
        });
    }

    /// The files and folders in it, with their names.
    fn entries(&mut self, folder: &Path) -> Vec<(OsString, Entry)> {
        let mut entries: Vec<(OsString, Entry)> = Vec::new();
        match fs::read_dir(folder) {
            Err(_) => self.unreadable += 1,
            Ok(listed) => {
                for entry in listed {
                    match entry.and_then(|entry| Ok((entry.file_type()?, entry))) {
                        Err(_) => self.unreadable += 1,
                        // A link has a kind of its own here.
                        Ok((kind, entry)) if kind.is_file() || is_wanted_folder(kind, &entry) => {
                            let found = Entry {
                                path: entry.path(),
                                is_folder: kind.is_dir(),
                            };
                            entries.push((entry.file_name(), found));
                        }
                        Ok(_) => {}
                    }
                }
            }
        }
        entries
    }

    fn is_ignored(&self, entry: &Entry) -> bool {
        if self.globs.matched(&entry.path, entry.is_folder).is_ignore() {
            return true;
        }
        // What is said nearest to it counts.
        let inner = self.levels.iter().rev().map(|level| &level.ignored);
        for ignored in inner.chain(self.above.iter().rev()) {
            match ignored.matched(&entry.path, entry.is_folder) {
                Match::None => {}
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
            }
        }
        false
    }
}

fn is_wanted_folder(kind: FileType, entry: &DirEntry) -> bool {
    kind.is_dir() && entry.file_name() != GIT
}

/// What is ignored in the folders above, up to the one that holds the repository.
fn above(folder: &Path) -> Vec<Gitignore> {
    let is_top = |folder: &&Path| fs::symlink_metadata(folder.join(GIT)).is_ok();
    let Some(top) = folder.ancestors().find(is_top) else {
        return Vec::new();
    };
    let outer = folder.ancestors().skip(1);
    let mut above: Vec<Gitignore> = outer
        .take_while(|outer| outer.starts_with(top))
        .map(ignored_in)
        .collect();
    above.reverse();
    above
}

/// What a folder's `.gitignore` says. A line that is no pattern says nothing, as to git.
fn ignored_in(folder: &Path) -> Gitignore {
    let mut text = Vec::new();
    if let Ok((file, _)) = fsx::open_regular(&folder.join(GITIGNORE)) {
        let read = file.take(MOST).read_to_end(&mut text);
        if read.is_err() {
            text.clear();
        }
    }
    let mut rules = GitignoreBuilder::new(folder);
    for line in String::from_utf8_lossy(&text).lines() {
        let _ = rules.add_line(None, line);
    }
    rules.build().unwrap_or_else(|_| Gitignore::empty())
}
