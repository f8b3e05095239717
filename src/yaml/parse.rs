//! Reading a text: the settings of the parser, its limits, and the second try for brackets.
//!
//! With `build.rs`, which takes the events, the only place that drives `granit-parser`.

use granit_parser::{ErrorKind, Parser, ScanError};

use super::Strictness;
use super::build::{Builder, MAX_DEPTH};
use super::fault::Fault;
use super::source::Source;
use super::tree::Node;

/// Characters that a key may have, with its quotes.
const MAX_KEY: usize = 1 << 16;

/// Reads a text that holds one document. `None` when it holds nothing but white space and comments.
///
/// A byte order mark in front is no part of the text, but counts for offsets. A document that
/// says nothing after its `---` is a null, not `None`.
pub fn parse(text: &str, strictness: Strictness) -> Result<Option<Node>, Fault> {
    let source = Source::new(text)?;
    match strictness {
        Strictness::Lenient => read(source, Rules::Lenient).map_err(|stop| stop.fault),
        Strictness::Strict => read(source, Rules::Strict)
            .or_else(|stop| match stop.at_closing_bracket {
                true => read(source, Rules::Measured),
                false => Err(stop),
            })
            .map_err(|stop| stop.fault),
    }
}

/// Who sees to the indentation between brackets and quotes: the parser, nobody, or we.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    Strict,
    Lenient,
    Measured,
}

struct Stop {
    fault: Fault,
    at_closing_bracket: bool,
}

fn read(source: Source<'_>, rules: Rules) -> Result<Option<Node>, Stop> {
    let options = granit_parser::options! {
        strict_indentation: rules == Rules::Strict,
        // Our message names the alias.
        emit_unresolved_aliases: true,
        emit_comments: false,
        // JSON has no limit on its keys; that of YAML is meant for parsers that look ahead.
        simple_key_max_lookahead: MAX_KEY,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut builder = Builder::new(source, rules == Rules::Measured);
    for step in Parser::new_from_str_with_options(source.text(), options) {
        let (event, span) = step.map_err(|error| Stop {
            fault: builder.situation().fault(&error),
            at_closing_bracket: is_closing_bracket(&error, source),
        })?;
        builder.take(event, span).map_err(|fault| Stop {
            fault,
            at_closing_bracket: false,
        })?;
    }
    Ok(builder.finish())
}

fn is_closing_bracket(error: &ScanError, source: Source<'_>) -> bool {
    let offset = source.mark_of(error.marker()).offset;
    *error.kind() == ErrorKind::InvalidIndentation && source.from(offset).starts_with([']', '}'])
}
