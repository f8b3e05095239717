//! An error together with what caused it.

use std::error::Error;

/// What caused an error, what caused that, and so on.
pub fn causes(error: &dyn Error) -> Vec<String> {
    let mut causes = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause.to_string());
        next = cause.source();
    }
    causes
}

/// An error and its causes in one sentence: for a place that has one line.
pub fn in_full(error: &dyn Error) -> String {
    let mut parts = vec![error.to_string()];
    parts.extend(causes(error));
    parts.join(": ")
}
