//! A service of models on this machine that answers from a list, and remembers what it was asked.
//!
//! Also the server of the unit tests of `src/llm`: it needs nothing but the standard library and
//! `serde_json`.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each of the two crates that use it needs another part, and what fails in a test \
              fails it"
)]

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

/// A running service, gone when it is dropped.
pub struct ModelServer {
    address: SocketAddr,
    state: Arc<State>,
    accepting: Option<JoinHandle<()>>,
}

struct State {
    replies: Mutex<VecDeque<Reply>>,
    requests: Mutex<Vec<Request>>,
    is_over: AtomicBool,
}

/// What the service was asked.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Request {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// One answer.
#[derive(Debug, Clone)]
pub struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    pieces: Vec<Piece>,
    is_cut: bool,
}

#[derive(Debug, Clone)]
enum Piece {
    Bytes(Vec<u8>),
    Pause(Duration),
    /// Nothing more, until the client leaves.
    Silence,
}

impl Reply {
    /// An answer with this body.
    pub fn new(status: u16, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            pieces: vec![Piece::Bytes(body.into())],
            is_cut: false,
        }
        .header("content-type", content_type)
    }

    pub fn json(status: u16, body: &Value) -> Self {
        Self::new(status, "application/json", body.to_string())
    }

    /// The error of a service, as most write it.
    pub fn error(status: u16, message: &str) -> Self {
        Self::json(status, &json!({"error": {"message": message}}))
    }

    /// A stream of these bytes, each piece sent for itself.
    pub fn stream<P: Into<Vec<u8>>>(pieces: impl IntoIterator<Item = P>) -> Self {
        let mut reply = Self::new(200, "text/event-stream", "");
        let pieces = pieces.into_iter().map(|piece| Piece::Bytes(piece.into()));
        reply.pieces = pieces.collect();
        reply
    }

    /// A stream of these values, each an event, with the end that a stream has.
    pub fn events(values: &[Value]) -> Self {
        let event = |value: &Value| format!("data: {value}\n\n");
        let done = "data: [DONE]\n\n".to_owned();
        Self::stream(values.iter().map(event).chain([done]))
    }

    /// The model says this, in two pieces, for 10 tokens read, 4 of them cached, and 3 written.
    pub fn says(text: &str) -> Self {
        let (head, tail) = text.split_at(text.floor_char_boundary(text.len() / 2));
        Self::events(&[
            delta(json!({"role": "assistant", "content": head})),
            delta(json!({"content": tail})),
            finish("stop"),
            usage(),
        ])
    }

    /// The model wants these tools to be called, each with its arguments.
    pub fn calls(calls: &[(&str, Value)]) -> Self {
        let fragment = |(index, (name, arguments)): (usize, &(&str, Value))| {
            let function = json!({"name": name, "arguments": arguments.to_string()});
            let id = format!("id-{name}-{index}");
            let call = json!({"index": index, "id": id, "type": "function", "function": function});
            delta(json!({"tool_calls": [call]}))
        };
        let mut values: Vec<_> = calls.iter().enumerate().map(fragment).collect();
        values.extend([finish("tool_calls"), usage()]);
        Self::events(&values)
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The connection is closed before the answer is at its end.
    pub fn cut(self) -> Self {
        Self {
            is_cut: true,
            ..self
        }
    }

    /// Waits before it says anything.
    pub fn after(mut self, time: Duration) -> Self {
        self.pieces.insert(0, Piece::Pause(time));
        self
    }

    /// Says nothing more after its pieces, until the client leaves.
    pub fn then_silence(mut self) -> Self {
        self.pieces.push(Piece::Silence);
        self
    }
}

/// A piece of a streamed answer.
#[allow(clippy::needless_pass_by_value, reason = "it reads like the API")]
pub fn delta(delta: Value) -> Value {
    json!({"model": "m-1", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

/// The piece that says why the model stopped.
pub fn finish(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

/// The piece that tells what it cost.
pub fn usage() -> Value {
    json!({"choices": [], "usage": {
        "prompt_tokens": 10,
        "completion_tokens": 3,
        "prompt_tokens_details": {"cached_tokens": 4},
    }})
}

impl ModelServer {
    /// Gives these answers in this order; the last counts for all requests after it.
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(State {
            replies: Mutex::new(replies.into_iter().collect()),
            requests: Mutex::new(Vec::new()),
            is_over: AtomicBool::new(false),
        });
        let shared = Arc::clone(&state);
        let accepting = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if shared.is_over.load(Ordering::SeqCst) {
                    break;
                }
                let shared = Arc::clone(&shared);
                // A client that leaves early is none of the test's business.
                std::thread::spawn(move || stream.and_then(|stream| serve(&stream, &shared)));
            }
        });
        Self {
            address,
            state,
            accepting: Some(accepting),
        }
    }

    /// The address of the API.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// What was asked so far.
    pub fn requests(&self) -> Vec<Request> {
        self.state.requests.lock().unwrap().clone()
    }

    /// Gives other answers from here on.
    pub fn now_answers(&self, replies: impl IntoIterator<Item = Reply>) {
        *self.state.replies.lock().unwrap() = replies.into_iter().collect();
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.state.is_over.store(true, Ordering::SeqCst);
        // Wakes whoever accepts.
        let _ = TcpStream::connect(self.address);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

fn serve(stream: &TcpStream, state: &State) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let Some(request) = read_request(&mut reader)? else {
        return Ok(());
    };
    let reply = {
        // Both under one lock, so that answers go out in the order of the requests.
        let mut requests = state.requests.lock().unwrap();
        requests.push(request);
        let mut replies = state.replies.lock().unwrap();
        if replies.len() > 1 {
            replies.pop_front()
        } else {
            replies.front().cloned()
        }
    };
    let reply = reply.unwrap_or_else(|| Reply::error(500, "the script has no answer"));
    answer(stream, &reply)
}

fn read_request(reader: &mut impl BufRead) -> std::io::Result<Option<Request>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap(), words.next().unwrap());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.map_or(0, |(_, length)| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some(Request {
        method,
        path,
        headers,
        body: String::from_utf8(body).unwrap(),
    }))
}

fn answer(mut stream: &TcpStream, reply: &Reply) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut head = format!("HTTP/1.1 {} Said\r\n", reply.status);
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("transfer-encoding: chunked\r\nconnection: close\r\n\r\n");
    let mut head = Some(head);
    for piece in &reply.pieces {
        match piece {
            Piece::Pause(time) => std::thread::sleep(*time),
            Piece::Silence => {
                send_head(stream, &mut head)?;
                // Until the client closes its end.
                let _ = stream.read(&mut [0])?;
                return Ok(());
            }
            Piece::Bytes(bytes) => {
                send_head(stream, &mut head)?;
                if !bytes.is_empty() {
                    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
                    chunk.extend(bytes);
                    chunk.extend(b"\r\n");
                    stream.write_all(&chunk)?;
                }
            }
        }
    }
    send_head(stream, &mut head)?;
    if !reply.is_cut {
        stream.write_all(b"0\r\n\r\n")?;
    }
    Ok(())
}

fn send_head(mut stream: &TcpStream, head: &mut Option<String>) -> std::io::Result<()> {
    head.take()
        .map_or(Ok(()), |head| stream.write_all(head.as_bytes()))
}
