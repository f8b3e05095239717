//! `edit_file`: one text for another, where it is clear which is meant.

use std::borrow::Cow;
use std::io::Read;

use super::arguments::Arguments;
use super::write::replace;
use super::{Outcome, Stop, Toolbox};
use crate::wording::{listed, quoted};

/// The most bytes a file may have that is edited: it is held in memory.
const MOST_BYTES: u64 = 10_000_000;
/// Places that are counted where one is meant.
const MOST_PLACES: usize = 100;
/// Lines that are compared to find the one that was meant.
const MOST_LINES: usize = 20_000;
/// Characters of a line that are compared.
const LONGEST: usize = 200;
/// How much alike two lines are, from 0 to 1, for one to be meant by the other.
const ALIKE: f64 = 0.6;

pub fn edit_file(toolbox: &Toolbox, arguments: &Arguments) -> Outcome {
    let (old, new) = (arguments.text("old_text"), arguments.text("new_text"));
    let refuse = |why: String| Err(Stop::Told(why));
    if old.is_empty() {
        return refuse("`old_text` is empty: write_file writes a whole file".to_owned());
    }
    if old == new {
        return refuse("`old_text` and `new_text` are the same: nothing would change".to_owned());
    }
    let place = toolbox.places.file_to_write(arguments.text("path"))?;
    let shown = &place.shown;
    let text = text_of(toolbox, arguments.text("path"))?;
    let (old, new) = as_the_file_has_it(&text, old, new);
    let lines = lines_with(&text, &old);
    let count = match lines.as_slice() {
        [] => return refuse(not_found(shown, &text, &old)),
        [_] => 1,
        _ if arguments.flag("replace_all") => text.matches(&*old).count(),
        several => return refuse(ambiguous(shown, several)),
    };
    // Many places times a long text may be more than there is memory.
    let size = (text.len() - count * old.len()) as u64 + count as u64 * new.len() as u64;
    if size > MOST_BYTES {
        return refuse(format!(
            "{shown} would have {size} bytes, and edit_file writes {MOST_BYTES} at most: change it \
             with run_command"
        ));
    }
    replace(toolbox, &place, &text.replace(&*old, &new))?;
    Ok(match count {
        1 => format!("edited {shown}: 1 replacement, at line {}", lines[0]),
        _ => format!("edited {shown}: {count} replacements"),
    })
}

fn text_of(toolbox: &Toolbox, path: &str) -> Result<String, Stop> {
    let (place, file, size) = toolbox.places.file(path)?;
    let shown = place.shown;
    if size > MOST_BYTES {
        return Err(Stop::Told(format!(
            "{shown} has {size} bytes, and edit_file takes {MOST_BYTES} at most: change it with \
             run_command"
        )));
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES)
        .read_to_end(&mut bytes)
        .map_err(|error| Stop::Told(format!("cannot read {shown}: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        Stop::Told(format!(
            "{shown} is not UTF-8 text (byte {place}): change it with run_command"
        ))
    })
}

/// The texts with the line breaks of the file: `read_file` shows CRLF as a plain line break.
fn as_the_file_has_it<'t>(text: &str, old: &'t str, new: &'t str) -> (Cow<'t, str>, Cow<'t, str>) {
    let has_crlf = text.contains("\r\n");
    let is_mixed = has_crlf && text.replace("\r\n", "").contains('\n');
    if !has_crlf || (is_mixed && text.contains(old)) {
        return (old.into(), new.into());
    }
    let with_returns = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
    (with_returns(old).into(), with_returns(new).into())
}

/// The lines at which it begins, counted from 1; the first hundred of them. Places that overlap
/// count each for itself.
fn lines_with(text: &str, old: &str) -> Vec<usize> {
    let step = old.chars().next().map_or(1, char::len_utf8);
    let (mut lines, mut line, mut from, mut counted_to) = (Vec::new(), 1, 0, 0);
    while lines.len() < MOST_PLACES
        && let Some(distance) = text[from..].find(old)
    {
        let at = from + distance;
        line += text[counted_to..at].matches('\n').count();
        lines.push(line);
        (from, counted_to) = (at + step, at);
    }
    lines
}

fn ambiguous(shown: &str, lines: &[usize]) -> String {
    let count = match lines.len() {
        MOST_PLACES => format!("{MOST_PLACES} times or more"),
        count => format!("{count} times"),
    };
    format!(
        "`old_text` stands in {shown} {count}, at the lines {}: add text around it until it \
         stands there once, or set replace_all",
        listed(lines.iter().map(ToString::to_string), "and")
    )
}

fn not_found(shown: &str, text: &str, old: &str) -> String {
    let wanted = old.lines().find(|line| !line.trim().is_empty());
    let nearest = wanted.and_then(|wanted| nearest_line(text, wanted));
    let nearest = match (wanted, nearest) {
        (Some(wanted), Some((number, line))) if line.trim_end() == wanted.trim_end() => format!(
            "line {number} is {}, and what follows there is another text",
            quoted(line)
        ),
        (_, Some((number, line))) if old.lines().count() > 1 => format!(
            "the line most like its first is line {number}, {}",
            quoted(line)
        ),
        (_, Some((number, line))) => {
            format!("the line most like it is line {number}, {}", quoted(line))
        }
        (_, None) => format!("no line is like {}", quoted(wanted.unwrap_or(old))),
    };
    format!(
        "`old_text` is not in {shown}: {nearest}. Read the file again and copy the text exactly, \
         white space included"
    )
}

/// The line that is most like the wanted one, with its number.
fn nearest_line<'t>(text: &'t str, wanted: &str) -> Option<(usize, &'t str)> {
    let beginning = |line: &str| -> String { line.trim().chars().take(LONGEST).collect() };
    let wanted = beginning(wanted);
    text.lines()
        .take(MOST_LINES)
        .enumerate()
        .map(|(position, line)| {
            let alike = strsim::sorensen_dice(&wanted, &beginning(line));
            (alike, position + 1, line)
        })
        .filter(|(alike, ..)| *alike >= ALIKE)
        // Of equally near ones the first.
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, number, line)| (number, line))
}
