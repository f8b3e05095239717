//! From what the caller typed to a workflow: a hash, a file, a name.

use std::path::{Path, PathBuf};

use super::discover::{self, ENDINGS, FOLDERS, SearchError, local_workflows};
use super::registry::{Registry, RegistryError};
use crate::model::Hash;
use crate::suggestion::{nearest, question};
use crate::wording::quoted;

/// How a workflow is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request<'a> {
    /// By the hash of its node.
    Stored(Hash),
    /// By the path of its file.
    File(&'a Path),
    /// By its name.
    Name(&'a str),
}

impl<'a> Request<'a> {
    /// How a text asks for a workflow; `None` when it is blank.
    pub fn of(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let is_path =
            || text.contains(['/', '\\']) || ENDINGS.iter().any(|ending| text.ends_with(ending));
        match text.parse() {
            _ if text.is_empty() => None,
            Ok(hash) => Some(Self::Stored(hash)),
            Err(_) if is_path() => Some(Self::File(Path::new(text))),
            Err(_) => Some(Self::Name(text)),
        }
    }
}

/// Where a workflow is that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// The node of this hash, if there is one and it is a workflow: nobody has looked yet.
    Stored(Hash),
    /// This file. One that was asked for by its path may not be there.
    File(PathBuf),
    /// In the registry.
    Registered {
        /// The name it is registered under.
        name: String,
        /// Its node.
        hash: Hash,
    },
}

/// Why no workflow was found.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// Nothing was typed.
    #[error("the name of the workflow is blank")]
    Blank,
    /// Nothing has this name.
    #[error(transparent)]
    NotFound(Box<NotFound>),
    /// The project could not be searched.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The registry could not be read.
    #[error(transparent)]
    Registry(#[from] RegistryError),
}

/// A name that no workflow has, and where it was looked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no workflow {} {}, nor in the registry {}",
    quoted(name), self.searched(), registry.display())]
pub struct NotFound {
    /// The name.
    pub name: String,
    /// The folders whose workflows were searched, the nearest first.
    pub folders: Vec<PathBuf>,
    /// The registry's file.
    pub registry: PathBuf,
    /// The name that was probably meant.
    pub meant: Option<String>,
    /// A file of that name in the working folder, where names are not looked for.
    pub beside: Option<String>,
}

impl NotFound {
    fn searched(&self) -> String {
        let [preferred, former] = FOLDERS;
        let places = format!("in {preferred} or {former}");
        match self.folders.as_slice() {
            [] => places,
            [only] => format!("{places} of {}", only.display()),
            [first, .., last] => format!(
                "{places} of {} or of a folder above it up to {}",
                first.display(),
                last.display()
            ),
        }
    }

    /// What to try instead.
    pub fn hint(&self) -> String {
        match (&self.beside, &self.meant) {
            (Some(file), _) => format!("to use the file in this folder, write `./{file}`"),
            (None, Some(meant)) => question(meant),
            (None, None) => "`uwf workflow list` shows the workflows there are".to_owned(),
        }
    }
}

/// Finds the workflow that `asked` means, as seen from the folder `cwd`.
///
/// A hash is a hash, what looks like a path is a file, and a name is looked for in the project
/// before it is looked for in the registry.
pub fn resolve(asked: &str, cwd: &Path, registry: &Registry) -> Result<Found, ResolveError> {
    let name = match Request::of(asked) {
        None => return Err(ResolveError::Blank),
        Some(Request::Stored(hash)) => return Ok(Found::Stored(hash)),
        Some(Request::File(path)) => {
            // By its parts, which leaves out every `.` between them.
            return Ok(Found::File(cwd.join(path).components().collect()));
        }
        Some(Request::Name(name)) => name,
    };
    let folders = discover::project_folders(cwd)?;
    if let Some(path) = discover::find(name, &folders)? {
        return Ok(Found::File(path));
    }
    let registered = registry.read()?;
    if let Some(hash) = registered.get(name) {
        return Ok(Found::Registered {
            name: name.to_owned(),
            hash,
        });
    }
    let local = local_workflows(cwd)?;
    let known = local.iter().map(|workflow| workflow.name.as_str());
    let known = known.chain(registered.entries.iter().map(|(name, _)| name.as_str()));
    let meant = nearest(name, known).map(str::to_owned);
    let mut beside = None;
    for ending in ENDINGS {
        let file = format!("{name}{ending}");
        if beside.is_none() && discover::is_file(&cwd.join(&file))? {
            beside = Some(file);
        }
    }
    Err(ResolveError::NotFound(Box::new(NotFound {
        name: name.to_owned(),
        folders,
        registry: registered.path,
        meant,
        beside,
    })))
}
