//! Why a condition has no value.

use std::time::Duration;

use super::jsonata::Complaint;
use crate::model::ExpressionError;

/// Why a condition could not be evaluated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The expression is wrong, or does not fit what it is evaluated over.
    #[error("{0}{code}", code = in_brackets(.0.code.as_deref()))]
    Faulty(ExpressionError),
    /// It was given up after that time.
    #[error("it takes longer than {}", seconds(*.0))]
    TooLong(Duration),
    /// It is nested, or its functions call each other, without end.
    #[error("it goes too deep: a function that calls itself without end, or too many brackets")]
    TooDeep,
    /// It was given up after it took that many bytes.
    #[error("it takes more than {} MiB of memory", .0 >> 20)]
    OutOfMemory(u64),
    /// The evaluator failed.
    #[error("the evaluator failed: {0}")]
    Broken(String),
}

impl Failure {
    /// Where in the expression it lies, in bytes from its start, where that is known.
    pub fn offset(&self) -> Option<usize> {
        match self {
            Self::Faulty(error) => error.offset,
            _ => None,
        }
    }

    /// The failure behind a complaint, which `explain` puts into words if it is about the
    /// expression.
    pub(super) fn from_complaint(
        complaint: &Complaint,
        explain: impl FnOnce(&Complaint) -> ExpressionError,
    ) -> Self {
        match complaint.code.as_deref() {
            Some("D1011" | "U1001" | "U1002") => Self::TooDeep,
            _ => Self::Faulty(explain(complaint)),
        }
    }
}

impl From<Failure> for ExpressionError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Faulty(error) => error,
            other => Self {
                code: None,
                message: other.to_string(),
                offset: None,
            },
        }
    }
}

fn in_brackets(code: Option<&str>) -> String {
    code.map(|code| format!(" ({code})")).unwrap_or_default()
}

fn seconds(duration: Duration) -> String {
    match duration.as_secs_f64() {
        1.0 => "1 second".to_owned(),
        seconds => format!("{seconds} seconds"),
    }
}
