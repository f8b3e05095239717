//! The text of `.env` with one variable set: its own lines change, and no others.

use std::path::Path;

use super::{Assignment, DotEnv, DotEnvError, assignments, without_mark};

impl DotEnv {
    /// The text in which a variable has this value. `path` is what messages call it.
    ///
    /// The last lines that set it are replaced, `export` before it and a remark behind it stay; a
    /// new one comes last. The text is read again before it is handed out.
    pub fn with(text: &str, path: &Path, name: &str, value: &str) -> Result<String, DotEnvError> {
        let unwritable = || DotEnvError::Unwritable {
            name: name.to_owned(),
            path: path.to_owned(),
        };
        let before = Self::parse(text, path)?;
        if before.get(name) == Some(value) {
            return Ok(text.to_owned());
        }
        let assigned = assignments(text, path)?;
        let written = format!("{name}={}", quoted(value));
        let changed = match assigned.iter().rfind(|known| known.name == name) {
            Some(known) => replaced(text, path, known, &written),
            None => appended(text, &written),
        };
        let mut wanted = before;
        wanted.variables.insert(name.to_owned(), value.to_owned());
        match Self::parse(&changed, path) {
            Ok(read) if read == wanted => Ok(changed),
            _ => Err(unwritable()),
        }
    }
}

fn replaced(text: &str, path: &Path, known: &Assignment, written: &str) -> String {
    let mark = &text[..text.len() - without_mark(text).len()];
    let lines: Vec<_> = without_mark(text).split_inclusive('\n').collect();
    let lines_of = |range: std::ops::Range<usize>| lines.get(range).unwrap_or_default().concat();
    let old = lines_of(known.lines.clone());
    let content = old.trim_end_matches(['\r', '\n']);
    let export = old.find(&known.name).map_or("", |at| &old[..at]);
    let remark = remark(content, path, known);
    let (before, behind) = (
        lines_of(0..known.lines.start),
        lines_of(known.lines.end.min(lines.len())..lines.len()),
    );
    let line_end = &old[content.len()..];
    format!("{mark}{before}{export}{written}{remark}{line_end}{behind}")
}

/// What stands behind a value and is no part of it, with the blanks before it.
fn remark<'l>(line: &'l str, path: &Path, known: &Assignment) -> &'l str {
    let is_value = |head: &str| {
        let read = DotEnv::parse(head, path);
        read.is_ok_and(|read| read.get(&known.name) == Some(&known.value))
    };
    line.match_indices('#')
        .map(|(at, _)| &line[..at])
        .find(|head| head.ends_with([' ', '\t']) && is_value(head))
        .map_or("", |head| &line[head.trim_end().len()..])
}

fn appended(text: &str, written: &str) -> String {
    let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let is_torn = !text.is_empty() && !text.ends_with('\n');
    let torn = if is_torn { line_end } else { "" };
    format!("{text}{torn}{written}{line_end}")
}

/// A value as it is read back: bare where nothing in it means anything, else between quotes.
fn quoted(value: &str) -> String {
    let is_bare = value
        .chars()
        .all(|character| character.is_ascii_alphanumeric() || "-_./:+=,@%".contains(character));
    if is_bare {
        return value.to_owned();
    }
    // A backslash before the closing quote would be taken to belong to it.
    if !value.contains(['\'', '\\']) {
        return format!("'{value}'");
    }
    let mut quoted = String::from("\"");
    for character in value.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str, value: &str) -> String {
        DotEnv::with(text, Path::new(".env"), "KEY", value).unwrap()
    }

    #[test]
    fn the_line_of_the_variable_is_replaced_and_no_other() {
        for (text, changed) in [
            ("", "KEY=new\n"),
            ("KEY=old\n", "KEY=new\n"),
            ("KEY=old", "KEY=new"),
            ("KEY=new # same", "KEY=new # same"),
            ("A=1", "A=1\nKEY=new\n"),
            ("A=1\r\n", "A=1\r\nKEY=new\r\n"),
            (
                "# keys\r\n\r\nA='x y'  # one\r\nKEY=old\t# mine\r\nB=2\r\n",
                "# keys\r\n\r\nA='x y'  # one\r\nKEY=new\t# mine\r\nB=2\r\n",
            ),
            ("\u{feff}KEY=old\n", "\u{feff}KEY=new\n"),
            ("  export KEY = 'a # b' # c\n", "  export KEY=new # c\n"),
            (
                "A=1\n# x\nKEY=\"one\ntwo # three\nfour\"\n# y\nB=2\n",
                "A=1\n# x\nKEY=new\n# y\nB=2\n",
            ),
            (
                "KEY=first\nKEY=second\nMY_KEY=a\n",
                "KEY=first\nKEY=new\nMY_KEY=a\n",
            ),
            ("KEY=\nA=\n", "KEY=new\nA=\n"),
            ("KEY= # none yet\n", "KEY=new # none yet\n"),
            ("export=1\n", "export=1\nKEY=new\n"),
        ] {
            assert_eq!(with(text, "new"), changed, "{text:?}");
        }
    }

    #[test]
    fn every_value_is_read_back_as_it_is() {
        for (value, written) in [
            ("sk-Az09_./:+=,@%", "sk-Az09_./:+=,@%"),
            ("a b", "'a b'"),
            ("$HOME${x}", "'$HOME${x}'"),
            ("a#b # c", "'a#b # c'"),
            ("\"\\", "\"\\\"\\\\\""),
            ("it's", "\"it's\""),
            ("it's \"$x\" \\n \\", "\"it's \\\"$x\\\" \\\\n \\\\\""),
            ("'\n'", "\"'\\n'\""),
            ("a\nb", "'a\nb'"),
            ("é𝄞", "'é𝄞'"),
        ] {
            assert_eq!(with("", value), format!("KEY={written}\n"));
            assert_eq!(
                with("A=1\nKEY=old # r\nB=2", value),
                format!("A=1\nKEY={written} # r\nB=2")
            );
        }
        let all: String = (' '..='~').collect();
        with("", &all);
    }

    #[test]
    fn what_cannot_be_read_or_written_is_refused_without_the_value() {
        let refusal = |text, name, value| {
            let error = DotEnv::with(text, Path::new("/root/.env"), name, value).unwrap_err();
            error.to_string()
        };
        assert_eq!(
            refusal("A=1\nno line\n", "KEY", "secret"),
            "/root/.env:2: this line is not `NAME=value`"
        );
        for (name, value) in [("KEY", "secret\u{fdd0}"), ("1KEY", "secret"), ("K Y", "s")] {
            assert_eq!(
                refusal("A=1\n", name, value),
                format!(
                    "cannot write the value of {name} into /root/.env so that it is read back as \
                     it is"
                )
            );
        }
    }
}
