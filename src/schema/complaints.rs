//! What is wrong with a schema that the validator refused: all of it, in words.
//!
//! The validator stops at the first thing that it cannot read. The rest is found by checking the
//! schema as a value, by trying each pattern, and by looking where each reference leads.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::explain::{Finding, explain, explain_one};
use super::keywords::{self, below};
use super::words::with_suggestion;
use super::{SchemaFault, dialect};
use crate::suggestion::nearest;
use crate::wording::quoted;

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
