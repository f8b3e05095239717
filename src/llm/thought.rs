//! The thought that some models write into their text, before the answer. Pure.
//!
//! Services that know their models part the two themselves; local ones often do not.

/// What such a thought stands between.
const MARKS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// The thought that a text begins with, and what follows it. One without an end is all there is.
pub fn split(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    MARKS.iter().find_map(|(begin, end)| {
        let inner = text.strip_prefix(begin)?;
        let (thought, rest) = inner.split_once(end).unwrap_or((inner, ""));
        Some((thought.trim(), rest.trim_start()))
    })
}

/// Whether a text that is still coming begins with a thought.
pub fn begins(text: &str) -> bool {
    let text = text.trim_start();
    MARKS.iter().any(|(begin, _)| text.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thought_is_parted_from_what_follows_it() {
        for (text, parts) in [
            ("<think>a</think>b", Some(("a", "b"))),
            ("\n <think>\na\n</think>\n\nb\n", Some(("a", "b\n"))),
            (
                "<thinking>a</think>b</thinking>c",
                Some(("a</think>b", "c")),
            ),
            ("<think></think>\n", Some(("", ""))),
            (
                "<think>a\n---\nb: 1\n---\n",
                Some(("a\n---\nb: 1\n---", "")),
            ),
            ("a <think>b</think>", None),
            ("<thinker>a</thinker>", None),
            ("a</think>b", None),
            ("", None),
        ] {
            assert_eq!(split(text), parts, "{text:?}");
            assert_eq!(begins(text), parts.is_some(), "{text:?}");
        }
    }
}
