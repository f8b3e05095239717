//! What the configuration names: models, agents and their programs, workflows and roles.

use serde_json::json;

use super::{doctor, only};
use crate::environment::{Environment, RELAY};

#[test]
fn models_that_lead_nowhere_are_said() {
    let environment = Environment::new();
    environment.write_in_root(
        "config.yaml",
        "models: {a: {provider: p, name: x}, b: {name: x}}\ndefaultModel: c\n\
         modelOverrides: {extract: d}\n",
    );
    let (_, checks) = doctor(&environment, &[]);
    let hint = "`uwf setup`, or mend it there";
    assert_eq!(
        [only(&checks, "model"), only(&checks, "default model")].concat(),
        [
            json!([
                "model a",
                false,
                "ROOT/config.yaml:1:24: the model `a` is of provider `p`, which is not in \
                 `providers`",
                hint
            ]),
            json!([
                "model b",
                false,
                "ROOT/config.yaml:1:37: the model `b` has no `provider`",
                hint
            ]),
            json!([
                "model override extract",
                false,
                "ROOT/config.yaml:3:27: `modelOverrides.extract` names `d`, which is not in \
                 `models`",
                hint
            ]),
            json!([
                "default model",
                false,
                "ROOT/config.yaml:2:15: `defaultModel` names `c`, which is not in `models`",
                hint
            ]),
        ]
    );
    environment.write_in_root("config.yaml", "agents: {builtin: {command: uwf-builtin}}\n");
    let (_, checks) = doctor(&environment, &[]);
    assert_eq!(
        only(&checks, "default model"),
        [json!([
            "default model",
            false,
            "no model is set: ROOT/config.yaml has no `defaultModel`, and the agent `builtin` needs \
             one",
            "`uwf setup --provider … --model …`"
        ])]
    );
}

#[test]
fn agents_without_their_programs_are_said_and_programs_tell_their_versions() {
    let environment = Environment::new();
    environment.program("uwf-own", "touch ran-own");
    environment.program("hermes", "exit 4");
    environment.program("codex-acp", "cat; touch ran-codex");
    environment.write_in_root(
        "config.yaml",
        "agents:\n  bare: {args: [x]}\n  builtin: {command: uwf-builtin}\n  \
         codex: {command: uwf-codex}\n  gemini: {command: uwf-gemini, env: [GEMINI_API_KEY]}\n  \
         gone: {command: gone}\n  hermes: {command: uwf-hermes}\n  near: {command: ./near}\n  \
         own: {command: uwf-own}\n  shell: {command: /bin/sh}\ndefaultAgent: gemni\n",
    );
    let (code, checks) = doctor(&environment, &[]);
    assert_eq!(code, Some(1));
    assert_eq!(
        [only(&checks, "agent"), only(&checks, "default agent")].concat(),
        [
            json!([
                "agent bare",
                false,
                "it has no `command`",
                "say which program it is, as `command: …` in its entry"
            ]),
            json!(["agent builtin", true, "in this program", null]),
            json!([
                "agent codex",
                null,
                "in this program, runs BIN/codex-acp, which does not tell its version: it printed \
                 nothing",
                null
            ]),
            json!([
                "agent gemini",
                false,
                "in this program; gemini, which it runs, is not in PATH",
                "install gemini"
            ]),
            json!([
                "agent gemini",
                null,
                "it is to get `GEMINI_API_KEY`, which is set neither in .env nor in the environment",
                null
            ]),
            json!([
                "agent gone",
                false,
                "there is no program `gone`",
                "install it, or write its whole path as `command`"
            ]),
            json!([
                "agent hermes",
                null,
                "in this program, runs BIN/hermes, which does not tell its version: agent \
                 `BIN/hermes` exited with code 4",
                null
            ]),
            json!([
                "agent near",
                null,
                "./near is looked for in each thread's folder",
                null
            ]),
            json!(["agent own", true, "BIN/uwf-own", null]),
            json!(["agent shell", true, "/bin/sh", null]),
            json!([
                "default agent",
                false,
                "`gemni` is not in `agents`",
                "did you mean `gemini`?"
            ]),
        ]
    );
    assert!(!environment.work().join("ran-own").exists());
    assert!(environment.work().join("ran-codex").exists());
}

#[test]
fn a_link_to_this_program_is_the_agent_of_its_name_and_what_cannot_be_run_is_none() {
    let environment = Environment::new();
    let bin = environment
        .program("hermes", "echo 'Hermes 1.2'")
        .with_file_name("");
    let own = env!("CARGO_BIN_EXE_uwf");
    std::os::unix::fs::symlink(own, bin.join("uwf-claude-code")).unwrap();
    std::os::unix::fs::symlink(own, bin.join("uwf-hermes")).unwrap();
    std::fs::write(bin.join("uwf-builtin"), "").unwrap();
    environment.write_in_root(
        "config.yaml",
        "agents:\n  builtin: {command: uwf-builtin}\n  claude: {command: uwf-claude-code}\n  \
         hermes: {command: uwf-hermes}\n",
    );
    let (_, checks) = doctor(&environment, &[]);
    assert_eq!(
        only(&checks, "agent"),
        [
            json!(["agent builtin", true, "in this program", null]),
            json!([
                "agent claude",
                false,
                "in this program; claude, which it runs, is not in PATH",
                "install claude"
            ]),
            json!([
                "agent hermes",
                true,
                "in this program, runs BIN/hermes: Hermes 1.2",
                null
            ]),
        ]
    );
}

#[test]
fn agents_that_are_here_and_not_set_up_are_told_with_what_they_run() {
    let environment = Environment::new();
    environment.program("uwf-own", "touch ran-own");
    environment.program("gemini", "echo 0.9");
    environment.program("hermes", "exit 4");
    environment.write_in_root(
        "config.yaml",
        "agents:\n  google: {command: uwf-gemini}\ndefaultAgent: google\n",
    );
    let (code, checks) = doctor(&environment, &[]);
    assert_eq!(code, Some(0));
    assert_eq!(
        only(&checks, "agent"),
        [
            json!([
                "agent google",
                true,
                "in this program, runs BIN/gemini: 0.9",
                null
            ]),
            json!([
                "agent hermes",
                null,
                "not set up; in this program, runs BIN/hermes, which does not tell its version: \
                 agent `BIN/hermes` exited with code 4",
                "`uwf setup --agent hermes`"
            ]),
            json!([
                "agent own",
                null,
                "not set up; BIN/uwf-own",
                "`uwf setup --agent own`"
            ]),
        ]
    );
    assert!(!environment.work().join("ran-own").exists());
}

#[test]
fn an_agent_that_names_its_model_needs_no_other_and_one_in_the_binary_speaks_cas() {
    let environment = Environment::new();
    environment.write_in_root(
        "config.yaml",
        "providers:\n  mine: {baseUrl: \"http://127.0.0.1:9/v1\"}\n\
         models:\n  large: {provider: mine, name: big}\n\
         agents:\n  a: {command: uwf-builtin, args: [--model, large]}\n",
    );
    let (_, checks) = doctor(&environment, &[]);
    let nothing_set = "no model is set: ROOT/config.yaml has no `defaultModel`";
    assert_eq!(
        only(&checks, "default model"),
        [json!(["default model", null, nothing_set, null])]
    );

    environment.write_in_root(
        "config.yaml",
        "agents:\n  b: {command: uwf-builtin}\n  c: {command: uwf-mock, protocol: markdown}\n",
    );
    let (_, checks) = doctor(&environment, &[]);
    assert_eq!(
        [only(&checks, "default model"), only(&checks, "agent c")].concat(),
        [
            json!([
                "default model",
                false,
                format!("{nothing_set}, and the agent `b` needs one"),
                "`uwf setup --provider … --model …`"
            ]),
            json!([
                "agent c",
                false,
                "in this program, and speaks no protocol but `cas`, not `markdown`",
                "leave `protocol` out of its entry"
            ]),
        ]
    );
}

#[test]
fn overrides_name_workflows_roles_and_agents_that_exist() {
    let environment = Environment::with_relay();
    let local = RELAY.replace("name: relay", "name: near");
    environment.write(".workflow/near.yaml", &local);
    environment.write(".workflow/torn.yaml", "name: [");
    environment.write_in_root(
        "config.yaml",
        "agents: {shell: {command: sh}}\ndefaultAgent: shell\nagentOverrides:\n  \
         relay: {writer: shell, reviwer: shell, reviewer: shel}\n  near: {writer: shell}\n  \
         rely: {writer: shell}\n  torn: {writer: shell}\n",
    );
    let (code, checks) = doctor(&environment, &[]);
    assert_eq!(code, Some(1));
    let torn = environment.work().join(".workflow/torn.yaml");
    assert_eq!(
        only(&checks, "override"),
        [
            json!(["override near.writer", true, "shell", null]),
            json!([
                "override relay.reviewer",
                false,
                "`shel` is not in `agents`",
                "did you mean `shell`?"
            ]),
            json!([
                "override relay.reviwer",
                false,
                "the workflow has no role `reviwer`",
                "did you mean `reviewer`?"
            ]),
            json!(["override relay.writer", true, "shell", null]),
            json!(["override rely.writer", true, "shell", null]),
            json!([
                "override rely",
                false,
                only(&checks, "override rely")[1][2],
                "did you mean `relay`?"
            ]),
            json!(["override torn.writer", true, "shell", null]),
            json!([
                "override torn",
                false,
                format!("{} has errors", torn.display()),
                format!("`uwf workflow put {}` tells them", torn.display())
            ]),
        ]
    );
}

#[test]
fn arguments_that_an_agent_in_the_binary_would_refuse_are_said_as_a_step_says_them() {
    let environment = Environment::new();
    environment.program("claude", "echo 2.0");
    let write = |agents: &str| {
        environment.write_in_root(
            "config.yaml",
            &format!("agents:\n{agents}defaultAgent: a\nmodels: {{large: {{name: x}}}}\n"),
        );
    };
    for (entry, message, hint) in [
        (
            "{command: uwf-claude-code, args: [--modle, opus]}",
            "`uwf agent claude-code` has no option `--modle`",
            "did you mean `--model`?",
        ),
        (
            "{command: uwf-builtin, args: [--max-turns, many]}",
            "`--max-turns` must be a positive integer, not `many`",
            "",
        ),
        (
            "{command: uwf-hermes, args: [--permissions, maybe]}",
            "`--permissions` must be `allow`, `deny` or `ask`, not `maybe`",
            "",
        ),
        (
            "{command: uwf-claude-code, args: [opus]}",
            "`uwf agent claude-code` takes no argument `opus` before the thread and the role",
            "leave it out of the agent's `args`",
        ),
        (
            "{command: uwf-acp, args: [opencode, acp]}",
            "`uwf agent acp` takes `<COMMAND>...` alone, but was given `opencode` as well",
            "usage: `uwf agent acp [--permissions <ANSWER>] -- <COMMAND>...`",
        ),
        (
            "{command: uwf-acp, args: [--]}",
            "the agent's command, the thread and the role have to stand behind `--`",
            "usage: `uwf agent acp [--permissions <ANSWER>] -- <COMMAND>… <THREAD> <ROLE>`",
        ),
        (
            "{command: uwf-mock}",
            "`uwf agent mock` needs `<SCRIPT>` (the script)",
            "usage: `uwf agent mock <SCRIPT> <THREAD> <ROLE>`",
        ),
        (
            "{command: uwf-mock, args: [--help]}",
            "`uwf agent mock` is asked for help, and does no turn",
            "leave `--help` out of the agent's `args`",
        ),
    ] {
        write(&format!("  a: {entry}\n"));
        let (code, checks) = doctor(&environment, &[]);
        assert_eq!(code, Some(1));
        let check = &only(&checks, "agent a")[0];
        assert_eq!(
            (&check[1], &check[2], check[3].as_str().unwrap_or_default()),
            (&json!(false), &json!(message), hint)
        );

        let (stepping, thread) = Environment::with_draft();
        let text = std::fs::read_to_string(environment.root().join("config.yaml")).unwrap();
        stepping.write_in_root("config.yaml", &text);
        let ran = stepping.run(&["thread", "step", &thread]);
        ran.assert_no_result(1);
        let said = if hint.is_empty() {
            message.to_owned()
        } else {
            format!("{message}: {hint}")
        };
        let attempt = &stepping.attempts(&thread)[0];
        assert_eq!(
            (&attempt["class"], &attempt["message"]),
            (
                &json!("configuration"),
                &json!(format!("agent `a` failed: {said}"))
            )
        );
        assert_eq!(ran.stderr.matches(message).count(), 1, "{}", ran.stderr);
    }
}

#[test]
fn what_the_arguments_of_an_agent_in_the_binary_name_is_looked_for() {
    let environment = Environment::new();
    let claude = environment.program("my-claude", "echo 2.0");
    let torn = environment.write("torn.yaml", "writer: [{}]");
    environment.write_in_root(
        "config.yaml",
        &format!(
            "agents:\n  acp: {{command: uwf-acp, args: [--, opencode, acp]}}\n  \
             claude: {{command: uwf-claude-code, args: [--program, {}]}}\n  \
             gone: {{command: uwf-mock, args: [/no/script.yaml]}}\n  \
             model: {{command: uwf-builtin, args: [--model, nosuch]}}\n  \
             more: {{command: uwf-builtin, args: [--allow, /no/cache, --allow, here]}}\n  \
             near: {{command: uwf-acp, args: [--, ./near]}}\n  \
             path: {{command: uwf-hermes, args: [--program, /no/hermes]}}\n  \
             torn: {{command: uwf-mock, args: ['{}']}}\n",
            claude.display(),
            torn.display()
        ),
    );
    let (_, checks) = doctor(&environment, &[]);
    let mend = "mend its `args`, or what they name";
    assert_eq!(
        only(&checks, "agent"),
        [
            json!([
                "agent acp",
                false,
                "in this program; opencode, which it runs, is not in PATH",
                "install opencode"
            ]),
            json!([
                "agent claude",
                true,
                "in this program, runs BIN/my-claude",
                null
            ]),
            json!([
                "agent gone",
                false,
                "there is no script /no/script.yaml",
                mend
            ]),
            json!([
                "agent model",
                false,
                "ROOT/config.yaml:1:1: `--model` names `nosuch`, which is not in `models`",
                mend
            ]),
            json!([
                "agent more",
                false,
                "cannot use the allowed path /no/cache: No such file or directory (os error 2)",
                mend
            ]),
            json!([
                "agent near",
                null,
                "in this program; ./near is looked for in each thread's folder",
                null
            ]),
            json!([
                "agent path",
                false,
                "in this program; /no/hermes, which it runs, is not there",
                "correct the path in its `args`"
            ]),
            json!([
                "agent torn",
                false,
                format!(
                    "{}: `writer`: a scene needs `answer`, `answers`, `fail`, `print` or `exit`",
                    torn.display()
                ),
                mend
            ]),
        ]
    );
}

#[test]
fn an_agent_that_is_described_nowhere_is_to_be_described() {
    let environment = Environment::new();
    environment.write_in_root(
        "config.yaml",
        "agents: {short: {command: claude-code}}\ndefaultAgent: nosuchagent\n",
    );
    let (_, checks) = doctor(&environment, &[]);
    assert_eq!(
        [only(&checks, "agent"), only(&checks, "default agent")].concat(),
        [
            json!([
                "agent short",
                false,
                "there is no program `claude-code`",
                "did you mean `uwf-claude-code`?"
            ]),
            json!([
                "default agent",
                false,
                "`nosuchagent` is not in `agents`",
                "describe it in ROOT/config.yaml under `agents:`, as `nosuchagent: {command: …}`"
            ]),
        ]
    );
}
