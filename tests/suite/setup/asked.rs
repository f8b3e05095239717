//! The questions on a terminal.

use rustix::process::Signal;
use serde_json::{Value, json};

use super::{KEY, NOWHERE};
use crate::environment::Environment;
use crate::model_server::{ModelServer, Reply};
use crate::terminal::{self, Session};

const MENU: &str = "\
Who serves the model, and which agent does the work. Nothing is written before the last answer.

  1) OpenAI            https://api.openai.com/v1
  2) xAI               https://api.x.ai/v1
  3) DeepSeek          https://api.deepseek.com/v1
  4) OpenRouter        https://openrouter.ai/api/v1
  5) Groq              https://api.groq.com/openai/v1
  6) Mistral           https://api.mistral.ai/v1
  7) Together AI       https://api.together.xyz/v1
  8) Fireworks AI      https://api.fireworks.ai/inference/v1
  9) Moonshot (Kimi)   https://api.moonshot.ai/v1
 10) DashScope (Qwen)  https://dashscope.aliyuncs.com/compatible-mode/v1
 11) Zhipu (GLM)       https://open.bigmodel.cn/api/paas/v4
 12) SiliconFlow       https://api.siliconflow.cn/v1
 13) Ollama (local)    http://127.0.0.1:11434/v1
 14) Another one, by its name and address

Choose [1-14]: ";

const AGENTS: &str = "
Which agent does the work:

  1) builtin      in this program
  2) claude-code  in this program, runs claude, which is not in PATH
  3) hermes       in this program, runs hermes, which is not in PATH
  4) codex        in this program, runs codex-acp, which is not in PATH
  5) gemini       in this program, runs gemini, which is not in PATH

Agent [1-5] (Enter: builtin): ";

const NEXT: &str = "
What comes next:
  uwf workflow put <file.yaml>
  uwf thread start <workflow> -p '<task>'
  uwf thread step @
  uwf doctor

";

fn models(ids: &[&str]) -> Reply {
    let models: Vec<_> = ids.iter().map(|id| json!({"id": id})).collect();
    Reply::json(200, &json!({"data": models}))
}

fn word(text: &str) -> Reply {
    let message = json!({"role": "assistant", "content": text});
    Reply::json(200, &json!({"choices": [{"message": message}]}))
}

fn session(environment: &Environment) -> Session {
    let mut command = environment.command(&["setup"]);
    command.env("NO_COLOR", "1");
    Session::start(command, 60)
}

/// Names a provider of one's own at this address.
fn name_own(session: &mut Session, address: &str) {
    session.wait_for("Choose [1-14]: ");
    session.type_line("14");
    session.wait_for("Its name, such as my-proxy: ");
    session.type_line("own");
    session.wait_for("The address of its OpenAI-compatible API: ");
    session.type_line(address);
    session.wait_for("API key (not shown; Enter: none): ");
}

#[test]
fn the_questions_lead_to_both_files() {
    let environment = Environment::new();
    let names = [
        "gpt-5",
        "gpt-5-mini",
        "o4",
        "large\u{1b}[2J",
        "text-embedding-3",
    ];
    let server = ModelServer::new([models(&names), word("O\u{7}K")]);
    let mut session = session(&environment);
    assert_eq!(session.wait_for("Choose [1-14]: "), MENU);
    session.type_line("15");
    session.wait_for("Type a number from 1 to 14.\nChoose [1-14]: ");
    session.type_line("14");
    session.wait_for("Its name, such as my-proxy: ");
    session.type_line("");
    session.wait_for("Type a name.\nIts name, such as my-proxy: ");
    session.type_line("own");
    session.wait_for("The address of its OpenAI-compatible API: ");
    session.type_line("127.0.0.1");
    session.wait_for("That is no address: it must begin with `http://` or `https://`.\n");
    session.type_line(&server.url());
    session.wait_for("API key (not shown; Enter: none): ");
    assert_eq!(session.shows_and_signals(), (false, true));
    session.type_line(KEY);
    let asked = session.wait_for("Model [1-5, or its name]: ");
    assert_eq!(
        asked,
        format!(
            "\n\nAsking {} for its models…
1) gpt-5              4) large\\u{{1b}}[2J
2) gpt-5-mini         5) text-embedding-3
3) o4
Model [1-5, or its name]: ",
            server.url()
        )
    );
    assert_eq!(session.shows_and_signals(), (true, true));
    session.type_line("2");
    let asked = session.wait_for("(Enter: builtin): ");
    assert_eq!(asked, format!("2\n{AGENTS}"));
    session.type_line("nobody");
    session.wait_for("there is no agent `nobody`");
    session.wait_for("(Enter: builtin): ");
    session.type_line("");
    let told = session.wait_for("uwf doctor\n\n");
    assert_eq!(
        told,
        format!(
            "\n\nWritten:\n  {}\n  {}\n\n  provider  own\n  model     gpt-5-mini\n  agent     \
             builtin\n\nThe model answers: O K\n{NEXT}",
            environment.shown("config.yaml"),
            environment.shown(".env")
        )
    );
    let (stdout, code, shown) = session.finish();
    assert_eq!(code, Some(0));
    let valid = json!({"ok": true, "value": "O\u{7}K"});
    assert_eq!(
        stdout,
        environment.result("own", "gpt-5-mini", "builtin", &valid)
    );
    assert!(!shown.contains(KEY) && !shown.contains('\u{1b}'), "{shown}");
    assert_eq!(
        environment.read_in_root(".env"),
        format!("OWN_API_KEY={KEY}\n")
    );
    let authorization = format!("Bearer {KEY}");
    for request in server.requests() {
        assert_eq!(
            request.header("authorization"),
            Some(authorization.as_str())
        );
    }
}

#[test]
fn a_key_that_is_to_come_from_the_terminal_is_not_shown() {
    let environment = Environment::new();
    let options = ["--provider", "groq", "--base-url", NOWHERE, "--model", "m"];
    let command = environment.command(&[&["setup", "--api-key", "-"], &options[..]].concat());
    let mut session = Session::start(command, 60);
    session.wait_for("API key (not shown): ");
    assert_eq!(session.shows_and_signals(), (false, true));
    session.type_line(KEY);
    let (_, code, shown) = session.finish();
    assert_eq!(code, Some(0), "{shown}");
    assert!(!shown.contains(KEY), "{shown}");
    assert_eq!(
        environment.read_in_root(".env"),
        format!("GROQ_API_KEY={KEY}\n")
    );
}

#[test]
fn enter_keeps_what_is_set_up() {
    let environment = Environment::new();
    let server = ModelServer::new([word("OK"), models(&["m-1", "m-2"]), word("OK")]);
    let url = server.url();
    let mut arguments = vec!["--provider", "own", "--base-url", &url];
    arguments.extend(["--model", "m-2", "--api-key", "-", "--agent", "hermes"]);
    environment.setup(&arguments, KEY);
    let before = environment.snapshot();
    let mut session = session(&environment);
    session.wait_for("Choose [1-14] (Enter: own): ");
    session.type_line("");
    session.wait_for("API key (not shown; Enter: OWN_API_KEY in .env): ");
    session.type_line("");
    session.wait_for("1) m-1   2) m-2\nModel [1-2, or its name] (Enter: m-2): ");
    session.type_line("");
    session.wait_for("Agent [1-5] (Enter: hermes): ");
    session.type_line("");
    session.wait_for("As before:\n");
    session.wait_for("The model answers: OK\n");
    let (stdout, code, _) = session.finish();
    assert_eq!(code, Some(0));
    let valid = json!({"ok": true, "value": "OK"});
    assert_eq!(stdout, environment.result("own", "m-2", "hermes", &valid));
    assert_eq!(environment.snapshot(), before);
    let authorization = format!("Bearer {KEY}");
    assert!(
        server
            .requests()
            .iter()
            .all(|request| request.header("authorization") == Some(authorization.as_str()))
    );
}

#[test]
fn where_there_is_no_list_the_name_is_typed() {
    let environment = Environment::new();
    let mut session = session(&environment);
    name_own(&mut session, NOWHERE);
    session.type_line("");
    session.wait_for(
        "warning: there is no list of models: cannot reach http://127.0.0.1:9/v1: the connection \
         was refused\nThe name of the model: ",
    );
    session.type_line("my/model:1");
    session.wait_for("(Enter: builtin): ");
    session.type_line("claude-code");
    session.wait_for("warning: uwf-claude-code runs the program `claude`");
    session.wait_for("warning: all is written, but the model does not answer: cannot reach ");
    session.wait_for("hint: run `uwf setup` again: what is right stays\n");
    let (stdout, code, shown) = session.finish();
    assert_eq!(code, Some(0));
    assert!(!shown.contains("What comes next"), "{shown}");
    let result: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(result["model"], "my/model:1");
    assert_eq!(result["defaultAgent"], "claude-code");
    assert!(!environment.root().join(".env").exists());
}

#[test]
fn the_address_of_a_known_provider_is_asked_for_all_the_same() {
    let environment = Environment::new();
    let mut session = session(&environment);
    session.wait_for("Choose [1-14]: ");
    session.type_line("14");
    session.wait_for("Its name, such as my-proxy: ");
    session.type_line("groq");
    session.wait_for(
        "groq is a provider that is known here.\nThe address of its OpenAI-compatible API (Enter: \
         https://api.groq.com/openai/v1): ",
    );
    session.type_line(NOWHERE);
    session.wait_for("API key (not shown; Enter: none): ");
    session.type_line("GROQ_API_KEY=sk-1");
    session.wait_for(
        "the key cannot be used: it looks like `GROQ_API_KEY=…`, a line of .env\nAPI key (",
    );
    session.signal(Signal::TERM);
    let (_, code, _) = session.finish();
    assert_eq!(code, Some(143));
}

#[test]
fn an_end_at_any_question_changes_nothing_and_leaves_the_terminal_as_it_was() {
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        for is_at_key in [true, false] {
            let environment = Environment::new();
            let mut session = session(&environment);
            if is_at_key {
                name_own(&mut session, NOWHERE);
                assert_eq!(session.shows_and_signals(), (false, true));
            } else {
                session.wait_for("Choose [1-14]: ");
            }
            session.signal(signal);
            session.wait_for("\nerror: interrupted: nothing was changed\n");
            assert_eq!(session.shows_and_signals(), (true, true));
            let (stdout, ended, _) = session.finish();
            assert_eq!((stdout.as_str(), ended), ("", Some(code)));
            assert!(!environment.root().exists());
        }
    }
}

#[test]
fn what_was_typed_of_a_key_is_left_to_nobody() {
    let environment = Environment::new();
    let mut session = session(&environment);
    name_own(&mut session, NOWHERE);
    let input = session.input();
    session.type_text("sk-Secret");
    session.signal(Signal::TERM);
    session.wait_for("\nerror: interrupted: nothing was changed\n");
    assert_eq!(terminal::unread(&input), 0);
    let (_, code, _) = session.finish();
    assert_eq!(code, Some(143));
}

#[test]
fn the_end_of_what_is_typed_is_an_error() {
    let environment = Environment::new();
    let mut session = session(&environment);
    session.wait_for("Choose [1-14]: ");
    // Ctrl-D.
    session.type_text("\u{4}");
    session.wait_for("\nerror: the questions were not answered to the end: nothing was changed\n");
    let (stdout, code, _) = session.finish();
    assert_eq!((stdout.as_str(), code), ("", Some(1)));
    assert!(!environment.root().exists());
}

#[test]
fn a_configuration_that_cannot_be_read_is_said_before_the_first_question() {
    let environment = Environment::new();
    environment.write_in_root("config.yaml", "agents: [\n");
    let mut session = session(&environment);
    session.wait_for("hint: mend the file first; nothing was changed\n");
    let (_, code, shown) = session.finish();
    assert_eq!(code, Some(1));
    assert!(!shown.contains("Choose"), "{shown}");
}
