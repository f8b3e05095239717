//! What is written runs: a step finds the agent, and the agent its model.

use serde_json::json;

use super::KEY;
use crate::environment::{Environment, RELAY};
use crate::model_server::{ModelServer, Reply};

const ANSWER: &str = "---\ntitle: T\n---\nBody.";

/// A root with a workflow, set up for the model of this server and this agent.
fn set_up(server: &ModelServer, agent: &str) -> Environment {
    let environment = Environment::new();
    environment.write("relay.yaml", RELAY);
    environment.ok(&["workflow", "put", "relay.yaml"]);
    let url = server.url();
    let mut arguments = vec!["--provider", "test", "--base-url", &url];
    arguments.extend(["--model", "m-1", "--api-key", "-", "--agent", agent]);
    let ran = environment.setup(&arguments, KEY);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    environment
}

#[test]
fn a_step_runs_the_agent_that_was_set_up() {
    for (agent, program) in [
        ("claude-code", "uwf-claude-code"),
        ("builtin", "uwf-builtin"),
    ] {
        let server = ModelServer::new([Reply::error(401, "no")]);
        let environment = set_up(&server, agent);
        // In its place, so that it is seen how it is called.
        environment.program(
            program,
            "printf '%s\\n' \"$2\" \"$UWF_AGENT\" >called.txt; exit 9\n",
        );
        let thread = environment.start("relay", "a poem");
        let ran = environment.run(&["thread", "step", &thread]);
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert_eq!(
            std::fs::read_to_string(environment.work().join("called.txt")).unwrap(),
            format!("writer\n{agent}\n")
        );
    }
}

#[test]
fn without_such_a_program_the_agent_in_the_binary_is_run() {
    for (agent, code, why) in [
        ("claude-code", 1, "there is no program `claude` in PATH"),
        ("builtin", 3, "answered 401"),
        ("hermes", 1, "there is no program `hermes` in PATH"),
        ("codex", 1, "there is no program `codex-acp` in PATH"),
        ("gemini", 1, "there is no program `gemini` in PATH"),
    ] {
        let server = ModelServer::new([Reply::error(401, "no"), Reply::error(401, "no")]);
        let environment = set_up(&server, agent);
        let thread = environment.start("relay", "a poem");
        let ran = environment.run(&["thread", "step", &thread]);
        assert_eq!(ran.code, Some(code), "{ran:?}");
        let failed = format!("error: agent `{agent}` failed: ");
        let (_, told) = ran.stderr.split_once(&failed).unwrap();
        assert!(told.contains(why), "{ran:?}");
    }
}

#[test]
fn a_step_by_claude_code_ends_well_as_it_was_set_up() {
    let environment = Environment::new();
    environment.write("relay.yaml", RELAY);
    environment.ok(&["workflow", "put", "relay.yaml"]);
    let told = [
        json!({"type": "system", "subtype": "init", "session_id": "s-1", "model": "m"}),
        json!({"type": "assistant", "session_id": "s-1", "message": {"role": "assistant",
            "content": [{"type": "text", "text": ANSWER}]}}),
        json!({"type": "result", "subtype": "success", "is_error": false, "num_turns": 1,
            "result": ANSWER, "session_id": "s-1", "stop_reason": "end_turn"}),
    ];
    let told = told.map(|line| line.to_string()).join("\n");
    environment.program(
        "claude",
        &format!("cat >prompt.txt\ncat <<'END'\n{told}\nEND"),
    );
    let ran = environment.setup(&["--agent", "claude-code"], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let thread = environment.start("relay", "a poem");
    let ran = environment.run(&["thread", "step", &thread]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let prompt = std::fs::read_to_string(environment.work().join("prompt.txt")).unwrap();
    assert!(prompt.contains("a poem"), "{prompt}");
}
