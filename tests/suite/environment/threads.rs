//! Threads at work, and what they leave behind.

use std::fs;

use serde_json::Value;

use super::{Environment, Ran};

/// A workflow with a way back: the reviewer sends the text to its writer until it is accepted.
pub const DRAFT: &str = r#"name: draft
description: Write a text and have it reviewed
roles:
  writer:
    description: Writes
    goal: Write a text a stranger understands.
    capabilities: [writing]
    procedure: Write it, then shorten it.
    output: The title; the text is the body.
    frontmatter:
      type: object
      properties: {title: {type: string}, words: {type: integer, minimum: 1}}
      required: [title]
  reviewer:
    description: Reviews
    goal: Let nothing pass that a stranger would stumble over.
    capabilities: [reading]
    procedure: Read it once.
    output: Whether it is accepted.
    frontmatter:
      type: object
      properties: {accepted: {type: boolean}}
      required: [accepted]
conditions:
  rejected: {description: The reviewer wants changes, expression: "$last('reviewer').accepted = false"}
graph:
  $START: [{role: writer, prompt: Write the text.}]
  writer: [{role: reviewer, prompt: Review the text.}]
  reviewer:
    - {role: writer, condition: rejected, prompt: Rework the text.}
    - {role: $END, prompt: The text is accepted.}
"#;

impl Environment {
    /// An empty home with a thread of `DRAFT`, and the thread's id.
    #[track_caller]
    pub fn with_draft() -> (Self, String) {
        let environment = Self::new();
        let thread = environment.thread_of(DRAFT);
        (environment, thread)
    }

    /// Registers a workflow; its hash.
    #[track_caller]
    pub fn put_workflow(&self, workflow: &str) -> String {
        let name = workflow
            .lines()
            .next()
            .unwrap()
            .strip_prefix("name: ")
            .unwrap();
        self.write(&format!("{name}.yaml"), workflow);
        let put = self.json(&["workflow", "put", &format!("{name}.yaml")]);
        put["hash"].as_str().unwrap().to_owned()
    }

    /// Registers a workflow and starts a thread of it; the thread's id.
    #[track_caller]
    pub fn thread_of(&self, workflow: &str) -> String {
        let hash = self.put_workflow(workflow);
        self.start(&hash, "A poem about rust")
    }

    /// Writes a program that prints this, and reads nothing.
    pub fn printing(&self, name: &str, output: impl AsRef<[u8]>) {
        let path = self.home().join(format!("{name}.output"));
        fs::write(&path, output).unwrap();
        self.program(name, &format!("cat '{}'", path.display()));
    }

    /// Writes a program that gives these answers, one a run, and keeps the prompts it is given:
    /// on its standard input, or behind `-t <thread> -p`.
    pub fn answering(&self, name: &str, answers: &[&str]) {
        let folder = self.work().join(name);
        for (position, answer) in answers.iter().enumerate() {
            self.write(&format!("{name}/answer.{}", position + 1), answer);
        }
        self.write(&format!("{name}/run"), "0\n");
        let script = "read run <run\nrun=$((run + 1))\necho $run >run\n\
             { cat; printf '%s' \"$4\"; } >prompt.$run\ncat answer.$run";
        self.program(
            name,
            &format!("cd '{}' || exit\n{script}", folder.display()),
        );
    }

    /// The prompt that a program of [`Self::answering`] was given in this run, from 1.
    #[track_caller]
    pub fn prompt(&self, name: &str, run: usize) -> String {
        fs::read_to_string(self.work().join(format!("{name}/prompt.{run}"))).unwrap()
    }

    /// Runs one step with this agent.
    pub fn step_with(&self, thread: &str, agent: &str, protocol: &str) -> Ran {
        self.run(&[
            "thread",
            "step",
            thread,
            "--agent",
            agent,
            "--protocol",
            protocol,
        ])
    }

    /// Runs one step with this agent, on the protocol that is set for it or `cas`.
    pub fn step_by(&self, thread: &str, agent: &str) -> Ran {
        self.run(&["thread", "step", thread, "--agent", agent])
    }

    /// Where a thread is.
    #[track_caller]
    pub fn head(&self, thread: &str) -> String {
        let shown = self.json(&["thread", "show", thread]);
        shown["head"].as_str().unwrap().to_owned()
    }

    /// What a node holds.
    #[track_caller]
    pub fn payload(&self, hash: impl AsRef<str>) -> Value {
        self.json(&["cas", "get", hash.as_ref()])["payload"].clone()
    }

    /// The hint that leads to what the agent had printed in a thread's last attempt.
    #[track_caller]
    pub fn kept_hint(&self, thread: &str) -> String {
        let attempts = self.attempts(thread);
        let output = attempts.last().unwrap()["output"].as_str().unwrap();
        format!("hint: what it answered is kept: `uwf thread step-details {output}`\n")
    }

    /// The hint that leads to this line of a thread's record of attempts.
    pub fn on_record(&self, thread: &str, line: usize) -> String {
        let path = self.root().join(format!("attempts/{thread}.jsonl"));
        format!(
            "hint: the attempt is on record: {}, line {line}\n",
            path.display()
        )
    }

    /// The failed steps of a thread, without the time of each.
    #[track_caller]
    pub fn attempts(&self, thread: &str) -> Vec<Value> {
        let path = self.root().join(format!("attempts/{thread}.jsonl"));
        let Ok(text) = fs::read_to_string(path) else {
            return Vec::new();
        };
        let attempt = |line| {
            let mut attempt: Value = serde_json::from_str(line).unwrap();
            assert!(
                attempt["time"].as_u64().unwrap() > 1_700_000_000_000,
                "{attempt}"
            );
            assert_eq!(attempt["version"], 1, "{attempt}");
            attempt
                .as_object_mut()
                .unwrap()
                .retain(|key, _| !["time", "version", "durationMs"].contains(&key.as_str()));
            attempt
        };
        text.lines().map(attempt).collect()
    }
}

impl Ran {
    /// It succeeded, and had nothing to say on stderr.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{self:?}");
    }

    /// It failed with this code, and printed no result.
    #[track_caller]
    pub fn assert_no_result(&self, code: i32) {
        assert_eq!(
            (self.code, self.stdout.as_str()),
            (Some(code), ""),
            "{}",
            self.stderr
        );
    }

    /// What it said on stderr begins so.
    #[track_caller]
    pub fn assert_begins(&self, wanted: &str) {
        assert!(
            self.stderr.starts_with(wanted),
            "{}\nwanted first: {wanted}",
            self.stderr
        );
    }

    /// What it said on stderr has this in it.
    #[track_caller]
    pub fn assert_tells(&self, wanted: &str) {
        assert!(
            self.stderr.contains(wanted),
            "{}\nwanted: {wanted}",
            self.stderr
        );
    }

    /// What it printed, as JSON.
    #[track_caller]
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
