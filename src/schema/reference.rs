//! Where the references within a schema lead, for whoever reads a schema rather than checks a
//! value.
//!
//! A schema is one document, and each schema inside it that has an `$id` is another: a fragment
//! and a relative address count from the document in which they are written. What lies outside of
//! the schema, the meta-schemas of JSON Schema too, is not followed.

use std::borrow::Cow;
use std::collections::HashMap;

use jsonschema::{Uri, uri};
use serde_json::{Map, Value};

use super::keywords::inner;

/// The address of a schema that has none.
const NO_ADDRESS: &str = "json-schema:///";

/// The schema to which a schema within `root` refers by `$ref`, or else by `$dynamicRef`.
///
/// References can lead in circles: the caller bounds how many it follows. To follow many,
/// [`References`] are made once.
pub fn target<'s>(root: &'s Value, schema: &Map<String, Value>) -> Option<&'s Value> {
    if !References::are_in(schema) {
        return None;
    }
    let pointer = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.strip_prefix('#'))
        .filter(|pointer| pointer.starts_with('/') && !pointer.contains('%'));
    match pointer {
        // Nearly every reference is such a one, and nothing need be made ready for it.
        Some(pointer) if is_one_document(root) => root.pointer(pointer),
        _ => References::within(root).targets(schema).into_iter().next(),
    }
}

/// Whether nothing within a schema can be a document of its own.
fn is_one_document(root: &Value) -> bool {
    fn has_no_id(value: &Value) -> bool {
        match value {
            Value::Object(map) => !map.contains_key("$id") && map.values().all(has_no_id),
            Value::Array(items) => items.iter().all(has_no_id),
            _ => true,
        }
    }
    root.as_object()
        .is_some_and(|map| map.values().all(has_no_id))
}

/// The references within a schema.
#[derive(Debug)]
pub struct References<'s> {
    /// The outermost first.
    documents: Vec<Document<'s>>,
    by_address: HashMap<String, usize>,
    /// The document of each schema that refers to another; one that is not here is part of the
    /// first.
    homes: HashMap<*const Map<String, Value>, usize>,
}

#[derive(Debug)]
struct Document<'s> {
    root: &'s Value,
    /// Nothing when no address can be made of the text that it was given.
    address: Option<Uri<String>>,
    anchors: HashMap<&'s str, Anchor<'s>>,
}

#[derive(Debug, Clone, Copy)]
struct Anchor<'s> {
    schema: &'s Value,
    /// Whether a document on the way there may have put another in its place.
    is_dynamic: bool,
}

impl<'s> References<'s> {
    /// Whether a schema refers to another, itself and not what is inside it.
    pub fn are_in(schema: &Map<String, Value>) -> bool {
        schema.contains_key("$ref") || schema.contains_key("$dynamicRef")
    }

    /// The references within a schema, which nests no deeper than a stored one.
    pub fn within(root: &'s Value) -> Self {
        let mut references = Self {
            documents: Vec::new(),
            by_address: HashMap::new(),
            homes: HashMap::new(),
        };
        references.open(root, uri::from_str(NO_ADDRESS).ok());
        references.visit(root, 0);
        references
    }

    fn open(&mut self, root: &'s Value, address: Option<Uri<String>>) -> usize {
        let number = self.documents.len();
        if let Some(address) = &address {
            let name = address.as_str().to_owned();
            self.by_address.entry(name).or_insert(number);
        }
        self.documents.push(Document {
            root,
            address,
            anchors: HashMap::new(),
        });
        number
    }

    fn visit(&mut self, schema: &'s Value, around: usize) {
        let Value::Object(map) = schema else {
            return;
        };
        let home = self.home_of(schema, map, around);
        for (keyword, is_dynamic) in [("$anchor", false), ("$dynamicAnchor", true)] {
            if let Some(name) = map.get(keyword).and_then(Value::as_str) {
                let anchor = Anchor { schema, is_dynamic };
                self.documents[home].anchors.insert(name, anchor);
            }
        }
        if home != 0 && Self::are_in(map) {
            self.homes.insert(map, home);
        }
        for inner in inner(map) {
            self.visit(inner.schema, home);
        }
    }

    /// The document of a schema, from the one around it.
    fn home_of(&mut self, schema: &'s Value, map: &'s Map<String, Value>, around: usize) -> usize {
        let Some(id) = map.get("$id").and_then(Value::as_str) else {
            return around;
        };
        let address = self.address(id.trim_end_matches('#'), around);
        if !std::ptr::eq(schema, self.documents[0].root) {
            return self.open(schema, address);
        }
        if let Some(address) = &address {
            self.by_address.insert(address.as_str().to_owned(), 0);
        }
        self.documents[0].address = address;
        0
    }

    fn address(&self, text: &str, from: usize) -> Option<Uri<String>> {
        let base = self.documents[from].address.as_ref()?;
        uri::resolve_against(&base.borrow(), text).ok()
    }

    /// The schemas to which a schema refers, that of `$ref` first.
    ///
    /// Which one a dynamic anchor stands for depends on the documents through which it was come
    /// to: all are given. The first is the one it stands for on the way from the whole schema,
    /// unless only documents in between have it.
    pub fn targets(&self, schema: &Map<String, Value>) -> Vec<&'s Value> {
        let mut found = Vec::new();
        let home = self.homes.get(&std::ptr::from_ref(schema)).copied();
        for keyword in ["$ref", "$dynamicRef"] {
            if let Some(reference) = schema.get(keyword).and_then(Value::as_str) {
                self.follow(keyword, reference, home.unwrap_or_default(), &mut found);
            }
        }
        found
    }

    fn follow(&self, keyword: &str, reference: &str, home: usize, found: &mut Vec<&'s Value>) {
        let (address, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let Some(document) = self.document(address, home) else {
            return;
        };
        if fragment.is_empty() || fragment.starts_with('/') {
            let pointer = percent_decoded(fragment);
            found.extend(pointer.and_then(|pointer| document.root.pointer(&pointer)));
            return;
        }
        let Some(written) = document.anchors.get(fragment) else {
            return;
        };
        if !written.is_dynamic {
            found.push(written.schema);
            return;
        }
        let every = self.documents.iter().map(|one| one.dynamic(fragment));
        let outermost = self.documents[0].dynamic(fragment);
        let first = outermost
            .filter(|_| keyword == "$dynamicRef")
            .unwrap_or(written.schema);
        found.push(first);
        found.extend(every.flatten().filter(|one| !std::ptr::eq(*one, first)));
    }

    fn document(&self, address: &str, home: usize) -> Option<&Document<'s>> {
        if address.is_empty() {
            return self.documents.get(home);
        }
        let address = self.address(address, home)?;
        let number = self.by_address.get(address.as_str())?;
        self.documents.get(*number)
    }
}

impl<'s> Document<'s> {
    fn dynamic(&self, name: &str) -> Option<&'s Value> {
        let anchor = self.anchors.get(name)?;
        anchor.is_dynamic.then_some(anchor.schema)
    }
}

/// A fragment without its `%41`; nothing when that is no text. A `%` before anything else stays.
fn percent_decoded(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let digit = |byte: Option<&u8>| char::from(*byte?).to_digit(16);
    let encoded = fragment.as_bytes();
    let mut decoded = Vec::with_capacity(encoded.len());
    let mut at = 0;
    while at < encoded.len() {
        match (digit(encoded.get(at + 1)), digit(encoded.get(at + 2))) {
            (Some(high), Some(low)) if encoded[at] == b'%' => {
                // Two digits are no more than a byte.
                decoded.push((16 * high + low) as u8);
                at += 3;
            }
            _ => {
                decoded.push(encoded[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found<'s>(root: &'s Value, schema: &Value) -> Vec<&'s Value> {
        References::within(root).targets(schema.as_object().unwrap())
    }

    #[test]
    fn a_place_in_the_document_is_found_by_pointer_and_by_anchor() {
        let root = json!({
            "$defs": {
                "a/b": {"type": "string", "$anchor": "here"},
                "c d%é": {"type": "null"},
            },
            "const": {"$anchor": "data"},
        });
        for (reference, target) in [
            ("#", &root),
            ("#/$defs/a~1b", &root["$defs"]["a/b"]),
            ("#/%24defs/a~1b", &root["$defs"]["a/b"]),
            ("#/$defs/c%20d%25%C3%a9", &root["$defs"]["c d%é"]),
            ("#/$defs/c%20d%é", &root["$defs"]["c d%é"]),
            ("#here", &root["$defs"]["a/b"]),
        ] {
            let schema = json!({"$ref": reference});
            assert_eq!(found(&root, &schema), [target], "{reference}");
            assert_eq!(
                target_of(&root, &schema),
                Some(target.clone()),
                "{reference}"
            );
        }
        for nowhere in [
            json!({"$ref": "#/$defs/c"}),
            json!({"$ref": "#/$defs/%ff"}),
            json!({"$ref": "#there"}),
            json!({"$ref": "#data"}),
            json!({"$ref": "https://json-schema.org/draft/2020-12/schema"}),
            json!({"$ref": "http://[/#"}),
            json!({"$ref": "/$defs/a~1b"}),
            json!({"$ref": 5}),
            json!({}),
        ] {
            assert!(found(&root, &nowhere).is_empty(), "{nowhere}");
            assert_eq!(target_of(&root, &nowhere), None, "{nowhere}");
        }
    }

    fn target_of(root: &Value, schema: &Value) -> Option<Value> {
        target(root, schema.as_object().unwrap()).cloned()
    }

    #[test]
    fn references_count_from_the_document_in_which_they_are_written() {
        let root = json!({
            "$id": "https://example.org/schemas/root#",
            "$defs": {
                "name": {"title": "of the root", "$anchor": "name"},
                "other": {
                    "$id": "other",
                    "$defs": {
                        "name": {"title": "of the other", "$anchor": "name"},
                        "list": {"items": [{"$ref": "#/$defs/name"}, {"$ref": "root#name"}]},
                        "link": {"not": {"$ref": "#name"}},
                    },
                },
            },
        });
        let of_root = &root["$defs"]["name"];
        let other = &root["$defs"]["other"];
        let of_other = &other["$defs"]["name"];
        for (reference, target) in [
            ("#name", of_root),
            ("other", other),
            ("./other#name", of_other),
            ("https://example.org/schemas/other#/$defs/name", of_other),
            ("/schemas/root#/$defs/name", of_root),
        ] {
            let schema = json!({ "$ref": reference });
            assert_eq!(found(&root, &schema), [target], "{reference}");
        }
        assert_eq!(found(&root, &other["$defs"]["link"]["not"]), [of_other]);
        let inside = json!({
            "$defs": {"a": {"$id": "a", "$defs": {"b": {"const": 1}}, "not": {"$ref": "#/$defs/b"}}},
        });
        let a = &inside["$defs"]["a"];
        let reference = a["not"].as_object().unwrap();
        assert_eq!(target(&inside, reference), Some(&a["$defs"]["b"]));
    }

    #[test]
    fn a_dynamic_anchor_is_that_of_the_outermost_document_first() {
        let root = json!({
            "$dynamicAnchor": "node",
            "$defs": {
                "tree": {
                    "$id": "tree",
                    "$dynamicAnchor": "node",
                    "properties": {"one": {"$dynamicRef": "#node"}, "two": {"$ref": "#node"}},
                    "$defs": {"leaf": {"$dynamicAnchor": "leaf", "not": {"$dynamicRef": "#leaf"}}},
                },
                "plain": {"$id": "plain", "$anchor": "node"},
            },
        });
        let tree = &root["$defs"]["tree"];
        assert_eq!(found(&root, &tree["properties"]["one"]), [&root, tree]);
        assert_eq!(found(&root, &tree["properties"]["two"]), [tree, &root]);
        let leaf = &tree["$defs"]["leaf"];
        assert_eq!(found(&root, &leaf["not"]), [leaf]);
    }
}
