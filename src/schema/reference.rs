//! Following `$ref` within a document, for whoever reads a schema rather than checks a value.

use serde_json::{Map, Value};

/// The schema that a schema's `$ref` names, when it names a place in this document by its JSON
/// pointer. Anchors, percent-encoded pointers and other documents are not followed.
///
/// References can lead in circles: the caller bounds how many it follows.
pub fn target<'s>(root: &'s Value, schema: &Map<String, Value>) -> Option<&'s Value> {
    root.pointer(schema.get("$ref")?.as_str()?.strip_prefix('#')?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_place_in_the_document_is_found_and_nothing_else() {
        let root = json!({"$defs": {"a/b": {"type": "string", "$anchor": "here"}}});
        let found = |reference: Value| {
            let schema = Map::from_iter([("$ref".to_owned(), reference)]);
            target(&root, &schema).cloned()
        };
        assert_eq!(found(json!("#")), Some(root.clone()));
        assert_eq!(
            found(json!("#/$defs/a~1b")),
            Some(root["$defs"]["a/b"].clone())
        );
        for nowhere in [
            json!("#/$defs/c"),
            json!("#here"),
            json!("https://example.org/#"),
            json!("/$defs/a~1b"),
            json!(5),
        ] {
            assert_eq!(found(nowhere), None);
        }
        assert_eq!(target(&root, &Map::new()), None);
    }
}
