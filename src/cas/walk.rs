//! What a node refers to, and what can be reached from it.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::Value;

use super::error::{CasError, Result};
use super::known;
use super::node::Node;
use super::refs::Guide;
use super::store::Store;
use crate::model::Hash;

impl Store {
    /// The nodes that a node mentions, in the order of its schema, each mention.
    pub fn refs(&self, hash: &Hash) -> Result<Vec<Hash>> {
        let node = self.get(hash)?;
        Guides::of(self).references(&node)
    }

    /// The nodes that can be reached from a node, itself first, breadth first, each once.
    ///
    /// Nodes that are not in the store are left out; when the first is not, there are none.
    pub fn walk(&self, hash: &Hash) -> Result<Vec<Hash>> {
        let mut reached = Vec::new();
        let mut guides = Guides::of(self);
        let mut seen = HashSet::from([*hash]);
        let mut waiting = VecDeque::from([*hash]);
        while let Some(next) = waiting.pop_front() {
            let Some(node) = self.find(&next)? else {
                continue;
            };
            reached.push(next);
            for mentioned in guides.references(&node)? {
                if seen.insert(mentioned) {
                    waiting.push_back(mentioned);
                }
            }
        }
        Ok(reached)
    }
}

/// The types that were met, each read once.
pub(super) struct Guides<'s> {
    store: &'s Store,
    ready: HashMap<Hash, Guide>,
}

impl<'s> Guides<'s> {
    pub(super) fn of(store: &'s Store) -> Self {
        Self {
            store,
            ready: HashMap::new(),
        }
    }

    /// The nodes that a node mentions, in the order of its schema, each mention.
    pub(super) fn references(&mut self, node: &Node) -> Result<Vec<Hash>> {
        let guide = match self.ready.entry(node.type_hash) {
            Entry::Occupied(met) => met.into_mut(),
            Entry::Vacant(new) => new.insert(Guide::new(schema_of(self.store, node)?)),
        };
        Ok(guide.references(&node.payload))
    }
}

fn schema_of(store: &Store, node: &Node) -> Result<Cow<'static, Value>> {
    if let Some(known) = known::find(&node.type_hash) {
        return Ok(Cow::Borrowed(known.schema()));
    }
    match store.schema(&node.type_hash) {
        Ok(schema) => Ok(Cow::Owned(schema)),
        Err(CasError::Missing { hash, .. }) => Err(CasError::UnknownType { type_hash: hash }),
        Err(other) => Err(other),
    }
}
