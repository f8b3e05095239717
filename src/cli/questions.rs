//! Questions that are put to the person at the terminal.

use std::time::Instant;

use super::context::Context;
use super::keyboard::{self, Typed};
use crate::agent::{Guard, Question};

/// Asks until one of the options is chosen: its id. None when there are none, when nothing is typed
/// any more, when a signal comes, and when it is too late.
pub fn ask(
    question: &Question,
    signals: &mut Guard,
    until: Option<Instant>,
    context: &Context,
) -> Option<String> {
    if question.options.is_empty() {
        return None;
    }
    context.say(&format!("{}\n", question.title.trim_end()));
    for (position, option) in question.options.iter().enumerate() {
        let number = position + 1;
        context.say(&format!("  {number}  {} ({})\n", option.name, option.kind));
    }
    loop {
        context.say(&format!("Which one, 1 to {}? ", question.options.len()));
        // Whatever the reason is for which nothing can be read, nothing more will be typed.
        let Ok(Typed::Line(line)) = keyboard::line(signals, until) else {
            context.say("\n");
            return None;
        };
        let line = String::from_utf8_lossy(&line);
        let number = line.trim().parse::<usize>().ok();
        let chosen = number.and_then(|number| question.options.get(number.checked_sub(1)?));
        if let Some(option) = chosen {
            return Some(option.id.clone());
        }
    }
}
