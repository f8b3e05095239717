//! Text of others inside a prompt: marked off so that nothing in it reads as part of the prompt.

/// The text between fences that are longer than any in it, every character as it was.
pub(super) fn fenced(text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}\n{text}{}{fence}\n", missing_line_end(text))
}

/// The line break that a text lacks at its end.
pub(super) fn missing_line_end(text: &str) -> &'static str {
    if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    }
}

fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`')
        .map(str::len)
        .max()
        .unwrap_or(0)
}

/// The first characters of a text, and how many were left out.
pub(super) fn cut(text: &str, most: usize) -> (&str, usize) {
    match text.char_indices().nth(most) {
        Some((end, _)) => (&text[..end], text[end..].chars().count()),
        None => (text, 0),
    }
}
