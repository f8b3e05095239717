//! Which types of value a schema leaves open.

use serde_json::{Map, Value};

/// The types of JSON that a value may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub const NONE: Self = Self(0);
    pub const EVERY: Self = Self(0b11_1111);
    const NULL: Self = Self(1);
    const BOOLEAN: Self = Self(2);
    const NUMBER: Self = Self(4);
    const STRING: Self = Self(8);
    const ARRAY: Self = Self(16);
    const OBJECT: Self = Self(32);

    fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" | "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::NONE,
        }
    }

    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(_) => Self::NUMBER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What a schema itself says, without the schemas it refers to.
    pub fn said_by(map: &Map<String, Value>) -> Self {
        let any = |types: &mut dyn Iterator<Item = Self>| types.fold(Self::NONE, Self::or);
        let mut types = match map.get("type") {
            Some(Value::String(name)) => Self::named(name),
            Some(Value::Array(names)) => {
                any(&mut names.iter().filter_map(Value::as_str).map(Self::named))
            }
            _ => Self::EVERY,
        };
        if let Some(Value::Array(options)) = map.get("enum") {
            types = types.and(any(&mut options.iter().map(Self::of)));
        }
        if let Some(value) = map.get("const") {
            types = types.and(Self::of(value));
        }
        if map.get("format").is_some_and(|format| format == "cas_ref") {
            types = types.and(Self::STRING.or(Self::NULL));
        }
        types
    }

    /// Whether only text is left. Null is told from its looks, so a string or null is text too.
    pub fn are_text(self) -> bool {
        self.and(Self(!Self::NULL.0)) == Self::STRING
    }
}
