//! What a schema wants at a place, in words: for what is missing or does not belong there.

use jsonschema::ValidationError;
use serde_json::Value;

use super::reference::target;
use super::words::{format_words, json, type_words};
use crate::wording::{excerpt, listed, one_line};

/// References that are followed to say what is wanted.
const MOST_HOPS: usize = 8;
/// Alternatives within alternatives that are told apart.
const DEEPEST: usize = 3;

/// The schema object whose keyword reported the error.
fn reporter<'s>(error: &ValidationError<'_>, schema: Option<&'s Value>) -> Option<&'s Value> {
    let place = error.schema_path().as_str();
    let keyword = error.kind().keyword();
    let end = place.rfind(&format!("/{keyword}"))?;
    schema?.pointer(&place[..end])
}

/// The keys that are allowed where an unexpected one was found.
pub(super) fn allowed_keys(error: &ValidationError<'_>, schema: Option<&Value>) -> Vec<String> {
    reporter(error, schema)
        .and_then(|object| object.get("properties"))
        .and_then(Value::as_object)
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default()
}

/// The schema of a property that is missing.
pub(super) fn property<'s>(
    error: &ValidationError<'_>,
    property: &str,
    schema: Option<&'s Value>,
) -> Option<&'s Value> {
    // `required` or `dependentRequired`, both beside `properties`.
    let place = error.schema_path().as_str();
    let end = place
        .rfind("/dependentRequired")
        .or_else(|| place.rfind("/required"))?;
    let node = schema?.pointer(&place[..end])?;
    Some(resolve(node.get("properties")?.get(property)?, schema?))
}

/// What a missing property must be.
pub(super) fn wanted(
    error: &ValidationError<'_>,
    name: &str,
    schema: Option<&Value>,
) -> Option<String> {
    let node = property(error, name, schema)?;
    let purpose = node
        .get("description")
        .and_then(Value::as_str)
        .map(|text| format!(" ({})", excerpt(&one_line(text))))
        .unwrap_or_default();
    Some(format!("{}{purpose}", words(node, schema?, DEEPEST)?))
}

/// The options of a schema that leaves a choice between values, none otherwise.
pub(super) fn options(node: &Value) -> Option<Vec<String>> {
    if let Some(value) = node.get("const") {
        return Some(vec![json(value)]);
    }
    let options = node.get("enum")?.as_array()?;
    Some(options.iter().map(json).collect())
}

/// Follows references within the schema, as far as they lead and not in circles.
fn resolve<'s>(node: &'s Value, schema: &'s Value) -> &'s Value {
    let mut at = node;
    for _ in 0..MOST_HOPS {
        match at.as_object().and_then(|map| target(schema, map)) {
            Some(next) => at = next,
            None => break,
        }
    }
    at
}

fn words(node: &Value, schema: &Value, depth: usize) -> Option<String> {
    if let Some(options) = options(node) {
        return Some(listed(options, "or"));
    }
    if let Some(branches) = ["anyOf", "oneOf"]
        .iter()
        .find_map(|keyword| node.get(keyword)?.as_array())
    {
        let depth = depth.checked_sub(1)?;
        let branches: Option<Vec<_>> = branches
            .iter()
            .map(|branch| words(resolve(branch, schema), schema, depth))
            .collect();
        return branches.map(|branches| listed(branches, "or"));
    }
    let types: Vec<&str> = match node.get("type")? {
        Value::String(one) => vec![one],
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    if let (["string"], Some(format)) = (types.as_slice(), node.get("format")) {
        return format.as_str().map(format_words);
    }
    Some(listed(types.into_iter().map(type_words), "or"))
}
