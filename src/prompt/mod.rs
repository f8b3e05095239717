//! What agents are told: the whole prompt of a turn, the instruction how to answer, corrections.
//!
//! Pure text, the same for the same input. What stays the same from turn to turn of a role comes
//! first, so that a provider's prompt cache can keep it. Every text that comes from the workflow,
//! the user or another agent stands in the prompt as it was written. Nothing is sent here.

mod correction;
mod example;
mod format;
mod history;
mod phrase;
mod quote;
mod shape;

#[cfg(test)]
mod format_tests;
#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::model::{Role, RoleName, ThreadId};
use crate::wording::one_line;

pub use correction::correction_prompt;
pub use format::{AnswerForm, output_format};
pub use history::PastStep;

use quote::missing_line_end;

/// What a turn's prompt is made of.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    /// The thread, for the commands that the prompt names; none when there is no thread yet.
    pub thread: Option<ThreadId>,
    /// Whose turn it is.
    pub role_name: &'a RoleName,
    /// What the workflow says of that role.
    pub role: &'a Role,
    /// The schema that its output must fit.
    pub schema: &'a Value,
    /// What the answer is made of.
    pub answer: AnswerForm,
    /// What the thread was started with.
    pub task: &'a str,
    /// The steps that are told, oldest first: those since the role's last turn.
    pub history: &'a [PastStep],
    /// The prompt of the edge that led here.
    pub instruction: &'a str,
    /// Which turn of this role it is, the first is 1.
    pub visit: usize,
    /// Which step of the thread it is, the first is 1.
    pub step: usize,
}

/// The whole prompt of a turn, for an agent that remembers nothing.
pub fn assemble(inputs: &Inputs<'_>) -> String {
    standing(inputs) + &turn(inputs)
}

/// The part that is the same in every turn of a role in a thread.
pub fn standing(inputs: &Inputs<'_>) -> String {
    let role = inputs.role;
    let capabilities: Vec<_> = role
        .capabilities
        .iter()
        .map(|capability| format!("- {capability}"))
        .collect();
    [
        output_format(inputs.schema, inputs.answer),
        section("Goal", &role.goal),
        section("Capabilities", &capabilities.join("\n")),
        section("Procedure", &role.procedure),
        section("Output", &role.output),
        section("Task", inputs.task),
    ]
    .into_iter()
    .filter(|section| !section.is_empty())
    .map(|section| section + "\n")
    .collect()
}

/// The part that is different in every turn: all that an agent has to be told that remembers the
/// role's earlier turns.
pub fn turn(inputs: &Inputs<'_>) -> String {
    let mut text = String::new();
    if !inputs.history.is_empty() {
        text += match inputs.visit {
            0 | 1 => "## What happened so far\n\n",
            _ => "## What happened since your last turn\n\n",
        };
        text += &history::tell(inputs.history, inputs.role_name, inputs.thread);
        text += "\n";
    }
    let instruction = section("Instruction", inputs.instruction);
    if !instruction.is_empty() {
        text += &instruction;
        text += "\n";
    }
    text += &format!(
        "This is step {} of the thread, and turn {} of the role `{}`.\n",
        inputs.step,
        inputs.visit,
        one_line(inputs.role_name.as_str())
    );
    text
}

/// A section with its heading, the text as it was written; nothing when there is nothing to say.
fn section(heading: &str, text: &str) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    format!("## {heading}\n\n{text}{}", missing_line_end(text))
}
