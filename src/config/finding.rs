//! Something to say about a place in a file, and the word that was probably meant.

use std::fmt;
use std::path::PathBuf;

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

/// The candidate that was probably meant by a word that is none of them.
pub fn similar<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let lower = word.to_lowercase();
    let distance = |candidate: &str| strsim::damerau_levenshtein(&lower, &candidate.to_lowercase());
    candidates
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(2) / 3 + 1)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `: did you mean …?` behind a message, or nothing.
pub fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or_else(String::new, |word| format!(": did you mean `{word}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_a_stranger_none() {
        let keys = [
            "command",
            "args",
            "protocol",
            "env",
            "timeout",
            "idleTimeout",
        ];
        for (word, meant) in [
            ("comand", Some("command")),
            ("idle_timeout", Some("idleTimeout")),
            ("Protocol", Some("protocol")),
            ("arg", Some("args")),
            ("envs", Some("env")),
            ("model", None),
            ("x", None),
        ] {
            assert_eq!(similar(word, keys), meant, "{word}");
        }
        assert_eq!(did_you_mean(Some("env")), ": did you mean `env`?");
        assert_eq!(did_you_mean(None), "");
    }
}
