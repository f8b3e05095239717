//! Which file a path of the model means, and whether it may have it.
//!
//! A path is followed to where it really leads, all links included, and that has to be the working
//! folder, or a path that is allowed besides it, or inside one of them.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::Stop;
use crate::fsx;
use crate::model::in_full;
use crate::suggestion::did_you_mean;
use crate::wording::{harmless, listed, quoted};

/// More than any system takes for a path.
const LONGEST: usize = 4096;

/// Where the tools may reach.
#[derive(Debug)]
pub struct Places {
    /// The working folder, then what is allowed besides it, as they really are.
    roots: Vec<PathBuf>,
}

/// A path inside, as it really is.
#[derive(Debug)]
pub struct Place {
    /// The path, absolute, without links in it.
    pub path: PathBuf,
    /// As the model is told of it: relative to the working folder if it is inside.
    pub shown: String,
    /// What is there; none when nothing is.
    pub metadata: Option<Metadata>,
}

impl Places {
    /// The working folder, and paths that are allowed besides it, all absolute.
    pub fn new(cwd: &Path, allowed: &[PathBuf]) -> Result<Self, String> {
        let real = |what: &str, path: &Path| {
            fs::canonicalize(path)
                .map_err(|error| format!("cannot use {what} {}: {error}", path.display()))
        };
        let mut roots = vec![real("the working folder", cwd)?];
        for path in allowed {
            roots.push(real("the allowed path", path)?);
        }
        Ok(Self { roots })
    }

    /// The working folder.
    pub fn cwd(&self) -> &Path {
        &self.roots[0]
    }

    /// What is allowed besides it.
    pub fn allowed(&self) -> &[PathBuf] {
        &self.roots[1..]
    }

    /// All of them.
    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// Where a path leads, if that is inside.
    pub fn find(&self, path: &str) -> Result<Place, Stop> {
        if path.is_empty() || path.contains('\0') || path.len() > LONGEST {
            return Err(Stop::Told(format!(
                "{} is no path: name a file by a path relative to the working folder",
                quoted(path)
            )));
        }
        if path == "~" || path.starts_with("~/") {
            return Err(Stop::Told(format!(
                "{} is no path: ~ means nothing to this tool. Name a file by a path relative to \
                 the working folder, which is {}",
                quoted(path),
                quoted(&self.cwd().to_string_lossy())
            )));
        }
        let real = real(&self.cwd().join(path))
            .map_err(|why| Stop::Told(format!("cannot use {}: {why}", quoted(path))))?;
        let root = self.roots.iter().find(|root| real.starts_with(root));
        if root.is_none() {
            return Err(self.outside(path, &real));
        }
        let metadata = match fs::symlink_metadata(&real) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                return Err(Stop::Told(format!("cannot use {}: {error}", quoted(path))));
            }
        };
        Ok(Place {
            shown: self.shown(&real),
            path: real,
            metadata,
        })
    }

    /// A path as the model is told of it.
    pub fn shown(&self, path: &Path) -> String {
        let path = match path.strip_prefix(self.cwd()) {
            Ok(inner) if inner.as_os_str().is_empty() => Path::new("."),
            Ok(inner) => inner,
            Err(_) => path,
        };
        harmless(&path.to_string_lossy())
    }

    /// A file that is there, opened, and how many bytes it has.
    pub fn file(&self, path: &str) -> Result<(Place, File, u64), Stop> {
        let place = self.find(path)?;
        place.check_file()?;
        match fsx::open_regular(&place.path) {
            Ok((file, size)) => Ok((place, file, size)),
            Err(error) => Err(Stop::Told(in_full(&error))),
        }
    }

    /// A file that may be written, whether it is there or not.
    pub fn file_to_write(&self, path: &str) -> Result<Place, Stop> {
        let place = self.find(path)?;
        if place.metadata.is_some() {
            place.check_file()?;
        }
        let is_git = |part: &OsStr| part.eq_ignore_ascii_case(".git");
        let root = self.roots.iter().find(|root| place.path.starts_with(root));
        let inner = root.and_then(|root| place.path.strip_prefix(root).ok());
        if inner.is_some_and(|inner| inner.iter().any(is_git)) {
            return Err(Stop::Told(format!(
                "{} belongs to git: change it by git itself, with run_command",
                place.shown
            )));
        }
        let mode = place.metadata.as_ref().map(|it| it.permissions().mode());
        if mode.is_some_and(|mode| mode & 0o222 == 0) {
            return Err(Stop::Told(format!(
                "{} is write-protected: if it is to be changed all the same, chmod +w it first, \
                 with run_command",
                place.shown
            )));
        }
        Ok(place)
    }

    fn outside(&self, path: &str, real: &Path) -> Stop {
        let leads = if self.cwd().join(path) == real {
            "is".to_owned()
        } else {
            format!("leads to {}, which is", quoted(&real.to_string_lossy()))
        };
        let allowed = self.allowed().iter();
        let allowed = allowed.map(|path| quoted(&path.to_string_lossy()));
        let cwd = quoted(&self.cwd().to_string_lossy());
        let inside = ["the working folder ".to_owned() + &cwd].into_iter();
        Stop::Told(format!(
            "{} {leads} outside {}: name a file inside, by a path relative to the working folder",
            quoted(path),
            listed(inside.chain(allowed), "and")
        ))
    }
}

impl Place {
    /// That there is a file.
    fn check_file(&self) -> Result<(), Stop> {
        let shown = &self.shown;
        let Some(metadata) = &self.metadata else {
            return Err(Stop::Told(format!(
                "there is no file {shown}{}",
                self.neighbour()
            )));
        };
        if metadata.is_file() {
            return Ok(());
        }
        Err(Stop::Told(if metadata.is_dir() {
            format!("{shown} is a folder: list_dir tells what it holds")
        } else {
            format!(
                "{shown} is {}, not a file: only files can be read and written",
                kind_of(metadata)
            )
        }))
    }

    /// That there is a folder.
    pub fn check_folder(&self) -> Result<(), Stop> {
        let shown = &self.shown;
        match &self.metadata {
            Some(metadata) if metadata.is_dir() => Ok(()),
            Some(_) => Err(Stop::Told(format!(
                "{shown} is not a folder: read_file reads files"
            ))),
            None => Err(Stop::Told(format!(
                "there is no folder {shown}{}",
                self.neighbour()
            ))),
        }
    }

    /// `, did you mean …?`, or what else helps to find what is not there.
    pub fn neighbour(&self) -> String {
        let otherwise = ": list_dir tells what there is".to_owned();
        let (Some(folder), Some(name)) = (self.path.parent(), self.path.file_name()) else {
            return otherwise;
        };
        let names = fsx::file_names(folder).unwrap_or_default();
        let known = names.iter().map(String::as_str);
        match did_you_mean(&name.to_string_lossy(), known) {
            Some(meant) => format!(", {meant}"),
            None => otherwise,
        }
    }
}

/// What something is that is neither a file nor a folder.
pub fn kind_of(metadata: &Metadata) -> &'static str {
    let kind = metadata.file_type();
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_symlink() {
        "a link"
    } else {
        "a device"
    }
}

/// Where a path leads, whether there is something or not. What is not there has to be named
/// without detours: behind it, a `..` would mean nothing.
fn real(path: &Path) -> Result<PathBuf, String> {
    let mut missing: Vec<OsString> = Vec::new();
    let mut existing = path;
    loop {
        match fs::canonicalize(existing) {
            Ok(real) => {
                return Ok(missing
                    .iter()
                    .rev()
                    .fold(real, |path, name| path.join(name)));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.to_string()),
        }
        if let Ok(target) = fs::read_link(existing) {
            let target = target.to_string_lossy();
            return Err(format!(
                "it is a link to {}, which is not there",
                quoted(&target)
            ));
        }
        let (Some(folder), Some(name)) = (existing.parent(), existing.file_name()) else {
            return Err("a folder on the way to it is not there".to_owned());
        };
        missing.push(name.to_owned());
        existing = folder;
    }
}
