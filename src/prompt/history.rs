//! What other roles did, told to the role whose turn it is.

use serde_json::Value;

use crate::model::{RoleName, ThreadId};

use super::quote::{cut, fenced};
use crate::wording::{counted, one_line};

/// Characters of outputs and bodies in one prompt, all steps together.
const MOST_CHARACTERS: usize = 60_000;
/// Characters that a long newer step leaves to each older one.
const KEPT_FOR_OLDER: usize = 2_000;
/// A step that could show less than this of what it has is left out.
const TOO_LITTLE: usize = 200;

/// A step of the thread as a later role is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct PastStep {
    /// Its place in the thread, the first is 1.
    pub number: usize,
    /// Who did it.
    pub role: RoleName,
    /// With which agent.
    pub agent: String,
    /// The payload of its output node.
    pub output: Value,
    /// What it wrote below the block, where the agent kept it.
    pub body: Option<String>,
}

/// What of a step there is to show.
struct Material<'a> {
    heading: String,
    output: String,
    body: &'a str,
    /// Of output and body together.
    characters: usize,
}

impl<'a> Material<'a> {
    fn of(step: &'a PastStep, you: &RoleName) -> Self {
        let heading = format!(
            "### Step {}: {}{}, by {}\n\n",
            step.number,
            one_line(step.role.as_str()),
            if step.role == *you { " (you)" } else { "" },
            one_line(&step.agent)
        );
        let output = step.output.to_string();
        let body = step.body.as_deref().unwrap_or_default();
        let body = if body.trim().is_empty() { "" } else { body };
        Self {
            heading,
            characters: output.chars().count() + body.chars().count(),
            output,
            body,
        }
    }
}

/// The steps as sections, oldest first, within [`MOST_CHARACTERS`]: the newest are shown whole as
/// far as that goes, every cut is marked.
pub(super) fn tell(steps: &[PastStep], you: &RoleName, thread: Option<ThreadId>) -> String {
    let material: Vec<_> = steps.iter().map(|step| Material::of(step, you)).collect();
    let shares = shares(&material);
    let left_out = material.len() - shares.len();
    let mut text = String::new();
    if let [first, .., last] = &steps[..left_out] {
        text += &format!(
            "Steps {} to {} are left out{}.\n\n",
            first.number,
            last.number,
            how_to_read(thread)
        );
    } else if let [only] = &steps[..left_out] {
        text += &format!(
            "Step {} is left out{}.\n\n",
            only.number,
            how_to_read(thread)
        );
    }
    let sections: Vec<_> = material[left_out..]
        .iter()
        .zip(shares)
        .map(|(material, share)| section(material, share, thread))
        .collect();
    text + &sections.join("\n")
}

/// How many characters each step may show, oldest first. Steps at the front that get nothing are
/// missing from the list.
fn shares(material: &[Material<'_>]) -> Vec<usize> {
    let heading = |material: &Material<'_>| material.heading.chars().count();
    let kept_for =
        |material: &Material<'_>| heading(material) + material.characters.min(KEPT_FOR_OLDER);
    let mut kept: usize = material.iter().map(kept_for).sum();
    let mut left = MOST_CHARACTERS;
    let mut shares = Vec::new();
    for material in material.iter().rev() {
        kept -= kept_for(material);
        left = left.saturating_sub(heading(material));
        let share = material.characters.min(left - kept.min(left / 2));
        if share < material.characters.min(TOO_LITTLE) {
            break;
        }
        left -= share;
        shares.push(share);
    }
    shares.reverse();
    shares
}

fn section(material: &Material<'_>, share: usize, thread: Option<ThreadId>) -> String {
    let (output, output_cut) = cut(&material.output, share);
    let (body, body_cut) = cut(material.body, share - output.chars().count());
    let mut text = format!("{}Output: {output}\n", material.heading);
    if output_cut > 0 {
        text += &cut_mark(output_cut, thread);
    }
    if !body.is_empty() {
        text += "\n";
        text += &fenced(body);
    }
    if body_cut > 0 {
        text += &cut_mark(body_cut, thread);
    }
    text
}

fn cut_mark(characters: usize, thread: Option<ThreadId>) -> String {
    let verb = if characters == 1 { "is" } else { "are" };
    format!(
        "({} {verb} left out here{}.)\n",
        counted(characters, "character"),
        how_to_read(thread)
    )
}

/// The quota is large enough for anything a prompt has cut.
fn how_to_read(thread: Option<ThreadId>) -> String {
    thread.map_or_else(String::new, |thread| {
        format!("; read them with `uwf thread read {thread} --quota 1000000`")
    })
}
