//! The text that is read, and how a place in it is told.

use granit_parser::Marker;

use super::fault::Fault;
use super::tree::{Mark, Span};

/// Bytes that a text may have.
pub(super) const MAX_BYTES: usize = 64 << 20;

/// A text with the byte order mark in front of it set aside.
///
/// The mark takes no column, but counts for offsets: those are offsets into the text as given.
#[derive(Clone, Copy)]
pub(super) struct Source<'text> {
    whole: &'text str,
    skipped: usize,
}

impl<'text> Source<'text> {
    /// Refuses what the parser would not notice: a text without measure, characters that YAML
    /// has nowhere.
    pub fn new(whole: &'text str) -> Result<Self, Fault> {
        let skipped = whole.len() - whole.trim_start_matches('\u{feff}').len();
        let source = Self {
            whole,
            skipped: skipped.min('\u{feff}'.len_utf8()),
        };
        if whole.len() > MAX_BYTES {
            let message = format!("the text is larger than {} MiB", MAX_BYTES >> 20);
            return Err(Fault::new(source.start(), message));
        }
        let forbidden = |byte: u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
        match whole.bytes().position(forbidden) {
            Some(offset) => Err(source.control_character(offset)),
            None => Ok(source),
        }
    }

    /// Where the text begins.
    pub fn start(self) -> Mark {
        self.mark(self.skipped)
    }

    /// What the parser is given.
    pub fn text(self) -> &'text str {
        self.from(self.skipped)
    }

    /// The text from an offset on.
    pub fn from(self, offset: usize) -> &'text str {
        self.whole.get(offset..).unwrap_or_default()
    }

    /// The text between two offsets.
    pub fn between(self, start: usize, end: usize) -> &'text str {
        self.whole.get(start..end).unwrap_or_default()
    }

    /// The offset at which the line of an offset begins.
    pub fn line_start(self, offset: usize) -> usize {
        self.between(self.skipped, offset)
            .rfind(['\n', '\r'])
            .map_or(self.skipped, |at| self.skipped + at + 1)
    }

    /// What stands before an offset on its line.
    pub fn line_before(self, offset: usize) -> &'text str {
        self.between(self.line_start(offset), offset)
    }

    /// The place of an offset.
    pub fn mark(self, offset: usize) -> Mark {
        let before = self.between(self.skipped, offset);
        let breaks = before.matches(['\n', '\r']).count() - before.matches("\r\n").count();
        Mark {
            line: breaks + 1,
            column: self.line_before(offset).chars().count() + 1,
            offset,
        }
    }

    /// The place that the parser means: it counts columns from 0, and without the byte order mark.
    pub fn mark_of(self, marker: &Marker) -> Mark {
        Mark {
            line: marker.line(),
            column: marker.col() + 1,
            offset: marker.byte_offset().unwrap_or_default() + self.skipped,
        }
    }

    pub fn span_of(self, span: granit_parser::Span) -> Span {
        Span {
            start: self.mark_of(&span.start),
            end: self.mark_of(&span.end),
        }
    }

    /// The fault for a character that cannot be written as it is.
    pub fn control_character(self, offset: usize) -> Fault {
        let code = self.from(offset).chars().next().map_or(0, u32::from);
        let escape = match code {
            0..=0xff => format!("\\x{code:02x}"),
            0x100..=0xffff => format!("\\u{code:04x}"),
            _ => format!("\\U{code:08x}"),
        };
        Fault::new(
            self.mark(offset),
            format!(
                "the control character U+{code:04X} cannot stand in YAML; between double quotes it is written `{escape}`"
            ),
        )
    }
}
