//! A node with the nodes it mentions in the place of their hashes.

use std::collections::HashSet;

use serde_json::Value;

use super::error::{CasError, Result};
use super::store::Store;
use crate::model::Hash;

/// Nodes put in the place of their hashes, in all. One that mentions another twice doubles what
/// is below it, so a short chain of such nodes would not end in a lifetime.
const MOST_NODES: usize = 10_000;

/// The original's claude-code detail. Its schema does not say that its turns are nodes.
const CLAUDE_CODE_DETAIL: Hash = Hash::literal("4A6V5ZW9DFX5A");

impl Store {
    /// The payload of a node, every mention of another node in it replaced by that node's payload,
    /// and so on.
    ///
    /// A mention stays a hash when its node is not in the store, when it lies within that node
    /// itself, and when there are more than ten thousand of them.
    pub fn expand(&self, hash: &Hash) -> Result<Value> {
        let mut expansion = Expansion {
            store: self,
            within: Vec::new(),
            left: MOST_NODES,
        };
        expansion.node(hash)
    }
}

struct Expansion<'s> {
    store: &'s Store,
    /// The nodes whose payloads are being replaced in, the outermost first.
    within: Vec<Hash>,
    left: usize,
}

impl Expansion<'_> {
    fn node(&mut self, hash: &Hash) -> Result<Value> {
        let node = self.store.get(hash)?;
        let mut mentioned: HashSet<Hash> = match self.store.refs(hash) {
            Ok(mentioned) => mentioned.into_iter().collect(),
            // Nothing is known of the type: the payload is shown as it is.
            Err(CasError::UnknownType { .. }) => HashSet::new(),
            Err(other) => return Err(other),
        };
        if node.type_hash == CLAUDE_CODE_DETAIL {
            let turns = node
                .payload
                .get("turns")
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            mentioned.extend(turns.filter_map(|turn| turn.as_str()?.parse::<Hash>().ok()));
        }
        self.within.push(*hash);
        let payload = self.value(node.payload, &mentioned)?;
        self.within.pop();
        Ok(payload)
    }

    fn value(&mut self, value: Value, mentioned: &HashSet<Hash>) -> Result<Value> {
        match value {
            Value::String(text) => self.text(text, mentioned),
            Value::Array(items) => items
                .into_iter()
                .map(|item| self.value(item, mentioned))
                .collect(),
            Value::Object(map) => map
                .into_iter()
                .map(|(key, inner)| Ok((key, self.value(inner, mentioned)?)))
                .collect(),
            other => Ok(other),
        }
    }

    fn text(&mut self, text: String, mentioned: &HashSet<Hash>) -> Result<Value> {
        let Ok(hash) = text.parse::<Hash>() else {
            return Ok(text.into());
        };
        let expandable = mentioned.contains(&hash) && !self.within.contains(&hash);
        if !expandable || self.left == 0 || !self.store.contains(&hash)? {
            return Ok(text.into());
        }
        self.left -= 1;
        self.node(&hash)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn linked(store: &Store) -> Hash {
        let link = json!({"type": "string", "format": "cas_ref"});
        let schema = json!({
            "type": "object",
            "properties": {"a": link, "b": {"anyOf": [link, {"type": "null"}]}, "c": {"type": "string"}},
        });
        store.put_schema(&schema, 1).unwrap()
    }

    #[test]
    fn every_mention_becomes_its_node_and_a_missing_one_stays_a_hash() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path());
        let type_hash = linked(&store);
        let text = store.put_text("leaf", 1).unwrap();
        let inner = json!({"a": text, "b": text, "c": "3RZYZ9X0Y34K7"});
        let inner = store.put(&type_hash, &inner, 1).unwrap();
        let outer = json!({"a": inner, "b": "ZZZZZZZZZZZZZ", "c": "x"});
        let outer = store.put(&type_hash, &outer, 1).unwrap();
        assert_eq!(
            store.expand(&outer).unwrap(),
            json!({
                "a": {"a": "leaf", "b": "leaf", "c": "3RZYZ9X0Y34K7"},
                "b": "ZZZZZZZZZZZZZ",
                "c": "x",
            })
        );
    }

    #[test]
    fn doubling_ends() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path());
        let type_hash = linked(&store);
        let mut hash = store.put_text("leaf", 1).unwrap();
        for _ in 0..40 {
            hash = store
                .put(&type_hash, &json!({"a": hash, "b": hash}), 1)
                .unwrap();
        }
        let shown = store.expand(&hash).unwrap().to_string();
        assert!(shown.len() < 4_000_000, "{}", shown.len());
    }
}
