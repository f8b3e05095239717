//! The model that reads fields out of answers that do not fit.

use std::process::Stdio;

use serde_json::json;

use super::{Desk, KEY};
use crate::environment::{Ran, wait_until};
use crate::model_server::Reply;

const EXTRACT: &str = "modelOverrides: {extract: reader}\n";
const SAID: &str = "the answer did not fit: its fields were extracted by the model `r-1` (10 tokens read, 3 written)";
const PROSE: &str = "The title is Ode.";

fn fields() -> Reply {
    Reply::says("```json\n{\"title\": \"Ode\"}\n```")
}

impl Desk {
    /// With a model that extracts, and a program that answers in prose.
    fn with_prose(replies: impl IntoIterator<Item = Reply>) -> Self {
        let desk = Self::new(replies);
        desk.configure(&desk.server.url(), EXTRACT);
        desk.environment.printing("prose", PROSE);
        desk
    }

    fn step_of_prose(&self) -> [&str; 7] {
        [
            "thread",
            "step",
            &self.thread,
            "--agent",
            "prose",
            "--protocol",
            "markdown",
        ]
    }

    fn step_in_prose(&self) -> Ran {
        self.run(&self.step_of_prose())
    }
}

#[test]
fn an_answer_on_protocol_markdown_is_read_by_the_model() {
    let desk = Desk::with_prose([fields()]);
    let ran = desk.step_in_prose();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stderr, format!("warning: {SAID}\n"));
    let step = desk.last_step();
    let output = desk.environment.payload(step["output"].as_str().unwrap());
    assert_eq!(output, json!({"title": "Ode"}));
    let detail = desk.detail();
    assert_eq!(detail["warnings"], json!([SAID]));
    assert_eq!(detail["corrections"], 2);
    let request = desk.server.requests()[0].json();
    assert_eq!(request["model"], "r-1");
    assert_eq!(request["response_format"], json!({"type": "json_object"}));
    assert_eq!(desk.last_message(1)["content"], PROSE);
    let system = desk.messages(1)[0]["content"].as_str().unwrap().to_owned();
    assert!(system.contains("\"title\": {\n"), "{system}");
}

#[test]
fn an_answer_of_an_agent_in_the_binary_is_read_by_the_model() {
    let desk = Desk::with_prose([fields()]);
    let script = desk
        .environment
        .write("script.yaml", &format!("writer: [{{answer: {PROSE}}}]\n"));
    let agent = format!("uwf-mock {}", script.display());
    let ran = desk.run(&["thread", "step", &desk.thread, "--agent", &agent]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.assert_tells(&format!("warning: {SAID}\n"));
    assert_eq!(desk.detail()["notes"], json!([SAID]));
}

#[test]
fn the_builtin_agent_has_it_too() {
    let prose = vec![Reply::says(PROSE); 6];
    let desk = Desk::with_prose(prose.into_iter().chain([fields()]));
    let ran = desk.step();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(desk.detail()["notes"][1], SAID);
}

#[test]
fn a_service_that_knows_no_json_mode_is_asked_without() {
    let desk = Desk::with_prose([
        Reply::error(400, "response_format is not supported"),
        fields(),
    ]);
    assert_eq!(desk.step_in_prose().code, Some(0));
    assert_eq!(
        desk.server.requests()[1].json().get("response_format"),
        None
    );
}

#[test]
fn what_it_reads_has_to_fit_too() {
    for (reply, told) in [
        (
            Reply::says("{\"words\": 3}"),
            "what the model `r-1` extracted does not fit either: ",
        ),
        (
            Reply::says("I cannot."),
            "the fields could not be extracted by the model `r-1`: its answer holds no JSON object",
        ),
        (
            Reply::error(400, "no"),
            "the fields could not be extracted by the model `r-1`: ",
        ),
    ] {
        let desk = Desk::with_prose([reply]);
        let ran = desk.step_in_prose();
        ran.assert_no_result(4);
        ran.assert_tells(told);
    }
}

#[test]
fn it_is_off_when_none_is_set_up() {
    let desk = Desk::with_prose([fields()]);
    desk.configure(&desk.server.url(), "");
    desk.step_in_prose().assert_no_result(4);
    assert_eq!(desk.server.requests().len(), 0);
}

#[test]
fn without_its_key_it_is_told_and_gone_without() {
    let desk = Desk::with_prose([fields()]);
    desk.environment.write_in_root(".env", "");
    desk.environment
        .printing("prose", "---\ntitle: Ode\n---\nText.");
    let ran = desk.step_in_prose();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.stderr,
        format!(
            "warning: no model extracts fields from answers that do not fit: the key of provider \
             `local` is not set: LOCAL_KEY is neither in {} nor in the environment\n",
            desk.environment.root().join(".env").display()
        )
    );
    assert!(!ran.stderr.contains(KEY));
}

#[test]
fn with_a_wait_that_is_none_it_is_told_and_gone_without() {
    let desk = Desk::with_prose([fields()]);
    desk.environment
        .printing("prose", "---\ntitle: Ode\n---\nText.");
    let mut command = desk.command(&desk.step_of_prose());
    let ran = Ran::from(command.env("UWF_MODEL_IDLE_MS", "5m").output().unwrap());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.stderr,
        "warning: no model extracts fields from answers that do not fit: UWF_MODEL_IDLE_MS is \
         `5m`: it takes a whole number of milliseconds, such as 60000\n"
    );
}

#[test]
fn a_signal_ends_it() {
    let desk = Desk::with_prose([Reply::stream([""]).then_silence()]);
    let script = desk
        .environment
        .write("script.yaml", &format!("writer: [{{answer: {PROSE}}}]\n"));
    let mock = format!("uwf-mock {}", script.display());
    for (number, agent) in [
        ["--agent", "prose", "--protocol", "markdown"],
        ["--agent", &mock, "--protocol", "cas"],
    ]
    .iter()
    .enumerate()
    {
        let step = [&["thread", "step", &desk.thread], &agent[..]].concat();
        let mut command = desk.command(&step);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        wait_until("the model is asked", || {
            desk.server.requests().len() == number + 1
        });
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        let ran = Ran::from(child.wait_with_output().unwrap());
        ran.assert_no_result(143);
        let attempts = desk.environment.attempts(&desk.thread);
        assert_eq!(attempts[number]["class"], "interrupted");
    }
}
