//! The agent in the binary that lets a model work with tools, and the model that extracts fields.

mod answering;
mod extracting;
mod failing;
mod resuming;
mod working;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::environment::{DRAFT, Environment, Ran};
use crate::model_server::{ModelServer, Reply};

/// The key of the service. It is to be seen nowhere but in `.env` and in requests.
const KEY: &str = "sk-0123456789abcdef";
/// An answer of the writer that fits.
const ODE: &str = "---\ntitle: Ode\nwords: 3\n---\nRust never sleeps.";
/// An answer of the reviewer that fits, and ends the thread.
const ACCEPTED: &str = "---\naccepted: true\n---\nGood.";

/// A thread of `DRAFT` whose default agent is the builtin one, with this service as its model's.
struct Desk {
    environment: Environment,
    server: ModelServer,
    thread: String,
}

impl Desk {
    fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        let server = ModelServer::new(replies);
        let environment = Environment::new();
        let thread = environment.thread_of(DRAFT);
        let desk = Self {
            environment,
            server,
            thread,
        };
        desk.configure(&desk.server.url(), "");
        desk.environment
            .write_in_root(".env", &format!("LOCAL_KEY={KEY}\n"));
        desk
    }

    /// Writes `config.yaml`: the service at this address, and what else there is to say.
    fn configure(&self, base_url: &str, more: &str) {
        let config = format!(
            "providers:\n  local: {{baseUrl: \"{base_url}\", apiKeyEnv: LOCAL_KEY}}\n\
             models:\n  small: {{provider: local, name: m-1}}\n  reader: {{provider: local, name: r-1}}\n\
             agents:\n  builtin: {{command: uwf-builtin}}\n  \
             brief: {{command: uwf-builtin, args: [--max-turns, \"5\"]}}\n\
             defaultAgent: builtin\ndefaultModel: small\n{more}"
        );
        self.environment.write_in_root("config.yaml", &config);
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.environment.command(arguments);
        command.env("UWF_RETRY_BASE_MS", "1");
        command
    }

    /// Runs a command; the key is seen nowhere after it.
    #[track_caller]
    fn run(&self, arguments: &[&str]) -> Ran {
        let ran = Ran::from(self.command(arguments).output().unwrap());
        self.assert_no_key(&ran);
        ran
    }

    /// Runs one step with the default agent.
    #[track_caller]
    fn step(&self) -> Ran {
        self.run(&["thread", "step", &self.thread])
    }

    /// Calls the agent as the engine does, for the writer.
    fn agent(&self) -> Command {
        let mut command = self.command(&["agent", "builtin", &self.thread, "writer"]);
        command.env("UWF_EDGE_PROMPT", "Write the text.");
        command
    }

    #[track_caller]
    fn assert_no_key(&self, ran: &Ran) {
        assert!(
            !ran.stdout.contains(KEY) && !ran.stderr.contains(KEY),
            "{ran:?}"
        );
        for (path, content) in self.environment.snapshot() {
            let holds = content
                .windows(KEY.len())
                .any(|part| part == KEY.as_bytes());
            assert!(!holds || path.ends_with(".env"), "{}", path.display());
        }
    }

    /// The messages of a request, counted from 1.
    #[track_caller]
    fn messages(&self, request: usize) -> Vec<Value> {
        let requests = self.server.requests();
        requests[request - 1].json()["messages"]
            .as_array()
            .unwrap()
            .clone()
    }

    /// What the last message of a request says.
    #[track_caller]
    fn last_message(&self, request: usize) -> Value {
        self.messages(request).pop().unwrap()
    }

    /// The step the thread is at.
    #[track_caller]
    fn last_step(&self) -> Value {
        self.environment
            .payload(self.environment.head(&self.thread))
    }

    /// The detail of that step.
    #[track_caller]
    fn detail(&self) -> Value {
        let detail = self.last_step()["detail"].as_str().unwrap().to_owned();
        self.environment.payload(detail)
    }

    /// The turns of a detail.
    #[track_caller]
    fn turns(&self, detail: &Value) -> Vec<Value> {
        let turns = detail["turns"].as_array().unwrap().iter();
        turns
            .map(|turn| self.environment.payload(turn.as_str().unwrap()))
            .collect()
    }

    /// The files of sessions that came to no end.
    fn sessions(&self) -> Vec<String> {
        names(&self.environment.root().join("sessions"))
    }

    /// The only attempt: its class and message.
    #[track_caller]
    fn attempt(&self) -> (String, String) {
        let attempts = self.environment.attempts(&self.thread);
        assert_eq!(attempts.len(), 1, "{attempts:?}");
        let text = |key: &str| attempts[0][key].as_str().unwrap().to_owned();
        (text("class"), text("message"))
    }

    /// A step fails like this, and the thread is as it was.
    #[track_caller]
    fn assert_fails(&self, code: i32, class: &str, message: &str) {
        let head = self.environment.head(&self.thread);
        let ran = self.step();
        ran.assert_no_result(code);
        ran.assert_tells(&format!("error: agent `builtin` failed: {message}\n"));
        assert_eq!(
            self.attempt(),
            (
                class.to_owned(),
                format!("agent `builtin` failed: {message}")
            )
        );
        assert_eq!(self.environment.head(&self.thread), head);
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

fn write_file(path: &str, content: &str) -> Reply {
    Reply::calls(&[("write_file", json!({"path": path, "content": content}))])
}

fn user(content: &str) -> Value {
    json!({"role": "user", "content": content})
}
