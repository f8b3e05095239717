//! The references in a payload whose schema uses what only draft 2020-12 has.

use std::cell::OnceCell;
use std::collections::HashSet;

use serde_json::{Map, Value};

use super::is_reference;
use crate::model::Hash;
use crate::schema::{Inner, Patterns, References, Subject, inner};

/// Every mention of a node in a payload, in the schema's order.
pub(super) fn mentions(schema: &Value, patterns: &Patterns, payload: &Value) -> Vec<Hash> {
    let search = Search {
        root: schema,
        patterns,
        references: OnceCell::new(),
        followed: HashSet::new(),
        mentions: HashSet::new(),
        found: Vec::new(),
    };
    search.run(payload)
}

/// What a schema is held against: a value, or a key of an object.
#[derive(Clone, Copy)]
enum Held<'v> {
    Value(&'v Value),
    Key(&'v str),
}

/// Which text or value of the payload something is, whatever it says.
type Place = *const u8;

impl<'v> Held<'v> {
    fn hash(self) -> Option<Hash> {
        let text = match self {
            Self::Value(value) => value.as_str()?,
            Self::Key(key) => key,
        };
        text.parse().ok()
    }

    fn place(self) -> Place {
        match self {
            Self::Value(value) => std::ptr::from_ref(value).cast(),
            Self::Key(key) => key.as_ptr(),
        }
    }

    fn object(self) -> Option<&'v Map<String, Value>> {
        match self {
            Self::Value(value) => value.as_object(),
            Self::Key(_) => None,
        }
    }

    fn items(self) -> &'v [Value] {
        match self {
            Self::Value(Value::Array(items)) => items,
            _ => &[],
        }
    }
}

/// A walk along every keyword. Whether a value fits what a branch or a condition asks does not
/// count, as it does not in the original.
struct Search<'s> {
    root: &'s Value,
    patterns: &'s Patterns,
    /// Made when the first reference within the schema is met.
    references: OnceCell<References<'s>>,
    /// The schemas that were referred to, each with what it was held against: they can lead in
    /// circles.
    followed: HashSet<(*const Value, Place)>,
    /// What is a mention already: several keywords may say so of one text.
    mentions: HashSet<Place>,
    found: Vec<Hash>,
}

impl<'s> Search<'s> {
    fn run(mut self, payload: &Value) -> Vec<Hash> {
        // A list instead of calls within calls: references chain as long as the schema is large.
        let mut waiting = vec![(self.root, Held::Value(payload))];
        while let Some((schema, held)) = waiting.pop() {
            let Value::Object(map) = schema else {
                continue;
            };
            if is_reference(schema)
                && let Some(hash) = held.hash()
                && self.mentions.insert(held.place())
            {
                self.found.push(hash);
            }
            let next = waiting.len();
            for inner in inner(map) {
                self.hold(inner, held, &mut waiting);
            }
            for target in self.targets(map) {
                if self.followed.insert((target, held.place())) {
                    waiting.push((target, held));
                }
            }
            // The last one is taken first.
            waiting[next..].reverse();
        }
        self.found
    }

    /// Pairs a schema with everything in a value that it is about.
    fn hold<'v>(
        &self,
        Inner { schema, about, .. }: Inner<'s>,
        held: Held<'v>,
        waiting: &mut Vec<(&'s Value, Held<'v>)>,
    ) {
        let entries = || held.object().into_iter().flatten();
        let mut add = |inner| waiting.push((schema, inner));
        match about {
            Subject::Nothing => {}
            Subject::Itself => add(held),
            Subject::ItselfWith(key) => {
                if held.object().is_some_and(|map| map.contains_key(key)) {
                    add(held);
                }
            }
            Subject::Property(key) => {
                if let Some(inner) = held.object().and_then(|map| map.get(key)) {
                    add(Held::Value(inner));
                }
            }
            Subject::PropertiesLike(pattern) => entries()
                .filter(|(key, _)| self.patterns.matches(pattern, key))
                .for_each(|(_, inner)| add(Held::Value(inner))),
            Subject::EveryProperty => entries().for_each(|(_, inner)| add(Held::Value(inner))),
            Subject::EveryKey => entries().for_each(|(key, _)| add(Held::Key(key))),
            Subject::Item(number) => {
                if let Some(item) = held.items().get(number) {
                    add(Held::Value(item));
                }
            }
            Subject::EveryItem => {
                let items = held.items().iter();
                items.for_each(|item| add(Held::Value(item)));
            }
        }
    }

    fn targets(&self, schema: &Map<String, Value>) -> Vec<&'s Value> {
        if !References::are_in(schema) {
            return Vec::new();
        }
        self.references
            .get_or_init(|| References::within(self.root))
            .targets(schema)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::schema::faults;

    const A: &str = "AAAAAAAAAAAAA";
    const B: &str = "BBBBBBBBBBBBB";
    const C: &str = "CCCCCCCCCCCCC";
    const D: &str = "DDDDDDDDDDDDD";

    fn found(schema: &Value, value: &Value) -> Vec<String> {
        mentions(schema, &Patterns::default(), value)
            .iter()
            .map(Hash::to_string)
            .collect()
    }

    fn link() -> Value {
        json!({"format": "cas_ref"})
    }

    #[test]
    fn every_keyword_about_the_value_itself_is_followed() {
        for schema in [
            json!({"allOf": [link()]}),
            json!({"oneOf": [{"type": "null"}, link()]}),
            json!({"if": {"type": "string"}, "then": link()}),
            json!({"if": {"type": "null"}, "else": link()}),
            json!({"if": link()}),
        ] {
            assert_eq!(found(&schema, &json!(A)), [A], "{schema}");
        }
        for schema in [
            json!({"not": link()}),
            json!({"contentSchema": link()}),
            json!({"$defs": {"a": link()}, "const": link()}),
            json!(true),
        ] {
            assert!(found(&schema, &json!(A)).is_empty(), "{schema}");
        }
    }

    #[test]
    fn every_keyword_about_properties_is_followed() {
        let value = json!({"a": A, "b": [B], "DDDDDDDDDDDDD": 1});
        let a = json!({"properties": {"a": link()}});
        for (schema, mentions) in [
            (json!({"dependentSchemas": {"a": a}}), &[A][..]),
            (json!({"dependentSchemas": {"x": a}}), &[]),
            (json!({"patternProperties": {"^a": link(), "^x": a}}), &[A]),
            (
                json!({"patternProperties": {"^b": {"contains": link()}}}),
                &[B],
            ),
            (json!({"unevaluatedProperties": link()}), &[A]),
            (
                json!({"minProperties": 1, "additionalProperties": link()}),
                &[A],
            ),
            (json!({"propertyNames": link()}), &[D]),
        ] {
            assert_eq!(found(&schema, &value), mentions, "{schema}");
        }
    }

    #[test]
    fn every_keyword_about_items_is_followed() {
        let two = json!([true, link()]);
        for (schema, mentions) in [
            (json!({"prefixItems": two}), &[B][..]),
            (json!({"prefixItems": two, "items": link()}), &[B, A, C]),
            (
                json!({"type": ["array", "null"], "minItems": 1, "items": link()}),
                &[A, B, C],
            ),
            (json!({"contains": link()}), &[A, B, C]),
            (json!({"unevaluatedItems": link()}), &[A, B, C]),
        ] {
            assert_eq!(found(&schema, &json!([A, B, C])), mentions, "{schema}");
        }
    }

    #[test]
    fn every_way_to_refer_to_a_schema_is_followed() {
        for schema in [
            json!({"$ref": "#/$defs/link", "$defs": {"link": link()}}),
            json!({"$ref": "#/$defs/a%20b", "$defs": {"a b": link()}}),
            json!({"$ref": "#here", "$defs": {"link": {"$anchor": "here", "format": "cas_ref"}}}),
            json!({"$ref": "other", "$defs": {"link": {"$id": "other", "format": "cas_ref"}}}),
            json!({"$ref": "other#here", "$defs": {"o": {
                "$id": "other", "$defs": {"link": {"$anchor": "here", "format": "cas_ref"}},
            }}}),
            json!({"$dynamicRef": "#x", "$defs": {"link": {"$dynamicAnchor": "x", "format": "cas_ref"}}}),
            json!({"$ref": "tree", "$defs": {
                "tree": {
                    "$id": "tree",
                    "$dynamicRef": "#x",
                    "$defs": {"x": {"$dynamicAnchor": "x"}},
                },
                "link": {"$dynamicAnchor": "x", "format": "cas_ref"},
            }}),
        ] {
            assert_eq!(faults(&schema), [], "{schema}");
            assert_eq!(found(&schema, &json!(A)), [A], "{schema}");
        }
    }

    #[test]
    fn mentions_come_in_the_schemas_order_and_each_text_once() {
        let schema = json!({
            "if": {"properties": {"d": link()}},
            "properties": {"c": link(), "b": {"items": link()}},
            "additionalProperties": link(),
            "unevaluatedProperties": link(),
            "$ref": "#/$defs/a",
            "$defs": {"a": {"properties": {"a": {"items": {"items": link()}}}}},
        });
        let value = json!({"a": [[A]], "b": [A, A], "c": C, "d": D, "e": B});
        assert_eq!(found(&schema, &value), [D, C, A, A, B, A]);
        let twice = json!({"allOf": [{"$ref": "#"}, {"$ref": "#"}, {"format": "cas_ref"}]});
        assert_eq!(found(&twice, &json!(A)), [A]);
    }

    #[test]
    fn circles_end_and_long_chains_are_followed() {
        assert!(found(&json!({"$ref": "#"}), &json!(A)).is_empty());
        let list = json!({"properties": {"next": {"$ref": "#"}, "node": {"format": "cas_ref"}}});
        assert_eq!(
            found(&list, &json!({"node": A, "next": {"node": B}})),
            [B, A]
        );
        let last = 100_000;
        let mut links: Map<_, _> = (0..last)
            .map(|number| {
                let next = format!("#/$defs/{}", number + 1);
                (number.to_string(), json!({ "$ref": next }))
            })
            .collect();
        links.insert(last.to_string(), link());
        let chain = json!({"$ref": "#/$defs/0", "$defs": links});
        assert_eq!(found(&chain, &json!(A)), [A]);
    }
}
