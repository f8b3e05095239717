//! What is written runs: a step finds the agent, and the agent its model.

use super::KEY;
use crate::environment::{Environment, RELAY};
use crate::model_server::{ModelServer, Reply};

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
    let server = ModelServer::new([Reply::error(401, "no")]);
    for agent in ["claude-code", "builtin", "hermes", "codex", "gemini"] {
        let environment = set_up(&server, agent);
        let thread = environment.start("relay", "a poem");
        let ran = environment.run(&["thread", "step", &thread]);
        assert!(!ran.stderr.contains("there is no program `uwf-"), "{ran:?}");
        assert!(!ran.stderr.contains("no agent is set"), "{ran:?}");
        assert!(!ran.stderr.contains("no model is set"), "{ran:?}");
    }
}
