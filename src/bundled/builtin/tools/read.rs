//! `read_file`: lines of a file, as many as a model can take at once.

use super::arguments::Arguments;
use super::lines::{Line, Lines, NoLine};
use super::places::Places;
use super::watch::{Halt, LONGEST, Watch};
use super::{Outcome, Stop};
use crate::wording::counted;

/// The most bytes that are given at once.
pub const MOST: usize = 100_000;

/// The lines that were read, and what has to be said of them.
#[derive(Debug, Default)]
struct Excerpt {
    text: String,
    /// How many.
    lines: u64,
    /// Whether there are more behind them.
    goes_on: bool,
    /// The one that is not there as a whole.
    cut: Option<u64>,
    has_returns: bool,
    /// Bytes that are not UTF-8.
    invalid: usize,
}

pub fn read_file(places: &Places, arguments: &Arguments, watch: &mut Watch<'_>) -> Outcome {
    let (place, file, size) = places.file(arguments.text("path"))?;
    let shown = &place.shown;
    let unreadable = |error| Stop::Told(format!("cannot read {shown}: {error}"));
    let mut lines = Lines::of(file, MOST);
    if lines.are_binary().map_err(unreadable)? {
        return Ok(format!(
            "[{shown} is no text: a binary file of {size} bytes]"
        ));
    }
    let first = arguments.count("offset").unwrap_or(1);
    let limit = arguments.count("limit").unwrap_or(u64::MAX);
    let told = |why| match why {
        NoLine::Unreadable(error) => unreadable(error),
        NoLine::Halt(Halt::Interrupted(signal)) => Stop::Interrupted(signal),
        NoLine::Halt(Halt::Late) => Stop::Told(format!(
            "to read {shown} took more than {} s: it has {size} bytes. Read a part of it with \
             run_command, such as tail -n 100",
            LONGEST.as_secs()
        )),
    };
    let mut line = Line::default();
    for number in 1..first {
        if !lines.next(&mut line, watch).map_err(told)? {
            let lines = counted(number - 1, "line");
            return Err(Stop::Told(format!(
                "{shown} has {lines}: there is no line {first}"
            )));
        }
    }
    let excerpt = excerpt(&mut lines, first, limit, watch).map_err(told)?;
    if excerpt.lines == 0 {
        return Ok(match first {
            1 => format!("[{shown} is empty]"),
            _ => format!("[{shown} ends with line {}]", first - 1),
        });
    }
    let header = header(&excerpt, shown, first, size);
    Ok(header + &excerpt.text)
}

fn excerpt(
    lines: &mut Lines,
    first: u64,
    limit: u64,
    watch: &mut Watch<'_>,
) -> Result<Excerpt, NoLine> {
    let mut excerpt = Excerpt::default();
    let mut line = Line::default();
    while excerpt.lines < limit && excerpt.text.len() < MOST {
        if !lines.next(&mut line, watch)? {
            return Ok(excerpt);
        }
        let room = MOST - excerpt.text.len();
        if line.bytes.len() > room && excerpt.lines > 0 {
            excerpt.goes_on = true;
            return Ok(excerpt);
        }
        if line.is_cut {
            excerpt.cut = Some(first + excerpt.lines);
        }
        excerpt.take(&line);
    }
    excerpt.goes_on = !lines.are_over().map_err(NoLine::Unreadable)?;
    Ok(excerpt)
}

impl Excerpt {
    fn take(&mut self, line: &Line) {
        for chunk in line.bytes.utf8_chunks() {
            self.text.push_str(chunk.valid());
            if !chunk.invalid().is_empty() {
                self.text.push(char::REPLACEMENT_CHARACTER);
                self.invalid += chunk.invalid().len();
            }
        }
        self.text.push('\n');
        self.has_returns |= line.has_return;
        self.lines += 1;
    }
}

/// What is not plain about the text, on a line before it; nothing for a whole plain file.
fn header(excerpt: &Excerpt, shown: &str, first: u64, size: u64) -> String {
    let mut remarks = Vec::new();
    let last = first + excerpt.lines - 1;
    if first > 1 || excerpt.goes_on {
        remarks.push(format!("lines {first} to {last} of a file of {size} bytes"));
    }
    if excerpt.goes_on {
        remarks.push(format!("read on with offset {}", last + 1));
    }
    if let Some(line) = excerpt.cut {
        remarks.push(format!(
            "line {line} is cut after {MOST} bytes: run_command with cut -c shows more of it"
        ));
    }
    if excerpt.has_returns {
        remarks.push("lines end with CRLF in the file".to_owned());
    }
    if excerpt.invalid > 0 {
        let bytes = counted(excerpt.invalid, "byte");
        remarks.push(format!("{bytes} of it not UTF-8, shown as \u{fffd}"));
    }
    match remarks.as_slice() {
        [] => String::new(),
        remarks => format!("[{shown}: {}]\n", remarks.join("; ")),
    }
}
