//! Keys against the patterns of `patternProperties`.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::{Value, json};

use super::Schema;

/// Patterns made ready, each once.
#[derive(Debug, Default)]
pub struct Patterns {
    /// A pattern that cannot be used matches nothing.
    ready: RefCell<HashMap<String, Option<Schema>>>,
}

impl Patterns {
    /// Whether a key matches a pattern, anywhere in it.
    pub fn matches(&self, pattern: &str, key: &str) -> bool {
        let mut ready = self.ready.borrow_mut();
        if !ready.contains_key(pattern) {
            let schema = Schema::compile(&json!({"pattern": pattern})).ok();
            ready.insert(pattern.to_owned(), schema);
        }
        let fits = |schema: &Schema| schema.validator.is_valid(&Value::from(key));
        ready
            .get(pattern)
            .and_then(Option::as_ref)
            .is_some_and(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_searched_for_and_one_that_cannot_be_used_matches_nothing() {
        let patterns = Patterns::default();
        assert!(patterns.matches("_ref$", "next_ref"));
        assert!(!patterns.matches("_ref$", "reference"));
        assert!(!patterns.matches("(?=a)", "a"));
    }
}
