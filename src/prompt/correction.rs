//! Asking again an agent that has no session to be asked in.

use super::quote::{cut, fenced};
use crate::wording::counted;

/// Characters of the previous answer that are shown.
const MOST_CHARACTERS: usize = 30_000;

/// The whole prompt once more, with the answer that could not be used and what is wrong with it.
pub fn correction_prompt(whole_prompt: &str, previous_answer: &str, what_is_wrong: &str) -> String {
    let (shown, left_out) = cut(previous_answer, MOST_CHARACTERS);
    let mark = match left_out {
        0 => String::new(),
        count => format!("({} of it left out here.)\n", counted(count, "character")),
    };
    let previous = if shown.trim().is_empty() {
        "It was empty.\n".to_owned()
    } else {
        fenced(shown) + &mark
    };
    format!(
        "{}\n\n## Your previous answer\n\n{previous}\n## What is wrong with it\n\n{}\n",
        whole_prompt.trim_end(),
        what_is_wrong.trim_end()
    )
}
