//! Keys against the patterns of `patternProperties`.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::{Value, json};

use crate::schema::Schema;

/// Patterns made ready, each once.
#[derive(Default)]
pub(super) struct Patterns {
    /// A pattern that cannot be used matches nothing.
    ready: RefCell<HashMap<String, Option<Schema>>>,
}

impl Patterns {
    pub fn matches(&self, pattern: &str, key: &str) -> bool {
        let mut ready = self.ready.borrow_mut();
        let schema = ready
            .entry(pattern.to_owned())
            .or_insert_with(|| Schema::compile(&json!({"pattern": pattern})).ok());
        let fits = |schema: &Schema| schema.check(&Value::from(key)).is_ok();
        schema.as_ref().is_some_and(fits)
    }
}
