//! An answer as lines: line ends made plain, the kind of each line, places in it.

use std::ops::Range;

/// The text of an answer without a byte order mark and with `\n` wherever it had `\r\n`.
///
/// A carriage return that stands alone is no line end: it stays where it is.
pub(super) fn plain(answer: &str) -> String {
    let answer = answer.strip_prefix('\u{feff}').unwrap_or(answer);
    if !answer.contains("\r\n") {
        return answer.to_owned();
    }
    let lines: Vec<_> = answer
        .split('\n')
        .map(|line| line.trim_end_matches('\r'))
        .collect();
    lines.join("\n")
}

/// What a line may be for the search of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    Blank,
    /// `---`, which opens and closes a block.
    Dashes,
    /// `...`, which closes one.
    Dots,
    /// Three or more backticks or tildes.
    Fence(Fence<'t>),
    Other,
}

/// The line that opens or closes a code block of Markdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fence<'t> {
    mark: u8,
    length: usize,
    /// What stands behind the marks.
    info: &'t str,
}

impl Fence<'_> {
    /// Whether this line closes the code block that the other opened.
    pub fn closes(self, opener: Fence<'_>) -> bool {
        self.info.is_empty() && self.mark == opener.mark && self.length >= opener.length
    }

    /// Whether the code block says of itself that it holds YAML or JSON.
    pub fn holds_data(self) -> bool {
        ["yaml", "yml", "json"]
            .iter()
            .any(|language| self.info.eq_ignore_ascii_case(language))
    }
}

/// The lines of a text.
pub(super) struct Lines<'t> {
    pub text: &'t str,
    /// Where each line starts, and the end of the text.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn of(text: &'t str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        if starts.last() != Some(&text.len()) {
            starts.push(text.len());
        }
        Self { text, starts }
    }

    pub fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The text of a line, without its end.
    pub fn line(&self, index: usize) -> &'t str {
        let line = &self.text[self.starts[index]..self.starts[index + 1]];
        line.strip_suffix('\n').unwrap_or(line)
    }

    pub fn kind(&self, index: usize) -> Kind<'t> {
        let line = self.line(index).trim_end();
        match line {
            "" => return Kind::Blank,
            "---" => return Kind::Dashes,
            "..." => return Kind::Dots,
            _ => {}
        }
        let mark = line.as_bytes()[0];
        let length = line.bytes().take_while(|byte| *byte == mark).count();
        if !matches!(mark, b'`' | b'~') || length < 3 {
            return Kind::Other;
        }
        let info = line[length..].trim();
        // `` ```x``` `` is code within a line.
        if mark == b'`' && info.contains('`') {
            return Kind::Other;
        }
        Kind::Fence(Fence { mark, length, info })
    }

    /// The bytes of some lines.
    pub fn range(&self, lines: Range<usize>) -> Range<usize> {
        self.starts[lines.start]..self.starts[lines.end]
    }

    /// The line that holds a byte.
    pub fn line_at(&self, offset: usize) -> usize {
        let after = self.starts.partition_point(|start| *start <= offset);
        after.saturating_sub(1).min(self.count().saturating_sub(1))
    }

    /// Line and column of a byte, both from 1, the column in characters.
    pub fn place(&self, offset: usize) -> (usize, usize) {
        let line = self.line_at(offset);
        let before = self.text.get(self.starts[line]..offset).unwrap_or_default();
        (line + 1, before.chars().count() + 1)
    }

    /// The first of these lines that is not blank.
    pub fn first_written(&self, lines: Range<usize>) -> Option<usize> {
        lines
            .into_iter()
            .find(|index| self.kind(*index) != Kind::Blank)
    }
}

/// Whether a text begins with an object of JSON, as far as its first characters tell.
pub(super) fn opens_object(text: &str) -> bool {
    text.strip_prefix('{')
        .is_some_and(|inside| inside.trim_start().starts_with(['"', '}']))
}

/// Where the JSON object that a text begins with ends; none when it does not end.
pub(super) fn object_end(text: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether one of the lines of a text gives a key: `key:`, alone or with a value behind it.
pub(super) fn holds_key(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim();
        let key = line
            .split_once(": ")
            .map_or_else(|| line.strip_suffix(':'), |(key, _)| Some(key));
        key.is_some_and(|key| !key.is_empty() && !key.starts_with('#'))
    })
}
