//! Making the lists of members anew from the nodes.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};

use super::error::{CasError, Result};
use super::known;
use super::store::Store;
use crate::fsx;
use crate::model::Hash;

/// What a reindex found.
#[derive(Debug, Default)]
pub struct Reindexed {
    /// Whole nodes.
    pub nodes: usize,
    /// Types that have members.
    pub types: usize,
    /// Nodes that cannot be read, each with what is wrong with it. They stay listed where they
    /// were.
    pub damaged: Vec<CasError>,
}

/// Where a node comes in a list that does not name it yet.
struct Turn {
    /// The built-in schemas in their own order, then the rest.
    rank: usize,
    /// In milliseconds since 1970.
    time: f64,
    hash: Hash,
}

impl Turn {
    fn compare(&self, other: &Self) -> Ordering {
        (self.rank.cmp(&other.rank))
            .then(self.time.total_cmp(&other.time))
            .then(self.hash.cmp(&other.hash))
    }
}

impl Store {
    /// Makes the list of each type from the nodes that are there.
    ///
    /// Members that are listed keep their order; the others follow by time, then by hash. What is
    /// listed and gone is dropped. Where nothing is stored, nothing is written.
    pub fn reindex(&self) -> Result<Reindexed> {
        let mut outcome = Reindexed::default();
        if fsx::file_names(&self.folder)?.is_empty() {
            return Ok(outcome);
        }
        let _held = self.lock()?;
        let mut of_type: BTreeMap<Hash, Vec<Turn>> = BTreeMap::new();
        let mut damaged = Vec::new();
        for hash in self.stored()? {
            match self.find(&hash) {
                Ok(Some(node)) => {
                    outcome.nodes += 1;
                    of_type.entry(node.type_hash).or_default().push(Turn {
                        rank: rank(&hash),
                        time: node.timestamp.as_f64().unwrap_or_default(),
                        hash,
                    });
                }
                // Nodes are only ever added: it was there when the folder was listed.
                Ok(None) => {}
                Err(error @ CasError::Damaged { .. }) => {
                    damaged.push(hash);
                    outcome.damaged.push(error);
                }
                Err(other) => return Err(other),
            }
        }
        outcome.types = of_type.len();
        for type_hash in self.index.types()? {
            of_type.entry(type_hash).or_default();
        }
        for (type_hash, members) in of_type {
            let listed = self.index.legible(&type_hash)?;
            self.index
                .rewrite(&type_hash, &in_order(listed, members, &damaged))?;
        }
        Ok(outcome)
    }

    /// The names of all nodes, sorted.
    pub(super) fn stored(&self) -> Result<Vec<Hash>> {
        let names = fsx::file_names(&self.folder)?;
        Ok(names
            .iter()
            .filter_map(|name| name.strip_suffix(".bin")?.parse().ok())
            .collect())
    }
}

fn rank(hash: &Hash) -> usize {
    let built_in = known::built_in();
    built_in
        .iter()
        .position(|known| known.hash == *hash)
        .unwrap_or(built_in.len())
}

/// The members in the order of their list, new ones at its end.
fn in_order(listed: Vec<Hash>, mut members: Vec<Turn>, damaged: &[Hash]) -> Vec<Hash> {
    let mut missing: HashSet<Hash> = members.iter().map(|turn| turn.hash).collect();
    missing.extend(damaged);
    let mut order: Vec<_> = listed
        .into_iter()
        .filter(|hash| missing.remove(hash))
        .collect();
    members.sort_by(Turn::compare);
    let new = members.into_iter().map(|turn| turn.hash);
    order.extend(new.filter(|hash| missing.contains(hash)));
    order
}
