//! Who does a step: the agent of the call, of an override, or the default one.

use serde_json::Value;

use crate::environment::{DRAFT, Environment, Ran};

/// An environment in which each agent's answer has the agent's own name for a title.
fn environment_with_agents() -> (Environment, String) {
    let environment = Environment::new();
    for name in ["plain", "override", "default", "flag"] {
        environment.program(
            name,
            &format!("printf -- '---\\ntitle: {name} %s\\n---\\n' \"$*\""),
        );
    }
    let thread = environment.thread_of(DRAFT);
    (environment, thread)
}

const CONFIG: &str = "
agents:
  first: {command: default, args: [one], protocol: markdown}
  second: {command: override, args: [two], protocol: markdown}
  plain: {command: flag, args: [three], protocol: markdown}
defaultAgent: first
agentOverrides:
  other: {writer: plain}
  draft: {reviewer: plain, writer: second}
";

/// Who the step's node says made it, and what ran, told by the title.
#[track_caller]
fn who(environment: &Environment, ran: &Ran) -> [String; 2] {
    ran.assert_clean();
    let step = environment.payload(ran.value()["head"].as_str().unwrap());
    let output = environment.payload(step["output"].as_str().unwrap());
    let text = |value: &Value| value.as_str().unwrap().trim().to_owned();
    [text(&step["agent"]), text(&output["title"])]
}

#[test]
fn the_default_agent_does_what_no_override_names() {
    let (environment, thread) = environment_with_agents();
    environment.write_in_root("config.yaml", &CONFIG.replace(", writer: second", ""));
    let ran = environment.run(&["thread", "step", &thread]);
    assert_eq!(who(&environment, &ran), ["first", "default one"]);
}

#[test]
fn an_override_for_the_role_comes_before_the_default_agent() {
    let (environment, thread) = environment_with_agents();
    environment.write_in_root("config.yaml", CONFIG);
    let ran = environment.run(&["thread", "step", &thread]);
    assert_eq!(who(&environment, &ran), ["second", "override two"]);
}

#[test]
fn an_agent_named_in_the_call_comes_before_overrides_and_is_an_alias_first() {
    let (environment, thread) = environment_with_agents();
    environment.write_in_root("config.yaml", CONFIG);
    let ran = environment.step_by(&thread, "plain");
    assert_eq!(who(&environment, &ran), ["plain", "flag three"]);
}

#[test]
fn an_agent_named_in_the_call_is_a_command_line_when_it_is_no_alias() {
    let (environment, thread) = environment_with_agents();
    environment.write_in_root("config.yaml", CONFIG);
    let ran = environment.step_with(&thread, "plain 'a  b' c", "markdown");
    assert_eq!(who(&environment, &ran), ["plain", "plain a  b c"]);
}

#[test]
fn a_command_line_needs_no_configuration() {
    let (environment, thread) = environment_with_agents();
    let path = environment.program("flag", "printf -- '---\\ntitle: mine\\n---\\n'");
    let ran = environment.step_with(&thread, path.to_str().unwrap(), "markdown");
    assert_eq!(who(&environment, &ran), ["flag", "mine"]);
    assert!(!environment.root().join("config.yaml").exists());
}

#[test]
fn without_an_agent_it_is_said_how_to_name_one() {
    let (environment, thread) = Environment::with_draft();
    let before = environment.head(&thread);
    let ran = environment.run(&["thread", "step", &thread]);
    ran.assert_no_result(1);
    assert_eq!(
        ran.stderr,
        format!(
            "error: no agent is set for role `writer` of workflow `draft`\n\
             hint: name one for this call with `--agent <command>`, set one up with `uwf setup`, or write in {}:\n  \
               agents:\n    my-agent:\n      command: my-agent\n      protocol: markdown\n  defaultAgent: my-agent\n",
            environment.root().join("config.yaml").display()
        )
    );
    assert_eq!(environment.head(&thread), before);
    assert_eq!(environment.attempts(&thread), Vec::<Value>::new());
}

#[test]
fn an_agent_that_the_configuration_does_not_describe_is_pointed_at() {
    let (environment, thread) = Environment::with_draft();
    environment.write_in_root(
        "config.yaml",
        "agents:\n  claude: {command: claude}\ndefaultAgent: cluade\n",
    );
    let ran = environment.run(&["thread", "step", &thread]);
    ran.assert_no_result(1);
    let path = environment.root().join("config.yaml").display().to_string();
    ran.assert_begins(&format!("error: {path}:3:15: "));
    ran.assert_tells(
        "`defaultAgent` names `cluade`, which is not in `agents`: did you mean `claude`?\n",
    );
}
