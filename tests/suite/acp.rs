//! Agents of the Agent Client Protocol, with a shell script as the agent.

mod endings;
mod failures;
mod permissions;
mod visits;

use std::fs;

use serde_json::{Value, json};

use crate::environment::{Environment, Ran};

/// What every stand-in can say. It is said in functions, so that a test can say it otherwise; each
/// line that is heard is kept in `heard.txt` of the working folder.
const WORDS: &str = r#"
session=s-1
agent='{}'
capabilities='{}'
reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
refuse() { printf '{"jsonrpc":"2.0","id":%s,"error":%s}\n' "$id" "$1"; }
update() {
  printf '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"%s","update":%s}}\n' \
    "$session" "$1"
}
chunk() { update '{"sessionUpdate":"'"$1"'","content":{"type":"text","text":"'"$2"'"}}'; }
text() { chunk agent_message_chunk "$1"; }
ask() {
  printf '{"jsonrpc":"2.0","id":"q","method":"%s","params":%s}\n' "$1" "$2"
  hear
}
hear() { IFS= read -r line && printf '%s\n' "$line" >>heard.txt; }
stop() { reply '{"stopReason":"'"$1"'"}'; }
answer() { text '---\ntitle: Ode\n---\nIt rusts.'; stop end_turn; }
initialize() {
  reply '{"protocolVersion":1,"agentInfo":'"$agent"',"agentCapabilities":'"$capabilities"'}'
}
new() { reply '{"sessionId":"'"$session"'"}'; }
resume() { reply '{}'; }
load() { reply '{}'; }
prompt() { answer; }
cancel() { stop cancelled; }
"#;

/// How a stand-in listens. A cancellation has no id: that of the prompt stays.
const EARS: &str = r#"
while hear; do
  case $line in
    *'"method":"session/cancel"'*) cancel; continue ;;
  esac
  id=${line#*\"id\":}
  id=${id%%[,\}]*}
  case $line in
    *'"method":"initialize"'*) initialize ;;
    *'"method":"session/new"'*) new ;;
    *'"method":"session/resume"'*) resume ;;
    *'"method":"session/load"'*) load ;;
    *'"method":"session/prompt"'*) prompt ;;
    *) ;;
  esac
done
"#;

/// The agent that is a stand-in.
const STAND_IN: &str = "uwf-acp -- stand-in";

impl Environment {
    /// Writes a stand-in that says some things otherwise.
    fn stand_in(&self, otherwise: &str) {
        self.program("stand-in", &format!("{WORDS}{otherwise}{EARS}"));
    }

    /// What the stand-in heard, as requests: method and parameters; as answers: null and all.
    fn heard(&self) -> Vec<(String, Value)> {
        let text = fs::read_to_string(self.work().join("heard.txt")).unwrap_or_default();
        let message = |line: &str| {
            let message: Value = serde_json::from_str(line).unwrap();
            match message["method"].as_str() {
                Some(method) => (method.to_owned(), message["params"].clone()),
                None => ("answer".to_owned(), message),
            }
        };
        text.lines().map(message).collect()
    }

    /// The methods of the requests that the stand-in heard.
    fn methods(&self) -> Vec<String> {
        self.heard().into_iter().map(|(method, _)| method).collect()
    }

    /// The texts of the prompts that the stand-in heard.
    fn prompts(&self) -> Vec<String> {
        let heard = self.heard().into_iter();
        let prompts = heard.filter(|(method, _)| method == "session/prompt");
        prompts
            .map(|(_, it)| it["prompt"][0]["text"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The detail of a thread's last step, with its turns, without its duration.
    #[track_caller]
    fn last_detail(&self, thread: &str) -> Value {
        let steps = self.json(&["thread", "steps", thread]);
        let step = steps["steps"].as_array().unwrap().last().unwrap().clone();
        self.detail(step["detail"].as_str().unwrap())
    }

    /// A detail with its turns, without its duration.
    #[track_caller]
    fn detail(&self, hash: &str) -> Value {
        let mut detail = self.payload(hash);
        let turns = detail["turns"].as_array().unwrap().clone();
        let turns = turns
            .iter()
            .map(|turn| self.payload(turn.as_str().unwrap()));
        detail["turns"] = turns.collect();
        assert!(detail["duration"].is_u64());
        detail.as_object_mut().unwrap().remove("duration");
        detail
    }
}

/// A turn as it is kept.
fn said(text: &str) -> Value {
    json!({"role": "assistant", "content": text, "toolCalls": null, "reasoning": null})
}

fn told(text: &str) -> Value {
    json!({"role": "tool", "content": text, "toolCalls": null, "reasoning": null})
}

/// A step of a new thread with this stand-in failed with this exit code: the class and message on
/// record.
#[track_caller]
fn failure(otherwise: &str, agent: &str, code: i32) -> (Environment, Ran, [String; 2]) {
    let (environment, thread) = Environment::with_draft();
    let start = environment.head(&thread);
    environment.stand_in(otherwise);
    let ran = environment.step_by(&thread, agent);
    ran.assert_no_result(code);
    assert_eq!(environment.head(&thread), start);
    let attempts = environment.attempts(&thread);
    let [attempt] = attempts.as_slice() else {
        panic!("there should be one attempt: {attempts:?}");
    };
    let words = ["class", "message"].map(|key| attempt[key].as_str().unwrap().to_owned());
    (environment, ran, words)
}
