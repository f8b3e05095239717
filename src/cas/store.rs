//! Reading and writing nodes.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use super::error::{CasError, Result};
use super::index::Index;
use super::known::{self, Known, META_SCHEMA, TEXT};
use super::node::{self, Node};
use super::{cbor, hash};
use crate::fsx::{self, Access, Lock};
use crate::model::Hash;

/// The store under a storage root.
#[derive(Debug)]
pub struct Store {
    /// The folder of the nodes.
    pub(super) folder: PathBuf,
    pub(super) index: Index,
    lock: PathBuf,
    /// Whether this process has seen that the built-in schemas are there.
    has_built_in: AtomicBool,
}

impl Store {
    /// The store of a storage root. Nothing is read and nothing is made.
    pub fn open(root: &Path) -> Self {
        let folder = root.join("cas");
        Self {
            index: Index::of(&folder),
            lock: root.join("locks").join("cas.lock"),
            folder,
            has_built_in: AtomicBool::new(false),
        }
    }

    /// Where a node is, or would be.
    pub fn path(&self, hash: &Hash) -> PathBuf {
        self.folder.join(format!("{hash}.bin"))
    }

    /// The node of this name; that there is none is an error.
    pub fn get(&self, hash: &Hash) -> Result<Node> {
        match self.find(hash)? {
            Some(node) => Ok(node),
            None if exists(&self.folder)? => Err(CasError::Missing {
                hash: *hash,
                path: self.path(hash),
            }),
            None => Err(CasError::NoStore {
                hash: *hash,
                folder: self.folder.clone(),
            }),
        }
    }

    /// The node of this name, if there is one.
    pub fn find(&self, hash: &Hash) -> Result<Option<Node>> {
        Ok(self.find_with_size(hash)?.map(|(node, _)| node))
    }

    /// The node of this name, if there is one, and the bytes that its payload takes.
    pub(super) fn find_with_size(&self, hash: &Hash) -> Result<Option<(Node, usize)>> {
        let Some(bytes) = fsx::read_optional(&self.path(hash))? else {
            return Ok(None);
        };
        match node::read(hash, &bytes) {
            Ok(stored) => Ok(Some((stored.node, stored.payload.len()))),
            Err(why) => Err(CasError::Damaged {
                hash: *hash,
                path: self.path(hash),
                why,
            }),
        }
    }

    /// Whether there is a node of this name. Whether it is whole shows when it is read.
    pub fn contains(&self, hash: &Hash) -> Result<bool> {
        exists(&self.path(hash))
    }

    /// Stores a payload under a type that it must fit. `now` is in milliseconds since 1970.
    ///
    /// A node that is there already stays as it is, its time too. The first write into a store
    /// registers the built-in schemas. Writers wait for each other only where they change a list.
    pub fn put(&self, type_hash: &Hash, payload: &Value, now: u64) -> Result<Hash> {
        self.validate(type_hash, payload)?;
        let payload = cbor::encode(payload);
        let hash = hash::of_bytes(type_hash.as_str(), &payload);
        let node = New {
            hash,
            type_hash: *type_hash,
            payload,
        };
        if !self.is_complete(&node)? {
            self.register_built_in(now)?;
            self.write(&node, now)?;
            let _held = self.lock()?;
            self.list(&node)?;
        }
        Ok(hash)
    }

    /// Stores a schema.
    pub fn put_schema(&self, schema: &Value, now: u64) -> Result<Hash> {
        self.put(&META_SCHEMA, schema, now)
    }

    /// Stores one of the schemas that are known by heart.
    pub fn register(&self, schema: &Hash, now: u64) -> Result<Hash> {
        match known::find(schema) {
            // Its own type, so no payload of that type has its hash: it comes with any write.
            Some(known) if known.hash == META_SCHEMA => {
                self.register_built_in(now).map(|()| META_SCHEMA)
            }
            Some(known) => self.put_schema(known.schema(), now),
            None => Err(CasError::UnknownType { type_hash: *schema }),
        }
    }

    /// Stores a text.
    pub fn put_text(&self, text: &str, now: u64) -> Result<Hash> {
        self.put(&TEXT, &Value::from(text), now)
    }

    /// The schema of this name. The built-in ones are there before anything is stored.
    pub fn schema(&self, hash: &Hash) -> Result<Value> {
        let built_in = known::built_in().iter().find(|known| known.hash == *hash);
        let node = match (self.find(hash)?, built_in) {
            (Some(node), _) => node,
            (None, Some(known)) => return Ok(known.schema().clone()),
            (None, None) => self.get(hash)?,
        };
        if known::is_meta_schema(&node.type_hash) {
            Ok(node.payload)
        } else {
            Err(CasError::NotASchema { hash: *hash })
        }
    }

    /// Takes the lock under which lists change.
    ///
    /// A node needs none: it is moved into place whole, and nobody replaces it. A list does. A
    /// member is looked for and then added, which two writers at once would both do; an append
    /// that mends a torn line looks at the line first; and a reindex replaces the list, so that a
    /// line added meanwhile would be lost. The built-in schemas are registered under it too, for
    /// their order in the list.
    pub(super) fn lock(&self) -> Result<Lock> {
        Ok(Lock::acquire(&self.lock)?)
    }

    /// Whether a node is stored and listed, so that nothing is to be written.
    fn is_complete(&self, node: &New) -> Result<bool> {
        let Some(bytes) = fsx::read_optional(&self.path(&node.hash))? else {
            return Ok(false);
        };
        self.is_same(node, &bytes)?;
        self.index.lists(&node.type_hash, &node.hash)
    }

    /// Checks that what is stored under a node's hash is that node.
    fn is_same(&self, node: &New, bytes: &[u8]) -> Result<()> {
        let path = self.path(&node.hash);
        match node::read(&node.hash, bytes) {
            Ok(stored)
                if stored.node.type_hash == node.type_hash && stored.payload == node.payload =>
            {
                Ok(())
            }
            Ok(_) => Err(CasError::Collision {
                hash: node.hash,
                path,
            }),
            Err(why) => Err(CasError::Damaged {
                hash: node.hash,
                path,
                why,
            }),
        }
    }

    /// Writes a node. It is listed afterwards: one that is there and not listed is listed when it
    /// is put again, or by a reindex, while a list that names what is not there would be damage.
    fn write(&self, node: &New, now: u64) -> Result<()> {
        let path = self.path(&node.hash);
        let bytes = cbor::encode_node(node.type_hash.as_str(), &node.payload, now);
        if fsx::create(&path, &bytes, Access::Shared)? {
            return Ok(());
        }
        let stored = fsx::read_optional(&path)?.unwrap_or_default();
        self.is_same(node, &stored)
    }

    /// Lists a node. The caller holds the lock.
    fn list(&self, node: &New) -> Result<()> {
        // Also a node that was just written: another writer may have met it before it was listed.
        if self.index.lists(&node.type_hash, &node.hash)? {
            return Ok(());
        }
        self.index.append(&node.type_hash, &node.hash)
    }

    fn register_built_in(&self, now: u64) -> Result<()> {
        if self.has_built_in.load(Ordering::Relaxed) {
            return Ok(());
        }
        let missing = self.missing_built_in()?;
        if !missing.is_empty() {
            let _held = self.lock()?;
            // Another writer may have registered some of them by now.
            for node in self.missing_built_in()? {
                self.write(&node, now)?;
                self.list(&node)?;
            }
        }
        self.has_built_in.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn missing_built_in(&self) -> Result<Vec<New>> {
        let mut missing = Vec::new();
        for known in known::built_in() {
            let node = New::schema(known);
            if !self.is_complete(&node)? {
                missing.push(node);
            }
        }
        Ok(missing)
    }
}

/// A node on its way into the store.
struct New {
    hash: Hash,
    type_hash: Hash,
    payload: Vec<u8>,
}

impl New {
    fn schema(known: &Known) -> Self {
        Self {
            hash: known.hash,
            type_hash: META_SCHEMA,
            payload: cbor::encode(known.schema()),
        }
    }
}

fn exists(path: &Path) -> Result<bool> {
    match path.try_exists() {
        Ok(exists) => Ok(exists),
        // Reading it fails for the same reason, with words for it.
        Err(_) => Ok(fsx::read_optional(path)?.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// No two texts with one hash are at hand, so the second one claims the first one's.
    #[test]
    fn another_node_under_the_same_hash_is_an_error() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path());
        let hash = store.put_text("one", 1).unwrap();
        let other = New {
            hash,
            type_hash: TEXT,
            payload: cbor::encode(&json!("two")),
        };
        let message = format!(
            "another node is stored under the hash {hash} already ({})",
            store.path(&hash).display()
        );
        assert_eq!(store.write(&other, 2).unwrap_err().to_string(), message);
        assert_eq!(store.is_complete(&other).unwrap_err().to_string(), message);
        assert_eq!(store.get(&hash).unwrap().payload, "one");
    }
}
