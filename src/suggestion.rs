//! "Did you mean": the known word that a word nobody knows was probably meant to be.

use crate::wording::quoted;

/// Characters up to which two words are compared; the work grows with the product. Of a longer
/// text no known word is a misspelling.
const LONGEST: usize = 64;

/// Known words that one is compared with.
const MOST: usize = 1_000;

/// Characters that an abbreviation has at least.
const SHORTEST_ABBREVIATION: usize = 3;

/// The word that was probably meant, if one is near enough; of several the nearest, of equally
/// near ones the first.
///
/// Near is a word with a few slips (a character too many, too few, wrong, or changed with its
/// neighbour), whatever its case, and a word that the given one abbreviates.
pub fn nearest<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let word = comparable(word)?;
    let length = word.chars().count();
    // One slip for each three characters, as compilers allow; one in a short word.
    let allowed = (length / 3).max(1);
    let slips_to = |candidate: &str| {
        let candidate = comparable(candidate)?;
        let candidate_length = candidate.chars().count();
        if length >= SHORTEST_ABBREVIATION && candidate.starts_with(&word) {
            return Some(candidate_length - length);
        }
        if candidate_length.abs_diff(length) > allowed {
            return None;
        }
        let slips = strsim::osa_distance(&word, &candidate);
        // A word of which nothing is left is another word.
        (slips <= allowed && slips < candidate_length).then_some(slips)
    };
    known
        .into_iter()
        .take(MOST)
        .filter_map(|candidate| Some((slips_to(candidate)?, candidate)))
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, candidate)| candidate)
}

/// `did you mean …?`, when there is something to mean.
pub fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> Option<String> {
    nearest(word, known).map(question)
}

/// The question for a word that is known to be meant.
pub fn question(meant: &str) -> String {
    format!("did you mean {}?", quoted(meant))
}

/// The word in small letters, unless it is too long to be one.
fn comparable(word: &str) -> Option<String> {
    let is_long = word.chars().nth(LONGEST).is_some();
    (!is_long).then(|| word.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_a_stranger_none() {
        let places = ["writer", "reviewer", "$END", "qa"];
        let keys = ["command", "args", "protocol", "env", "idleTimeout"];
        let types = ["array", "boolean", "integer", "null", "number", "string"];
        for (known, word, meant) in [
            (&places[..], "reviwer", Some("reviewer")),
            (&places, "Writer", Some("writer")),
            (&places, "END", Some("$END")),
            (&places, "end", Some("$END")),
            (&places, "aq", Some("qa")),
            (&places, "collector", None),
            (&places, "", None),
            (&keys, "comand", Some("command")),
            (&keys, "idle_timeout", Some("idleTimeout")),
            (&keys, "Protocol", Some("protocol")),
            (&keys, "arg", Some("args")),
            (&keys, "envs", Some("env")),
            (&keys, "model", None),
            (&keys, "x", None),
            (&types, "strng", Some("string")),
            (&types, "intger", Some("integer")),
            (&types, "xyzzy", None),
            (&["y"], "x", None),
        ] {
            assert_eq!(nearest(word, known.iter().copied()), meant, "{word}");
        }
    }

    #[test]
    fn an_abbreviation_finds_its_word() {
        let known = ["boolean", "integer", "minLength", "minimum", "minItems"];
        assert_eq!(nearest("bool", known), Some("boolean"));
        assert_eq!(nearest("Int", known), Some("integer"));
        assert_eq!(nearest("min", known), Some("minimum"));
        assert_eq!(nearest("in", known), None);
    }

    #[test]
    fn of_equally_near_words_the_first_is_meant() {
        assert_eq!(nearest("role", ["rule", "pole"]), Some("rule"));
        assert_eq!(nearest("role", ["pole", "rule"]), Some("pole"));
    }

    #[test]
    fn a_text_is_no_misspelling() {
        let long = "w".repeat(1_000_000);
        assert_eq!(nearest(&long, ["writer"]), None);
        assert_eq!(nearest("writer", [long.as_str()]), None);
    }

    #[test]
    fn the_question_names_the_word() {
        assert_eq!(
            did_you_mean("writter", ["writer"]),
            Some("did you mean `writer`?".to_owned())
        );
        assert_eq!(did_you_mean("reader", ["writer"]), None);
    }
}
