//! What an agent is told when its answer cannot be used.

use serde_json::Value;

use super::Fault;
use super::fields::Fields;

/// Names that are listed at most.
const MOST_NAMES: usize = 50;

/// The message an agent is asked again with: each fault with its place, the fields that are
/// wanted where there was no block to read, and what to do.
pub fn correction(faults: &[Fault], schema: &Value) -> String {
    let mut text = String::from("Your answer cannot be used:\n\n");
    for fault in faults {
        text += &format!("- {fault}\n");
        if let Some(excerpt) = &fault.excerpt {
            text += &format!("  > {excerpt}\n");
        }
    }
    text += "\n";
    let unread = |fault: &Fault| fault.path.is_none() && fault.excerpt.is_none();
    if faults.iter().any(unread) {
        text += &wanted(&Fields::of(schema));
    }
    text + "Correct this and give the whole answer again, not only the part that was wrong.\n"
}

/// The names of the fields, where the schema has any.
fn wanted(fields: &Fields<'_>) -> String {
    if fields.names.is_empty() {
        return String::new();
    }
    let (required, others): (Vec<_>, Vec<_>) = fields
        .names
        .iter()
        .take(MOST_NAMES)
        .partition(|name| fields.required.contains(name));
    let quoted = |names: &[&&str]| {
        let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        quoted.join(", ")
    };
    let mut text = String::from(
        "Begin with a line `---`, then the fields as `name: value`, then a line `---`, then the rest.",
    );
    let others_are = match required.is_empty() {
        true => "Fields",
        false => "Further fields",
    };
    if !required.is_empty() {
        text += &format!(" Required: {}.", quoted(&required));
    }
    if !others.is_empty() {
        text += &format!(" {others_are}: {}.", quoted(&others));
    }
    text + "\n\n"
}
