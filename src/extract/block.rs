//! Which part of an answer is its block, and which part its body.

use std::ops::Range;

use crate::yaml::{self, Node, Strictness};

use super::text::{Fence, Kind, Lines, holds_key, object_end, opens_object};

/// Code blocks and JSON objects that are tried where nothing stands between lines of dashes.
const MOST_TRIED: usize = 20;

/// A block that was found.
pub(super) struct Block<'t> {
    /// Its bytes, without the lines around it.
    pub source: Range<usize>,
    /// The line that opens it, from 0.
    pub opener: usize,
    after: After<'t>,
}

/// Where a block's body begins.
enum After<'t> {
    /// On this line. Where the block was the first thing in a code block, that code block's last
    /// line is no part of the body.
    Line(usize, Option<Code<'t>>),
    /// At this byte, behind an object of JSON.
    Byte(usize),
}

/// Why there is no block.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoBlock {
    /// Nothing looks like one.
    Nowhere,
    /// One opens on this line, from 0, and does not close.
    Open(Opening),
}

/// The way a block begins that has no end, with its line from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    Dashes(usize),
    Code(usize),
    Object(usize),
}

/// What was read of a block: nothing when it is blank.
pub(super) type Read = Result<Option<Node>, yaml::Fault>;

/// The block of an answer, read.
///
/// If the first line that is not blank opens a block, that one counts, whatever is wrong with it.
/// Otherwise the first between two lines of dashes that is a mapping; if none is, the first of them
/// that gives a key, for its errors. Only where there is none of those either, a code block or a
/// JSON object further down counts, when it names one of the role's fields.
pub(super) fn find<'t>(
    lines: &Lines<'t>,
    is_field: &dyn Fn(&str) -> bool,
) -> Result<(Block<'t>, Read), NoBlock> {
    let Some(first) = lines.first_written(0..lines.count()) else {
        return Err(NoBlock::Nowhere);
    };
    if let Some(block) = opened_at(lines, first) {
        return block.map(|block| read(lines, block)).map_err(NoBlock::Open);
    }
    let mut tried = Tried::default();
    for opener in first..lines.count() {
        if let Some(found) = tried.line(lines, opener) {
            return Ok(found);
        }
    }
    if let Some(failed) = tried.failed {
        return failed;
    }
    let named = |(_, read): &(Block<'_>, Read)| match read {
        Ok(Some(node)) => keys(node).any(is_field),
        _ => false,
    };
    (first..lines.count())
        .filter(|line| lines.kind(*line) != Kind::Dashes)
        .filter_map(|line| opened_at(lines, line))
        .take(MOST_TRIED)
        .filter_map(Result::ok)
        .map(|block| read(lines, block))
        .find(named)
        .ok_or(NoBlock::Nowhere)
}

/// The blocks between dashes further down that were looked at.
#[derive(Default)]
struct Tried<'t> {
    /// The code block that the lines stand in.
    code: Option<Code<'t>>,
    /// Whether nothing was written in it so far.
    at_its_start: bool,
    /// The first block that gives a key and is no mapping.
    failed: Option<Result<(Block<'t>, Read), NoBlock>>,
}

impl<'t> Tried<'t> {
    /// Looks at one more line; a block that is a mapping ends the search.
    fn line(&mut self, lines: &Lines<'t>, line: usize) -> Option<(Block<'t>, Read)> {
        let kind = lines.kind(line);
        if kind == Kind::Blank {
            return None;
        }
        let found = (kind == Kind::Dashes).then(|| {
            let around = self.code.filter(|_| self.at_its_start);
            self.block(lines, line, around)
        });
        self.at_its_start = false;
        if let Kind::Fence(fence) = kind {
            match self.code {
                Some(code) if fence.closes(code.fence) => self.code = None,
                Some(_) => {}
                None => {
                    self.code = Some(Code { line, fence });
                    self.at_its_start = true;
                }
            }
        }
        found.flatten()
    }

    fn block(
        &mut self,
        lines: &Lines<'t>,
        opener: usize,
        around: Option<Code<'t>>,
    ) -> Option<(Block<'t>, Read)> {
        match delimited(lines, opener, around) {
            Ok(block) => {
                let (block, read) = read(lines, block);
                if matches!(&read, Ok(Some(node)) if is_mapping(node)) {
                    return Some((block, read));
                }
                if self.failed.is_none() && holds_key(&lines.text[block.source.clone()]) {
                    self.failed = Some(Ok((block, read)));
                }
            }
            Err(opening) => {
                if self.failed.is_none() && holds_key(rest(lines, opener + 1)) {
                    self.failed = Some(Err(NoBlock::Open(opening)));
                }
            }
        }
        None
    }
}

/// A code block, by the line that opens it.
#[derive(Clone, Copy)]
struct Code<'t> {
    line: usize,
    fence: Fence<'t>,
}

impl Code<'_> {
    fn ends_at(self, lines: &Lines<'_>, line: usize) -> bool {
        matches!(lines.kind(line), Kind::Fence(fence) if fence.closes(self.fence))
    }
}

fn read<'t>(lines: &Lines<'t>, block: Block<'t>) -> (Block<'t>, Read) {
    let read = yaml::parse(&lines.text[block.source.clone()], Strictness::Lenient);
    (block, read)
}

pub(super) fn is_mapping(node: &Node) -> bool {
    matches!(node.kind, yaml::Kind::Mapping(_))
}

fn keys(node: &Node) -> impl Iterator<Item = &str> {
    let entries = match &node.kind {
        yaml::Kind::Mapping(entries) => entries.as_slice(),
        _ => &[],
    };
    entries.iter().map(|entry| entry.key.as_str())
}

/// The block that a line opens; nothing when it opens none.
fn opened_at<'t>(lines: &Lines<'t>, line: usize) -> Option<Result<Block<'t>, Opening>> {
    match lines.kind(line) {
        Kind::Dashes => Some(delimited(lines, line, None)),
        Kind::Fence(fence) => {
            let code = Code { line, fence };
            let inside = lines.first_written(line + 1..lines.count())?;
            if lines.kind(inside) == Kind::Dashes {
                return Some(delimited(lines, inside, Some(code)));
            }
            let data = fence.holds_data() || opens_object(rest(lines, inside));
            data.then(|| fenced(lines, code, line + 1))
        }
        Kind::Other if opens_object(rest(lines, line)) => Some(object(lines, line)),
        _ => None,
    }
}

/// The text from a line on.
fn rest<'t>(lines: &Lines<'t>, line: usize) -> &'t str {
    &lines.text[lines.range(line..lines.count())]
}

/// A block that opens with dashes, perhaps as the first thing in a code block.
fn delimited<'t>(
    lines: &Lines<'t>,
    opener: usize,
    around: Option<Code<'t>>,
) -> Result<Block<'t>, Opening> {
    for line in opener + 1..lines.count() {
        let closes = match (lines.kind(line), around) {
            (Kind::Dashes | Kind::Dots, _) => true,
            // The end of a code block of YAML is the end of what it holds.
            (Kind::Fence(fence), Some(code))
                if code.fence.holds_data() && fence.closes(code.fence) =>
            {
                return fenced(lines, code, opener + 1);
            }
            _ => false,
        };
        if closes {
            return Ok(Block {
                source: lines.range(opener + 1..line),
                opener,
                after: After::Line(line + 1, around),
            });
        }
    }
    Err(Opening::Dashes(opener))
}

/// A block that is the rest of a code block, from a line on.
fn fenced<'t>(lines: &Lines<'t>, code: Code<'t>, from: usize) -> Result<Block<'t>, Opening> {
    let end = (from..lines.count())
        .find(|line| code.ends_at(lines, *line))
        .ok_or(Opening::Code(code.line))?;
    Ok(Block {
        source: lines.range(from..end),
        opener: code.line,
        after: After::Line(end + 1, None),
    })
}

/// A block that is an object of JSON.
fn object<'t>(lines: &Lines<'t>, line: usize) -> Result<Block<'t>, Opening> {
    let start = lines.range(line..line).start;
    let length = object_end(&lines.text[start..]).ok_or(Opening::Object(line))?;
    Ok(Block {
        source: start..start + length,
        opener: line,
        after: After::Byte(start + length),
    })
}

impl Block<'_> {
    /// What stands below the block, without the blank lines before it.
    pub fn body(&self, lines: &Lines<'_>) -> String {
        let body = match self.after {
            After::Line(line, Some(code)) => return without_end_of(lines, code, line),
            After::Line(line, None) => rest(lines, line),
            After::Byte(end) => &lines.text[end..],
        };
        without_blank_lines(body).to_owned()
    }

    /// A second document of the same kind that follows the block at once, by its line from 0.
    pub fn second_document(&self, lines: &Lines<'_>) -> Option<usize> {
        match self.after {
            After::Line(from, _) => {
                let opener = lines.first_written(from..lines.count())?;
                if lines.kind(opener) != Kind::Dashes {
                    return None;
                }
                let (_, read) = read(lines, delimited(lines, opener, None).ok()?);
                is_mapping(&read.ok()??).then_some(opener)
            }
            After::Byte(end) => {
                let after = lines.text[end..].trim_start();
                let start = lines.text.len() - after.len();
                opens_object(after).then(|| lines.line_at(start))
            }
        }
    }
}

/// The text after a block that stood in a code block, without the line that closes the latter.
///
/// That line is the next that is written, or else the one that no code block within the text
/// accounts for.
fn without_end_of(lines: &Lines<'_>, code: Code<'_>, from: usize) -> String {
    let next = lines.first_written(from..lines.count());
    if let Some(next) = next.filter(|next| code.ends_at(lines, *next)) {
        return without_blank_lines(rest(lines, next + 1)).to_owned();
    }
    let mut open: Option<(usize, Fence<'_>)> = None;
    for line in from..lines.count() {
        if let Kind::Fence(fence) = lines.kind(line) {
            open = match open {
                None => Some((line, fence)),
                Some((_, opener)) if fence.closes(opener) => None,
                inside => inside,
            };
        }
    }
    let (before, after) = match open {
        Some((line, _)) if code.ends_at(lines, line) => (from..line, rest(lines, line + 1)),
        _ => (from..lines.count(), ""),
    };
    let text = lines.text[lines.range(before)].to_owned() + after;
    without_blank_lines(&text).to_owned()
}

/// A text without the blank lines it begins with.
fn without_blank_lines(text: &str) -> &str {
    let written = text.trim_start();
    if written.is_empty() {
        return written;
    }
    let blank = &text[..text.len() - written.len()];
    &text[blank.rfind('\n').map_or(0, |end| end + 1)..]
}
