//! How deep the lines between brackets and quotes must stand.
//!
//! The parser has two settings. The strict one refuses a closing bracket right below the key of
//! its collection, which is how everybody writes a JSON schema into a workflow and what other
//! readers accept; the lenient one accepts any depth, so that a bracket or a quote that was never
//! closed swallows the keys below it. This is the measure in between, put to what the lenient one
//! lets pass.

use super::fault::Fault;
use super::sentences::{unclosed_bracket, unclosed_quote};
use super::source::Source;
use super::tree::{Mark, Span};

/// The column of the block that something stands in; 0 at the root.
pub(super) type Floor = usize;

/// Something that begins a line between brackets: it must stand deeper than the block.
pub(super) fn check_item(
    floor: Floor,
    start: Mark,
    bracket: Option<Mark>,
    source: Source<'_>,
) -> Result<(), Fault> {
    check(start.column > floor, start, bracket, source)
}

/// A closing bracket that begins a line: it may stand as deep as the block.
pub(super) fn check_closing(
    floor: Floor,
    start: Mark,
    bracket: Option<Mark>,
    source: Source<'_>,
) -> Result<(), Fault> {
    check(start.column >= floor, start, bracket, source)
}

fn check(
    deep_enough: bool,
    start: Mark,
    bracket: Option<Mark>,
    source: Source<'_>,
) -> Result<(), Fault> {
    let open =
        bracket.and_then(|bracket| Some((bracket, source.from(bracket.offset).chars().next()?)));
    match open {
        Some((bracket, open)) if !deep_enough => Err(unclosed_bracket(open, bracket, start)),
        _ => Ok(()),
    }
}

/// Quoted text of several lines: all but the first, and those that are blank, must stand deeper
/// than the block.
pub(super) fn check_quoted(floor: Floor, span: Span, source: Source<'_>) -> Result<(), Fault> {
    let text = source.between(span.start.offset, span.end.offset);
    let mut offset = span.start.offset;
    for (number, line) in text.split_inclusive(['\n', '\r']).enumerate() {
        let content = line.trim_start_matches(' ');
        let deep_enough = line.len() - content.len() >= floor;
        if number > 0 && !deep_enough && !content.trim().is_empty() {
            return Err(unclosed_quote(span.start, source.mark(offset)));
        }
        offset += line.len();
    }
    Ok(())
}
