//! Whether a value is a schema at all, and what in it is probably not what was meant.

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{Draft, ValidationError, Validator};
use serde_json::Value;

use super::explain::{Finding, explain, explain_one};
use super::keywords::{self, below};
use super::{Schema, SchemaFault, depth, dialect, is_original_subset};
use crate::suggestion::{nearest, question};
use crate::wording::quoted;

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Everything that keeps a value from being a schema; empty when it is one.
pub fn faults(schema: &Value) -> Vec<SchemaFault> {
    Schema::compile(schema).err().unwrap_or_default()
}

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

/// What must be known of a schema before it is handed to the validator.
pub(super) struct Survey {
    /// Schemas within it, itself included.
    pub(super) parts: usize,
    /// Whether one of them, not the outermost, has an `$id`.
    pub(super) embeds_documents: bool,
}

/// Looks a schema over, within its depth limit. Faults that the validator would not report, or
/// only the first of, are found here.
pub(super) fn survey(schema: &Value) -> Result<Survey, Vec<SchemaFault>> {
    if depth::levels(schema, depth::DEEPEST_SCHEMA) > depth::DEEPEST_SCHEMA {
        return Err(vec![SchemaFault {
            pointer: String::new(),
            message: format!(
                "the schema nests deeper than {} levels",
                depth::DEEPEST_SCHEMA
            ),
        }]);
    }
    let mut survey = Survey {
        parts: 0,
        embeds_documents: false,
    };
    let mut faults = Vec::new();
    keywords::each(schema, &mut |pointer, part| {
        survey.parts += 1;
        survey.embeds_documents |= !pointer.is_empty() && part.get("$id").is_some();
        if let Some(Value::String(draft)) = part.get("$schema")
            && draft.trim_end_matches('#') != DRAFT
        {
            faults.push(SchemaFault {
                pointer: below(pointer, "$schema"),
                message: format!(
                    "`$schema` names {}; only draft 2020-12 is read here: leave the line out, or \
                     write {}",
                    quoted(draft),
                    quoted(DRAFT)
                ),
            });
        }
    });
    if faults.is_empty() {
        return Ok(survey);
    }
    Err(faults)
}

/// Hands a schema to the validator.
///
/// The original takes a name that stands twice in `required` or `type`, draft 2020-12 does not:
/// there it means the same as standing once.
pub(super) fn build(schema: &Value) -> Result<Validator, Box<ValidationError<'static>>> {
    match dialect().build(schema) {
        Err(_) if is_original_subset(schema) => dialect().build(&without_repetitions(schema)),
        other => other,
    }
    .map_err(Box::new)
}

fn without_repetitions(schema: &Value) -> Value {
    let mut tidy = schema.clone();
    tidy_up(&mut tidy);
    tidy
}

fn tidy_up(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            for (keyword, value) in map {
                if let ("required" | "type", Value::Array(names)) = (keyword.as_str(), &mut *value)
                {
                    let mut seen = Vec::new();
                    names.retain(|name| {
                        let new = !seen.contains(name);
                        seen.push(name.clone());
                        new
                    });
                }
                if !matches!(keyword.as_str(), "const" | "enum") {
                    tidy_up(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(tidy_up),
        _ => {}
    }
}

/// All that is wrong with a schema of which the validator told one error.
pub(super) fn all_faults(schema: &Value, told: &ValidationError<'static>) -> Vec<SchemaFault> {
    let meta = jsonschema::draft202012::meta::validator();
    let findings = explain(meta.iter_errors(schema), None);
    let mut faults: Vec<_> = findings.into_iter().map(SchemaFault::from).collect();
    faults.extend(bad_patterns(schema));
    faults.extend(bad_references(schema));
    if faults.is_empty() {
        faults.extend(told_fault(told));
    }
    faults
}

fn told_fault(told: &ValidationError<'static>) -> Vec<SchemaFault> {
    if let Kind::Referencing(cause) = told.kind() {
        return vec![SchemaFault {
            pointer: String::new(),
            message: format!("a reference of the schema leads nowhere: {cause}"),
        }];
    }
    explain_one(told, None)
        .into_iter()
        .map(SchemaFault::from)
        .collect()
}

fn bad_patterns(schema: &Value) -> Vec<SchemaFault> {
    let mut faults = Vec::new();
    keywords::each(schema, &mut |pointer, part| {
        if let Some(Value::String(pattern)) = part.get("pattern") {
            faults.extend(bad_pattern(below(pointer, "pattern"), pattern));
        }
        if let Some(Value::Object(patterns)) = part.get("patternProperties") {
            let place = below(pointer, "patternProperties");
            for pattern in patterns.keys() {
                faults.extend(bad_pattern(below(&place, pattern), pattern));
            }
        }
    });
    faults
}

fn bad_pattern(pointer: String, pattern: &str) -> Option<SchemaFault> {
    dialect()
        .build(&serde_json::json!({ "pattern": pattern }))
        .err()
        .map(|_| SchemaFault {
            pointer,
            message: format!(
                "{} is not a regular expression that can be used here: look-around and \
                 back-references are not, nor is one that grows very large",
                quoted(pattern)
            ),
        })
}

/// References that can be seen to lead nowhere. In a schema with an `$id` only the validator can
/// tell.
fn bad_references(schema: &Value) -> Vec<SchemaFault> {
    let mut has_id = false;
    keywords::each(schema, &mut |_, part| has_id |= part.get("$id").is_some());
    if has_id {
        return Vec::new();
    }
    let mut faults = Vec::new();
    keywords::each(schema, &mut |pointer, part| {
        for keyword in ["$ref", "$dynamicRef"] {
            let Some(Value::String(reference)) = part.get(keyword) else {
                continue;
            };
            if let Some(message) = bad_reference(reference, schema) {
                faults.push(SchemaFault {
                    pointer: below(pointer, keyword),
                    message,
                });
            }
        }
    });
    faults
}

fn bad_reference(reference: &str, schema: &Value) -> Option<String> {
    let Some(fragment) = reference.strip_prefix('#') else {
        if dialect()
            .build(&serde_json::json!({ "$ref": reference }))
            .is_ok()
        {
            // The meta-schemas of JSON Schema are built in.
            return None;
        }
        return Some(format!(
            "the reference {} leads out of the schema; write what it names under `$defs` and \
             refer to `#/$defs/…`",
            quoted(reference)
        ));
    };
    // Percent-encoded pointers and anchors are left to the validator.
    if !fragment.starts_with('/') || fragment.contains('%') || schema.pointer(fragment).is_some() {
        return None;
    }
    let known = schema.get("$defs").and_then(Value::as_object);
    let wanted = fragment.strip_prefix("/$defs/").unwrap_or_default();
    let suggestion = known.and_then(|known| nearest(wanted, known.keys().map(String::as_str)));
    Some(with_suggestion(
        format!(
            "the reference {} leads nowhere in the schema",
            quoted(reference)
        ),
        suggestion.map(|key| format!("#/$defs/{key}")).as_deref(),
    ))
}

fn with_suggestion(message: String, suggestion: Option<&str>) -> String {
    match suggestion {
        Some(meant) => format!("{message}; {}", question(meant)),
        None => message,
    }
}

impl From<Finding> for SchemaFault {
    fn from(finding: Finding) -> Self {
        let message = format!("{} {}", place(&finding.path), finding.says);
        Self {
            message: with_suggestion(message, finding.suggestion.as_deref()),
            pointer: finding.path,
        }
    }
}

/// The last names of a pointer, up to one that is not a number.
fn place(pointer: &str) -> String {
    if pointer.is_empty() {
        return "the schema".to_owned();
    }
    let mut start = pointer.len();
    while let Some(slash) = pointer[..start].rfind('/') {
        start = slash;
        let segment = pointer[slash + 1..].split('/').next().unwrap_or_default();
        if !segment.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
    }
    quoted(pointer[start..].trim_start_matches('/'))
}
