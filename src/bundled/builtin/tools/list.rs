//! `list_dir`: what a folder holds.

use std::fs::{self, DirEntry};
use std::io;

use super::arguments::Arguments;
use super::places::{Places, kind_of};
use super::{Outcome, Stop};
use crate::wording::{counted, harmless};

/// Entries that are listed.
const MOST: usize = 1_000;

pub fn list_dir(places: &Places, arguments: &Arguments) -> Outcome {
    let place = places.find(arguments.optional_text("path").unwrap_or("."))?;
    place.check_folder()?;
    let shown = &place.shown;
    let unreadable = |error| Stop::Told(format!("cannot list {shown}: {error}"));
    let mut entries = fs::read_dir(&place.path)
        .and_then(Iterator::collect::<io::Result<Vec<DirEntry>>>)
        .map_err(unreadable)?;
    if entries.is_empty() {
        return Ok(format!("[{shown} is empty]"));
    }
    entries.sort_by_cached_key(DirEntry::file_name);
    let mut text = String::new();
    for entry in entries.iter().take(MOST) {
        text.push_str(&line(entry));
        text.push('\n');
    }
    if entries.len() > MOST {
        let more = entries.len() - MOST;
        text.push_str(&format!(
            "[and {more} more: name a folder inside, or use grep]\n"
        ));
    }
    Ok(text)
}

fn line(entry: &DirEntry) -> String {
    let name = harmless(&entry.file_name().to_string_lossy());
    let metadata = match entry.metadata() {
        Ok(metadata) => metadata,
        Err(error) => return format!("{name} ({error})"),
    };
    if metadata.is_dir() {
        format!("{name}/")
    } else if metadata.is_file() {
        format!("{name} ({})", counted(metadata.len(), "byte"))
    } else if let Ok(target) = fs::read_link(entry.path()) {
        format!("{name} -> {}", harmless(&target.to_string_lossy()))
    } else {
        format!("{name} ({})", kind_of(&metadata))
    }
}
