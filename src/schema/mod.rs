//! JSON Schema: what is a legal schema, and whether a value fits one, said in words.
//!
//! The dialect is the whole of draft 2020-12, without references that leave the schema and with
//! regular expressions that take linear time. Formats are asserted; a format nobody knows asserts
//! nothing, as in the original, and is reported by [`warnings()`]. This is the only room that names
//! the `jsonschema` crate.

mod complaints;
mod depth;
mod explain;
mod keywords;
mod legal;
mod nearest;
mod patterns;
mod reference;
mod subset;
mod wanted;
mod warnings;
mod words;

#[cfg(test)]
mod tests;

use jsonschema::{PatternOptions, ValidationOptions, Validator};
use serde_json::Value;

use crate::model::Hash;
use crate::wording::quoted;
use explain::{Finding, explain};

pub use keywords::{Inner, Subject, below, inner};
pub use legal::faults;
pub use patterns::Patterns;
pub use reference::{References, target};
pub use subset::is_original_subset;
pub use warnings::warnings;

/// Something in a schema that makes it none, or makes it other than meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFault {
    /// Where in the schema, as a JSON pointer.
    pub pointer: String,
    /// What is wrong, what is wanted, and what was probably meant.
    pub message: String,
}

/// Something in a value that does not fit the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Where in the value, as a JSON pointer; empty for the value itself. Something that is
    /// missing is named by the place where it should be.
    pub path: String,
    /// The keyword of the schema that is not met.
    pub keyword: String,
    /// What is wrong there and what is wanted, with the place, on one line and short.
    pub message: String,
}

/// A schema that values can be checked against.
#[derive(Debug)]
pub struct Schema {
    validator: Validator,
    /// The schema as it was written; nothing when parts of it are documents of their own, whose
    /// errors have pointers that count from there.
    written: Option<Value>,
    /// Schemas within it, itself included.
    parts: usize,
}

/// How schemas are read here. Offline: a reference out of the schema is an error.
fn dialect() -> ValidationOptions<'static> {
    jsonschema::draft202012::options()
        .offline()
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .with_pattern_options(PatternOptions::regex())
        .with_format("cas_ref", |text: &str| text.parse::<Hash>().is_ok())
}

impl Schema {
    /// Makes a schema ready for use, or says everything that is wrong with it.
    pub fn compile(schema: &Value) -> Result<Self, Vec<SchemaFault>> {
        let survey = legal::survey(schema)?;
        let build = || legal::build(schema);
        // Compiling nests at most once for each schema within the schema.
        let validator = match depth::with_room_for(survey.parts, build) {
            Ok(Ok(validator)) => validator,
            Ok(Err(error)) => return Err(complaints::all_faults(schema, &error)),
            Err(depth::TooDeep) => {
                return Err(vec![SchemaFault {
                    pointer: String::new(),
                    message: format!("the schema is too large: it has {} parts", survey.parts),
                }]);
            }
        };
        Ok(Self {
            validator,
            written: (!survey.embeds_documents).then(|| schema.clone()),
            parts: survey.parts,
        })
    }

    /// Whether a value fits; else everything that does not.
    pub fn check(&self, value: &Value) -> Result<(), Vec<Violation>> {
        let too_deep = |message: String| {
            vec![Violation {
                path: String::new(),
                keyword: "depth".to_owned(),
                message,
            }]
        };
        let levels = depth::levels(value, depth::DEEPEST_VALUE);
        if levels > depth::DEEPEST_VALUE {
            return Err(too_deep(format!(
                "the value nests deeper than {} levels",
                depth::DEEPEST_VALUE
            )));
        }
        let task = || explain(self.validator.iter_errors(value), self.written.as_ref());
        // On each level of the value the validator passes through a schema at most once.
        let calls = (levels + 1).saturating_mul(self.parts);
        let findings = depth::with_room_for(calls, task).map_err(|depth::TooDeep| {
            too_deep(format!(
                "the value nests {levels} levels deep, too deep for a schema of {} parts",
                self.parts
            ))
        })?;
        if findings.is_empty() {
            return Ok(());
        }
        Err(findings.into_iter().map(Violation::from).collect())
    }
}

impl From<Finding> for Violation {
    fn from(finding: Finding) -> Self {
        let message = if finding.path.is_empty() {
            format!("the value {}", finding.says)
        } else {
            format!("{} {}", quoted(&finding.path), finding.says)
        };
        Self {
            path: finding.path,
            keyword: finding.keyword,
            message,
        }
    }
}
