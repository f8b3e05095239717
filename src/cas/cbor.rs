//! Values as CBOR: the one encoding that nodes are hashed and stored in, and its reading.
//!
//! Writing is canonical: definite lengths, shortest heads, keys sorted by their encoded bytes,
//! numbers as JavaScript has them. Reading trusts nothing: depth is bounded, nothing is allocated
//! because a length announces it, and what no node can hold is an error with its place.

use std::convert::Infallible;

use minicbor::data::Type;
use minicbor::encode::{Error as WriteError, Write};
use minicbor::{Decoder, Encoder};
use serde_json::{Map, Number, Value};

/// Levels of arrays and maps that a payload may have.
const DEEPEST: usize = 512;

/// The largest whole number that is written as an integer: JavaScript's largest safe one.
const LARGEST_SAFE: u64 = (1 << 53) - 1;

type Written = Result<(), WriteError<Infallible>>;

/// The canonical bytes of a value.
pub(super) fn encode(value: &Value) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new());
    in_memory(write(&mut encoder, value));
    encoder.into_writer()
}

/// The bytes of a node: its type, its payload (encoded already) and its time, in the order that
/// the rule for keys demands.
pub(super) fn encode_node(type_hash: &str, payload: &[u8], timestamp: u64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(payload.len() + 64);
    let mut head = Encoder::new(&mut bytes);
    in_memory(node_head(&mut head, type_hash));
    bytes.extend_from_slice(payload);
    let mut tail = Encoder::new(&mut bytes);
    in_memory(node_tail(&mut tail, timestamp));
    bytes
}

fn node_head(encoder: &mut Encoder<&mut Vec<u8>>, type_hash: &str) -> Written {
    encoder
        .map(3)?
        .str("type")?
        .str(type_hash)?
        .str("payload")?;
    Ok(())
}

fn node_tail(encoder: &mut Encoder<&mut Vec<u8>>, timestamp: u64) -> Written {
    encoder.str("timestamp")?;
    write_number(encoder, &timestamp.into())
}

#[expect(
    clippy::expect_used,
    reason = "the writer is a vector, whose error type has no value"
)]
fn in_memory(written: Written) {
    written.expect("writing to memory does not fail");
}

fn write<W>(encoder: &mut Encoder<W>, value: &Value) -> Written
where
    W: Write<Error = Infallible>,
{
    match value {
        Value::Null => encoder.null()?.ok(),
        Value::Bool(truth) => encoder.bool(*truth)?.ok(),
        Value::Number(number) => write_number(encoder, number),
        Value::String(text) => encoder.str(text)?.ok(),
        Value::Array(items) => {
            encoder.array(items.len() as u64)?;
            items.iter().try_for_each(|item| write(encoder, item))
        }
        Value::Object(map) => {
            encoder.map(map.len() as u64)?;
            in_order(map).into_iter().try_for_each(|(key, item)| {
                encoder.str(key)?;
                write(encoder, item)
            })
        }
    }
}

fn in_order(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut entries: Vec<_> = map.iter().collect();
    // The head of a text begins with its length: a shorter key has the smaller bytes.
    entries.sort_unstable_by_key(|(key, _)| (key.len(), key.as_bytes()));
    entries
}

/// The value with its keys in the order in which they are stored.
pub fn in_stored_order(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(in_stored_order).collect(),
        Value::Object(map) => in_order(map)
            .into_iter()
            .map(|(key, item)| (key.clone(), in_stored_order(item)))
            .collect(),
        scalar => scalar.clone(),
    }
}

fn write_number<W>(encoder: &mut Encoder<W>, number: &Number) -> Written
where
    W: Write<Error = Infallible>,
{
    if let Some(whole) = number.as_i64()
        && whole.unsigned_abs() <= LARGEST_SAFE
    {
        return encoder.i64(whole)?.ok();
    }
    // Every number has a value as f64, the nearest one: an integer beyond the safe range is
    // rounded, as JavaScript rounds it when it reads it.
    let value = number.as_f64().unwrap_or_default();
    if value.fract() == 0.0 && value.abs() <= LARGEST_SAFE as f64 {
        return encoder.i64(value as i64)?.ok();
    }
    encoder.f64(value)?.ok()
}

/// Why bytes are not a value we read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The bytes end early, or a head or a text is not well-formed.
    #[error("byte {place}: {what}")]
    Malformed {
        /// Bytes from the start.
        place: usize,
        /// What the decoder says.
        what: String,
    },
    /// CBOR that no node holds: byte strings, tags, indefinite lengths, NaN…
    #[error("byte {place}: {what}, which no node holds")]
    Foreign {
        /// Bytes from the start.
        place: usize,
        /// What it is.
        what: String,
    },
    /// A key stands twice in a map.
    #[error("byte {place}: the key {key:?} for the second time")]
    RepeatedKey {
        /// Bytes from the start.
        place: usize,
        /// The key.
        key: String,
    },
    /// Arrays and maps nest too deep.
    #[error("byte {place}: it nests deeper than {DEEPEST} levels")]
    TooDeep {
        /// Bytes from the start.
        place: usize,
    },
    /// The value ends before the bytes do.
    #[error("byte {place}: something follows what should be the end")]
    Trailing {
        /// Bytes from the start.
        place: usize,
    },
}

/// Reads values one after the other.
pub(super) struct Reader<'b> {
    decoder: Decoder<'b>,
}

impl<'b> Reader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self {
            decoder: Decoder::new(bytes),
        }
    }

    /// Bytes read so far.
    pub(super) fn position(&self) -> usize {
        self.decoder.position()
    }

    /// Checks that nothing is left.
    pub(super) fn end(&self) -> Result<(), Unreadable> {
        let place = self.position();
        if place == self.decoder.input().len() {
            return Ok(());
        }
        Err(Unreadable::Trailing { place })
    }

    /// The number of entries of the map that comes next.
    pub(super) fn map(&mut self) -> Result<u64, Unreadable> {
        let place = self.position();
        let entries = self.decoder.map().map_err(malformed(place))?;
        entries.ok_or_else(|| foreign(place, "a map of indefinite length"))
    }

    /// The text that comes next.
    pub(super) fn text(&mut self) -> Result<&'b str, Unreadable> {
        let place = self.position();
        self.decoder.str().map_err(malformed(place))
    }

    /// The value that comes next.
    pub(super) fn value(&mut self) -> Result<Value, Unreadable> {
        self.value_within(DEEPEST)
    }

    fn value_within(&mut self, levels: usize) -> Result<Value, Unreadable> {
        let place = self.position();
        let kind = self.decoder.datatype().map_err(malformed(place))?;
        match kind {
            Type::Null => self.decoder.null().map(|()| Value::Null),
            Type::Bool => self.decoder.bool().map(Value::Bool),
            Type::String => self.decoder.str().map(Value::from),
            Type::F64 => return self.float(place),
            Type::Array => return self.array(place, levels),
            Type::Map => return self.object(place, levels),
            Type::U8 | Type::U16 | Type::U32 | Type::U64 => self.decoder.u64().map(Value::from),
            Type::I8 | Type::I16 | Type::I32 | Type::I64 | Type::Int => {
                self.decoder.int().map(|whole| {
                    let whole = i128::from(whole);
                    i64::try_from(whole).map_or_else(|_| Value::from(whole as f64), Value::from)
                })
            }
            other => return Err(foreign(place, &format!("a value of the kind {other}"))),
        }
        .map_err(malformed(place))
    }

    fn float(&mut self, place: usize) -> Result<Value, Unreadable> {
        let value = self.decoder.f64().map_err(malformed(place))?;
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| foreign(place, &format!("the number {value}")))
    }

    fn array(&mut self, place: usize, levels: usize) -> Result<Value, Unreadable> {
        let levels = levels.checked_sub(1).ok_or(Unreadable::TooDeep { place })?;
        let announced = self.decoder.array().map_err(malformed(place))?;
        let count = announced.ok_or_else(|| foreign(place, "an array of indefinite length"))?;
        // Grown as items arrive: the announced length is only a claim.
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(self.value_within(levels)?);
        }
        Ok(Value::Array(items))
    }

    fn object(&mut self, place: usize, levels: usize) -> Result<Value, Unreadable> {
        let levels = levels.checked_sub(1).ok_or(Unreadable::TooDeep { place })?;
        let count = self.map()?;
        let mut map = Map::new();
        for _ in 0..count {
            let place = self.position();
            let key = self.text()?.to_owned();
            if map.contains_key(&key) {
                return Err(Unreadable::RepeatedKey { place, key });
            }
            let value = self.value_within(levels)?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

fn malformed(place: usize) -> impl FnOnce(minicbor::decode::Error) -> Unreadable {
    move |error| Unreadable::Malformed {
        place: error.position().unwrap_or(place),
        what: error.to_string(),
    }
}

fn foreign(place: usize, what: &str) -> Unreadable {
    Unreadable::Foreign {
        place,
        what: what.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn decode(bytes: &[u8]) -> Result<Value, Unreadable> {
        let mut reader = Reader::new(bytes);
        let value = reader.value()?;
        reader.end()?;
        Ok(value)
    }

    #[test]
    fn what_is_written_is_read_with_its_keys_in_stored_order() {
        let value = json!({"bb": [1.5, -7, null], "a": {"é": true, "zz": "x"}, "c": 1e300});
        let read = decode(&encode(&value)).unwrap();
        assert_eq!(
            read.to_string(),
            r#"{"a":{"zz":"x","é":true},"c":1e+300,"bb":[1.5,-7,null]}"#
        );
    }

    #[test]
    fn numbers_are_javascripts() {
        for (value, bytes) in [
            (json!(1.0), "01"),
            (json!(-0.0), "00"),
            (json!(9_007_199_254_740_991.0), "1b001fffffffffffff"),
            (json!(9_007_199_254_740_992_u64), "fb4340000000000000"),
            (json!(i64::MIN), "fbc3e0000000000000"),
            (json!(u64::MAX), "fb43f0000000000000"),
            (json!(0.5), "fb3fe0000000000000"),
        ] {
            assert_eq!(hex(&encode(&value)), bytes, "{value}");
        }
    }

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |levels: usize| [vec![0x81; levels], vec![0xf6]].concat();
        assert!(decode(&nested(512)).is_ok());
        assert_eq!(
            decode(&nested(513)),
            Err(Unreadable::TooDeep { place: 512 })
        );
        assert_eq!(
            decode(&nested(1_000_000)),
            Err(Unreadable::TooDeep { place: 512 })
        );
    }

    #[test]
    fn announced_lengths_are_only_claims() {
        for bytes in [
            &[0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff][..],
            &[0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            &[0x7b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
            &[0x9a, 0xff, 0xff, 0xff, 0xff, 0x00],
            &[0x62, 0x61],
            &[],
        ] {
            let read = decode(bytes);
            assert!(
                matches!(read, Err(Unreadable::Malformed { .. })),
                "{read:?}"
            );
        }
    }

    #[test]
    fn what_no_node_holds_is_refused_with_its_place() {
        for (bytes, message) in [
            (
                &[0x81, 0x41, 0x00][..],
                "byte 1: a value of the kind bytes, which no node holds",
            ),
            (
                &[0xc1, 0x00],
                "byte 0: a value of the kind tag, which no node holds",
            ),
            (
                &[0x9f, 0xff],
                "byte 0: a value of the kind indefinite array, which no node holds",
            ),
            (
                &[0xbf, 0xff],
                "byte 0: a value of the kind indefinite map, which no node holds",
            ),
            (
                &[0x7f, 0xff],
                "byte 0: a value of the kind indefinite string, which no node holds",
            ),
            (
                &[0xf7],
                "byte 0: a value of the kind undefined, which no node holds",
            ),
            (
                &[0xf9, 0x3c, 0x00],
                "byte 0: a value of the kind f16, which no node holds",
            ),
            (
                &[0xfa, 0, 0, 0, 0],
                "byte 0: a value of the kind f32, which no node holds",
            ),
            (
                &[0xfb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0],
                "byte 0: the number NaN, which no node holds",
            ),
            (
                &[0xfb, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0],
                "byte 0: the number inf, which no node holds",
            ),
            (
                &[0xa2, 0x61, 0x61, 0x00, 0x61, 0x61, 0x01],
                "byte 4: the key \"a\" for the second time",
            ),
            (
                &[0x00, 0x00],
                "byte 1: something follows what should be the end",
            ),
        ] {
            assert_eq!(decode(bytes).unwrap_err().to_string(), message);
        }
        assert!(matches!(
            decode(&[0xa1, 0x00, 0x00]),
            Err(Unreadable::Malformed { .. })
        ));
        assert!(matches!(
            decode(&[0x62, 0xff, 0xfe]),
            Err(Unreadable::Malformed { .. })
        ));
    }
}
