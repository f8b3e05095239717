//! Asking until an answer fits: the one loop of corrections, whoever is asked.
//!
//! An answer that does not fit is sent back with what is wrong, at most twice. Where a last resort
//! is set up, it is then given the last answer once. How to ask, and what is kept of what was
//! said, is the correspondent's business.

use serde_json::{Map, Value, json};

use crate::extract::{self, Extracted, Fault, Form};

/// How often an agent is asked again.
const MOST_CORRECTIONS: usize = 2;

/// What an agent answered, as its protocol reads it.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A block of fields, and a text.
    Markdown(String),
    /// The fields beside the text.
    Json {
        /// The fields.
        meta: Map<String, Value>,
        /// The text.
        content: String,
    },
}

impl Answer {
    fn extract(&self, form: &Form) -> Result<Extracted, Vec<Fault>> {
        match self {
            Self::Markdown(text) => extract::extract(text, form),
            Self::Json { meta, content } => {
                extract::fit(&Value::Object(meta.clone()), form).map(|fitted| Extracted {
                    value: fitted.value,
                    body: content.clone(),
                    warnings: fitted.warnings,
                })
            }
        }
    }

    /// What the turn of an answer that fits is kept as.
    pub fn text(&self) -> &str {
        match self {
            Self::Markdown(text) => text,
            Self::Json { content, .. } => content,
        }
    }

    /// All of it, for somebody who reads it once more.
    fn whole(&self) -> String {
        match self {
            Self::Markdown(text) => text.clone(),
            Self::Json { meta, content } => json!({"meta": meta, "content": content}).to_string(),
        }
    }
}

/// Somebody who is asked for an answer, and asked again.
pub trait Correspondent {
    /// Why there is no answer.
    type Error;

    /// Asks for the first time.
    fn begin(&mut self) -> Result<Answer, Self::Error>;

    /// Says what is wrong with the last answer, and asks for another.
    fn correct(&mut self, correction: &str) -> Result<Answer, Self::Error>;
}

/// A model that reads the fields out of an answer in which they do not stand as they should.
pub trait LastResort {
    /// How it is called in what is said of it.
    fn name(&self) -> String;

    /// What it reads; else why that is nothing.
    fn fields(&mut self, answer: &str, schema: &Value) -> Result<Reading, String>;
}

/// What a model read out of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The fields.
    pub fields: Value,
    /// What that cost, in words; none when the model's service does not tell.
    pub cost: Option<String>,
}

/// An answer that fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitting {
    /// The answer.
    pub answer: Answer,
    /// What it says.
    pub extracted: Extracted,
    /// How often the agent was asked again.
    pub corrections: usize,
}

/// Why there is no answer that fits.
#[derive(Debug, Clone, PartialEq)]
pub enum Unfitting<E> {
    /// There is no answer.
    Refused(E),
    /// The last one does not fit either.
    DoesNotFit {
        /// How often the agent was asked again.
        corrections: usize,
        /// All that is wrong with it, each with its place.
        faults: Vec<String>,
    },
}

/// Asks until the answer fits the form.
pub fn answer_that_fits<C: Correspondent>(
    correspondent: &mut C,
    form: &Form,
    last_resort: Option<&mut (dyn LastResort + '_)>,
) -> Result<Fitting, Unfitting<C::Error>> {
    let mut corrections = 0;
    let mut answer = correspondent.begin().map_err(Unfitting::Refused)?;
    let faults = loop {
        let faults = match answer.extract(form) {
            Ok(extracted) => {
                return Ok(Fitting {
                    answer,
                    extracted,
                    corrections,
                });
            }
            Err(faults) => faults,
        };
        if corrections == MOST_CORRECTIONS {
            break faults;
        }
        let correction = extract::correction(&faults, form.schema());
        answer = correspondent
            .correct(&correction)
            .map_err(Unfitting::Refused)?;
        corrections += 1;
    };
    let mut faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
    if let Some(last_resort) = last_resort {
        match resort(last_resort, &answer, form) {
            Ok(extracted) => {
                return Ok(Fitting {
                    answer,
                    extracted,
                    corrections,
                });
            }
            Err(why) => faults.push(why),
        }
    }
    Err(Unfitting::DoesNotFit {
        corrections,
        faults,
    })
}

/// What the last resort reads out of an answer; it has to fit like any other.
fn resort(
    last_resort: &mut dyn LastResort,
    answer: &Answer,
    form: &Form,
) -> Result<Extracted, String> {
    let name = last_resort.name();
    let Reading { fields, cost } = last_resort
        .fields(&answer.whole(), form.schema())
        .map_err(|why| format!("the fields could not be extracted by {name}: {why}"))?;
    let fitted = extract::fit(&fields, form).map_err(|faults| {
        let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
        let faults = faults.join("; ");
        format!("what {name} extracted does not fit either: {faults}")
    })?;
    let cost = cost.map_or_else(String::new, |cost| format!(" ({cost})"));
    let mut warnings = vec![format!(
        "the answer did not fit: its fields were extracted by {name}{cost}"
    )];
    warnings.extend(fitted.warnings);
    Ok(Extracted {
        value: fitted.value,
        body: answer.text().to_owned(),
        warnings,
    })
}
