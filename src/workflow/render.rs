//! Findings as text for a person: the place, the line itself, a caret under it, what to do.
//!
//! The drawing is `annotate-snippets`'. Ours is what it is given: one line of the file for each
//! place, never more of it than can be looked at, and nothing in it that steers a terminal.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::diagnostic::{Diagnostic, Report, Severity};
use crate::wording::{harmless, is_harmful};
use crate::yaml::{Mark, Span};

/// Columns a line may take; what is left of a longer one is around the caret.
const WIDTH: usize = 100;

/// Bytes up to which a line is handed over whole. The drawing looks at every character it is
/// given: a file that is one line of 10 MB would take seconds for each finding.
const WHOLE_LINE: usize = 2_000;

/// Bytes on either side of a place that are handed over of a longer line.
const AROUND: usize = 400;

/// Findings that are drawn; of more than these only the number is told.
const SHOWN: usize = 100;

impl Report {
    /// All findings, without colours, each after an empty line; empty when there are none.
    pub fn render(&self) -> String {
        let path = harmless(&self.path.display().to_string());
        let mut drawn: Vec<_> = self
            .most_important()
            .into_iter()
            .map(|found| draw(found, &path, &self.text))
            .collect();
        let rest = self.diagnostics.len() - drawn.len();
        if rest > 0 {
            drawn.push(format!("note: {rest} more findings are not shown"));
        }
        drawn.join("\n\n")
    }

    /// As many findings as are shown, in the order of the text, errors rather than warnings.
    fn most_important(&self) -> Vec<&Diagnostic> {
        let mut chosen: Vec<_> = self.diagnostics.iter().collect();
        chosen.sort_by_key(|found| found.severity());
        chosen.truncate(SHOWN);
        chosen.sort_by_key(|found| (found.span.start, found.severity()));
        chosen
    }
}

fn draw(found: &Diagnostic, path: &str, text: &str) -> String {
    let level = match found.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .clone()
        .primary_title(harmless(&found.message))
        .id(found.code.as_str());
    let related = found
        .related
        .as_ref()
        .map(|(span, label)| (*span, harmless(label)));
    let together = related
        .as_ref()
        .and_then(|(span, _)| Excerpt::of_both(text, found.span, *span));
    let excerpt = together.unwrap_or_else(|| Excerpt::of(text, found.span));

    let mut annotation = AnnotationKind::Primary.span(excerpt.place.clone());
    if let Some(label) = &found.label {
        annotation = annotation.label(harmless(label));
    }
    let mut snippet = excerpt.snippet().annotation(annotation);
    let mut apart = None;
    match (related, &excerpt.second) {
        (Some((_, label)), Some(second)) => {
            snippet = snippet.annotation(AnnotationKind::Context.span(second.clone()).label(label));
        }
        (related, _) => apart = related,
    }

    let mut groups = Vec::new();
    let mut group = if excerpt.is_cut {
        // The column cannot be counted in a piece of the line: the place is told before it.
        let origin = Origin::path(path)
            .line(found.span.start.line)
            .char_column(found.span.start.column);
        groups.push(title.element(origin));
        Group::with_level(level).element(snippet)
    } else {
        title.element(snippet.path(path))
    };
    if let Some((span, label)) = apart {
        group = Excerpt::of(text, span).add_to(group, path, span, label);
    }
    if let Some(help) = &found.help {
        let lines: Vec<_> = help.lines().map(harmless).collect();
        group = group.element(Level::HELP.message(lines.join("\n")));
    }
    groups.push(group);
    Renderer::plain().term_width(WIDTH).render(&groups)
}

/// Lines of the file, or what is around a place in a long one.
struct Excerpt {
    /// The number of the first line.
    line: usize,
    text: String,
    /// The place in `text`.
    place: Range<usize>,
    /// The place of a second finding in `text`.
    second: Option<Range<usize>>,
    is_cut: bool,
}

impl Excerpt {
    /// The line of a place.
    fn of(text: &str, span: Span) -> Self {
        let (line, place) = locate(text, span);
        let is_cut = line.len() > WHOLE_LINE;
        let shown = if is_cut {
            let from = text.ceil_char_boundary(place.start.saturating_sub(AROUND));
            let to = text.floor_char_boundary(place.start + AROUND);
            from.max(line.start)..to.min(line.end)
        } else {
            line
        };
        Self {
            line: span.start.line,
            place: place.start - shown.start..place.end.min(shown.end) - shown.start,
            text: as_long_but_harmless(&text[shown]),
            second: None,
            is_cut,
        }
    }

    /// Two places in one picture, when they are near each other and no line must be shortened.
    fn of_both(text: &str, span: Span, related: Span) -> Option<Self> {
        let (line, place) = locate(text, span);
        let (other_line, other_place) = locate(text, related);
        let shown = line.start.min(other_line.start)..line.end.max(other_line.end);
        let fits = shown.len() <= WHOLE_LINE && line.len().max(other_line.len()) <= WIDTH;
        let text = text.get(shown.clone()).filter(|_| fits)?;
        // The drawing counts lines by line feeds alone.
        if text.replace("\r\n", "\n").contains('\r') {
            return None;
        }
        let within = |place: Range<usize>| place.start - shown.start..place.end - shown.start;
        Some(Self {
            line: span.start.line.min(related.start.line),
            text: as_long_but_harmless(text),
            place: within(place),
            second: Some(within(other_place)),
            is_cut: false,
        })
    }

    fn snippet<'a, T: Clone>(&self) -> Snippet<'a, T> {
        Snippet::source(self.text.clone()).line_start(self.line)
    }

    /// A second picture in the same finding; in a line too long to count columns in, only words.
    fn add_to<'a>(&self, group: Group<'a>, path: &'a str, span: Span, label: String) -> Group<'a> {
        if self.is_cut {
            let Mark { line, column, .. } = span.start;
            let place = format!("{label}: {path}:{line}:{column}");
            return group.element(Level::NOTE.message(place));
        }
        let annotation = AnnotationKind::Context.span(self.place.clone());
        group.element(
            self.snippet()
                .path(path)
                .annotation(annotation.label(label)),
        )
    }
}

/// The line in which a place begins, and as much of the place as is in that line; in bytes.
fn locate(text: &str, span: Span) -> (Range<usize>, Range<usize>) {
    let start = text.floor_char_boundary(span.start.offset);
    let end = text.floor_char_boundary(span.end.offset);
    let line = line_around(text, start);
    let start = start.clamp(line.start, line.end);
    let end = end.clamp(start, line.end);
    (line, start..end)
}

/// Where the line begins and ends that a byte is in, without its line break and byte order mark.
fn line_around(text: &str, at: usize) -> Range<usize> {
    let breaks = ['\n', '\r'];
    let start = text[..at].rfind(breaks).map_or(0, |found| found + 1);
    let start = if start == 0 && text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        start
    };
    let from = at.max(start);
    let end = text[from..]
        .find(breaks)
        .map_or(text.len(), |found| from + found);
    start..end
}

/// The same text with a stand-in of the same length for each character that is not to reach a
/// terminal, so that places in it stay what they are. Those of one byte are left to the drawing,
/// which has a picture for each.
fn as_long_but_harmless(text: &str) -> String {
    text.chars()
        .map(|character| match character.len_utf8() {
            2 if is_harmful(character) => '¿',
            3 if is_harmful(character) => char::REPLACEMENT_CHARACTER,
            _ => character,
        })
        .collect()
}
