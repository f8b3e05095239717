//! Alternatives none of which fits: describes the one that was probably meant.
//!
//! A branch whose discriminator is wrong is another kind of thing; a branch with a wrong or
//! missing value elsewhere is the right kind with a mistake in it. So the first counts ten, the
//! second one, and the branch with the least is described. Where even that one has a wrong
//! discriminator, the branches' choices at that place are described together.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::explain::{Finding, accepted_types, choice, explain_one};
use super::keywords::below;
use super::wanted;
use super::words::{json, type_words};
use crate::suggestion;

const WRONG_KIND: usize = 10;
const MISTAKE: usize = 1;

/// An error that says: this is not the kind of thing the branch describes.
struct Choice<'e> {
    path: String,
    /// What is there; nothing when it is missing.
    value: Option<&'e Value>,
    options: Vec<String>,
    /// Options that are text, for a suggestion.
    texts: Vec<&'e str>,
}

pub(super) fn explain(
    union: &str,
    keyword: &str,
    branches: &[Vec<ValidationError<'static>>],
    schema: Option<&Value>,
) -> Vec<Finding> {
    let weight = |errors: &Vec<ValidationError<'static>>| -> usize {
        errors
            .iter()
            .map(|error| match decides(union, error, schema) {
                Some(_) => WRONG_KIND,
                None => MISTAKE,
            })
            .sum()
    };
    let Some(best) = branches.iter().min_by_key(|errors| weight(errors)) else {
        return Vec::new();
    };
    let together: Vec<_> = best
        .iter()
        .filter_map(|error| decides(union, error, schema))
        .filter_map(|decisive| merged(union, keyword, &decisive.path, branches, schema))
        .collect();
    if !together.is_empty() {
        return together;
    }
    let mut findings = Vec::new();
    for error in best {
        findings.extend(explain_one(error, schema));
    }
    findings
}

/// What all branches together allow at a place; nothing unless each of them decides there.
fn merged(
    union: &str,
    keyword: &str,
    path: &str,
    branches: &[Vec<ValidationError<'static>>],
    schema: Option<&Value>,
) -> Option<Finding> {
    let mut options: Vec<String> = Vec::new();
    let mut texts = Vec::new();
    let mut value = None;
    for errors in branches {
        let decisive = errors
            .iter()
            .filter_map(|error| decides(union, error, schema))
            .find(|decisive| decisive.path == path)?;
        value = decisive.value;
        texts.extend(decisive.texts);
        for option in decisive.options {
            if !options.contains(&option) {
                options.push(option);
            }
        }
    }
    let suggestion = value
        .and_then(Value::as_str)
        .and_then(|text| suggestion::nearest(text, texts))
        .map(str::to_owned);
    Some(Finding {
        path: path.to_owned(),
        keyword: keyword.to_owned(),
        says: choice(value, &options),
        suggestion,
    })
}

/// Whether an error is about what kind of thing this is: the value's own type or choice, or a
/// property just below it that can have one value only.
fn decides<'e>(
    union: &str,
    error: &'e ValidationError<'static>,
    schema: Option<&Value>,
) -> Option<Choice<'e>> {
    let path = error.instance_path().as_str();
    let own = path == union;
    let property = path
        .strip_prefix(union)
        .and_then(|rest| rest.strip_prefix('/'))
        .is_some_and(|rest| !rest.contains('/'));
    let (path, value, options, texts) = match error.kind() {
        Kind::Constant { expected_value } if own || property => (
            path.to_owned(),
            Some(error.instance().as_ref()),
            vec![json(expected_value)],
            expected_value.as_str().into_iter().collect(),
        ),
        Kind::Enum { options } => {
            let options = options.as_array()?;
            if !(own || property && options.len() == 1) {
                return None;
            }
            (
                path.to_owned(),
                Some(error.instance().as_ref()),
                options.iter().map(json).collect(),
                options.iter().filter_map(Value::as_str).collect(),
            )
        }
        Kind::Type { kind } if own => (
            path.to_owned(),
            Some(error.instance().as_ref()),
            accepted_types(kind)
                .iter()
                .map(|one| type_words(one))
                .collect(),
            Vec::new(),
        ),
        Kind::Required { property } if own => {
            let property = property.as_str()?;
            let options = wanted::options(wanted::property(error, property, schema)?)?;
            if options.len() != 1 {
                return None;
            }
            (below(path, property), None, options, Vec::new())
        }
        _ => return None,
    };
    Some(Choice {
        path,
        value,
        options,
        texts,
    })
}
