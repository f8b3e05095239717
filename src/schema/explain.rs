//! The validator's errors in words for a person, or for a model that must correct its answer:
//! what is wrong, where, and what is wanted there.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

use super::keywords::below;
use super::nearest;
use super::wanted::{allowed_keys, wanted};
use super::words::{format_words, found, json, list, type_words};
use crate::suggestion;
use crate::wording::{counted, listed, quoted};

/// One thing that is wrong, before it is told to anyone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// Where in the value, as a JSON pointer.
    pub(super) path: String,
    /// The keyword that is not met.
    pub(super) keyword: String,
    /// What is wrong and what is wanted, to follow the name of the place.
    pub(super) says: String,
    /// What was probably meant.
    pub(super) suggestion: Option<String>,
}

/// Puts errors into words. `schema` is what they were found with, where its pointers are known.
pub(super) fn explain<'e>(
    errors: impl IntoIterator<Item = ValidationError<'e>>,
    schema: Option<&Value>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for error in errors {
        for finding in explain_one(&error, schema) {
            // A schema reached on several ways reports the same thing several times.
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        }
    }
    findings
}

/// Puts one error into words: several findings where it stands for several.
pub(super) fn explain_one(error: &ValidationError<'_>, schema: Option<&Value>) -> Vec<Finding> {
    let path = error.instance_path().as_str();
    match error.kind() {
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            nearest::explain(path, error.kind().keyword(), context, schema)
        }
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected_keys(error, unexpected, schema)
        }
        Kind::Required { property } => {
            let property = property.as_str().unwrap_or_default();
            let wants = wanted(error, property, schema)
                .map(|wants| format!("; it must be {wants}"))
                .unwrap_or_default();
            vec![Finding {
                path: below(path, property),
                keyword: error.kind().keyword().to_owned(),
                says: format!("is missing{wants}"),
                suggestion: None,
            }]
        }
        Kind::PropertyNames { error: inner } => explain_one(inner, schema)
            .into_iter()
            .map(|finding| Finding {
                path: path.to_owned(),
                keyword: "propertyNames".to_owned(),
                says: format!("has a key that is not allowed: the key {}", finding.says),
                suggestion: finding.suggestion,
            })
            .collect(),
        kind => {
            let (says, suggestion) = plain(kind, error.instance());
            vec![Finding {
                path: path.to_owned(),
                keyword: kind.keyword().to_owned(),
                says,
                suggestion,
            }]
        }
    }
}

fn unexpected_keys(
    error: &ValidationError<'_>,
    unexpected: &[String],
    schema: Option<&Value>,
) -> Vec<Finding> {
    let allowed = allowed_keys(error, schema);
    let says = if allowed.is_empty() {
        "is not allowed here".to_owned()
    } else {
        let names: Vec<_> = allowed.iter().map(|key| quoted(key)).collect();
        format!("is not allowed here; allowed: {}", list(&names))
    };
    unexpected
        .iter()
        .map(|key| Finding {
            path: below(error.instance_path().as_str(), key),
            keyword: error.kind().keyword().to_owned(),
            says: says.clone(),
            suggestion: suggestion::nearest(key, allowed.iter().map(String::as_str))
                .map(str::to_owned),
        })
        .collect()
}

/// The types an error would have accepted, by name.
pub(super) fn accepted_types(kind: &TypeKind) -> Vec<String> {
    match kind {
        TypeKind::Single(one) => vec![one.to_string()],
        TypeKind::Multiple(many) => many.iter().map(|one| one.to_string()).collect(),
    }
}

/// What an error says of a value, and what was probably meant by it.
fn plain(kind: &Kind, value: &Value) -> (String, Option<String>) {
    if let Kind::Enum { options } = kind {
        return enumeration(options, value);
    }
    let says = match demand(kind).or_else(|| limit(kind)) {
        Some(demand) => format!("is {}; it must {demand}", found(value)),
        None => sentence(kind, value),
    };
    (says, None)
}

/// What a value must do, where its kind, its form or its meaning is wrong.
fn demand(kind: &Kind) -> Option<String> {
    let demand = match kind {
        Kind::Constant { expected_value } => format!("be {}", json(expected_value)),
        Kind::Type { kind } => {
            let types = accepted_types(kind);
            format!(
                "be {}",
                listed(types.iter().map(|one| type_words(one)), "or")
            )
        }
        Kind::Format { format } => format!("be {}", format_words(format)),
        Kind::Pattern { pattern } => format!("match the pattern {}", quoted(pattern)),
        Kind::ContentEncoding { content_encoding } => {
            format!("be encoded as {}", quoted(content_encoding))
        }
        Kind::ContentMediaType { content_media_type } => {
            format!("hold {}", quoted(content_media_type))
        }
        _ => return None,
    };
    Some(demand)
}

/// What a value must do, where it is too small or too large.
fn limit(kind: &Kind) -> Option<String> {
    let least = |limit: &u64, what| format!("have at least {}", counted(*limit, what));
    let most = |limit: &u64, what| format!("have at most {}", counted(*limit, what));
    let limit = match kind {
        Kind::Minimum { limit } => format!("be at least {}", json(limit)),
        Kind::Maximum { limit } => format!("be at most {}", json(limit)),
        Kind::ExclusiveMinimum { limit } => format!("be more than {}", json(limit)),
        Kind::ExclusiveMaximum { limit } => format!("be less than {}", json(limit)),
        Kind::MultipleOf { multiple_of } => format!("be a multiple of {multiple_of}"),
        Kind::MinLength { limit } => least(limit, "character"),
        Kind::MinItems { limit } => least(limit, "item"),
        Kind::MaxItems { limit } => most(limit, "item"),
        Kind::AdditionalItems { limit } => format!("have at most {}", counted(*limit, "item")),
        Kind::MinProperties { limit } => least(limit, "key"),
        Kind::MaxProperties { limit } => most(limit, "key"),
        _ => return None,
    };
    Some(limit)
}

/// What is wrong, where that is more than what a value is and what it must do.
fn sentence(kind: &Kind, value: &Value) -> String {
    let is = found(value);
    match kind {
        Kind::MaxLength { limit } => format!(
            "is {is}, {}; it must have at most {limit}",
            counted(length(value), "character")
        ),
        Kind::UniqueItems => "holds the same item twice; its items must differ".to_owned(),
        Kind::Contains => "does not hold the items it must hold (`contains`)".to_owned(),
        Kind::UnevaluatedItems { unexpected } => format!(
            "holds {} that the schema does not allow",
            counted(unexpected.len(), "item")
        ),
        Kind::FalseSchema => "must not be there".to_owned(),
        Kind::Not { schema } => {
            format!("is {is}, which fits what it must not fit: {}", json(schema))
        }
        Kind::OneOfMultipleValid { context } => {
            let fitting: Vec<_> = (0..context.len())
                .filter(|branch| context[*branch].is_empty())
                .map(|branch| branch.to_string())
                .collect();
            format!(
                "is {is} and fits several alternatives of `oneOf` ({}); it must fit exactly one",
                list(&fitting)
            )
        }
        other => format!("is {is}; it does not fit {}", quoted(other.keyword())),
    }
}

fn enumeration(options: &Value, value: &Value) -> (String, Option<String>) {
    let options: &[Value] = options.as_array().map_or(&[], Vec::as_slice);
    let suggestion = value
        .as_str()
        .and_then(|text| suggestion::nearest(text, options.iter().filter_map(Value::as_str)))
        .map(str::to_owned);
    let shown: Vec<_> = options.iter().map(json).collect();
    (choice(Some(value), &shown), suggestion)
}

/// What is there (nothing: it is missing) and what may be there instead.
pub(super) fn choice(value: Option<&Value>, options: &[String]) -> String {
    let is = match value {
        Some(value) => format!("is {}", found(value)),
        None => "is missing".to_owned(),
    };
    match options {
        [] => format!("{is}; nothing is allowed there"),
        [one] => format!("{is}; it must be {one}"),
        many => format!("{is}; allowed: {}", list(many)),
    }
}

fn length(value: &Value) -> usize {
    value.as_str().map_or(0, |text| text.chars().count())
}
