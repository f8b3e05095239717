//! Whether a value is a schema at all.

use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use super::keywords::{self, below};
use super::{Schema, SchemaFault, depth, dialect, is_original_subset};
use crate::wording::quoted;

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Everything that keeps a value from being a schema; empty when it is one.
pub fn faults(schema: &Value) -> Vec<SchemaFault> {
    Schema::compile(schema).err().unwrap_or_default()
}

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
