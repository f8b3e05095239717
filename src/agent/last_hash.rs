//! Protocol `cas`: the hash of the step an agent has stored, among the last lines it printed.

use super::invocation::Finished;
use super::text::excerpt;
use crate::model::Hash;

/// How many lines that are not blank are looked at: a program may say a few words after the hash.
const LINES: usize = 20;

/// The agent did not say which step it has stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoHash {
    /// Not a word.
    #[error("it printed nothing; its last line must be the hash of the step it has stored")]
    NothingPrinted,
    /// Words, but no hash among the last of them.
    #[error("none of its last lines is the hash of a step; the very last is `{last}`")]
    NotAmongLastLines {
        /// The last line that is not blank, shortened, control characters escaped.
        last: String,
    },
}

/// The last line that is a hash and nothing else.
///
/// White space around it is no matter, nor are up to 19 other lines after it.
pub fn last_hash(finished: &Finished) -> Result<Hash, NoHash> {
    let kept = finished.stdout.as_slice();
    let cut = finished.stdout_total > kept.len() as u64;
    let mut lines = kept.rsplit(|byte| *byte == b'\n').peekable();
    let mut looked_at = 0;
    let mut last = None;
    while let Some(line) = lines.next()
        && looked_at < LINES
    {
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        looked_at += 1;
        // The first line of a cut output has lost its beginning: what is left of it may look like
        // a hash and be the end of something else.
        let is_whole = !cut || lines.peek().is_some();
        if is_whole && let Ok(hash) = text.parse() {
            return Ok(hash);
        }
        last.get_or_insert_with(|| excerpt(text));
    }
    Err(
        last.map_or(NoHash::NothingPrinted, |last| NoHash::NotAmongLastLines {
            last,
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "3RZYZ9X0Y34K7";

    fn find(stdout: &str) -> Result<String, String> {
        let finished = Finished {
            stdout: stdout.into(),
            stdout_total: stdout.len() as u64,
            ..Finished::default()
        };
        last_hash(&finished)
            .map(|hash| hash.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_last_line_that_is_a_hash_counts() {
        for stdout in [
            "3RZYZ9X0Y34K7",
            "3RZYZ9X0Y34K7\n",
            "working…\n\n  3RZYZ9X0Y34K7\t\r\n\n\n",
            "FPVH9K1XJ2DZA\n3RZYZ9X0Y34K7\nbye\n",
            "3RZYZ9X0Y34K7\n3rzyz9x0y34k7\nhash: FPVH9K1XJ2DZA\n",
        ] {
            assert_eq!(find(stdout), Ok(HASH.to_owned()), "{stdout:?}");
        }
    }

    #[test]
    fn twenty_lines_are_looked_at_blank_ones_not_counted() {
        let after = |lines| format!("{HASH}\n{}", "\n \nword\n".repeat(lines));
        assert_eq!(find(&after(19)), Ok(HASH.to_owned()));
        assert_eq!(
            find(&after(20)),
            Err("none of its last lines is the hash of a step; the very last is `word`".to_owned())
        );
    }

    #[test]
    fn what_stands_there_instead_is_said() {
        let nothing =
            "it printed nothing; its last line must be the hash of the step it has stored";
        for stdout in ["", "\n", " \r\n\u{a0}\n"] {
            assert_eq!(find(stdout), Err(nothing.to_owned()), "{stdout:?}");
        }
        assert_eq!(
            find("\u{1b}[31mno\n"),
            Err(
                "none of its last lines is the hash of a step; the very last is `\\u{1b}[31mno`"
                    .to_owned()
            )
        );
    }

    #[test]
    fn half_a_line_is_never_taken_for_a_hash() {
        let cut = |stdout: &[u8]| {
            last_hash(&Finished {
                stdout: stdout.to_vec(),
                stdout_total: 1_000_000,
                ..Finished::default()
            })
        };
        assert_eq!(
            cut(b"3RZYZ9X0Y34K7\n").unwrap_err().to_string(),
            "none of its last lines is the hash of a step; the very last is `3RZYZ9X0Y34K7`"
        );
        assert_eq!(cut(b"x\n3RZYZ9X0Y34K7").unwrap().as_str(), HASH);
        assert_eq!(cut(b"\xa9\n3RZYZ9X0Y34K7\n\xff").unwrap().as_str(), HASH);
    }
}
