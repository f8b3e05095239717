//! Words of the file inside our sentences: quoted, listed, and the nearest one to a slip.

/// Characters of a name that are shown in a sentence.
const LONGEST: usize = 60;

/// Characters up to which two words are compared; the work grows with the product.
const COMPARED: usize = 64;

/// Words that one is compared with.
const CANDIDATES: usize = 200;

/// A text between backticks, fit to stand in a sentence: one line, not long, harmless.
pub(super) fn quoted(text: &str) -> String {
    let mut shown = String::from("`");
    for (at, character) in text.chars().enumerate() {
        if at == LONGEST {
            shown.push('…');
            break;
        }
        if is_harmful(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown.push('`');
    shown
}

/// A text for a terminal: what would steer the terminal, or hide or turn text, is written out.
pub(super) fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_harmful(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Control characters, and those that change the direction of text or take no room.
pub(super) fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// `a`, `a and b`, `a, b and c`; of long lists the first few, and how many more.
pub(super) fn listed<'a>(words: impl IntoIterator<Item = &'a str>, conjunction: &str) -> String {
    const SHOWN: usize = 8;
    let mut words = words.into_iter();
    let quoted: Vec<_> = words.by_ref().take(SHOWN).map(quoted).collect();
    match (quoted.split_last(), words.count()) {
        (None, _) => String::new(),
        (Some((last, [])), 0) => last.clone(),
        (Some((last, before)), 0) => format!("{} {conjunction} {last}", before.join(", ")),
        (Some(_), rest) => format!("{} {conjunction} {rest} more", quoted.join(", ")),
    }
}

/// The word that was probably meant, if one is near enough.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count();
    if length > COMPARED {
        return None;
    }
    let word = word.to_lowercase();
    // One slip for each three characters, as compilers allow; one in a short word.
    let allowed = (length / 3).max(1);
    known
        .into_iter()
        .take(CANDIDATES)
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= allowed)
        .map(|candidate| {
            let slips = strsim::osa_distance(&word, &candidate.to_lowercase());
            (slips, candidate)
        })
        .filter(|(slips, candidate)| {
            // A word of which nothing is left is another word.
            *slips <= allowed && *slips < candidate.chars().count()
        })
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, candidate)| candidate)
}

/// "did you mean", when there is something to mean.
pub(super) fn did_you_mean<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(word, known).map(|meant| format!("did you mean {}?", quoted(meant)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_short_and_harmless() {
        assert_eq!(quoted("a b"), "`a b`");
        assert_eq!(
            quoted("\u{1b}[31m\n\u{9b}\u{202e}"),
            r"`\u{1b}[31m\n\u{9b}\u{202e}`"
        );
        assert_eq!(quoted(&"é".repeat(61)), format!("`{}…`", "é".repeat(60)));
        assert_eq!(quoted(&"é".repeat(60)), format!("`{}`", "é".repeat(60)));
        assert_eq!(harmless("a\tb\u{7}"), r"a\tb\u{7}");
    }

    #[test]
    fn lists_read_like_sentences() {
        assert_eq!(listed([], "and"), "");
        assert_eq!(listed(["a"], "and"), "`a`");
        assert_eq!(listed(["a", "b"], "or"), "`a` or `b`");
        assert_eq!(listed(["a", "b", "c"], "and"), "`a`, `b` and `c`");
        let many = "a b c d e f g h i j k".split(' ');
        assert_eq!(
            listed(many, "and"),
            "`a`, `b`, `c`, `d`, `e`, `f`, `g`, `h` and 3 more"
        );
    }

    #[test]
    fn the_nearest_word_is_offered_and_a_far_one_is_not() {
        let known = ["writer", "reviewer", "$END", "qa"];
        assert_eq!(nearest("reviwer", known), Some("reviewer"));
        assert_eq!(nearest("Writer", known), Some("writer"));
        assert_eq!(nearest("END", known), Some("$END"));
        assert_eq!(nearest("end", known), Some("$END"));
        assert_eq!(nearest("aq", known), Some("qa"));
        assert_eq!(nearest("collector", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest(&"w".repeat(1_000_000), known), None);
        assert_eq!(
            did_you_mean("writter", known),
            Some("did you mean `writer`?".to_owned())
        );
    }
}
