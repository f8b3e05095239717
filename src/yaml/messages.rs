//! What is wrong, in our own words: a fault for each error of the parser.
//!
//! The parser reports where it noticed. Where that is not where the reader has to look, the place
//! is moved, or a second one is named.

use granit_parser::{ErrorKind, ScanError};

use super::fault::Fault;
use super::quotes;
use super::sentences::{
    AFTER_VALUE, cannot_begin, fixed, tab, too_deep, unclosed_bracket, unclosed_quote,
};
use super::source::Source;
use super::tree::Mark;
use crate::wording::quoted;

/// What had been read when an error came.
#[derive(Clone, Copy)]
pub(super) struct Situation<'text> {
    pub source: Source<'text>,
    /// The offset after what was read last.
    pub read_until: usize,
    /// The innermost bracket that is open.
    pub bracket: Option<Mark>,
    /// Whether a document has begun.
    pub begun: bool,
}

impl Situation<'_> {
    /// The fault for an error of the parser.
    pub fn fault(self, error: &ScanError) -> Fault {
        let mark = self.source.mark_of(error.marker());
        self.of_quotes(error.kind(), mark)
            .or_else(|| self.of_tabs(error.kind(), mark))
            .or_else(|| self.of_brackets(error.kind(), mark))
            .or_else(|| self.of_characters(error.kind(), mark))
            .unwrap_or_else(|| Fault::new(mark, self.sentence(error.kind(), mark)))
    }

    fn of_quotes(self, kind: &ErrorKind, mark: Mark) -> Option<Fault> {
        let quoted = || quotes::last_quoted(self.source, self.read_until, mark.offset);
        let trailing = |message| {
            let fault = Fault::new(mark, message);
            match quoted().map(|quoted| self.source.mark(quoted.opening)) {
                Some(opening) if opening.line < mark.line => {
                    fault.with_related("the quote opens here", opening)
                }
                _ => fault,
            }
        };
        match kind {
            ErrorKind::UnclosedQuotedScalar => {
                Some(Fault::new(mark, "the quote that opens here is not closed"))
            }
            ErrorKind::DocumentIndicatorInQuotedScalar => Some(Fault::new(
                mark,
                "the quote that opens here is not closed before the document ends",
            )),
            ErrorKind::InvalidQuotedScalarIndent | ErrorKind::InvalidIndentation => {
                let quoted = quoted().filter(|quoted| !quoted.closed)?;
                Some(unclosed_quote(self.source.mark(quoted.opening), mark))
            }
            ErrorKind::InvalidTrailingDoubleQuotedScalar => Some(trailing(
                "text follows the closing quote; inside double quotes a `\"` is written `\\\"`",
            )),
            ErrorKind::InvalidTrailingSingleQuotedScalar => Some(trailing(
                "text follows the closing quote; inside single quotes a `'` is written `''`",
            )),
            ErrorKind::UnknownQuotedScalarEscape
            | ErrorKind::InvalidQuotedScalarHexEscape
            | ErrorKind::InvalidLowSurrogateHexEscape => Some(self.of_escape(mark)),
            ErrorKind::InvalidLowSurrogate
            | ErrorKind::MissingLowSurrogate
            | ErrorKind::UnpairedLowSurrogate
            | ErrorKind::InvalidUnicodeEscape => Some(Fault::new(
                mark,
                "an escape in the text that is quoted here stands for no character",
            )),
            _ => None,
        }
    }

    fn of_escape(self, opening: Mark) -> Fault {
        match quotes::bad_escape(self.source, opening.offset) {
            Some((offset, escape)) => Fault::new(
                self.source.mark(offset),
                format!(
                    "{} is no escape; between double quotes a backslash is written `\\\\`",
                    quoted(escape)
                ),
            ),
            None => Fault::new(
                opening,
                "an escape in the text that is quoted here is unknown",
            ),
        }
    }

    /// A tab in the indentation: the parser reports it behind, or at the scalar before, or as
    /// something else altogether.
    fn of_tabs(self, kind: &ErrorKind, mark: Mark) -> Option<Fault> {
        let offset = match kind {
            ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabAtBlockScalarStart
            | ErrorKind::TabInPlainScalar
            | ErrorKind::InvalidBlockEntryWhitespace => {
                self.tab_from(mark.offset).unwrap_or(mark.offset)
            }
            // Between brackets a tab may indent, as in JSON.
            _ if self.bracket.is_some() => return None,
            _ => {
                let start = self.source.line_start(mark.offset);
                let before = self.source.line_before(mark.offset);
                let indentation = before.trim_end_matches('-');
                let blank = indentation.trim_start_matches([' ', '\t']).is_empty();
                start + indentation.find('\t').filter(|_| blank)?
            }
        };
        Some(tab(self.source.mark(offset)))
    }

    /// The first tab in the indentation of the line of an offset, or of a line below it that is
    /// not blank.
    fn tab_from(self, offset: usize) -> Option<usize> {
        let mut start = self.source.line_start(offset);
        for line in self.source.from(start).split_inclusive(['\n', '\r']) {
            let content = line.trim_start_matches([' ', '\t', '-']);
            let indentation = &line[..line.len() - content.len()];
            if let Some(at) = indentation.find('\t')
                && !content.trim().is_empty()
            {
                return Some(start + at);
            }
            start += line.len();
        }
        None
    }

    fn of_brackets(self, kind: &ErrorKind, mark: Mark) -> Option<Fault> {
        match kind {
            ErrorKind::UnclosedFlowCollection { open } => Some(Fault::new(
                mark,
                format!("the `{open}` that opens here is not closed"),
            )),
            ErrorKind::MismatchedFlowCollectionEnd { open, close } => Some(Fault::new(
                mark,
                format!("the `{open}` that opens here is closed by a `{close}`"),
            )),
            ErrorKind::InvalidIndentation | ErrorKind::InvalidColonPlacement => {
                let bracket = self.bracket.filter(|bracket| bracket.line < mark.line)?;
                Some(unclosed_bracket(self.character(bracket)?, bracket, mark))
            }
            _ => None,
        }
    }

    fn of_characters(self, kind: &ErrorKind, mark: Mark) -> Option<Fault> {
        let ErrorKind::UnexpectedCharacter { character } = kind else {
            return None;
        };
        if matches!(character, '@' | '`' | '%' | '|' | '>') {
            return Some(Fault::new(mark, cannot_begin(*character)));
        }
        // Reported where the scalar began that holds it.
        let at = self.source.from(mark.offset).find(*character)?;
        Some(self.source.control_character(mark.offset + at))
    }

    fn character(self, mark: Mark) -> Option<char> {
        self.source.from(mark.offset).chars().next()
    }

    fn sentence(self, kind: &ErrorKind, mark: Mark) -> String {
        let line = self.source.from(self.source.line_start(mark.offset));
        let line = line.trim_start_matches([' ', '\t']);
        let before = self.source.line_before(mark.offset);
        let opens_line = before.trim_matches([' ', '-']).is_empty();
        match kind {
            ErrorKind::MappingValueNotAllowed => self.colon(mark, before).to_owned(),
            ErrorKind::ExpectedFlowMappingSeparator | ErrorKind::ExpectedFlowSequenceSeparator
                if self.character(mark) == Some(':') =>
            {
                self.colon_in_brackets(mark, before).to_owned()
            }
            ErrorKind::ExpectedBlockMappingKey if !opens_line => AFTER_VALUE.to_owned(),
            ErrorKind::ExpectedBlockMappingKey if line.starts_with("- ") => {
                "a list item stands where a key belongs; check the indentation".to_owned()
            }
            ErrorKind::ExpectedBlockSequenceEntry if !opens_line => AFTER_VALUE.to_owned(),
            ErrorKind::ExpectedDocumentStart if !self.begun => {
                "a `---` is missing between the directives and the document".to_owned()
            }
            ErrorKind::ExpectedDocumentStart if !opens_line => AFTER_VALUE.to_owned(),
            ErrorKind::SimpleKeyExpected if line.starts_with('-') => {
                "a list item begins with `-` and a space".to_owned()
            }
            ErrorKind::ExpectedNodeContent
            | ErrorKind::UnexpectedEof
            | ErrorKind::UnexpectedEofFlowSequence
            | ErrorKind::UnexpectedEofFlowMapping
            | ErrorKind::UnexpectedEofImplicitFlowMapping
            | ErrorKind::UnexpectedEofBlockSequence
            | ErrorKind::UnexpectedEofBlockMapping
            | ErrorKind::UnexpectedEndOfPlainScalar => match self.character(mark) {
                Some(',') if before.trim_end().ends_with([',', '[', '{']) => {
                    "a value is missing before this `,`".to_owned()
                }
                Some(character) if !character.is_whitespace() => cannot_begin(character),
                _ => "a value is missing here".to_owned(),
            },
            ErrorKind::MisplacedFlowCollectionEnd => match self.character(mark) {
                Some(close) => {
                    format!("this `{close}` closes nothing; put the value in quotes if it is text")
                }
                None => "this bracket closes nothing".to_owned(),
            },
            ErrorKind::RecursionLimitExceeded => too_deep(mark).message,
            other => fixed(other).map_or_else(
                || format!("this cannot be read as YAML: {other}"),
                str::to_owned,
            ),
        }
    }

    fn colon(self, mark: Mark, before: &str) -> &'static str {
        if !before.contains(": ") && !before.contains(":\t") {
            return "a key cannot stand here, inside the value that began above; check the indentation and the line above, or put the value in quotes";
        }
        let after = self.source.from(mark.offset + 1);
        if after.starts_with([' ', '\t']) {
            "a colon followed by a space ends the value here; put the value in quotes"
        } else {
            "a colon at the end of the line ends the value here; put the value in quotes"
        }
    }

    /// Between brackets a colon is one too many in its value, or belongs to the next key.
    fn colon_in_brackets(self, mark: Mark, before: &str) -> &'static str {
        let value = before.trim_end();
        if value.ends_with(['"', '\'']) || !value.contains(": ") {
            "a `,` is missing before this key"
        } else {
            self.colon(mark, before)
        }
    }
}
