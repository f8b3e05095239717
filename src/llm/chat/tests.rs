//! Tests of asking a model over a connection.

use serde_json::json;

use super::*;
use crate::llm::scripted::{ModelServer, Reply as Scripted, delta, finish, usage};
use crate::llm::{Finish, Key, TokenCount, ToolCall};

/// Notes what it is told, and waits for nobody.
#[derive(Default)]
struct Notes {
    heard: String,
    retried: Vec<(String, Duration)>,
    waited: Vec<Duration>,
    /// The signal that comes with the next look.
    signal: Option<i32>,
    /// The signal that comes when something was heard.
    signal_when_heard: Option<i32>,
}

impl Listener for Notes {
    fn pause(&mut self, time: Duration) -> Option<i32> {
        if !time.is_zero() {
            self.waited.push(time);
        }
        self.signal
    }

    fn now_ms(&self) -> u64 {
        1_796_044_961_000
    }

    fn heard(&mut self, piece: Piece<'_>) {
        if let Piece::Text(text) = piece {
            self.heard.push_str(text);
        }
        self.signal = self.signal.or(self.signal_when_heard);
    }

    fn retries(&mut self, error: &LlmError, wait: Duration) {
        self.retried.push((error.message.clone(), wait));
    }
}

fn chat(base_url: &str) -> Chat {
    let endpoint = Endpoint {
        provider: "local".to_owned(),
        base_url: base_url.to_owned(),
        key: Some(Key::new("sk-secret")),
        model: "m-1".to_owned(),
    };
    Chat::new(endpoint, Pace::default())
}

fn ask(server: &ModelServer, notes: &mut Notes) -> Result<Reply, LlmError> {
    ask_with(&mut chat(&server.url()), notes)
}

fn ask_with(chat: &mut Chat, notes: &mut Notes) -> Result<Reply, LlmError> {
    let messages = [Message::User("hello".to_owned())];
    let question = Question {
        messages: &messages,
        tools: &[],
        wants_json: false,
    };
    chat.ask(&question, notes)
}

fn said(text: &str) -> Reply {
    Reply {
        content: text.to_owned(),
        reasoning: None,
        tool_calls: Vec::new(),
        finish: Finish::Done,
        usage: Some(TokenCount {
            input: 10,
            cached: 4,
            output: 3,
        }),
        model: Some("m-1".to_owned()),
    }
}

#[test]
fn a_stream_is_heard_and_put_together() {
    let server = ModelServer::new([Scripted::says("Grüße, 世界")]);
    let mut notes = Notes::default();
    assert_eq!(ask(&server, &mut notes), Ok(said("Grüße, 世界")));
    assert_eq!(notes.heard, "Grüße, 世界");
    let request = &server.requests()[0];
    assert_eq!(request.path, "/v1/chat/completions");
    assert_eq!(request.header("authorization"), Some("Bearer sk-secret"));
    assert_eq!(
        request.json(),
        json!({
            "model": "m-1",
            "messages": [{"role": "user", "content": "hello"}],
            "stream": true,
            "stream_options": {"include_usage": true},
        })
    );
}

#[test]
fn a_key_that_the_service_repeats_is_cut_from_all_that_it_says() {
    let arguments = json!({"path": "sk-1234"}).to_string();
    let call =
        json!({"index": 0, "id": "a", "function": {"name": "read_file", "arguments": arguments}});
    let server = ModelServer::new([Scripted::events(&[
        delta(json!({"reasoning": "it is sk-"})),
        delta(json!({"reasoning": "1234"})),
        delta(json!({"content": "Bearer sk-12"})),
        delta(json!({"content": "34!", "tool_calls": [call]})),
        finish("tool_calls"),
    ])]);
    let mut chat = chat(&server.url());
    chat.endpoint.key = Some(Key::new("sk-1234"));
    assert_eq!(
        ask_with(&mut chat, &mut Notes::default()),
        Ok(Reply {
            content: "Bearer …!".to_owned(),
            reasoning: Some(("reasoning".to_owned(), "it is …".to_owned())),
            tool_calls: vec![ToolCall {
                id: "a".to_owned(),
                name: "read_file".to_owned(),
                arguments: r#"{"path":"…"}"#.to_owned(),
            }],
            finish: Finish::Done,
            usage: None,
            model: Some("m-1".to_owned()),
        })
    );
}

#[test]
fn an_answer_that_goes_on_and_on_is_given_up() {
    let (mebibyte, half) = ("a".repeat(1 << 20), "a".repeat(1 << 19));
    let stream = |pieces: &[Value]| {
        let events = pieces
            .iter()
            .map(|piece| format!("data: {}\n\n", delta(piece.clone())));
        Scripted::stream(events.collect::<Vec<_>>()).then_silence()
    };
    let text = |text: &str| json!({"content": text});
    let call = json!({"tool_calls": [{"index": 0, "function": {"arguments": mebibyte}}]});
    let inline = format!("<think>{half}</think>b{mebibyte}");
    let whole = json!({"choices": [{"message": {"content": inline}}]});
    let begins = |first: &str| {
        let rest = "a".repeat(300 - first.len());
        format!("1 MiB of text, and was given up; it begins: {first}{rest}…")
    };
    for (reply, told) in [
        (stream(&[text(&half), text(&half), text("b")]), begins("")),
        (Scripted::json(200, &whole), begins("b")),
        (
            stream(&vec![[json!({"reasoning": mebibyte}), call]; 5].concat()),
            "8 MiB of thoughts and of arguments of tools, and was given up".to_owned(),
        ),
    ] {
        let server = ModelServer::new([reply]);
        let error = ask(&server, &mut Notes::default()).unwrap_err();
        let expected = format!("the answer of {} has more than {told}", server.url());
        assert_eq!((error.class, error.message), (LlmClass::Api, expected));
        assert_eq!(server.requests().len(), 1);
    }
    let said_whole = Scripted::says(&mebibyte);
    let server = ModelServer::new([said_whole]);
    let reply = ask(&server, &mut Notes::default()).unwrap();
    assert_eq!(reply.content.len(), 1 << 20);
}

#[test]
fn every_byte_may_come_alone() {
    let stream = format!(
        ": hello\r\n\r\ndata:{}\r\n\r\ndata: {}\n\ndata: {}\n\n",
        delta(json!({"content": "é😀"})),
        finish("stop"),
        usage()
    );
    let server = ModelServer::new([Scripted::stream(stream.bytes().map(|byte| [byte]))]);
    assert_eq!(ask(&server, &mut Notes::default()), Ok(said("é😀")));
}

#[test]
fn a_service_that_does_not_stream_is_understood() {
    let answer = json!({
        "model": "m-1",
        "choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}],
        "usage": usage()["usage"],
    });
    let server = ModelServer::new([Scripted::json(200, &answer)]);
    let mut notes = Notes::default();
    assert_eq!(ask(&server, &mut notes), Ok(said("hi")));
    assert_eq!(notes.heard, "hi");
}

#[test]
fn what_passes_is_tried_again() {
    let cut = Scripted::stream([format!("data: {}\n\n", delta(json!({"content": "lost"})))]);
    let in_stream = json!({"error": {"message": "busy", "code": 503}});
    let server = ModelServer::new([
        Scripted::error(429, "slow down").header("retry-after", "3"),
        Scripted::error(500, "oops"),
        cut.cut(),
        Scripted::events(&[in_stream]),
        Scripted::says("hi"),
    ]);
    let mut notes = Notes::default();
    assert_eq!(ask(&server, &mut notes), Ok(said("hi")));
    let url = server.url();
    let waits = [3, 2, 4, 8].map(Duration::from_secs);
    assert_eq!(notes.waited, waits);
    let reasons = [
        format!("{url} answered 429: slow down"),
        format!("{url} answered 500: oops"),
        format!("the answer of {url} broke off: the connection was closed"),
        format!("{url} answered: busy"),
    ];
    let told: Vec<_> = notes.retried.into_iter().collect();
    assert_eq!(told, reasons.into_iter().zip(waits).collect::<Vec<_>>());
}

#[test]
fn it_is_given_up_in_the_end() {
    let server = ModelServer::new([Scripted::error(529, "overloaded")]);
    let error = ask(&server, &mut Notes::default()).unwrap_err();
    let message = format!(
        "{} answered 529: overloaded; it was tried 5 times",
        server.url()
    );
    assert_eq!(
        (error.class, error.message),
        (LlmClass::Overloaded, message)
    );
    assert_eq!(server.requests().len(), 5);
}

#[test]
fn what_stays_is_told_at_once() {
    let server = ModelServer::new([Scripted::error(400, "bad tools")]);
    let error = ask(&server, &mut Notes::default()).unwrap_err();
    let message = format!("{} answered 400: bad tools", server.url());
    assert_eq!((error.class, error.message), (LlmClass::Api, message));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn nobody_waits_for_an_hour() {
    let server = ModelServer::new([Scripted::error(429, "no").header("retry-after", "3600")]);
    let mut notes = Notes::default();
    let error = ask(&server, &mut notes).unwrap_err();
    let message = format!(
        "{} answered 429: no; it wants to be asked again in 3600 s and no sooner, that is at \
         2026-11-30 14:22:41 UTC",
        server.url()
    );
    assert_eq!((error.class, error.message), (LlmClass::RateLimit, message));
    assert_eq!(notes.waited, []);
}

#[test]
fn what_a_service_does_not_understand_is_left_out_from_then_on() {
    let server = ModelServer::new([
        Scripted::error(400, "Unknown parameter: 'stream_options'"),
        // Behind what a message shows.
        Scripted::error(422, &format!("{} response_format", "x".repeat(400))),
        Scripted::says("{}"),
    ]);
    let mut chat = chat(&server.url());
    let question = Question {
        messages: &[],
        tools: &[],
        wants_json: true,
    };
    for _ in 0..2 {
        let mut notes = Notes::default();
        assert_eq!(chat.ask(&question, &mut notes), Ok(said("{}")));
        assert_eq!(notes.waited, []);
    }
    let has: Vec<_> = server
        .requests()
        .iter()
        .map(|request| {
            [STREAM_OPTIONS, RESPONSE_FORMAT].map(|part| request.json()[part] != json!(null))
        })
        .collect();
    let expected = [[true, true], [false, true], [false, false], [false, false]];
    assert_eq!(has, expected);
}

#[test]
fn what_is_whole_is_not_lost_for_how_the_connection_ended() {
    let events = [delta(json!({"content": "hi"})), finish("stop"), usage()];
    let stream = || Scripted::stream(events.iter().map(|event| format!("data: {event}\n\n")));
    for reply in [stream(), stream().cut()] {
        let server = ModelServer::new([reply]);
        assert_eq!(ask(&server, &mut Notes::default()), Ok(said("hi")));
    }
    // The end is said, and then the connection stays open.
    let open = Scripted::stream(["data: {\"choices\":[]}\n\ndata: [DONE]\n\n"]).then_silence();
    let server = ModelServer::new([open]);
    assert_eq!(ask(&server, &mut Notes::default()).unwrap().content, "");
}

#[test]
fn answers_that_are_cut_are_told_apart_from_nonsense() {
    let url_of = |reply: Scripted| {
        let server = ModelServer::new([reply]);
        let error = ask(&server, &mut Notes::default()).unwrap_err();
        (error.class, error.message.replace(&server.url(), "URL"))
    };
    let cut = "the answer of URL broke off before its end; it was tried 5 times";
    for body in [
        "",
        "{\"choices\": [",
        "data: {\"choices\": []}\n\ndata: {\"cho",
    ] {
        let told = url_of(Scripted::stream([body]));
        assert_eq!(told, (LlmClass::Network, cut.to_owned()), "{body}");
    }
    for (body, told) in [
        (
            "<html>hello",
            "URL answered with a web page, not with JSON: is `baseUrl` of provider `local` right, \
             and does it end as the service says, such as in `/v1`?",
        ),
        (
            "{\"answer\": 42}",
            "URL answered with JSON that is no answer of a chat API: is `baseUrl` of provider \
             `local` right, and does it end as the service says, such as in `/v1`?",
        ),
        (
            "data: x\n\n",
            "URL answered with something that is no JSON: x",
        ),
    ] {
        let expected = (LlmClass::Malformed, told.to_owned());
        assert_eq!(url_of(Scripted::stream([body])), expected);
    }
}

#[test]
fn a_stream_that_never_ends_is_left() {
    let event = format!(
        "data: {}\n\n",
        delta(json!({"padding": "x".repeat(1 << 20)}))
    );
    let server = ModelServer::new([Scripted::stream(vec![event; 65])]);
    let error = ask(&server, &mut Notes::default()).unwrap_err();
    let message = format!("{} answered more than 64 MiB", server.url());
    assert_eq!((error.class, error.message), (LlmClass::Malformed, message));
}

#[test]
fn silence_is_waited_for_only_so_long() {
    let begun = format!("data: {}\n\n", delta(json!({"content": "a"})));
    let server = ModelServer::new([Scripted::stream([begun]).then_silence()]);
    let mut chat = chat(&server.url());
    chat.pace = Pace {
        idle: Duration::from_millis(100),
        tries: 2,
        ..Pace::default()
    };
    let error = ask_with(&mut chat, &mut Notes::default()).unwrap_err();
    let message = format!(
        "{} said nothing for 100 ms; it was tried 2 times",
        server.url()
    );
    assert_eq!((error.class, error.message), (LlmClass::Timeout, message));
}

#[test]
fn a_signal_ends_a_wait_and_a_request() {
    let server = ModelServer::new([Scripted::stream([""]).then_silence()]);
    let mut notes = Notes {
        signal: Some(15),
        ..Notes::default()
    };
    let error = ask(&server, &mut notes).unwrap_err();
    assert_eq!(error.class, LlmClass::Interrupted(15));
    let begun = format!("data: {}\n\n", delta(json!({"content": "a"})));
    let server = ModelServer::new([Scripted::stream([begun]).then_silence()]);
    let mut notes = Notes {
        signal_when_heard: Some(2),
        ..Notes::default()
    };
    let error = ask(&server, &mut notes).unwrap_err();
    assert_eq!(error.class, LlmClass::Interrupted(2));
    assert_eq!(error.message, "interrupted by signal 2");
}

#[test]
fn a_redirect_takes_the_key_nowhere() {
    let elsewhere = ModelServer::new([Scripted::says("hi")]);
    let moved = Scripted::new(307, "text/plain", "").header("location", &elsewhere.url());
    let server = ModelServer::new([moved]);
    let error = ask(&server, &mut Notes::default()).unwrap_err();
    assert_eq!(
        error.message,
        format!(
            "{} answered 307: it sends us to {}; the key is for the address in `baseUrl` of \
             provider `local` alone, so set that to where the API is",
            server.url(),
            elsewhere.url()
        )
    );
    assert!(elsewhere.requests().is_empty());
}

#[test]
fn a_service_without_a_secure_connection_is_not_asked_again() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("https://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        use std::io::Write;
        let (mut stream, _) = listener.accept().unwrap();
        stream.write_all(b"HTTP/1.1 400 What?\r\n\r\n").unwrap();
        // Open until the client leaves.
        std::io::copy(&mut stream, &mut std::io::sink()).unwrap();
    });
    let error = ask_with(&mut chat(&address), &mut Notes::default()).unwrap_err();
    assert_eq!(error.class, LlmClass::Network);
    let begin = format!("cannot reach {address}: no secure connection: ");
    assert!(error.message.starts_with(&begin), "{error}");
    assert!(!error.message.contains("tried"), "{error}");
}
