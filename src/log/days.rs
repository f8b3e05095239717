//! Reading: the files of the days, and the entries in them.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::fsx::{self, FileError};
use crate::jsonl::{self, BadLine};
use crate::model::{Date, ThreadId};

const FOLDER: &str = "logs";
const ENDING: &str = ".jsonl";

/// One day's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// The day.
    pub date: Date,
    /// How many bytes there are.
    pub size: u64,
    path: PathBuf,
}

/// Which entries are asked for; what is none is not asked about.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Those of one day.
    pub date: Option<Date>,
    /// Those about one thread.
    pub thread: Option<ThreadId>,
    /// Those of one process, by the text of its `pid`, or by the id the system gave it, in which it
    /// ends: ids are given again, so that these can be several.
    pub process: Option<String>,
}

/// Entries as they were written, and the lines that are none.
#[derive(Debug)]
pub struct Entries {
    pub records: Vec<Value>,
    pub skipped: Vec<BadLine>,
}

fn name_of(date: Date) -> String {
    format!("{date}{ENDING}")
}

pub(super) fn path_of(root: &Path, date: Date) -> PathBuf {
    root.join(FOLDER).join(name_of(date))
}

impl Day {
    /// The name of its file.
    pub fn name(&self) -> String {
        name_of(self.date)
    }

    /// Removes its file. False when somebody else did.
    pub fn remove(&self) -> Result<bool, FileError> {
        fsx::remove(&self.path)
    }
}

/// The days there are entries of, the newest first. A file that no day gives its name to is none
/// of ours.
pub fn days(root: &Path) -> Result<Vec<Day>, FileError> {
    let mut days = Vec::new();
    for name in fsx::file_names(&root.join(FOLDER))? {
        let Some(Ok(date)) = name.strip_suffix(ENDING).map(str::parse::<Date>) else {
            continue;
        };
        let path = path_of(root, date);
        if let Some(size) = fsx::size_optional(&path)? {
            days.push(Day { date, size, path });
        }
    }
    // Names come sorted, and dates sort as their names do.
    days.reverse();
    Ok(days)
}

/// The entries that were asked for, of all programs that wrote here, in the order of their time.
pub fn entries(root: &Path, filter: &Filter) -> Result<Entries, FileError> {
    let mut found = Entries {
        records: Vec::new(),
        skipped: Vec::new(),
    };
    for day in days(root)?.iter().rev() {
        if filter.date.is_some_and(|date| date != day.date) {
            continue;
        }
        let lines = jsonl::read(&day.path, parse)?;
        found.skipped.extend(lines.skipped);
        let entries = lines.records.into_iter().map(|(_, entry)| entry);
        found
            .records
            .extend(entries.filter(|entry| filter.wants(entry)));
    }
    found
        .records
        .sort_by(|a, b| text(a, "ts").cmp(&text(b, "ts")));
    Ok(found)
}

/// An entry may have any keys; without its time it has no place among the others.
fn parse(line: &str) -> Result<Value, String> {
    let entry: Map<String, Value> = jsonl::from_json(line)?;
    match entry.get("ts") {
        Some(Value::String(_)) => Ok(entry.into()),
        Some(_) => Err("its time `ts` is no text".to_owned()),
        None => Err("it has no time `ts`".to_owned()),
    }
}

fn text<'e>(entry: &'e Value, key: &str) -> Option<&'e str> {
    entry.get(key).and_then(Value::as_str)
}

impl Filter {
    fn wants(&self, entry: &Value) -> bool {
        let is_about = |thread: &ThreadId| text(entry, "thread") == Some(thread.as_str());
        let is_of = |process: &String| {
            let pid = text(entry, "pid");
            pid.is_some_and(|pid| {
                let id = pid.rsplit_once('-').map(|(_, id)| id);
                pid == process || id == Some(process)
            })
        };
        self.thread.as_ref().is_none_or(is_about) && self.process.as_ref().is_none_or(is_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fsx::Access;

    fn write(root: &Path, name: &str, text: &str) {
        fsx::replace(
            &root.join(FOLDER).join(name),
            text.as_bytes(),
            Access::Owner,
        )
        .unwrap();
    }

    #[test]
    fn days_are_listed_newest_first_and_other_files_are_none() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(days(root.path()).unwrap(), []);
        for name in [
            "2026-09-30.jsonl",
            "2026-11-30.jsonl",
            "2025-12-31.jsonl",
            "2026-02-30.jsonl",
            "2026-11-30.jsonl.gz",
            "notes.jsonl",
            "2026-11-30",
            ".jsonl",
        ] {
            write(root.path(), name, "{}\n");
        }
        fsx::create_folder(&root.path().join("logs/2026-01-01.jsonl")).unwrap();
        let days = days(root.path()).unwrap();
        let names: Vec<_> = days.iter().map(Day::name).collect();
        assert_eq!(
            names,
            ["2026-11-30.jsonl", "2026-09-30.jsonl", "2025-12-31.jsonl"]
        );
        assert_eq!(days[0].size, 3);
        assert!(days[0].remove().unwrap());
        assert!(!days[0].remove().unwrap());
    }

    #[test]
    fn entries_of_several_files_come_in_the_order_of_their_time() {
        let root = tempfile::tempdir().unwrap();
        // A process that began the day before goes on in that day's file.
        write(
            root.path(),
            "2026-11-29.jsonl",
            "{\"n\":3,\"ts\":\"2026-11-30T00:00:02.000Z\"}\n{\"n\":1,\"ts\":\"2026-11-29T10:00:00.000Z\"}\n",
        );
        write(
            root.path(),
            "2026-11-30.jsonl",
            "{\"n\":2,\"ts\":\"2026-11-30T00:00:01.000Z\"}\n{\"n\":4,\"ts\":\"2026-11-30T00:00:02.000Z\"}\n",
        );
        let read = entries(root.path(), &Filter::default()).unwrap();
        let order: Vec<_> = read.records.iter().map(|entry| &entry["n"]).collect();
        assert_eq!(order, [1, 2, 3, 4]);
    }

    #[test]
    fn a_bad_line_is_told_about_and_hides_no_other() {
        let root = tempfile::tempdir().unwrap();
        write(
            root.path(),
            "2026-11-30.jsonl",
            "{\"ts\":\"a\"}\nnot JSON\n\n[1]\n{\"ts\":1}\n{\"msg\":\"?\"}\n{\"ts\":\"b\"}\n",
        );
        let read = entries(root.path(), &Filter::default()).unwrap();
        assert_eq!(read.records.len(), 2);
        let skipped: Vec<_> = read
            .skipped
            .iter()
            .map(|bad| (bad.line, bad.message.as_str()))
            .collect();
        assert_eq!(
            skipped,
            [
                (2, "expected ident (column 2)"),
                (4, "invalid type: sequence, expected a map (column 0)"),
                (5, "its time `ts` is no text"),
                (6, "it has no time `ts`"),
            ]
        );
    }

    #[test]
    fn a_filter_lets_pass_what_fits_all_of_it() {
        let root = tempfile::tempdir().unwrap();
        let line = |thread: &str, pid: &str| {
            format!("{{\"ts\":\"t\",\"thread\":{thread},\"pid\":\"{pid}\"}}\n")
        };
        let thread = "06H2S7T4PCHB3EJSX9FV4HQ570";
        let quoted = format!("\"{thread}\"");
        let lines = [
            line(&quoted, "1-1"),
            line(&quoted, "1-2"),
            line("null", "1-1"),
        ];
        write(root.path(), "2026-11-29.jsonl", &lines.concat());
        write(root.path(), "2026-11-30.jsonl", &lines[0]);
        let count = |date: Option<&str>, thread: Option<&str>, process: Option<&str>| {
            let filter = Filter {
                date: date.map(|text| text.parse().unwrap()),
                thread: thread.map(|text| text.parse().unwrap()),
                process: process.map(str::to_owned),
            };
            entries(root.path(), &filter).unwrap().records.len()
        };
        assert_eq!(count(None, None, None), 4);
        assert_eq!(count(Some("2026-11-30"), None, None), 1);
        assert_eq!(count(Some("2026-11-28"), None, None), 0);
        assert_eq!(count(None, Some(thread), None), 3);
        assert_eq!(count(None, None, Some("1-1")), 3);
        assert_eq!(count(None, None, Some("1")), 3);
        assert_eq!(count(None, None, Some("2")), 1);
        assert_eq!(count(None, None, Some("1-")), 0);
        assert_eq!(count(Some("2026-11-29"), Some(thread), Some("1-1")), 1);
    }
}
