//! Services that refuse, fail, or are not there: what is told, and what becomes of the thread.

use std::io::{BufRead, BufReader};

use serde_json::json;

use super::{Desk, KEY, ODE, write_file};
use crate::environment::{Ran, wait_until};
use crate::model_server::{ModelServer, Reply, delta};

#[test]
fn a_key_that_the_service_does_not_know_is_told_in_its_words() {
    let words = format!("Incorrect API key provided: {KEY}.");
    let desk = Desk::new([Reply::error(401, &words)]);
    let url = desk.server.url();
    let message = format!("{url} answered 401: Incorrect API key provided: ….");
    desk.assert_fails(3, "authentication", &message);
    assert_eq!(desk.server.requests().len(), 1);
    assert_eq!(desk.sessions(), Vec::<String>::new());
}

#[test]
fn what_passes_is_waited_for() {
    let desk = Desk::new([
        Reply::error(429, "slow down").header("retry-after", "1"),
        Reply::error(503, "no room"),
        Reply::stream([format!("data: {}\n\n", delta(json!({"content": "---\n"})))]).cut(),
        Reply::says(ODE),
    ]);
    let ran = desk.step();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let url = desk.server.url();
    ran.assert_tells(&format!(
        "{url} answered 429: slow down; asking again in 1 s\n"
    ));
    ran.assert_tells(&format!(
        "{url} answered 503: no room; asking again in 2 ms\n"
    ));
    ran.assert_tells(&format!(
        "the answer of {url} broke off: the connection was closed; asking again in 4 ms\n"
    ));
    assert_eq!(desk.detail()["turnCount"], 1);
}

#[test]
fn a_service_that_wants_to_be_left_alone_for_long_is() {
    let desk = Desk::new([Reply::error(429, "come back").header("retry-after", "7200")]);
    desk.step().assert_no_result(3);
    let (class, message) = desk.attempt();
    assert_eq!(class, "rate-limit");
    let wanted = format!(
        "agent `builtin` failed: {} answered 429: come back; it wants to be asked again in 7200 s \
         and no sooner, that is at ",
        desk.server.url()
    );
    assert!(message.starts_with(&wanted), "{message}");
    assert_eq!(desk.server.requests().len(), 1);
}

#[test]
fn a_service_that_keeps_failing_is_given_up() {
    let desk = Desk::new([Reply::error(500, "oops")]);
    let message = format!(
        "{} answered 500: oops; it was tried 5 times",
        desk.server.url()
    );
    desk.assert_fails(3, "overloaded", &message);
    assert_eq!(desk.server.requests().len(), 5);
}

#[test]
fn a_stream_that_is_cut_each_time_is_given_up() {
    let cut = Reply::stream([format!("data: {}\n\n", delta(json!({"content": "a"})))]);
    let desk = Desk::new([cut]);
    let message = format!(
        "the answer of {} broke off before its end; it was tried 5 times",
        desk.server.url()
    );
    desk.assert_fails(3, "network", &message);
}

#[test]
fn a_service_that_is_silent_is_given_up() {
    let desk = Desk::new([Reply::stream([""]).then_silence()]);
    let mut command = desk.command(&["thread", "step", &desk.thread]);
    let ran = Ran::from(command.env("UWF_MODEL_IDLE_MS", "50").output().unwrap());
    ran.assert_no_result(3);
    let message = format!(
        "agent `builtin` failed: {} said nothing for 50 ms; it was tried 5 times",
        desk.server.url()
    );
    ran.assert_tells("hint: step again later: the thread is as it was\n");
    assert_eq!(desk.attempt(), ("timeout".to_owned(), message));
}

#[test]
fn a_time_that_is_none_is_told_before_anything_is_asked() {
    let desk = Desk::new([]);
    for variable in ["UWF_MODEL_IDLE_MS", "UWF_RETRY_BASE_MS"] {
        let mut command = desk.command(&["thread", "step", &desk.thread]);
        let ran = Ran::from(command.env(variable, "5m").output().unwrap());
        ran.assert_no_result(1);
        ran.assert_tells(&format!(
            "error: agent `builtin` failed: {variable} is `5m`: it takes a whole number of \
             milliseconds, such as 60000\n"
        ));
    }
    assert_eq!(desk.server.requests().len(), 0);
}

#[test]
fn an_address_where_nobody_is_is_told() {
    let desk = Desk::new([]);
    let gone = {
        let server = ModelServer::new([]);
        server.url()
    };
    desk.configure(&gone, "");
    let message = format!("cannot reach {gone}: the connection was refused; it was tried 5 times");
    desk.assert_fails(3, "network", &message);
}

#[test]
fn an_address_that_is_none_is_told() {
    for (address, why) in [
        (
            "localhost:8080/v1",
            "it must begin with `http://` or `https://`",
        ),
        (
            "http://127.0.0.1:9/v1?key=secret",
            "it must end with the path: what begins with `?` or `#` is no part of it",
        ),
        (
            "http://me:secret@127.0.0.1:9/v1",
            "it must not hold a name or a password: give the key with `--api-key -`",
        ),
    ] {
        let desk = Desk::new([]);
        desk.configure(address, "");
        let config = desk.environment.root().join("config.yaml");
        let message = format!(
            "{}:2:3: the `baseUrl` of the provider `local` cannot be used: {why}",
            config.display()
        );
        desk.assert_fails(1, "configuration", &message);
    }
}

#[test]
fn a_model_that_is_not_there_is_told_apart_from_a_wrong_address() {
    let desk = Desk::new([Reply::error(404, "The model `m-1` does not exist")]);
    let url = desk.server.url();
    let message = format!("{url} answered 404: The model `m-1` does not exist");
    desk.assert_fails(3, "api", &message);

    let page = "<!DOCTYPE html><html><body>Not found</body></html>";
    let desk = Desk::new([Reply::new(404, "text/html", page)]);
    let url = desk.server.url();
    let message = format!(
        "{url} answered 404 with a web page, not with JSON: is `baseUrl` of provider `local` \
         right, and does it end as the service says, such as in `/v1`?"
    );
    desk.assert_fails(3, "api", &message);

    let desk = Desk::new([Reply::new(200, "text/html", page)]);
    let url = desk.server.url();
    let message = format!(
        "{url} answered with a web page, not with JSON: is `baseUrl` of provider `local` right, \
         and does it end as the service says, such as in `/v1`?"
    );
    desk.assert_fails(3, "api", &message);
}

#[test]
fn a_key_that_is_not_set_is_told_before_anything_is_asked() {
    let desk = Desk::new([]);
    desk.environment.write_in_root(".env", "OTHER=1\n");
    let message = format!(
        "the key of provider `local` is not set: LOCAL_KEY is neither in {} nor in the environment",
        desk.environment.root().join(".env").display()
    );
    desk.assert_fails(1, "configuration", &message);
    assert_eq!(desk.server.requests().len(), 0);
}

#[test]
fn a_model_that_is_not_set_up_is_told() {
    let desk = Desk::new([]);
    desk.environment.write_in_root(
        "config.yaml",
        "agents: {builtin: {command: uwf-builtin}}\ndefaultAgent: builtin\n",
    );
    let message = format!(
        "no model is set: {} has no `defaultModel`",
        desk.environment.root().join("config.yaml").display()
    );
    desk.assert_fails(1, "configuration", &message);
}

#[test]
fn a_signal_ends_a_request_that_is_on_its_way() {
    let desk = Desk::new([write_file("a", "b"), Reply::stream([""]).then_silence()]);
    let mut command = desk.command(&["thread", "step", &desk.thread]);
    command.stdout(std::process::Stdio::piped());
    command.stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    wait_until("the model is asked again", || {
        desk.server.requests().len() == 2
    });
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    ran.assert_no_result(143);
    assert_eq!(desk.attempt().0, "interrupted");
    // It can be taken up.
    assert_eq!(desk.sessions().len(), 1);
}

#[test]
fn a_signal_ends_a_wait() {
    let desk = Desk::new([Reply::error(503, "no room").header("retry-after", "60")]);
    let mut command = desk.command(&["agent", "builtin", &desk.thread, "writer"]);
    command.env("UWF_EDGE_PROMPT", "Write the text.");
    command.stdout(std::process::Stdio::piped());
    command.stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines();
    told.find(|line| line.as_ref().unwrap().ends_with("asking again in 60 s"));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert_eq!(
        ran.stdout,
        "{\"failure\":{\"class\":\"interrupted\",\"message\":\"interrupted by signal 2\",\
         \"output\":null}}\n"
    );
}
