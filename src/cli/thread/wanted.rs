//! The workflow whose threads are asked for.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::cli::context::Context;
use crate::cli::error::{CommandError, Result};
use crate::cli::workflow::resolve::sought_if_any;
use crate::model::Hash;
use crate::workflow::{Found, ResolveError, stored};

/// What a workflow's node must be, or be called.
pub struct Wanted {
    by: By,
    /// Why no such workflow is known.
    unknown: Option<CommandError>,
    /// The workflows whose name was looked at.
    seen: RefCell<BTreeMap<Hash, bool>>,
}

enum By {
    /// This one version.
    Hash(Hash),
    /// Every version of that name.
    Name(String),
}

impl Wanted {
    /// What was typed: a name, or a hash or its beginning.
    ///
    /// A name that is not known may still be that of a thread's workflow; whatever else is wrong,
    /// such as a registry that cannot be read, is an error.
    pub fn of(asked: &str, context: &Context) -> Result<Self> {
        let (by, unknown) = match sought_if_any(asked, context)? {
            Ok(Found::Stored(hash)) => (By::Hash(hash), None),
            Ok(Found::Registered { name, .. }) => (By::Name(name), None),
            Ok(Found::File(path)) => {
                let name = path.file_stem().unwrap_or_default();
                (By::Name(name.to_string_lossy().into_owned()), None)
            }
            // A thread may run a workflow that was never registered, or is not any more.
            Err(not_found) => {
                let unknown = ResolveError::NotFound(not_found).into();
                (By::Name(asked.trim().to_owned()), Some(unknown))
            }
        };
        Ok(Self {
            by,
            unknown,
            seen: RefCell::default(),
        })
    }

    /// Whether a workflow is wanted.
    pub fn is(&self, hash: &Hash, context: &Context) -> bool {
        let name = match &self.by {
            By::Hash(wanted) => return hash == wanted,
            By::Name(name) => name,
        };
        // One that cannot be read has no name.
        let has_name = || stored(&context.store, hash).is_ok_and(|found| found.name == *name);
        *self.seen.borrow_mut().entry(*hash).or_insert_with(has_name)
    }

    /// That a workflow is known nowhere is an error, unless a thread runs one of that name.
    pub fn known_or_found(self, is_found: bool) -> Result {
        match self.unknown {
            Some(unknown) if !is_found => Err(unknown),
            _ => Ok(()),
        }
    }
}
