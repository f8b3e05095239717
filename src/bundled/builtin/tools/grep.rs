//! `grep`: lines of files that fit a pattern.

use std::path::Path;

use regex::bytes::{Regex, RegexBuilder};

use super::arguments::Arguments;
use super::lines::{Line, Lines, NoLine};
use super::output::{plain, whole};
use super::places::Places;
use super::walk::Walk;
use super::watch::{Halt, LONGEST, Watch};
use super::{Outcome, Stop};
use crate::fsx;
use crate::wording::{counted, quoted};

/// Lines that are given.
const MOST_LINES: usize = 200;
/// Bytes after which no more lines are given.
const MOST_BYTES: usize = 50_000;
/// The beginning of a line that is searched, in bytes.
const LONGEST_LINE: usize = 64 * 1024;
/// The part of a line that is given, in bytes.
const SHOWN: usize = 300;
/// How much of that stands before what was found.
const BEFORE: usize = 100;
/// The size of a pattern as the search uses it, in bytes.
const LARGEST_PATTERN: usize = 1 << 20;

/// A search, and what came of it so far.
struct Search<'a> {
    places: &'a Places,
    pattern: Regex,
    text: String,
    lines: usize,
    files: u64,
    unreadable: usize,
}

/// Why a search ends before its end.
enum Enough {
    /// There are as many lines as a model can take.
    Full,
    Halt(Halt),
}

pub fn grep(places: &Places, arguments: &Arguments, watch: &mut Watch<'_>) -> Outcome {
    let mut search = Search {
        places,
        pattern: pattern(arguments)?,
        text: String::new(),
        lines: 0,
        files: 0,
        unreadable: 0,
    };
    let place = places.find(arguments.optional_text("path").unwrap_or("."))?;
    let enough = if place.metadata.as_ref().is_some_and(|it| it.is_file()) {
        search.look_into(&place.path, watch)
    } else {
        place.check_folder()?;
        let mut walk = Walk::below(&place.path, arguments.optional_text("glob"))
            .map_err(|why| Stop::Told(format!("`glob` is no glob: {why}")))?;
        let enough = search.all(&mut walk, watch);
        search.unreadable += walk.unreadable;
        enough
    };
    match enough {
        Err(Enough::Halt(Halt::Interrupted(signal))) => Err(Stop::Interrupted(signal)),
        Err(Enough::Halt(Halt::Late)) => Ok(search.told(Some(&format!(
            "stopped after {} s: there may be more. Narrow it with `path` or `glob`",
            LONGEST.as_secs()
        )))),
        Err(Enough::Full) => Ok(search.told(Some(
            "there may be more: narrow it with `pattern`, `path` or `glob`",
        ))),
        Ok(()) => Ok(search.told(None)),
    }
}

fn pattern(arguments: &Arguments) -> Result<Regex, Stop> {
    let pattern = arguments.text("pattern");
    let built = RegexBuilder::new(pattern)
        .case_insensitive(arguments.flag("ignore_case"))
        .size_limit(LARGEST_PATTERN)
        .dfa_size_limit(LARGEST_PATTERN)
        .build();
    built.map_err(|error| {
        Stop::Told(format!(
            "{} is no regular expression that can be searched for: {error}\nPut a \\ before \
             characters that mean themselves",
            quoted(pattern)
        ))
    })
}

impl Search<'_> {
    fn all(&mut self, walk: &mut Walk, watch: &mut Watch<'_>) -> Result<(), Enough> {
        while let Some(file) = walk.next(watch).map_err(Enough::Halt)? {
            self.look_into(&file, watch)?;
        }
        Ok(())
    }

    fn look_into(&mut self, file: &Path, watch: &mut Watch<'_>) -> Result<(), Enough> {
        match self.file(file, watch) {
            Ok(()) => self.files += 1,
            Err(None) => self.unreadable += 1,
            Err(Some(enough)) => return Err(enough),
        }
        Ok(())
    }

    /// Searches a file that is text; none as the error when it cannot be read.
    fn file(&mut self, path: &Path, watch: &mut Watch<'_>) -> Result<(), Option<Enough>> {
        let (file, _) = fsx::open_regular(path).map_err(|_| None)?;
        let mut lines = Lines::of(file, LONGEST_LINE);
        if lines.are_binary().map_err(|_| None)? {
            return Ok(());
        }
        let shown = self.places.shown(path);
        let mut line = Line::default();
        for number in 1_u64.. {
            match lines.next(&mut line, watch) {
                Ok(true) => {}
                Ok(false) => break,
                Err(NoLine::Unreadable(_)) => return Err(None),
                Err(NoLine::Halt(halt)) => return Err(Some(Enough::Halt(halt))),
            }
            if let Some(found) = self.pattern.find(&line.bytes) {
                if self.lines == MOST_LINES || self.text.len() > MOST_BYTES {
                    return Err(Some(Enough::Full));
                }
                let part = part_around(&line, found.start());
                self.text.push_str(&format!("{shown}:{number}: {part}\n"));
                self.lines += 1;
            }
        }
        Ok(())
    }

    fn told(self, why_it_ended: Option<&str>) -> String {
        let mut text = self.text;
        if self.lines == 0 {
            let files = counted(self.files, "file");
            text.push_str(&format!("[no line of {files} fits]\n"));
        }
        if self.unreadable > 0 {
            let entries = self.unreadable;
            text.push_str(&format!(
                "[left out, since they cannot be read: {entries}]\n"
            ));
        }
        if let Some(why) = why_it_ended {
            text.push_str(&format!(
                "[{}; {why}]\n",
                counted(self.lines as u64, "line")
            ));
        }
        text
    }
}

/// A line, or of a long one the part with what was found.
fn part_around(line: &Line, found: usize) -> String {
    let bytes = &line.bytes;
    if bytes.len() <= SHOWN && !line.is_cut {
        return plain(bytes);
    }
    let start = if bytes.len() <= SHOWN {
        0
    } else {
        found.saturating_sub(BEFORE).min(bytes.len() - SHOWN)
    };
    let end = (start + SHOWN).min(bytes.len());
    let before = if start > 0 { "…" } else { "" };
    let after = if end < bytes.len() || line.is_cut {
        "…"
    } else {
        ""
    };
    format!("{before}{}{after}", plain(whole(&bytes[start..end])))
}
