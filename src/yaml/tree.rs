//! A YAML document as a tree that remembers where everything stood and how it was written.

use serde_json::Value;

/// A place in a text: lines and columns from 1, columns in characters, offset in bytes from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    pub line: usize,
    pub column: usize,
    pub offset: usize,
}

impl Mark {
    /// The beginning of a text.
    pub const START: Self = Self {
        line: 1,
        column: 1,
        offset: 0,
    };
}

/// From the first byte of something to the byte after its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub start: Mark,
    pub end: Mark,
}

/// A node of the document and where it stood.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub span: Span,
    pub kind: Kind,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Scalar(Scalar),
    Sequence(Vec<Node>),
    /// In the order of the text. Keys are distinct.
    Mapping(Vec<Entry>),
}

/// One key of a mapping with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key as text: `1: x` has the key `1`.
    pub key: String,
    pub key_span: Span,
    pub value: Node,
}

/// How a scalar was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
}

/// An explicit tag that says what a scalar is: `!!str 1` is the text `1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// `!!str`, and the `!` that stands alone.
    Str,
    Int,
    Float,
    Bool,
    Null,
}

/// A scalar: its text with escapes and folding undone, and how it was written.
///
/// For a plain scalar on one line the text is the source, `007` and `1.10` as they stood. A value
/// that was left out (`key:`) is a plain scalar with an empty text, and means null.
#[derive(Debug, Clone, PartialEq)]
pub struct Scalar {
    pub text: String,
    pub style: Style,
    /// The tag, when one was given. The text fits it.
    pub tag: Option<Tag>,
}

impl Node {
    /// The value of a key, when this is a mapping that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.kind {
            Kind::Mapping(entries) => entries
                .iter()
                .find(|entry| entry.key == key)
                .map(|entry| &entry.value),
            _ => None,
        }
    }

    /// The document as JSON, plain scalars resolved by the rules of YAML 1.2 core.
    pub fn to_value(&self) -> Value {
        match &self.kind {
            Kind::Scalar(scalar) => scalar.resolve(),
            Kind::Sequence(items) => items.iter().map(Node::to_value).collect(),
            Kind::Mapping(entries) => entries
                .iter()
                .map(|entry| (entry.key.clone(), entry.value.to_value()))
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }

    /// Whether this is null, also as a value that was left out.
    pub fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Scalar(scalar) if scalar.resolve().is_null())
    }

    /// What kind of value this is, in the words of JSON: `a string`, `a mapping`, …
    pub fn describe(&self) -> &'static str {
        match &self.kind {
            Kind::Sequence(_) => "a list",
            Kind::Mapping(_) => "a mapping",
            Kind::Scalar(scalar) => match scalar.resolve() {
                Value::Null => "nothing",
                Value::Bool(_) => "true or false",
                Value::Number(_) => "a number",
                _ => "a string",
            },
        }
    }
}
