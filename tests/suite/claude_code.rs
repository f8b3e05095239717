//! `uwf-claude-code`, with a stand-in for `claude` that plays recorded runs.

mod asked;
mod broken;
mod failing;
mod kept;
mod sessions;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::environment::{Environment, Ran};

/// A writer whose work goes on until the checker has no more to say.
const TALK: &str = r#"name: talk
description: One works, the other checks
roles:
  writer: &role
    description: Works
    goal: Write the file.
    capabilities: []
    procedure: Just do it.
    output: How it went.
    frontmatter: {type: object, properties: {status: {type: string}, summary: {type: string}}, required: [status]}
  checker: *role
conditions:
  again: {description: There is more to do, expression: "$last('checker').status = 'again'"}
graph:
  $START: [{role: writer, prompt: "Write hello.txt."}]
  writer: [{role: checker, prompt: "Check hello.txt."}]
  checker:
    - {role: writer, condition: again, prompt: "Write it once more."}
    - {role: $END, prompt: "It is good."}
"#;

/// Two names for the agent, and a checker that always wants more.
const CONFIG: &str = "\
agents:
  claude: {command: uwf-claude-code}
  other: {command: uwf-claude-code, args: [--model, other]}
  checker: {command: checker, protocol: markdown}
";

/// Keeps what it is given of each run, from 1, and does what is laid out for that run: first the
/// script `do.N`, then it prints `play.N` and ends with the code in `exit.N`.
const CLAUDE: &str = r#"
stage='STAGE'
read run <"$stage/run"
run=$((run + 1))
echo $run >"$stage/run"
for argument in "$@"; do printf '%s\n' "$argument"; done >"$stage/argv.$run"
env >"$stage/env.$run"
pwd >"$stage/pwd.$run"
cat >"$stage/stdin.$run"
if test -f "$stage/do.$run"; then . "$stage/do.$run"; fi
if test -f "$stage/play.$run"; then cat "$stage/play.$run"; fi
if test -f "$stage/exit.$run"; then read code <"$stage/exit.$run"; exit $code; fi
"#;

/// An environment with a thread of [`TALK`] and a `claude`.
struct Stage {
    environment: Environment,
    thread: String,
}

impl Stage {
    /// A `claude` that plays these, one a run.
    fn playing(plays: &[&str]) -> Self {
        let environment = Environment::new();
        let thread = environment.thread_of(TALK);
        environment.write_in_root("config.yaml", CONFIG);
        environment.program(
            "checker",
            "printf -- '---\\nstatus: again\\n---\\nIt is too short.\\n'",
        );
        let stage = Self {
            environment,
            thread,
        };
        fs::create_dir(stage.folder()).unwrap();
        let script = CLAUDE.replace("STAGE", &stage.folder().display().to_string());
        stage.environment.program("claude", &script);
        stage.lay_out("run", "0\n");
        for (position, play) in plays.iter().enumerate() {
            stage.lay_out(&format!("play.{}", position + 1), play);
        }
        stage
    }

    fn folder(&self) -> PathBuf {
        self.environment.home().join("stage")
    }

    fn lay_out(&self, name: &str, text: &str) {
        fs::write(self.folder().join(name), text).unwrap();
    }

    /// What the stand-in kept, such as `stdin.1`.
    #[track_caller]
    fn kept(&self, name: &str) -> String {
        fs::read_to_string(self.folder().join(name)).unwrap()
    }

    fn argv(&self, run: usize) -> Vec<String> {
        let argv = self.kept(&format!("argv.{run}"));
        argv.lines().map(str::to_owned).collect()
    }

    /// How often `claude` was run.
    fn runs(&self) -> usize {
        self.kept("run").trim().parse().unwrap()
    }

    fn step(&self, agent: &str) -> Ran {
        self.environment.step_by(&self.thread, agent)
    }

    /// A step that must be made; its node, with the detail in place of its hash.
    #[track_caller]
    fn made(&self, agent: &str) -> Value {
        let ran = self.step(agent);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        self.last_step()
    }

    fn last_step(&self) -> Value {
        let mut step = self
            .environment
            .payload(self.environment.head(&self.thread));
        step["detail"] = self.environment.payload(step["detail"].as_str().unwrap());
        step
    }

    /// A failed step with this exit code; the class and message on record. The thread is where
    /// it was.
    #[track_caller]
    fn fails(&self, agent: &str, code: i32) -> (String, String) {
        let head = self.environment.head(&self.thread);
        let ran = self.step(agent);
        ran.assert_no_result(code);
        assert_eq!(self.environment.head(&self.thread), head);
        let attempts = self.attempts();
        let last = attempts.last().unwrap();
        let text = |key: &str| last[key].as_str().unwrap().to_owned();
        (text("class"), text("message"))
    }

    /// The thread's attempts, as they are printed.
    fn attempts(&self) -> Vec<Value> {
        let printed = self.environment.json(&["thread", "attempts", &self.thread]);
        printed["attempts"].as_array().unwrap().clone()
    }

    /// What is kept of the last attempt.
    #[track_caller]
    fn kept_of_attempt(&self) -> Value {
        let attempts = self.attempts();
        let output = attempts.last().unwrap()["output"].as_str().unwrap();
        self.environment.payload(output)
    }

    /// The turns of a detail, as role and text.
    fn turns(&self, detail: &Value) -> Vec<(String, String)> {
        let turn = |hash: &Value| {
            let turn = self.environment.payload(hash.as_str().unwrap());
            let text = |key: &str| turn[key].as_str().unwrap().to_owned();
            (text("role"), text("content"))
        };
        detail["turns"]
            .as_array()
            .unwrap()
            .iter()
            .map(turn)
            .collect()
    }

    fn sessions(&self) -> Value {
        let text = self.environment.read_in_root("cache/agent-sessions.json");
        serde_json::from_str(&text).unwrap()
    }

    /// The key of an agent's session for a role.
    fn key(&self, role: &str, agent: &str) -> String {
        format!("{}:{role}:{agent}", self.thread)
    }
}

/// A recorded run, such as `claude/text`.
fn recorded(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    fs::read_to_string(folder.join(name).with_extension("jsonl")).unwrap()
}

/// A recorded run whose answer fits no role of [`TALK`].
fn unfitting() -> String {
    recorded("claude/text").replace("status: done", "state: done")
}

/// A run in this session that gives this answer.
fn answer(session: &str, text: &str) -> String {
    let init = json!({"type": "system", "subtype": "init", "session_id": session, "model": "m-1"});
    let result = json!({"type": "result", "subtype": "success", "is_error": false, "num_turns": 1,
        "duration_ms": 5, "result": text, "stop_reason": "end_turn", "session_id": session,
        "total_cost_usd": 0.5, "usage": {"input_tokens": 7, "output_tokens": 3}});
    format!("{init}\n{result}\n")
}

const DONE: &str = "---\nstatus: done\n---\n\nDone.\n";
const TEXT_SESSION: &str = "472ee272-a81d-4aea-82d5-84bca70b69b4";
