//! Turns that end well: what is asked and in which session, and what is kept.

use serde_json::{Value, json};

use super::{STAND_IN, said, told};
use crate::environment::Environment;

const WORK: &str = r#"
new() { reply '{"sessionId":"s-1","models":{"currentModelId":"m-1","availableModels":[]}}'; }
prompt() {
  chunk agent_thought_chunk 'A file '
  chunk agent_thought_chunk 'is needed.'
  text 'I write '
  text 'a file.'
  update '{"sessionUpdate":"tool_call","toolCallId":"c","title":"write ode.txt","kind":"edit",
    "status":"pending","rawInput":{"path":"ode.txt"}}'
  update '{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"in_progress"}'
  update '{"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","content":[
    {"type":"diff","path":"ode.txt","oldText":null,"newText":"a\nb\n"},
    {"type":"content","content":{"type":"text","text":"done"}}]}'
  text '---\ntitle: '
  text 'Ode\n---\nIt rusts.'
  update '{"sessionUpdate":"usage_update","used":10,"size":100,
    "cost":{"amount":0.25,"currency":"USD"}}'
  reply '{"stopReason":"end_turn","usage":
    {"inputTokens":100,"outputTokens":10,"totalTokens":150,"cachedReadTokens":40}}'
}
"#;

/// A message may not be broken into lines; in a test it is read better so.
fn on_one_line(script: &str) -> String {
    script
        .replace(",\n    ", ",")
        .replace(":\n    ", ":")
        .replace("[\n    ", "[")
}

#[test]
fn what_an_agent_says_and_does_becomes_a_step() {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in(&on_one_line(WORK));
    let ran = environment.step_by(&thread, STAND_IN);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.stderr,
        "uwf-acp: thinking\nuwf-acp: calls write ode.txt\nuwf-acp: write ode.txt: completed\n"
    );
    let steps = environment.json(&["thread", "steps", &thread]);
    let step = &steps["steps"][1];
    assert_eq!(step["agent"], "uwf-acp");
    assert_eq!(step["output"], json!({"title": "Ode"}));
    assert_eq!(
        environment.last_detail(&thread),
        json!({
            "sessionId": "s-1",
            "model": "m-1",
            "turnCount": 1,
            "turns": [
                {
                    "role": "assistant",
                    "content": "I write a file.",
                    "toolCalls": [{
                        "name": "edit",
                        "args": "{\"title\":\"write ode.txt\",\"input\":{\"path\":\"ode.txt\"}}"
                    }],
                    "reasoning": "A file is needed."
                },
                told("ode.txt: 0 lines became 2\ndone"),
                said("---\ntitle: Ode\n---\nIt rusts."),
            ],
            "usage": {
                "inputTokens": 100,
                "outputTokens": 10,
                "cacheReadInputTokens": 40,
                "cacheCreationInputTokens": 0
            },
            "totalCostUsd": 0.25,
            "corrections": 0,
            "notes": [],
        })
    );
    assert_eq!(
        environment.read_in_root("cache/agent-sessions.json"),
        format!("{{\n  \"{thread}:writer:uwf-acp\": \"s-1\"\n}}\n")
    );
}

#[test]
fn an_agent_is_asked_as_the_protocol_says() {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in("");
    environment.step_by(&thread, STAND_IN).assert_clean();
    let heard = environment.heard();
    let methods = environment.methods();
    assert_eq!(methods, ["initialize", "session/new", "session/prompt"]);
    assert_eq!(heard[0].1["protocolVersion"], 1);
    let capabilities = &heard[0].1["clientCapabilities"];
    assert_eq!(
        capabilities["fs"],
        json!({"readTextFile": false, "writeTextFile": false})
    );
    assert_eq!(capabilities["terminal"], false);
    assert_eq!(
        heard[0].1["clientInfo"],
        json!({"name": "uwf", "version": env!("CARGO_PKG_VERSION")})
    );
    let cwd = environment.work().canonicalize().unwrap();
    assert_eq!(heard[1].1, json!({"cwd": cwd, "mcpServers": []}));
    assert_eq!(heard[2].1["sessionId"], "s-1");
    let prompts = environment.prompts();
    for part in [
        "Write a text a stranger understands.",
        "A poem about rust",
        "Write the text.",
    ] {
        assert!(prompts[0].contains(part), "{}", prompts[0]);
    }
}

#[test]
fn a_correction_is_made_in_the_same_session_and_counted_once() {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in(
        r#"
agent='{"name":"hermes-agent","version":"1"}'
prompt() {
  prompt() {
    text '---\ntitle: Ode\n---\nAgain.'
    reply '{"stopReason":"end_turn","usage":{"inputTokens":250,"outputTokens":30,"totalTokens":280}}'
  }
  text '---\nname: Ode\n---\nOnce.'
  reply '{"stopReason":"end_turn","usage":{"inputTokens":100,"outputTokens":10,"totalTokens":110}}'
}
"#,
    );
    let ran = environment.step_by(&thread, STAND_IN);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.stderr,
        "the answer does not fit the role: asking again\n"
    );
    assert_eq!(
        environment.methods(),
        [
            "initialize",
            "session/new",
            "session/prompt",
            "session/prompt"
        ]
    );
    let prompts = environment.prompts();
    assert!(
        prompts[1].starts_with("Your answer cannot be used"),
        "{}",
        prompts[1]
    );
    let detail = environment.last_detail(&thread);
    assert_eq!(
        detail["turns"],
        json!([
            said("---\nname: Ode\n---\nOnce."),
            told(&prompts[1]),
            said("---\ntitle: Ode\n---\nAgain."),
        ])
    );
    assert_eq!(detail["usage"]["inputTokens"], 250);
    assert_eq!(detail["usage"]["outputTokens"], 30);
    assert_eq!(
        [&detail["turnCount"], &detail["corrections"]],
        [&json!(2), &json!(1)]
    );
}

/// A thread whose writer has had a turn with this stand-in, and whose reviewer wants another.
fn sent_back(otherwise: &str, agent: &str) -> (Environment, String) {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in(otherwise);
    environment.step_by(&thread, agent).assert_clean();
    environment.printing("reviewer", "---\naccepted: false\n---\nToo short.\n");
    environment
        .step_with(&thread, "reviewer", "markdown")
        .assert_clean();
    std::fs::remove_file(environment.work().join("heard.txt")).unwrap();
    (environment, thread)
}

/// The agent was told what is new in this turn, and nothing of the rest.
#[track_caller]
fn assert_told_the_turn(prompt: &str) {
    assert!(prompt.contains("Rework the text."), "{prompt}");
    assert!(!prompt.contains("A poem about rust"), "{prompt}");
}

#[track_caller]
fn assert_told_everything(prompt: &str) {
    assert!(prompt.contains("Rework the text."), "{prompt}");
    assert!(prompt.contains("A poem about rust"), "{prompt}");
}

#[test]
fn a_session_is_resumed_where_the_agent_can_do_that() {
    let capabilities = r#"capabilities='{"loadSession":true,"sessionCapabilities":{"resume":{}}}'"#;
    let (environment, thread) = sent_back(capabilities, STAND_IN);
    environment.step_by(&thread, STAND_IN).assert_clean();
    let heard = environment.heard();
    assert_eq!(heard[1].0, "session/resume");
    assert_eq!(heard[1].1["sessionId"], "s-1");
    assert_eq!(heard.len(), 3);
    assert_told_the_turn(&environment.prompts()[0]);
    assert_eq!(environment.last_detail(&thread)["notes"], json!([]));
}

#[test]
fn a_session_in_which_no_turn_was_made_is_told_everything() {
    let (environment, thread) = sent_back("", STAND_IN);
    environment.stand_in("session=s-5\ncapabilities='{\"sessionCapabilities\":{\"resume\":{}}}'");
    // It was begun for a turn that came to no end.
    let key = format!("{thread}:writer:uwf-acp");
    environment.write_in_root(
        "cache/agent-sessions.json",
        &json!({key: "s-5"}).to_string(),
    );
    environment.step_by(&thread, STAND_IN).assert_clean();
    assert_eq!(environment.heard()[1].0, "session/resume");
    assert_told_everything(&environment.prompts()[0]);
}

#[test]
fn history_that_is_told_again_is_no_part_of_the_turn() {
    let history = r#"
capabilities='{"loadSession":true}'
load() {
  update '{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"Write the text."}}'
  text 'Earlier words.'
  update '{"sessionUpdate":"tool_call","toolCallId":"old","title":"old call","status":"completed"}'
  update '{"sessionUpdate":"usage_update","used":1,"size":9,"cost":{"amount":2,"currency":"USD"}}'
  reply null
}
prompt() {
  update '{"sessionUpdate":"usage_update","used":1,"size":9,"cost":{"amount":2.5,"currency":"USD"}}'
  answer
}
"#;
    let (environment, thread) = sent_back(history, STAND_IN);
    environment.step_by(&thread, STAND_IN).assert_clean();
    assert_eq!(
        environment.methods(),
        ["initialize", "session/load", "session/prompt"]
    );
    assert_told_the_turn(&environment.prompts()[0]);
    let detail = environment.last_detail(&thread);
    assert_eq!(
        detail["turns"],
        json!([said("---\ntitle: Ode\n---\nIt rusts.")])
    );
    assert_eq!(detail["totalCostUsd"], 0.5);
    assert_eq!(detail["sessionId"], "s-1");
}

const LATE: &str = r#"
capabilities='{"loadSession":true}'
history() {
  chunk user_message_chunk 'Write the text.'
  text 'Earlier words.'
  update '{"sessionUpdate":"tool_call","toolCallId":"old","title":"old call","status":"completed"}'
  chunk user_message_chunk 'And now?'
  text '---\ntitle: Old\n---\nEarlier answer.'
}
"#;

#[test]
fn history_that_comes_after_the_session_is_loaded_is_no_part_of_the_turn_either() {
    let (environment, thread) = sent_back("", STAND_IN);
    environment.stand_in(&format!("{LATE}\nload() {{ reply '{{}}'; history; }}"));
    environment.step_by(&thread, STAND_IN).assert_clean();
    assert_eq!(environment.methods()[1], "session/load");
    let detail = environment.last_detail(&thread);
    assert_eq!(
        detail["turns"],
        json!([said("---\ntitle: Ode\n---\nIt rusts.")])
    );

    // Later still, it is known by what it has us say.
    let (environment, thread) = sent_back("", STAND_IN);
    environment.stand_in(&format!(
        "{LATE}\nprompt() {{ history; chunk user_message_chunk Now; answer; }}"
    ));
    assert_eq!(environment.step_by(&thread, STAND_IN).code, Some(0));
    let detail = environment.last_detail(&thread);
    assert_eq!(
        detail["turns"],
        json!([said("---\ntitle: Ode\n---\nIt rusts.")])
    );
}

/// The second turn could not be had in the first one's session: it was had in another.
#[track_caller]
fn assert_begun_anew(otherwise: &str, agent: &str, methods: &[&str], why: &str) -> Environment {
    let anew = format!(
        "the session of the role's last turn could not be taken up ({why}): a new one is begun, \
         and told everything"
    );
    let (environment, thread) = sent_back("", agent);
    environment.stand_in(&format!("session=s-2\n{otherwise}"));
    let ran = environment.step_by(&thread, agent);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let name = agent.split(' ').next().unwrap();
    assert_eq!(ran.stderr, format!("{name}: {anew}\n"));
    assert_eq!(environment.methods(), methods);
    assert_told_everything(environment.prompts().last().unwrap());
    let detail = environment.last_detail(&thread);
    assert_eq!(
        [&detail["sessionId"], &detail["notes"]],
        [&json!("s-2"), &json!([anew])]
    );
    let sessions = environment.read_in_root("cache/agent-sessions.json");
    let sessions: Value = serde_json::from_str(&sessions).unwrap();
    assert_eq!(sessions[format!("{thread}:writer:{name}")], "s-2");
    environment
}

#[test]
fn an_agent_that_can_take_up_nothing_is_told_everything() {
    let methods = ["initialize", "session/new", "session/prompt"];
    assert_begun_anew("", STAND_IN, &methods, "it can take up none");
}

#[test]
fn a_session_that_is_refused_is_followed_by_a_new_one() {
    let otherwise = r#"
capabilities='{"sessionCapabilities":{"resume":{}}}'
resume() { refuse '{"code":-32002,"message":"Resource not found"}'; }
"#;
    let methods = [
        "initialize",
        "session/resume",
        "session/new",
        "session/prompt",
    ];
    assert_begun_anew(otherwise, STAND_IN, &methods, "Resource not found");
}

#[test]
fn a_prompt_that_is_refused_without_a_word_is_made_once_more_in_a_new_session() {
    let otherwise = r#"
capabilities='{"loadSession":true}'
prompt() {
  case $line in
    *'"sessionId":"s-1"'*) stop refusal ;;
    *) answer ;;
  esac
}
"#;
    let methods = [
        "initialize",
        "session/load",
        "session/prompt",
        "session/new",
        "session/prompt",
    ];
    let why = "it refused the first prompt there, without a word";
    let environment = assert_begun_anew(otherwise, STAND_IN, &methods, why);
    assert_told_the_turn(&environment.prompts()[0]);
}

#[test]
fn a_new_session_that_hermes_passes_off_as_the_old_one_is_not_taken_for_it() {
    let otherwise = r#"
agent='{"name":"hermes-agent","version":"0.19.0"}'
capabilities='{"loadSession":true,"sessionCapabilities":{"resume":{}}}'
resume() { reply '{"_meta":{"hermes":{"sessionProvenance":{"acpSessionId":"s-9"}}}}'; }
prompt() { text '---\ntitle: Ode\n---\nIt rusts.'; stop end_turn; }
"#;
    let methods = [
        "initialize",
        "session/resume",
        "session/new",
        "session/prompt",
    ];
    let why = "it opened another one in its place";
    assert_begun_anew(otherwise, "uwf-hermes --program stand-in", &methods, why);
}

#[test]
fn each_program_is_called_as_it_wants_to_be() {
    for (agent, program, arguments) in [
        ("uwf-hermes", "hermes", "acp"),
        ("uwf-codex", "codex-acp", ""),
        ("uwf-gemini", "gemini", "--acp"),
    ] {
        let (environment, thread) = Environment::with_draft();
        environment.stand_in("");
        environment.program(program, "printf '%s' \"$*\" >arguments.txt\nexec stand-in");
        environment.step_by(&thread, agent).assert_clean();
        let given = std::fs::read_to_string(environment.work().join("arguments.txt"));
        assert_eq!(given.unwrap(), arguments, "{agent}");
        let steps = environment.json(&["thread", "steps", &thread]);
        assert_eq!(steps["steps"][1]["agent"], agent);
    }
}

#[test]
fn lines_that_are_none_of_the_protocol_are_passed_on() {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in(
        r#"
new() { echo 'Welcome!'; echo '{not json'; echo; echo '[]'; reply '{"sessionId":"s-1"}'; }
prompt() { echo 'a warning' >&2; printf '\377\n'; answer; }
"#,
    );
    let ran = environment.step_by(&thread, STAND_IN);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for line in ["Welcome!\n", "{not json\n", "[]\n", "a warning\n"] {
        assert!(ran.stderr.contains(line), "{}", ran.stderr);
    }
    assert_eq!(environment.methods().len(), 3);
}

#[test]
fn a_result_of_any_size_is_kept_without_its_middle() {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in(
        r#"
prompt() {
  printf '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":'
  printf '{"sessionUpdate":"tool_call_update","toolCallId":"c","title":"cat","status":"completed",'
  printf '"content":[{"type":"content","content":{"type":"text","text":"'
  head -c 40000000 /dev/zero | tr '\0' x
  printf '"}}]}}}\n'
  answer
}
"#,
    );
    let ran = environment.step_by(&thread, STAND_IN);
    assert_eq!(ran.code, Some(0));
    let detail = environment.last_detail(&thread);
    let result = detail["turns"][1]["content"].as_str().unwrap();
    let (begin, rest) = result.split_once('\n').unwrap();
    assert_eq!(begin, "x".repeat(1 << 19));
    assert!(rest.starts_with('['), "{}", &rest[..40]);
    assert!(rest.contains("xxx\n["), "the first cut is told too");
    assert!(result.len() < 1_100_000);
    assert_eq!(detail["turns"][2], said("---\ntitle: Ode\n---\nIt rusts."));
}

#[test]
fn what_is_not_offered_is_refused_and_work_goes_on() {
    let (environment, thread) = Environment::with_draft();
    environment.stand_in(
        r#"
prompt() {
  was=$id
  ask fs/read_text_file '{"sessionId":"s-1","path":"/etc/hosts"}'
  ask terminal/create '{"sessionId":"s-1","command":"ls"}'
  ask elicitation/create '{}'
  ask _else '{}'
  id=$was
  answer
}
"#,
    );
    environment.step_by(&thread, STAND_IN).assert_clean();
    let heard = environment.heard();
    let answers: Vec<_> = heard
        .iter()
        .filter(|(method, _)| method == "answer")
        .collect();
    assert_eq!(answers.len(), 4);
    for (_, answer) in answers {
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
    }
}

#[test]
fn a_session_that_breaks_its_program_does_not_block_the_thread() {
    for broken in [
        "resume() { exit 3; }",
        "resume() { reply '{}'; prompt() { exit 3; }; }",
    ] {
        let (environment, thread) = Environment::with_draft();
        environment.write_in_root(
            "cache/agent-sessions.json",
            &json!({format!("{thread}:writer:uwf-acp"): "s-0"}).to_string(),
        );
        let capabilities = "capabilities='{\"sessionCapabilities\":{\"resume\":{}}}'";
        environment.stand_in(&format!("{capabilities}\n{broken}"));
        let ran = environment.step_by(&thread, STAND_IN);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(
            ran.stderr.contains(
                "the session of the role's last turn could not be taken up (uwf-acp ended in \
                 the middle of the conversation, with exit code 3): a new one is begun"
            ),
            "{}",
            ran.stderr
        );
        assert_eq!(environment.last_detail(&thread)["sessionId"], "s-1");
    }
}
