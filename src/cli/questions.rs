//! Questions that are put to the person at the terminal.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::time::Instant;

use super::context::Context;
use crate::agent::{Guard, Question};

/// The most bytes of an answer that is typed.
const MOST_TYPED: usize = 1024;

/// Whether there is a person to ask: somebody who sees the question and can type.
pub fn can_ask(context: &Context) -> bool {
    context.host.stdin_is_terminal && context.host.stderr_is_terminal
}

/// Asks until one of the options is chosen: its id. None when nothing is typed any more, when a
/// signal comes, and when it is too late.
pub fn ask(
    question: &Question,
    signals: &mut Guard,
    until: Option<Instant>,
    context: &Context,
) -> Option<String> {
    context.say(&format!("{}\n", question.title.trim_end()));
    for (position, option) in question.options.iter().enumerate() {
        let number = position + 1;
        context.say(&format!("  {number}  {} ({})\n", option.name, option.kind));
    }
    loop {
        context.say(&format!("Which one, 1 to {}? ", question.options.len()));
        let Some(line) = typed(signals, until) else {
            context.say("\n");
            return None;
        };
        let number = line.trim().parse::<usize>().ok();
        let chosen = number.and_then(|number| question.options.get(number.checked_sub(1)?));
        if let Some(option) = chosen {
            return Some(option.id.clone());
        }
    }
}

/// A line that is typed; none at the end.
fn typed(signals: &mut Guard, until: Option<Instant>) -> Option<String> {
    // Not through a buffer, which could hold what the wait below waits for.
    let mut keyboard = File::from(io::stdin().as_fd().try_clone_to_owned().ok()?);
    let mut line = Vec::new();
    while line.len() < MOST_TYPED && signals.wait_to_read(keyboard.as_fd(), until) {
        let mut byte = [0];
        // Whatever the reason is for which nothing can be read, nothing more will be typed.
        if keyboard.read(&mut byte).ok()? == 0 {
            return None;
        }
        if byte[0] == b'\n' {
            return Some(String::from_utf8_lossy(&line).into_owned());
        }
        line.push(byte[0]);
    }
    None
}
