//! What a node refers to, what can be reached from it, and what there is of a type.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::Value;

use super::error::{CasError, Result};
use super::known::{self, LATER_META_SCHEMA, META_SCHEMA};
use super::node::Node;
use super::refs::references;
use super::store::Store;
use crate::model::{Hash, Prefix};

impl Store {
    /// The nodes that a node mentions, in the order of its schema, each mention.
    pub fn refs(&self, hash: &Hash) -> Result<Vec<Hash>> {
        let node = self.get(hash)?;
        let schema = self.schema_of(&node)?;
        Ok(references(&schema, &node.payload))
    }

    /// The nodes that can be reached from a node, itself first, breadth first, each once.
    ///
    /// Nodes that are not in the store are left out; when the first is not, there are none.
    pub fn walk(&self, hash: &Hash) -> Result<Vec<Hash>> {
        let mut reached = Vec::new();
        let mut schemas: HashMap<Hash, Cow<'_, Value>> = HashMap::new();
        let mut seen = HashSet::from([*hash]);
        let mut waiting = VecDeque::from([*hash]);
        while let Some(next) = waiting.pop_front() {
            let Some(node) = self.find(&next)? else {
                continue;
            };
            reached.push(next);
            let schema = match schemas.entry(node.type_hash) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(place) => place.insert(self.schema_of(&node)?),
            };
            for mentioned in references(schema, &node.payload) {
                if seen.insert(mentioned) {
                    waiting.push_back(mentioned);
                }
            }
        }
        Ok(reached)
    }

    fn schema_of(&self, node: &Node) -> Result<Cow<'static, Value>> {
        if let Some(known) = known::find(&node.type_hash) {
            return Ok(Cow::Borrowed(known.schema()));
        }
        match self.schema(&node.type_hash) {
            Ok(schema) => Ok(Cow::Owned(schema)),
            Err(CasError::Missing { hash, .. }) => Err(CasError::UnknownType { type_hash: hash }),
            Err(other) => Err(other),
        }
    }

    /// The nodes of a type, in the order in which they were stored.
    pub fn members(&self, type_hash: &Hash) -> Result<Vec<Hash>> {
        self.index.members(type_hash)
    }

    /// The nodes whose hash begins like this, sorted. Lists the folder of the nodes.
    pub fn beginning_with(&self, prefix: &Prefix) -> Result<Vec<Hash>> {
        let mut nodes = self.stored()?;
        nodes.retain(|hash| prefix.begins(hash.as_str()));
        Ok(nodes)
    }

    /// The schemas with their titles, the meta-schema first, then in the order in which they were
    /// stored. The built-in ones are always there.
    pub fn schemas(&self) -> Result<Vec<(Hash, String)>> {
        let stored = self.members(&META_SCHEMA)?;
        let built_in = known::built_in().iter().map(|known| known.hash);
        let later = self.members(&LATER_META_SCHEMA)?;
        let mut seen = HashSet::new();
        std::iter::once(META_SCHEMA)
            .chain(stored)
            .chain(built_in)
            .chain(later)
            .filter(|hash| seen.insert(*hash))
            .map(|hash| Ok((hash, self.title(&hash)?)))
            .collect()
    }

    fn title(&self, hash: &Hash) -> Result<String> {
        if known::is_meta_schema(hash) {
            return Ok("(meta-schema)".to_owned());
        }
        let schema = self.schema(hash)?;
        let title = ["title", "description"]
            .iter()
            .find_map(|key| schema.get(key)?.as_str());
        Ok(title.unwrap_or("(unnamed)").to_owned())
    }
}
