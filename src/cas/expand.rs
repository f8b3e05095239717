//! A node with the nodes it mentions in the place of their hashes.

use std::collections::HashSet;

use serde_json::Value;

use super::error::{CasError, Result};
use super::known;
use super::node::Node;
use super::store::Store;
use super::walk::Guides;
use crate::model::Hash;

/// Nodes put in the place of their hashes, in all. One that mentions another twice doubles what
/// is below it, so a short chain of such nodes would not end in a lifetime.
const MOST_NODES: usize = 10_000;
/// Bytes put in the place of hashes, in all: those of the payloads, and those that a printer puts
/// before each of their lines, since a short line can stand deep.
const MOST_BYTES: usize = 16 << 20;
/// Nodes within each other, the outermost one too.
const MOST_WITHIN: usize = 64;
/// Levels of arrays and objects within which a hash is still replaced. As the payload that takes
/// its place is bounded too, so is the depth of the whole: whoever prints or drops it calls
/// itself for each level.
const DEEPEST: usize = 128;

impl Store {
    /// The payload of a node, every mention of another node in it replaced by that node's payload,
    /// and so on.
    ///
    /// Agents choose what they store, so all is bounded. A mention stays a hash when its node is
    /// not in the store, when it lies within that node itself, within 64 nodes or more than 128
    /// levels, when ten thousand nodes have been put in, and when its node does not fit into what
    /// is left of 16 MiB. A key that is a mention stays one too.
    pub fn expand(&self, hash: &Hash) -> Result<Value> {
        let mut expansion = Expansion {
            store: self,
            guides: Guides::of(self),
            within: Vec::new(),
            depth: 0,
            nodes_left: MOST_NODES,
            bytes_left: MOST_BYTES,
            too_large: HashSet::new(),
        };
        expansion.node(*hash, self.get(hash)?)
    }
}

struct Expansion<'s> {
    store: &'s Store,
    guides: Guides<'s>,
    /// The nodes whose payloads are being replaced in, the outermost first.
    within: Vec<Hash>,
    /// Levels of arrays and objects around the value that is looked at.
    depth: usize,
    nodes_left: usize,
    bytes_left: usize,
    /// Nodes that did not fit. None is tried again, so that each is read once to find that out.
    too_large: HashSet<Hash>,
}

impl Expansion<'_> {
    fn node(&mut self, hash: Hash, node: Node) -> Result<Value> {
        let mentioned = self.mentioned(&node)?;
        let mut payload = node.payload;
        self.within.push(hash);
        self.replace_in(&mut payload, &mentioned)?;
        self.within.pop();
        Ok(payload)
    }

    fn mentioned(&mut self, node: &Node) -> Result<HashSet<Hash>> {
        let mut mentioned: HashSet<Hash> = match self.guides.references(node) {
            Ok(mentioned) => mentioned.into_iter().collect(),
            // Nothing is known of the type: the payload is shown as it is.
            Err(CasError::UnknownType { .. }) => HashSet::new(),
            Err(other) => return Err(other),
        };
        if node.type_hash == known::CLAUDE_CODE_DETAIL {
            let turns = node
                .payload
                .get("turns")
                .and_then(Value::as_array)
                .into_iter()
                .flatten();
            mentioned.extend(turns.filter_map(|turn| turn.as_str()?.parse::<Hash>().ok()));
        }
        Ok(mentioned)
    }

    fn replace_in(&mut self, value: &mut Value, mentioned: &HashSet<Hash>) -> Result<()> {
        match value {
            Value::String(text) => {
                if let Some(payload) = self.payload_of(text, mentioned)? {
                    *value = payload;
                }
            }
            Value::Array(items) => {
                self.depth += 1;
                for item in items {
                    self.replace_in(item, mentioned)?;
                }
                self.depth -= 1;
            }
            Value::Object(map) => {
                self.depth += 1;
                for inner in map.values_mut() {
                    self.replace_in(inner, mentioned)?;
                }
                self.depth -= 1;
            }
            _ => {}
        }
        Ok(())
    }

    fn payload_of(&mut self, text: &str, mentioned: &HashSet<Hash>) -> Result<Option<Value>> {
        match text.parse() {
            Ok(hash) if mentioned.contains(&hash) && self.has_room_for(&hash) => {
                let node = self.take(&hash)?;
                node.map(|node| self.node(hash, node)).transpose()
            }
            _ => Ok(None),
        }
    }

    /// Whether a node may be put here, as far as that can be said before it is read.
    fn has_room_for(&self, hash: &Hash) -> bool {
        self.within.len() < MOST_WITHIN
            && self.depth <= DEEPEST
            && self.nodes_left > 0
            && !self.within.contains(hash)
            && !self.too_large.contains(hash)
    }

    /// The node, unless it is missing or too large for what is left.
    fn take(&mut self, hash: &Hash) -> Result<Option<Node>> {
        let Some((node, size)) = self.store.find_with_size(hash)? else {
            return Ok(None);
        };
        let printed = size.saturating_add(indentation(&node.payload, self.depth));
        let Some(left) = self.bytes_left.checked_sub(printed) else {
            self.too_large.insert(*hash);
            return Ok(None);
        };
        self.bytes_left = left;
        self.nodes_left -= 1;
        Ok(Some(node))
    }
}

/// Bytes that YAML puts before the lines of a value at this depth.
fn indentation(value: &Value, depth: usize) -> usize {
    match value {
        Value::Array(items) => items.iter().map(|item| indentation(item, depth + 1)).sum(),
        Value::Object(map) => map
            .values()
            .map(|inner| indentation(inner, depth + 1))
            .sum(),
        Value::String(text) => 2 * depth * (1 + text.matches('\n').count()),
        _ => 2 * depth,
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

    /// A chain of nodes of which each mentions the next one so often; its first one.
    fn chain(store: &Store, last: Hash, links: usize, mentions: usize) -> Hash {
        let type_hash = linked(store);
        (0..links).fold(last, |next, _| {
            let node =
                json!({"a": next, "b": if mentions == 2 { json!(next) } else { json!(null) }});
            store.put(&type_hash, &node, 1).unwrap()
        })
    }

    fn levels(mut value: &Value) -> usize {
        let mut levels = 0;
        while let Some(inner) = value.get("a").or_else(|| value.get(0)) {
            levels += 1;
            value = inner;
        }
        levels
    }

    #[test]
    fn doubling_ends() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path());
        let leaf = store.put_text("leaf", 1).unwrap();
        let first = chain(&store, leaf, 40, 2);
        let shown = store.expand(&first).unwrap().to_string();
        let put_in = shown.matches("\"a\":").count() - 1 + shown.matches("leaf").count();
        assert_eq!(put_in, MOST_NODES);
    }

    #[test]
    fn a_long_chain_is_shown_as_far_as_64_nodes() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path());
        let end = store.put_text("end", 1).unwrap();
        let rest = chain(&store, end, 37, 1);
        let first = chain(&store, rest, 64, 1);
        let mut shown = store.expand(&first).unwrap();
        assert_eq!(levels(&shown), 64);
        for _ in 0..64 {
            shown = shown["a"].take();
        }
        assert_eq!(shown, json!(rest));
        assert_eq!(levels(&store.expand(&rest).unwrap()), 37);
    }

    #[test]
    fn a_large_text_that_many_mention_is_shown_as_often_as_16_mebibytes_hold_it() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path());
        let text = "x".repeat(1 << 20);
        let large = store.put_text(&text, 1).unwrap();
        let first = chain(&store, large, 11, 2);
        let shown = store.expand(&first).unwrap().to_string();
        assert_eq!(shown.matches(&text).count(), 15);
        // What is small still fits.
        assert_eq!(shown.matches(large.as_str()).count(), 2_048 - 15);
        // Each line of this one is indented by 24.
        let lines = store.put_text(&"x\n".repeat(1 << 19), 1).unwrap();
        let first = chain(&store, lines, 11, 2);
        let shown = store.expand(&first).unwrap().to_string();
        assert_eq!(shown.matches(lines.as_str()).count(), 2_048 - 1);
    }

    #[test]
    fn values_that_nest_deep_in_each_other_are_shown_as_deep_as_can_be_printed() {
        let root = tempfile::tempdir().unwrap();
        let store = Store::open(root.path());
        let schema =
            json!({"items": {"$ref": "#"}, "type": ["array", "string"], "format": "cas_ref"});
        let type_hash = store.put_schema(&schema, 1).unwrap();
        let nest = |inner: Hash, levels: usize| {
            let value = (0..levels).fold(json!(inner), |inner, _| json!([inner]));
            store.put(&type_hash, &value, 1).unwrap()
        };
        let end = store.put_text("end", 1).unwrap();
        let deep = nest(nest(end, 1), 512);
        for (first, shown) in [
            (nest(end, 512), 512),
            (nest(deep, 128), 128 + 512),
            (nest(deep, 129), 129),
            (nest(nest(deep, 64), 64), 128 + 512),
            (nest(nest(nest(end, 1), 100), 100), 200),
        ] {
            let expanded = store.expand(&first).unwrap();
            assert_eq!(levels(&expanded), shown);
            assert!(expanded.to_string().len() > 2 * shown);
        }
    }
}
