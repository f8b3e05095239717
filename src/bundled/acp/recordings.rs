//! Recorded conversations with real agents, heard once more: what was sent to us goes through the
//! connection and the hearing, what was sent by us has to be the same again.

use std::path::Path;
use std::sync::mpsc::{Receiver, channel};

use agent_client_protocol::UntypedMessage;
use agent_client_protocol::v1::schema::PromptResponse;
use serde_json::{Value, json};

use super::connection::{Connection, Event, Orders};
use super::hearing::Hearing;
use super::opening;
use super::permission::Permissions;
use super::usage::Counting;
use crate::agent::Talker;
use crate::bundled::kit::{Observer, Turn, Usage};

/// What an observer was told.
#[derive(Default)]
struct Told(Vec<String>);

impl Observer for Told {
    fn warning(&mut self, message: &str) {
        self.0.push(format!("warning: {message}"));
    }

    fn progress(&mut self, line: &str) {
        self.0.push(line.to_owned());
    }

    fn program_stderr(&mut self, bytes: &[u8]) {
        self.0.push(String::from_utf8(bytes.to_vec()).unwrap());
    }
}

/// One recording that is played.
struct Player {
    connection: Connection,
    orders: Orders,
    events: Receiver<Event>,
    hearing: Hearing,
    told: Told,
    /// The ids that our requests have now, by those they had.
    ids: Vec<(Value, Value)>,
    /// The answers to prompts: what was said, how it stopped.
    answers: Vec<(String, String)>,
    counting: Counting,
    last_method: String,
    /// What the agent was answered, and what it was answered in the recording.
    permits: [Vec<Value>; 2],
    notifications: Vec<String>,
    opened: Vec<Option<String>>,
    model: Option<String>,
}

impl Player {
    fn new(permissions: Permissions) -> Self {
        let (told, events) = channel();
        let (connection, orders) = Connection::new(told).unwrap();
        let mut hearing = Hearing::new(permissions);
        hearing.begin("it", 0);
        Self {
            connection,
            orders,
            events,
            hearing,
            told: Told::default(),
            ids: Vec::new(),
            answers: Vec::new(),
            counting: Counting::ByPrompt,
            last_method: String::new(),
            permits: Default::default(),
            notifications: Vec::new(),
            opened: Vec::new(),
            model: None,
        }
    }

    fn play(recording: &str, permissions: Permissions) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/transcripts")
            .join(recording);
        let text = std::fs::read_to_string(path).unwrap();
        let mut player = Self::new(permissions);
        for line in text.lines() {
            let entry: Value = serde_json::from_str(line).unwrap();
            match entry["dir"].as_str().unwrap() {
                "client->agent" => player.say(&entry["msg"]),
                "agent->client" => player.hear(entry["msg"].clone()),
                _ => player.connection.hear_end(),
            }
        }
        player
    }

    fn say(&mut self, message: &Value) {
        let Some(method) = message["method"].as_str() else {
            self.permits[1].push(message["result"]["outcome"].clone());
            return;
        };
        if method == "session/cancel" {
            self.connection.take_leave();
            self.go_on(None);
            return;
        }
        let session = message["params"]["sessionId"].as_str();
        match method {
            "session/prompt" => {
                self.hearing.prompt();
                if self.hearing.record.has_anything() {
                    let text = message["params"]["prompt"][0]["text"].as_str();
                    self.hearing.record.tell(text.unwrap());
                }
            }
            "session/resume" => self.hearing.open_session(session.unwrap(), false),
            _ => {}
        }
        self.last_method = method.to_owned();
        let order = UntypedMessage::new(method, &message["params"]).unwrap();
        self.orders.unbounded_send(order).unwrap();
        self.go_on(Some(&message["id"]));
    }

    fn hear(&mut self, mut message: Value) {
        if message.get("method").is_none() {
            let known = self.ids.iter().find(|(then, _)| *then == message["id"]);
            message["id"] = known.unwrap().1.clone();
        }
        let line = message.to_string() + "\n";
        self.connection.hear(line.as_bytes());
        self.go_on(None);
    }

    fn go_on(&mut self, id: Option<&Value>) {
        // An answer to a question is the next thing that is said.
        for _ in 0..2 {
            let bytes = self.connection.go_on();
            for line in String::from_utf8(bytes).unwrap().lines() {
                let said: Value = serde_json::from_str(line).unwrap();
                match (said["method"].as_str(), said.get("id"), id) {
                    (Some(_), Some(now), Some(then)) => {
                        self.ids.push((then.clone(), now.clone()));
                    }
                    (Some(method), _, _) => self.notifications.push(method.to_owned()),
                    (None, _, _) => self.permits[0].push(said["result"]["outcome"].clone()),
                }
            }
            while let Ok(event) = self.events.try_recv() {
                match event {
                    Event::Reply(reply) => self.reply(&reply.unwrap()),
                    event => self.hearing.hear(event, 0, &mut self.told),
                }
            }
        }
    }

    fn reply(&mut self, reply: &Value) {
        match self.last_method.as_str() {
            "initialize" => {
                let agent = serde_json::from_value(reply.clone()).unwrap();
                self.counting = opening::counting(&agent, "x");
            }
            "session/prompt" => {
                let response: PromptResponse = serde_json::from_value(reply.clone()).unwrap();
                self.hearing.account.add(&response, self.counting);
                let answer = self.hearing.record.answer().trim().to_owned();
                let reason = reply["stopReason"].as_str().unwrap().to_owned();
                self.answers.push((answer, reason));
            }
            method => {
                let session = opening::session_in(reply).map(str::to_owned);
                self.model = opening::model_in(reply).map(str::to_owned);
                if method == "session/new" {
                    self.hearing.open_session(session.as_deref().unwrap(), true);
                }
                self.opened.push(session);
            }
        }
    }

    fn tokens(&self) -> Option<(u64, u64)> {
        let Usage {
            input_tokens,
            output_tokens,
            ..
        } = self.hearing.account.tokens()?;
        Some((input_tokens, output_tokens))
    }
}

const DONE: &str = "---\nstatus: done\nsummary: wrote hello.txt\n---\n\nAll done. The file \
                    **hello.txt** was written.";

fn ended(answer: &str) -> (String, String) {
    (answer.to_owned(), "end_turn".to_owned())
}

fn call(text: &str, kind: &str, arguments: &Value) -> Turn {
    Turn {
        tool_calls: vec![(kind.to_owned(), arguments.to_string())],
        ..Turn::assistant(text)
    }
}

#[test]
fn hermes_works_asks_and_counts_on() {
    let mut player = Player::play("hermes/basic.jsonl", Permissions::Allow);
    assert_eq!(player.answers, [ended(DONE), ended(DONE), ended(DONE)]);
    assert_eq!(player.tokens(), Some((6000, 170)));
    assert_eq!(player.model.as_deref(), Some("custom:mock-model"));
    assert_eq!(player.permits[0], player.permits[1]);
    let write = json!({"title": "write: w.txt", "input": {
        "tool": "write_file",
        "arguments": {"path": "w.txt", "file_path": "w.txt", "content": "written\n"}
    }});
    let run = json!({"title": "terminal: echo hi > hello.txt && cat hello.txt"});
    let done = DONE.to_owned() + "\n";
    let later = format!("\n\n{done}");
    assert_eq!(
        player.hearing.record.turns(),
        [
            Turn::assistant(done),
            Turn::tool("SCN_TOOL hi"),
            call("I will run a command.", "execute", &run),
            Turn::tool("terminal result\n- **output:** hi\n- **exit_code:** 0"),
            Turn::assistant(later.clone()),
            Turn::tool("SCN_WRITE hi"),
            call("I will write a file.", "edit", &write),
            Turn::tool("asked for permission, Approve edit: w.txt: allowed (Allow edit)"),
            Turn::assistant(later),
        ]
    );
    assert_eq!(
        player.told.0,
        [
            "it: calls terminal: echo hi > hello.txt && cat hello.txt",
            "it: terminal: echo hi > hello.txt && cat hello.txt: completed",
            "it: calls write: w.txt",
            "it: asked for permission, Approve edit: w.txt: allowed (Allow edit)",
        ]
    );
}

#[test]
fn hermes_takes_no_for_an_answer() {
    let mut player = Player::play("hermes/perm.jsonl", Permissions::Deny);
    let denied = json!({"outcome": "selected", "optionId": "deny"});
    assert_eq!(
        player.permits[0],
        [denied.clone(), denied.clone(), denied.clone()]
    );
    assert_eq!(player.permits[1][0], denied);
    assert_eq!(player.answers.len(), 3);
    assert_eq!(player.tokens(), Some((7200, 204)));
    let turns = player.hearing.record.turns();
    assert_eq!(
        turns[1].content,
        "asked for permission, recursive delete: rm -rf ./victim-dir && echo removed: denied \
         (Deny)"
    );
    assert!(
        turns[2]
            .content
            .starts_with("failed: terminal failed: BLOCKED: User denied")
    );
}

#[test]
fn history_that_hermes_tells_again_is_no_part_of_the_turn() {
    let mut player = Player::play("hermes/resume.jsonl", Permissions::Allow);
    assert_eq!(
        player.answers,
        [ended("---\nstatus: resumed\n---\n\nI remember.")]
    );
    assert_eq!(
        player.hearing.record.turns(),
        [Turn::assistant(
            "---\nstatus: resumed\n---\n\nI remember.\n"
        )]
    );
    // Its counter stood at 6000 when the session was left, and begins anew.
    assert_eq!(player.tokens(), Some((1200, 34)));
    let asked = ["8429bf11-b6a9-494c-9656-da2e5c095bfd", "nope-unknown"];
    assert_eq!(player.opened[0].as_deref(), Some(asked[0]));
    assert_eq!(
        player.opened[1].as_deref(),
        Some("b584580a-c53d-4c8d-8e1c-bba675b18422")
    );
    assert!(player.told.0.is_empty());
}

#[test]
fn gemini_tells_of_a_call_by_asking() {
    let mut player = Player::play("gemini/basic.jsonl", Permissions::Allow);
    assert_eq!(player.answers, [ended(DONE), ended(DONE), ended(DONE)]);
    assert_eq!(player.tokens(), Some((6000, 170)));
    assert_eq!(player.model.as_deref(), Some("gemini-2.5-flash"));
    assert_eq!(player.permits[0], player.permits[1]);
    let run = json!({"title": "echo hi > hello.txt && cat hello.txt"});
    let turns = player.hearing.record.turns();
    assert_eq!(
        turns[2..5],
        [
            call("I will run a command.", "execute", &run),
            Turn::tool(
                "asked for permission, echo hi > hello.txt && cat hello.txt: allowed (Allow)"
            ),
            Turn::tool(""),
        ]
    );
    assert_eq!(
        turns[9].content,
        "/home/user/project/w.txt: 0 lines became 1"
    );
}

#[test]
fn codex_answers_to_a_cancellation_and_tells_no_usage() {
    let player = Player::play("codex-acp/known-model.jsonl", Permissions::Allow);
    assert_eq!(
        player.answers,
        [ended(DONE), (String::new(), "cancelled".to_owned())]
    );
    assert_eq!(player.notifications, ["session/cancel"]);
    assert_eq!(player.tokens(), None);
    assert_eq!(player.model.as_deref(), Some("gpt-5.4"));
    assert!(player.connection.is_over());
}
