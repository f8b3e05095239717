//! What is wrong, in our own words: the parser's kinds of error as sentences for the reader.

use granit_parser::{ErrorKind, ScanError};

use super::build::{MAX_DEPTH, Source};
use super::fault::{Fault, excerpt};
use super::tree::{Mark, Scalar, Tag};

/// The fault for an error of the parser.
pub(super) fn fault(error: &ScanError, source: Source<'_>) -> Fault {
    let offset = error.marker().byte_offset().unwrap_or_default();
    let mark = source.mark(error.marker());
    match error.kind() {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => tab(source, offset),
        ErrorKind::UnexpectedCharacter { character } => {
            unexpected_character(*character, source, offset)
        }
        ErrorKind::MappingValueNotAllowed => Fault::new(mark, second_colon(source, offset)),
        kind => Fault::new(mark, sentence(kind)),
    }
}

/// A character that no text may hold.
pub(super) fn control_character(source: Source<'_>, offset: usize) -> Fault {
    let code = source.text[offset..].chars().next().map_or(0, u32::from);
    Fault::new(
        source.mark_at(offset),
        format!(
            "the control character U+{code:04X} is not allowed here; in double quotes it is written `\\x{code:02x}`"
        ),
    )
}

pub(super) fn unknown_alias(name: &str, mark: Mark) -> Fault {
    let name = excerpt(name);
    Fault::new(
        mark,
        format!(
            "`*{name}` is an alias, and no anchor `&{name}` stands before it; put the value in quotes if it is text"
        ),
    )
}

pub(super) fn refused_tag(tag: &granit_parser::Tag, mark: Mark) -> Fault {
    let name = excerpt(&tag.original());
    let message = if tag.is_yaml_core_schema() {
        format!("the tag `{name}` does not fit what it stands before")
    } else {
        format!("the tag `{name}` is not known; put the value in quotes if it is text")
    };
    Fault::new(mark, message)
}

pub(super) fn tag_does_not_fit(scalar: &Scalar, mark: Mark) -> Fault {
    let (tag, wanted) = match scalar.tag {
        Some(Tag::Int) => ("!!int", "a whole number"),
        Some(Tag::Float) => ("!!float", "a finite number"),
        Some(Tag::Bool) => ("!!bool", "`true` or `false`"),
        Some(Tag::Null) => ("!!null", "`null`"),
        Some(Tag::Str) | None => ("!!str", "text"),
    };
    let text = excerpt(&scalar.text);
    Fault::new(
        mark,
        format!("`{text}` is not {wanted}, as the tag `{tag}` says"),
    )
}

pub(super) fn too_deep() -> String {
    format!("the document is nested more than {MAX_DEPTH} levels deep")
}

/// The parser reports a tab where the scalar before it began: this finds the tab itself.
fn tab(source: Source<'_>, offset: usize) -> Fault {
    let line_start = source.text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let rest = &source.text[line_start..];
    let mut start = line_start;
    let mut found = None;
    for line in rest.split_inclusive('\n') {
        let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(at) = line[..indentation].find('\t') {
            found = Some(start + at);
            break;
        }
        start += line.len();
    }
    let place = found.or_else(|| source.text[offset..].find('\t').map(|at| offset + at));
    Fault::new(
        source.mark_at(place.unwrap_or(offset)),
        "a tab cannot be used to indent; use spaces",
    )
}

fn unexpected_character(character: char, source: Source<'_>, offset: usize) -> Fault {
    if character.is_control() || !character.is_ascii() {
        let at = source.text[offset..].find(character).unwrap_or_default();
        return control_character(source, offset + at);
    }
    Fault::new(
        source.mark_at(offset),
        format!("a value cannot begin with `{character}`; put it in quotes"),
    )
}

fn second_colon(source: Source<'_>, offset: usize) -> &'static str {
    let line_start = source.text[..offset]
        .rfind(['\n', '\r'])
        .map_or(0, |at| at + 1);
    if source.text[line_start..offset].contains(": ") {
        "a colon followed by a space ends the value here; put the value in quotes"
    } else {
        "a key cannot stand here, inside the value that began above; check the indentation, or put the value in quotes"
    }
}

fn sentence(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::RecursionLimitExceeded => too_deep(),
        ErrorKind::UnclosedQuotedScalar => "the quote that opens here is not closed".to_owned(),
        ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            "text follows the closing quote; inside double quotes a `\"` is written `\\\"`"
                .to_owned()
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar => {
            "text follows the closing quote; inside single quotes a `'` is written `''`".to_owned()
        }
        ErrorKind::UnclosedFlowCollection { open } => {
            format!("the `{open}` that opens here is not closed")
        }
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            format!("`{close}` closes what `{open}` opened")
        }
        ErrorKind::InvalidIndentation
        | ErrorKind::InvalidFlowScalarIndent
        | ErrorKind::InvalidQuotedScalarIndent
        | ErrorKind::InvalidBlockScalarIndent => {
            "this line is not indented deeply enough for what it continues".to_owned()
        }
        ErrorKind::ExpectedBlockMappingKey => {
            "this line is indented like no key above it; align it with its siblings".to_owned()
        }
        ErrorKind::ExpectedBlockSequenceEntry => {
            "this line stands among the items of a list, and does not begin with `- `".to_owned()
        }
        other => other.to_string(),
    }
}
