//! Bytes of a command or a file as text for a model.

use crate::wording::counted;

/// The first bytes of a long output that a model is given.
pub const HEAD: usize = 12_000;
/// The last ones.
pub const TAIL: usize = 18_000;

/// The output of a command, of which `kept` was kept, [`HEAD`] and [`TAIL`] at most, and `total`
/// bytes were written.
pub fn output(kept: &[u8], total: u64) -> String {
    if total <= kept.len() as u64 {
        return plain(kept);
    }
    let (head, tail) = kept.split_at(HEAD.min(kept.len()));
    let (head, tail) = (without_end(head), without_beginning(tail));
    let left_out = total.saturating_sub((head.len() + tail.len()) as u64);
    let bytes = counted(left_out, "byte");
    format!("{}\n[{bytes} left out here]\n{}", plain(head), plain(tail))
}

/// Without the parts of characters at both ends, where it was cut.
pub fn whole(bytes: &[u8]) -> &[u8] {
    without_end(without_beginning(bytes))
}

/// Without the end of a character that begins before it.
fn without_beginning(bytes: &[u8]) -> &[u8] {
    let is_inner = |byte: &&u8| matches!(byte, 0x80..=0xbf);
    let inner = bytes.iter().take(3).take_while(is_inner).count();
    &bytes[inner..]
}

/// Without the beginning of a character that ends behind it.
fn without_end(bytes: &[u8]) -> &[u8] {
    let last = bytes.utf8_chunks().last();
    let last = last.map_or(&[][..], |chunk| chunk.invalid());
    let is_begun = std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    let end = if is_begun { last.len() } else { 0 };
    &bytes[..bytes.len() - end]
}

/// As text. What is not UTF-8, and what would steer a terminal, becomes U+FFFD.
pub fn plain(bytes: &[u8]) -> String {
    let is_plain = |it: char| !it.is_control() || matches!(it, '\n' | '\r' | '\t');
    String::from_utf8_lossy(bytes)
        .chars()
        .map(|it| {
            if is_plain(it) {
                it
            } else {
                char::REPLACEMENT_CHARACTER
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_character_is_left_at_the_ends() {
        let rocket = "🚀a🚀".as_bytes();
        for start in 0..5 {
            for end in 5..=9 {
                let kept = whole(&rocket[start..end]);
                let first = if start == 0 { "🚀" } else { "" };
                let last = if end == 9 { "🚀" } else { "" };
                let expected = format!("{first}a{last}");
                assert_eq!(kept, expected.as_bytes(), "{start}..{end}");
            }
        }
        // What was no text before it was cut stays.
        assert_eq!(whole(b"a\xff"), b"a\xff");
        assert_eq!(whole(b""), b"");
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let kept = [&[b'x'; HEAD][..], &[b'y'; TAIL]].concat();
        assert_eq!(output(&kept, kept.len() as u64).len(), HEAD + TAIL);
        assert_eq!(
            output(&kept, kept.len() as u64 + 1),
            format!(
                "{}\n[1 byte left out here]\n{}",
                "x".repeat(HEAD),
                "y".repeat(TAIL)
            )
        );
    }
}
