//! A thread as markdown: `uwf thread read`. Pure text.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::model::{Hash, ThreadId};

/// The head of the page.
pub struct Heading<'a> {
    pub thread: ThreadId,
    pub workflow_name: &'a str,
    pub workflow: Hash,
    pub prompt: &'a str,
}

/// One step as it is read.
pub struct ReadStep {
    /// From 1.
    pub number: usize,
    pub role: String,
    pub hash: Hash,
    pub agent: String,
    /// When it was made, as it is printed.
    pub time: String,
    /// The role's goal, when the workflow has the role.
    pub goal: Option<String>,
    /// What the agent answered, when its detail tells.
    pub content: Option<String>,
}

/// How many characters of steps may be printed, and how many are left.
pub struct Quota {
    left: usize,
    is_untouched: bool,
    introduced: BTreeSet<String>,
}

impl Quota {
    pub fn new(characters: usize) -> Self {
        Self {
            left: characters,
            is_untouched: true,
            introduced: BTreeSet::new(),
        }
    }

    /// Whether a step is printed. They are asked for from the newest to older ones, and after the
    /// first that is not printed, none is. The newest is always printed.
    pub fn takes(&mut self, step: &ReadStep) -> bool {
        // An older step of the same role takes the goal over: it is counted once.
        let goal = step
            .goal
            .as_deref()
            .filter(|_| self.introduced.insert(step.role.clone()));
        let length = step_block(step, goal).chars().count();
        let fits = length <= self.left || self.is_untouched;
        self.left = self.left.saturating_sub(length);
        self.is_untouched = false;
        fits
    }
}

/// A page that is printed block by block. Put together, it is the same as printed at once.
#[derive(Default)]
pub struct Page {
    /// The roles whose goal is on the page.
    introduced: BTreeSet<String>,
    /// What has to come before the next block: it depends on how the last one ended.
    separator: &'static str,
}

impl Page {
    /// The beginning: the steps that are shown, oldest first, and how many older ones are not.
    pub fn begin(
        &mut self,
        heading: Option<&Heading<'_>>,
        thread: ThreadId,
        shown: &[ReadStep],
        left_out: usize,
    ) -> String {
        let mut blocks: Vec<String> = heading.map(heading_block).into_iter().collect();
        if let (true, Some(first)) = (left_out > 0, shown.first()) {
            let word = if left_out == 1 { "step" } else { "steps" };
            blocks.push(format!(
                "*({left_out} earlier {word}, load with `uwf thread read {thread} --before {}`)*",
                first.hash
            ));
        }
        blocks.extend(shown.iter().map(|step| self.block(step)));
        self.finish_line(blocks.join("\n\n---\n\n"))
    }

    /// One more step.
    pub fn add(&mut self, step: &ReadStep) -> String {
        let separator = self.separator;
        let block = self.block(step);
        self.finish_line(format!("{separator}{block}"))
    }

    fn block(&mut self, step: &ReadStep) -> String {
        let is_new = self.introduced.insert(step.role.clone());
        step_block(step, step.goal.as_deref().filter(|_| is_new))
    }

    fn finish_line(&mut self, mut text: String) -> String {
        if text.ends_with('\n') {
            self.separator = "\n\n---\n\n";
        } else {
            text.push('\n');
            self.separator = "\n---\n\n";
        }
        text
    }
}

fn heading_block(heading: &Heading) -> String {
    format!(
        "# Thread `{}`\n\n**Workflow:** {} (`{}`)\n\n## Task\n\n{}",
        heading.thread, heading.workflow_name, heading.workflow, heading.prompt
    )
}

fn step_block(step: &ReadStep, goal: Option<&str>) -> String {
    let mut block = format!(
        "## Step {}: {} `{}`\n**Agent:** {} | **Time:** {}",
        step.number, step.role, step.hash, step.agent, step.time
    );
    let content = step.content.as_deref().map(told_apart);
    for (title, text) in [("Prompt", goal), ("Content", content.as_deref())] {
        if let Some(text) = text {
            block.push_str(&format!("\n\n### {title}\n\n{text}"));
        }
    }
    block
}

/// An answer may hold a line that looks like a step's heading: Markdown shows it as the text it is
/// when a backslash stands before it.
fn told_apart(content: &str) -> Cow<'_, str> {
    let is_heading = |line: &str| {
        let number = line.strip_prefix("## Step ");
        number.is_some_and(|rest| rest.starts_with(|character: char| character.is_ascii_digit()))
    };
    if !content.lines().any(is_heading) {
        return Cow::Borrowed(content);
    }
    let lines = content.split_inclusive('\n');
    let escaped = lines.map(|line| {
        if is_heading(line) {
            format!("\\{line}")
        } else {
            line.to_owned()
        }
    });
    Cow::Owned(escaped.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(roles: &[&str]) -> Vec<ReadStep> {
        let make = |(position, role): (usize, &&str)| ReadStep {
            number: position + 1,
            role: (*role).to_owned(),
            hash: Hash::from_digest(position as u64),
            agent: "a".to_owned(),
            time: "t".to_owned(),
            goal: Some(format!("Goal of {role}.")),
            content: Some("done\n".to_owned()),
        };
        roles.iter().enumerate().map(make).collect()
    }

    fn thread() -> ThreadId {
        "06H2S7T0SYTNXJYWQYS40BBMNR".parse().unwrap()
    }

    /// The page of what a quota lets through.
    fn page_within(steps: Vec<ReadStep>, characters: usize) -> String {
        let all = steps.len();
        let mut quota = Quota::new(characters);
        let mut shown: Vec<_> = steps
            .into_iter()
            .rev()
            .take_while(|step| quota.takes(step))
            .collect();
        shown.reverse();
        Page::default().begin(None, thread(), &shown, all - shown.len())
    }

    #[test]
    fn the_newest_is_shown_whatever_the_quota_and_the_rest_is_announced() {
        assert_eq!(
            page_within(steps(&["a", "b", "a"]), 1),
            "*(2 earlier steps, load with `uwf thread read 06H2S7T0SYTNXJYWQYS40BBMNR --before 0000000000002`)*\n\n---\n\n\
             ## Step 3: a `0000000000002`\n**Agent:** a | **Time:** t\n\n### Prompt\n\nGoal of a.\n\n### Content\n\ndone\n"
        );
    }

    #[test]
    fn the_quota_counts_the_characters_that_are_printed() {
        let printed = |page: &str| -> usize {
            let blocks = page
                .split("\n\n---\n\n")
                .filter(|block| block.starts_with("##"));
            blocks.map(|block| block.chars().count()).sum()
        };
        let whole = printed(&page_within(steps(&["a", "b", "a"]), usize::MAX));
        let cut = page_within(steps(&["a", "b", "a"]), whole - 1);
        assert!(cut.starts_with("*(1 earlier step, load with"), "{cut}");
        assert!(page_within(steps(&["a", "b", "a"]), whole).starts_with("## Step 1: a"));
    }
    #[test]
    fn a_page_that_grows_is_the_page_printed_at_once() {
        let mut all = steps(&["a", "b", "a", "b"]);
        all[1].content = Some("no line break".to_owned());
        all[2].content = None;
        let heading = Heading {
            thread: thread(),
            workflow_name: "w",
            workflow: Hash::from_digest(9),
            prompt: "p",
        };
        let whole = Page::default().begin(Some(&heading), thread(), &all, 0);
        for at_once in 0..=all.len() {
            let (first, later) = all.split_at(at_once);
            let mut growing = Page::default();
            let mut printed = growing.begin(Some(&heading), thread(), first, 0);
            for step in later {
                assert!(printed.ends_with('\n'));
                printed.push_str(&growing.add(step));
            }
            assert_eq!(printed, whole);
        }
    }
}
