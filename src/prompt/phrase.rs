//! What stands in an example where a value goes, for values that fit on one line.

use serde_json::{Map, Value};

use crate::wording::one_line;

/// Where no schema says what a value is.
pub(super) const ANYTHING: &str = "<any value>";

/// The keyword where it is said last, which is in the more particular schema.
pub(super) fn last<'a>(together: &[&'a Map<String, Value>], keyword: &str) -> Option<&'a Value> {
    together.iter().rev().find_map(|map| map.get(keyword))
}

/// The types a value may have; `any` when nothing tells.
pub(super) fn types<'a>(together: &[&'a Map<String, Value>]) -> Vec<&'a str> {
    match last(together, "type") {
        Some(Value::String(name)) => return vec![name],
        Some(Value::Array(names)) => return names.iter().filter_map(Value::as_str).collect(),
        _ => {}
    }
    const TELLING: [(&str, &[&str]); 4] = [
        (
            "object",
            &[
                "properties",
                "required",
                "additionalProperties",
                "patternProperties",
            ],
        ),
        ("array", &["items", "prefixItems", "minItems", "maxItems"]),
        ("string", &["format", "pattern", "minLength", "maxLength"]),
        (
            "number",
            &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
        ),
    ];
    let told = TELLING.iter().find(|(_, keywords)| {
        keywords
            .iter()
            .any(|keyword| last(together, keyword).is_some())
    });
    vec![told.map_or("any", |(name, _)| name)]
}

pub(super) fn text_phrase(together: &[&Map<String, Value>]) -> String {
    let number = |keyword| last(together, keyword).and_then(Value::as_u64);
    let text = |keyword| last(together, keyword).and_then(Value::as_str);
    let kind = match text("format") {
        None => "text".to_owned(),
        Some("cas_ref") => "hash of a stored node".to_owned(),
        Some("date") => "date such as 2026-06-01".to_owned(),
        Some("date-time") => "date and time such as 2026-06-01T09:30:00Z".to_owned(),
        Some("email") => "e-mail address".to_owned(),
        Some("uri") => "URI".to_owned(),
        Some(other) => format!("text of the format {}", one_line(other)),
    };
    let pattern = text("pattern").map_or_else(String::new, |pattern| {
        format!(" matching {}", one_line(pattern))
    });
    let length = match (
        number("minLength").filter(|least| *least > 1),
        number("maxLength"),
    ) {
        (None, None) => String::new(),
        (Some(least), None) => format!(", at least {least} characters"),
        (None, Some(most)) => format!(", at most {most} characters"),
        (Some(least), Some(most)) => format!(", {least} to {most} characters"),
    };
    format!("<{kind}{pattern}{length}>")
}

pub(super) fn bounds(together: &[&Map<String, Value>]) -> String {
    let bound = |words: &str, keyword| {
        last(together, keyword)
            .filter(|value| value.is_number())
            .map(|value| format!("{words} {value}"))
    };
    if let (Some(least), Some(most)) = (bound("from", "minimum"), bound("to", "maximum")) {
        return format!(" {least} {most}");
    }
    let bounds: Vec<_> = [
        bound("at least", "minimum"),
        bound("above", "exclusiveMinimum"),
        bound("at most", "maximum"),
        bound("below", "exclusiveMaximum"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if bounds.is_empty() {
        return String::new();
    }
    format!(", {}", bounds.join(" and "))
}

pub(super) fn list_note(together: &[&Map<String, Value>]) -> String {
    let number = |keyword| last(together, keyword).and_then(Value::as_u64);
    match (
        number("minItems").filter(|least| *least > 0),
        number("maxItems"),
    ) {
        (None, None) => "a list, [] for none".to_owned(),
        (None, Some(most)) => format!("a list of at most {most}, [] for none"),
        (Some(least), None) => format!("a list of at least {least}"),
        (Some(least), Some(most)) if least == most => format!("a list of {least}"),
        (Some(least), Some(most)) => format!("a list of {least} to {most}"),
    }
}

/// A constant as it is written in YAML.
pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => text_literal(text),
        other => other.to_string(),
    }
}

/// A text as it is written in YAML: in quotes wherever it might be read as something else.
pub(super) fn text_literal(text: &str) -> String {
    let plain = text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && !text.ends_with(' ')
        && text
            .chars()
            .all(|character| character.is_alphanumeric() || " _-./".contains(character))
        && !["null", "true", "false"]
            .iter()
            .any(|word| text.eq_ignore_ascii_case(word));
    if plain {
        text.to_owned()
    } else {
        Value::from(text).to_string()
    }
}
