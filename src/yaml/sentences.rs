//! Sentences for the reader, and the faults that are made of one.

use granit_parser::ErrorKind;

use super::build::MAX_DEPTH;
use super::fault::Fault;
use super::tree::Mark;
use crate::wording::excerpt;

pub(super) const AFTER_VALUE: &str =
    "this does not belong to the value before it; put the whole value in quotes if it is text";

/// The sentences that need nothing but the kind.
pub(super) fn fixed(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            "this is neither a key with its colon nor part of what stands above; add the colon, or check the indentation"
        }
        ErrorKind::ExpectedBlockMappingKey => {
            "this line is indented like no key above it; check the indentation"
        }
        ErrorKind::ExpectedBlockSequenceEntry => {
            "this line stands among the items of a list and does not begin with `- `; check the indentation"
        }
        ErrorKind::ExpectedDocumentStart => {
            "this line does not belong to what stands above it; check the indentation"
        }
        ErrorKind::InvalidIndentation
        | ErrorKind::InvalidFlowScalarIndent
        | ErrorKind::InvalidQuotedScalarIndent => {
            "this line is not indented deeper than the key it belongs to"
        }
        ErrorKind::InvalidBlockScalarIndent => {
            "this line is not indented like the block of text it belongs to"
        }
        ErrorKind::ExpectedFlowMappingSeparator => "a `,` or the closing `}` is missing here",
        ErrorKind::ExpectedFlowSequenceSeparator => "a `,` or the closing `]` is missing here",
        ErrorKind::InvalidColonPlacement => "this colon and its key must stand on one line",
        ErrorKind::FlowMappingValueAdjacentCollection
        | ErrorKind::InvalidMappingValueWhitespace => "a space is missing after this colon",
        ErrorKind::BlockEntryInFlowCollection => {
            "between brackets the items are separated by `,` and do not begin with `- `"
        }
        ErrorKind::PlainScalarStartsWithDashFlowIndicator => {
            "between brackets a lone `-` is written in quotes"
        }
        ErrorKind::BlockSequenceEntryNotAllowed => {
            "a list cannot begin here; its first `- ` belongs on a line of its own, or the value in quotes"
        }
        ErrorKind::MappingKeyNotAllowed => "a value cannot begin with `? `; put it in quotes",
        ErrorKind::InvalidBlockScalarHeader => {
            "after `|` or `>` the text begins on the next line; put the value in quotes if this is text"
        }
        ErrorKind::ZeroBlockScalarIndent => "the indentation of a block of text is 1 to 9",
        ErrorKind::CommentInterceptedScalar => {
            "a space and `#` begin a comment, and the value goes on below it; put the value in quotes"
        }
        ErrorKind::CommentNotSeparated | ErrorKind::ExpectedWhitespace => "a space is missing here",
        ErrorKind::BomInsideDocument => "a byte order mark cannot stand inside the document",
        ErrorKind::InvalidDocumentEnd => "nothing can follow `...` on its line",
        ErrorKind::MissingAnchorOrAliasName => {
            "`&` and `*` begin a name, and none follows; put the value in quotes if it is text"
        }
        ErrorKind::UndeclaredTagHandle
        | ErrorKind::ExpectedTagBang
        | ErrorKind::InvalidGlobalTagCharacter
        | ErrorKind::InvalidTagTerminator
        | ErrorKind::MissingTagUri
        | ErrorKind::UnclosedVerbatimTag
        | ErrorKind::InvalidTagEscape
        | ErrorKind::InvalidTagUtf8LeadingByte
        | ErrorKind::InvalidTagUtf8TrailingByte
        | ErrorKind::InvalidTagUtf8 => {
            "a `!` begins a tag, and this is none that is known; put the value in quotes if it is text"
        }
        ErrorKind::UnsupportedYamlMajorVersion => "only YAML 1 can be read",
        ErrorKind::DuplicateVersionDirective | ErrorKind::DuplicateTagDirective => {
            "this directive is given twice"
        }
        ErrorKind::MissingDocumentEndBeforeDirective
        | ErrorKind::ExpectedTagDirectiveBang
        | ErrorKind::InvalidDirectiveTerminator
        | ErrorKind::MissingYamlVersionSeparator
        | ErrorKind::MissingDirectiveName
        | ErrorKind::InvalidDirectiveName
        | ErrorKind::DirectiveByteLimitExceeded { .. }
        | ErrorKind::TooManyReservedDirectiveParams { .. }
        | ErrorKind::YamlVersionTooLong
        | ErrorKind::MissingYamlVersion
        | ErrorKind::InvalidTagDirectiveTerminator => {
            "a line that begins with `%` is a directive, and this one is malformed"
        }
        _ => return None,
    })
}

pub(super) fn cannot_begin(character: char) -> String {
    match character {
        '`' => "a value cannot begin with a backtick; put it in quotes".to_owned(),
        other => format!("a value cannot begin with `{other}`; put it in quotes"),
    }
}

pub(super) fn tab(mark: Mark) -> Fault {
    Fault::new(mark, "a tab cannot be used to indent; use spaces")
}

/// A quote that is still open in a line that cannot belong to it.
pub(super) fn unclosed_quote(opening: Mark, line: Mark) -> Fault {
    Fault::new(
        opening,
        "the quote that opens here is not closed before a line that is not indented deeper than its key",
    )
    .with_related("that line is here", line)
}

/// The same for a bracket.
pub(super) fn unclosed_bracket(open: char, opening: Mark, line: Mark) -> Fault {
    Fault::new(
        opening,
        format!(
            "the `{open}` that opens here is not closed before a line that is not indented deeper than its key"
        ),
    )
    .with_related("that line is here", line)
}

pub(super) fn too_deep(mark: Mark) -> Fault {
    Fault::new(
        mark,
        format!("the document is nested more than {MAX_DEPTH} levels deep"),
    )
}

pub(super) fn unknown_alias(name: &str, mark: Mark) -> Fault {
    let name = excerpt(name);
    Fault::new(
        mark,
        format!(
            "`*{name}` is an alias, and no anchor `&{name}` stands before it; put it in quotes if it is text"
        ),
    )
}
