//! Something to say about a place in a file.

use std::fmt;
use std::path::PathBuf;

use crate::suggestion::did_you_mean;
use crate::yaml::Mark;

/// Something that is wrong, or odd, at a place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The file.
    pub path: PathBuf,
    /// Where in it.
    pub mark: Mark,
    /// What is to be said, lower case.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mark { line, column, .. } = self.mark;
        let path = self.path.display();
        write!(formatter, "{path}:{line}:{column}: {}", self.message)
    }
}

/// `: did you mean …?` to stand behind a message about a word that is not known, or nothing.
pub fn suggested<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    did_you_mean(word, known).map_or_else(String::new, |question| format!(": {question}"))
}
