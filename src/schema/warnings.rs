//! What in a schema is legal and probably not what was meant.

use jsonschema::Draft;
use serde_json::Value;

use super::keywords::{self, below};
use super::words::with_suggestion;
use super::{SchemaFault, depth, dialect};
use crate::suggestion::nearest;
use crate::wording::quoted;

/// What is legal in a schema and probably not meant: keywords and formats that nobody knows, which
/// therefore check nothing.
pub fn warnings(schema: &Value) -> Vec<SchemaFault> {
    if depth::levels(schema, depth::DEEPEST_SCHEMA) > depth::DEEPEST_SCHEMA {
        return Vec::new();
    }
    let dialect = dialect();
    let mut warnings = Vec::new();
    keywords::each(schema, &mut |pointer, part| {
        let Value::Object(map) = part else {
            return;
        };
        for keyword in map.keys() {
            if !keywords::is_known(keyword) && !keyword.starts_with("x-") {
                warnings.push(SchemaFault {
                    pointer: below(pointer, keyword),
                    message: with_suggestion(
                        format!(
                            "{} is no keyword of JSON Schema and checks nothing",
                            quoted(keyword)
                        ),
                        nearest(keyword, keywords::names()),
                    ),
                });
            }
        }
        if let Some(Value::String(format)) = map.get("format")
            && !dialect.is_known_format(Draft::Draft202012, format)
        {
            let known = FORMATS
                .iter()
                .copied()
                .filter(|known| dialect.is_known_format(Draft::Draft202012, known));
            warnings.push(SchemaFault {
                pointer: below(pointer, "format"),
                message: with_suggestion(
                    format!(
                        "the format {} is not known and checks nothing",
                        quoted(format)
                    ),
                    nearest(format, known),
                ),
            });
        }
    });
    warnings
}

/// Formats a misspelled one may have meant.
const FORMATS: [&str; 17] = [
    "cas_ref",
    "date",
    "date-time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "iri",
    "json-pointer",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "uuid",
];
