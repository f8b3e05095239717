//! A node and its file: a CBOR map of type, payload and time.

use serde_json::{Number, Value};

use super::cbor::Reader;
use super::error::Damage;
use super::{hash, known};
use crate::model::Hash;

/// What is stored under a hash.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The schema that the payload fits.
    pub type_hash: Hash,
    /// What it says, keys in stored order.
    pub payload: Value,
    /// When it was stored, in milliseconds since 1970. It is no part of the hash.
    pub timestamp: Number,
}

/// A node and the bytes of its payload.
pub(super) struct Stored<'b> {
    pub(super) node: Node,
    pub(super) payload: &'b [u8],
}

/// Reads the file of the node of this name, and checks that it is that node.
pub(super) fn read<'b>(name: &Hash, bytes: &'b [u8]) -> Result<Stored<'b>, Damage> {
    let stored = read_unchecked(bytes)?;
    let type_hash = stored.node.type_hash;
    // A meta-schema is its own type: its hash cannot be part of what is hashed.
    let type_text = if type_hash == *name && known::is_meta_schema(name) {
        ""
    } else {
        type_hash.as_str()
    };
    let actual = hash::of_bytes(type_text, stored.payload);
    if actual != *name {
        return Err(Damage::WrongHash { actual });
    }
    Ok(stored)
}

fn read_unchecked(bytes: &[u8]) -> Result<Stored<'_>, Damage> {
    let mut reader = Reader::new(bytes);
    let entries = reader.map()?;
    let (mut type_hash, mut payload, mut timestamp) = (None, None, None);
    for _ in 0..entries {
        match reader.text()? {
            "type" if type_hash.is_none() => {
                let hash: Result<Hash, _> = reader.text()?.parse();
                type_hash = Some(hash.map_err(|_| not_a_node("its type is not a hash"))?);
            }
            "payload" if payload.is_none() => {
                let start = reader.position();
                let value = reader.value()?;
                payload = Some((value, &bytes[start..reader.position()]));
            }
            "timestamp" if timestamp.is_none() => match reader.value()? {
                Value::Number(number) => timestamp = Some(number),
                _ => return Err(not_a_node("its timestamp is not a number")),
            },
            other => return Err(not_a_node(&format!("unexpected key {other:?}"))),
        }
    }
    reader.end()?;
    let (payload, payload_bytes) = payload.ok_or_else(|| not_a_node("it has no payload"))?;
    Ok(Stored {
        node: Node {
            type_hash: type_hash.ok_or_else(|| not_a_node("it has no type"))?,
            payload,
            timestamp: timestamp.ok_or_else(|| not_a_node("it has no timestamp"))?,
        },
        payload: payload_bytes,
    })
}

fn not_a_node(why: &str) -> Damage {
    Damage::NotANode(why.to_owned())
}
