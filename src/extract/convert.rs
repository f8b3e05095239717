//! From the YAML of a block to the value it stands for, as the schema reads it.

use serde_json::{Map, Value};

use crate::yaml::{Kind, Node, Scalar, Style};

use super::wants::{Reader, Wants, is_null, item, told_apart};

/// Schemas that may describe one place; where it is more, nothing is known of it.
const MOST_WANTS: usize = 64;

/// The value of a document: scalars where the schema wants nothing but text keep their text, all
/// others are what YAML's core rules make of them.
pub(super) fn convert(document: &Node, schema: &Value) -> Value {
    let reader = Reader::new(schema);
    value(&reader, document, reader.root().as_ref())
}

fn value<'a>(reader: &Reader<'a>, node: &Node, wants: Option<&Wants<'a>>) -> Value {
    let Some(wants) = wants.filter(|wants| size(wants) <= MOST_WANTS) else {
        return node.to_value();
    };
    match &node.kind {
        Kind::Scalar(scalar) => {
            if may_be_text(scalar) && reader.is_text(wants, node) {
                Value::String(scalar.text.clone())
            } else {
                scalar.resolve()
            }
        }
        Kind::Sequence(items) => {
            let wants = reader.unfold(wants, node);
            let first = told_apart(&wants);
            let others = item(&wants, first);
            items
                .iter()
                .enumerate()
                .map(|(index, node)| match index < first {
                    true => value(reader, node, item(&wants, index).as_ref()),
                    false => value(reader, node, others.as_ref()),
                })
                .collect()
        }
        Kind::Mapping(entries) => {
            let wants = reader.unfold(wants, node);
            let converted = entries.iter().map(|entry| {
                let inside = reader.property(&wants, &entry.key);
                (
                    entry.key.clone(),
                    value(reader, &entry.value, inside.as_ref()),
                )
            });
            Value::Object(converted.collect::<Map<_, _>>())
        }
    }
}

/// Whether a scalar is a string or could be read as one.
fn may_be_text(scalar: &Scalar) -> bool {
    scalar.style == Style::Plain && scalar.tag.is_none() && !is_null(scalar)
}

fn size(wants: &Wants<'_>) -> usize {
    match wants {
        Wants::One(_) => 1,
        Wants::All(parts) | Wants::Any(parts) => parts.iter().map(size).sum(),
    }
}
