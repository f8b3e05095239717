//! What there is of a type, and which types there are.

use std::collections::HashSet;

use super::error::Result;
use super::known::{self, LATER_META_SCHEMA, META_SCHEMA};
use super::store::Store;
use crate::model::{Hash, Prefix};

impl Store {
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
