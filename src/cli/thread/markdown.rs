//! A thread as markdown: `uwf thread read`. Pure text.

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

/// A page that is printed block by block. Put together, it is the same as printed at once.
#[derive(Default)]
pub struct Page {
    /// The roles whose goal is on the page.
    introduced: BTreeSet<String>,
    /// What has to come before the next block: it depends on how the last one ended.
    separator: &'static str,
}

impl Page {
    /// The beginning of the page. `steps` are the candidates, oldest first; of them the newest
    /// that fit into `quota` characters are shown, and always the newest.
    pub fn begin(
        &mut self,
        heading: Option<&Heading>,
        thread: ThreadId,
        steps: &[ReadStep],
        quota: usize,
    ) -> String {
        let shown = newest_within(steps, quota);
        let left_out = steps.len() - shown.len();
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

fn newest_within(steps: &[ReadStep], quota: usize) -> &[ReadStep] {
    let mut introduced = BTreeSet::new();
    let mut used = 0;
    let mut first = steps.len();
    for (position, step) in steps.iter().enumerate().rev() {
        // An older step of the same role takes the goal over: it is counted once.
        let goal = step
            .goal
            .as_deref()
            .filter(|_| introduced.insert(step.role.as_str()));
        used += step_block(step, goal).chars().count();
        if used > quota && first < steps.len() {
            break;
        }
        first = position;
    }
    &steps[first..]
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
    for (title, text) in [("Prompt", goal), ("Content", step.content.as_deref())] {
        if let Some(text) = text {
            block.push_str(&format!("\n\n### {title}\n\n{text}"));
        }
    }
    block
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

    fn page(
        heading: Option<&Heading>,
        thread: ThreadId,
        steps: &[ReadStep],
        quota: usize,
    ) -> String {
        Page::default().begin(heading, thread, steps, quota)
    }

    fn thread() -> ThreadId {
        "06H2S7T0SYTNXJYWQYS40BBMNR".parse().unwrap()
    }

    #[test]
    fn the_newest_is_shown_whatever_the_quota_and_the_rest_is_announced() {
        let page = page(None, thread(), &steps(&["a", "b", "a"]), 1);
        assert_eq!(
            page,
            "*(2 earlier steps, load with `uwf thread read 06H2S7T0SYTNXJYWQYS40BBMNR --before 0000000000002`)*\n\n---\n\n\
             ## Step 3: a `0000000000002`\n**Agent:** a | **Time:** t\n\n### Prompt\n\nGoal of a.\n\n### Content\n\ndone\n"
        );
    }

    #[test]
    fn the_quota_counts_the_characters_that_are_printed() {
        let all = steps(&["a", "b", "a"]);
        let printed = |page: &str| {
            page.split("\n\n---\n\n")
                .filter(|block| block.starts_with("##"))
                .map(|b| b.chars().count())
                .sum::<usize>()
        };
        let whole = printed(&page(None, thread(), &all, usize::MAX)[..]);
        let cut = page(None, thread(), &all, whole - 1);
        assert!(cut.starts_with("*(1 earlier step, load with"), "{cut}");
        assert!(page(None, thread(), &all, whole).starts_with("## Step 1: a"));
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
        let whole = page(Some(&heading), thread(), &all, usize::MAX);
        for at_once in 0..=all.len() {
            let mut growing = Page::default();
            let mut printed = growing.begin(Some(&heading), thread(), &all[..at_once], usize::MAX);
            for step in &all[at_once..] {
                assert!(printed.ends_with('\n'));
                printed.push_str(&growing.add(step));
            }
            assert_eq!(printed, whole);
        }
    }
}
