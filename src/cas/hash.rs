//! The name of a node, computed from what it holds.

use serde_json::Value;
use xxhash_rust::xxh64::Xxh64;

use super::cbor;
use crate::model::Hash;

/// The hash of a node of this type with this payload.
///
/// The type is any text: one byte a character goes into the hash.
pub fn hash_of(type_text: &str, payload: &Value) -> Hash {
    of_bytes(type_text, &cbor::encode(payload))
}

/// The hash of a node that is its own type, which only a meta-schema is.
#[cfg(test)]
pub fn self_hash_of(payload: &Value) -> Hash {
    of_bytes("", &cbor::encode(payload))
}

/// The hash of a node whose payload is encoded already.
pub(super) fn of_bytes(type_text: &str, payload: &[u8]) -> Hash {
    let mut digest = Xxh64::new(0);
    // JavaScript's "latin1": the lower byte of each UTF-16 unit.
    let type_bytes: Vec<u8> = type_text.encode_utf16().map(|unit| unit as u8).collect();
    digest.update(&type_bytes);
    digest.update(payload);
    Hash::from_digest(digest.digest())
}

#[cfg(test)]
mod tests {
    use super::*;

    const VECTORS: &str = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/vectors/hashes.json"
    ));

    #[test]
    fn every_vector_has_its_bytes_and_its_hashes() {
        let vectors: Value = serde_json::from_str(VECTORS).unwrap();
        let vectors = vectors["vectors"].as_array().unwrap();
        assert_eq!(vectors.len(), 84);
        for vector in vectors {
            let text = vector["json"].as_str().unwrap();
            let payload: Value = serde_json::from_str(text).unwrap();
            let bytes = cbor::encode(&payload);
            assert_eq!(bytes.len(), vector["cborLen"], "{text}");
            // The longest ones are given by their length alone.
            if let Some(expected) = vector["cborHex"].as_str() {
                let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(hex, expected, "{text}");
            }
            let type_text = vector["type"].as_str().unwrap();
            assert_eq!(
                hash_of(type_text, &payload).as_str(),
                vector["hash"],
                "{type_text} {text}"
            );
            assert_eq!(
                self_hash_of(&payload).as_str(),
                vector["selfHash"],
                "{text}"
            );
        }
    }

    #[test]
    fn json_that_is_no_value_never_gets_a_hash() {
        for text in [r#""\ud800""#, "1e400", "-1e400"] {
            assert!(serde_json::from_str::<Value>(text).is_err(), "{text}");
        }
    }
}
