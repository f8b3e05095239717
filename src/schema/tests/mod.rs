//! The schema room as its callers see it.

mod faults;
mod hostile;
mod unions;
mod violations;

use serde_json::Value;

use super::*;

fn messages(schema: &Value, value: &Value) -> Vec<String> {
    let schema = Schema::compile(schema).unwrap();
    match schema.check(value) {
        Ok(()) => Vec::new(),
        Err(violations) => violations
            .into_iter()
            .map(|violation| violation.message)
            .collect(),
    }
}

fn complaints(schema: &Value) -> Vec<(String, String)> {
    faults(schema)
        .into_iter()
        .map(|fault| (fault.pointer, fault.message))
        .collect()
}

fn pair(pointer: &str, message: &str) -> (String, String) {
    (pointer.to_owned(), message.to_owned())
}
