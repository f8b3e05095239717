//! A command as a person writes it, taken apart.

use std::path::Path;

/// Why a text is not a command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandLineError {
    /// There is no word in it.
    #[error("the agent's command is empty")]
    Empty,
    /// A quote is opened and never closed.
    #[error("a quote in the agent's command is never closed: {0}")]
    OpenQuote(String),
}

/// Splits a command line into the program and its arguments, like a shell does. Quotes and
/// backslashes count; variables, `~`, `*` and operators are plain text.
pub fn split_command(line: &str) -> Result<(String, Vec<String>), CommandLineError> {
    let words = shell_words::split(line)
        .map_err(|_| CommandLineError::OpenQuote(line.trim().to_owned()))?;
    let mut words = words.into_iter();
    match words.next() {
        Some(program) if !program.is_empty() => Ok((program, words.collect())),
        _ => Err(CommandLineError::Empty),
    }
}

/// What an agent without an alias is called: the file name of its command.
pub fn display_name(program: &str) -> String {
    Path::new(program).file_name().map_or_else(
        || program.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> Result<Vec<String>, String> {
        split_command(line)
            .map(|(program, arguments)| [vec![program], arguments].concat())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn words_are_split_like_a_shell_does() {
        let cases: [(&str, &[&str]); 5] = [
            ("uwf-hermes", &["uwf-hermes"]),
            ("  a  b\tc\n", &["a", "b", "c"]),
            (
                r#""/my agents/one" --say 'it "is"' x\ y"#,
                &["/my agents/one", "--say", "it \"is\"", "x y"],
            ),
            ("a '' $HOME *", &["a", "", "$HOME", "*"]),
            ("größe 日本", &["größe", "日本"]),
        ];
        for (line, words) in cases {
            assert_eq!(split(line).unwrap(), words, "{line}");
        }
    }

    #[test]
    fn what_is_no_command_is_refused() {
        for line in ["", " \t\n", "''", "'' x", "# all comment"] {
            assert_eq!(split(line), Err("the agent's command is empty".to_owned()));
        }
        assert_eq!(
            split(" a 'b c "),
            Err("a quote in the agent's command is never closed: a 'b c".to_owned())
        );
    }

    #[test]
    fn an_agent_is_called_by_its_file_name() {
        assert_eq!(display_name("uwf-hermes"), "uwf-hermes");
        assert_eq!(display_name("/my agents/one.sh"), "one.sh");
        assert_eq!(display_name("./one/"), "one");
        assert_eq!(display_name(".."), "..");
    }
}
