//! Alternatives none of which fits: describes the one that was probably meant.
//!
//! A branch whose discriminator is wrong is another kind of thing; a branch with a wrong or
//! missing value elsewhere is the right kind with a mistake in it. So the first counts ten, the
//! second one, and the branch with the least is described. Where even that one has a wrong
//! discriminator, the branches' choices at that place are described together.

use std::borrow::Borrow;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::explain::{Finding, accepted_types, choice, explain_one};
use super::keywords::below;
use super::wanted;
use super::words::{found, json, type_words};
use crate::suggestion;

const WRONG_KIND: usize = 10;
const MISTAKE: usize = 1;

/// One reason why a branch does not fit.
#[derive(Debug)]
pub(super) struct Failure {
    /// What it says of a choice between values, where it is about one.
    pub(super) choice: Option<Choice>,
    /// The same in words.
    pub(super) findings: Vec<Finding>,
}

/// What is wrong where only some values are allowed: perhaps it tells one kind of thing from
/// another.
#[derive(Debug)]
pub(super) struct Choice {
    /// The value that the schema of the choice is about.
    pub(super) about: String,
    /// The value that is wrong or missing: the same, or one of its properties.
    pub(super) path: String,
    /// What is there, in words; nothing when it is missing.
    found: Option<String>,
    /// What is there, if that is text.
    text: Option<String>,
    options: Vec<String>,
    /// Options that are text, for a suggestion.
    texts: Vec<String>,
    /// Whether it also tells the kind of the object of which its value is a property.
    tells_object: bool,
}

impl Failure {
    pub(super) fn of(error: &ValidationError<'_>, schema: Option<&Value>) -> Self {
        Self {
            choice: Choice::of(error, schema),
            findings: explain_one(error, schema),
        }
    }
}

impl Choice {
    fn of(error: &ValidationError<'_>, schema: Option<&Value>) -> Option<Self> {
        let about = error.instance_path().as_str();
        let texts = |options: &[Value]| {
            let texts = options.iter().filter_map(Value::as_str);
            texts.map(str::to_owned).collect()
        };
        let (options, texts, tells_object) = match error.kind() {
            Kind::Constant { expected_value } => (
                vec![json(expected_value)],
                texts(std::slice::from_ref(expected_value)),
                true,
            ),
            Kind::Enum { options } => {
                let options = options.as_array()?;
                let shown = options.iter().map(json).collect();
                (shown, texts(options), options.len() == 1)
            }
            Kind::Type { kind } => {
                let types = accepted_types(kind);
                let shown = types.iter().map(|one| type_words(one)).collect();
                (shown, Vec::new(), false)
            }
            Kind::Required { property } => {
                let property = property.as_str()?;
                let options = wanted::options(wanted::property(error, property, schema)?)?;
                return (options.len() == 1).then(|| Self {
                    about: about.to_owned(),
                    path: below(about, property),
                    found: None,
                    text: None,
                    options,
                    texts: Vec::new(),
                    tells_object: false,
                });
            }
            _ => return None,
        };
        Some(Self {
            about: about.to_owned(),
            path: about.to_owned(),
            found: Some(found(error.instance())),
            text: error.instance().as_str().map(str::to_owned),
            options,
            texts,
            tells_object,
        })
    }

    /// Whether it tells what kind of thing the value of a union is: by the value's own type or
    /// choice, or by a property just below it that can have one value only.
    fn decides(&self, union: &str) -> bool {
        let is_property = || {
            self.about
                .strip_prefix(union)
                .and_then(|rest| rest.strip_prefix('/'))
                .is_some_and(|rest| !rest.contains('/'))
        };
        self.about == union || self.tells_object && is_property()
    }
}

/// Describes the branch of a union that was probably meant. Each branch is given with why it
/// does not fit.
pub(super) fn explain<F: Borrow<Failure>>(
    union: &str,
    keyword: &str,
    branches: &[Vec<F>],
) -> Vec<Finding> {
    let weight = |failures: &Vec<F>| -> usize {
        let weights = failures
            .iter()
            .map(|failure| match decisive(union, failure) {
                Some(_) => WRONG_KIND,
                None => MISTAKE,
            });
        weights.sum()
    };
    let Some(best) = branches.iter().min_by_key(|failures| weight(failures)) else {
        return Vec::new();
    };
    let together: Vec<_> = best
        .iter()
        .filter_map(|failure| decisive(union, failure))
        .filter_map(|choice| merged(union, keyword, &choice.path, branches))
        .collect();
    if !together.is_empty() {
        return together;
    }
    best.iter()
        .flat_map(|failure| failure.borrow().findings.iter().cloned())
        .collect()
}

fn decisive<'f, F: Borrow<Failure>>(union: &str, failure: &'f F) -> Option<&'f Choice> {
    let choice = failure.borrow().choice.as_ref()?;
    choice.decides(union).then_some(choice)
}

/// What all branches together allow at a place; nothing unless each of them decides there.
fn merged<F: Borrow<Failure>>(
    union: &str,
    keyword: &str,
    path: &str,
    branches: &[Vec<F>],
) -> Option<Finding> {
    let mut options: Vec<String> = Vec::new();
    let mut texts = Vec::new();
    let mut wrong = None;
    for failures in branches {
        let choice = failures
            .iter()
            .filter_map(|failure| decisive(union, failure))
            .find(|choice| choice.path == path)?;
        wrong = Some(choice);
        texts.extend(choice.texts.iter().map(String::as_str));
        for option in &choice.options {
            if !options.contains(option) {
                options.push(option.clone());
            }
        }
    }
    let suggestion = wrong
        .and_then(|choice| choice.text.as_deref())
        .and_then(|text| suggestion::nearest(text, texts))
        .map(str::to_owned);
    Some(Finding {
        path: path.to_owned(),
        keyword: keyword.to_owned(),
        says: choice(wrong.and_then(|choice| choice.found.as_deref()), &options),
        suggestion,
    })
}
