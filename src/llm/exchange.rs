//! One request over HTTP, and its answer in the pieces in which it comes. Nothing here knows what
//! a chat is.
//!
//! No redirect is followed: the key is for the address it was set up for. Each request has a
//! connection of its own, so that none fails because an old one was closed meanwhile.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::time::Duration;

use ureq::Body;
use ureq::http::{HeaderMap, Response, Uri};

use super::endpoint::Endpoint;
use super::error::{LlmClass, LlmError};
use super::pace::{Pace, in_words};

/// The most bytes of an answer that are read. A stream has some three hundred for each token.
pub const MOST_BYTES: usize = 64 << 20;
/// Bytes that are read at once.
const PIECE: usize = 16 * 1024;

/// A request, ready to be sent.
#[derive(Debug, Clone)]
pub struct Call {
    /// The service, for messages.
    endpoint: Endpoint,
    url: Uri,
    /// JSON to post; none to get.
    body: Option<String>,
    pace: Pace,
    /// For all of it; none: as long as something comes.
    limit: Option<Duration>,
}

/// What an answer says before its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The code of HTTP.
    pub status: u16,
    /// Where it redirects to.
    pub location: Option<String>,
    /// How long to stay away, as it stands: seconds, or a moment.
    pub retry_after: Option<String>,
}

impl Head {
    /// Whether there is no answer, but a word on why not.
    pub fn is_refusal(&self) -> bool {
        !(200..300).contains(&self.status)
    }
}

/// A piece of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The first.
    Head(Head),
    /// Some of the body.
    Bytes(Vec<u8>),
}

impl Call {
    /// To the service's API at `path`, which begins with a slash.
    pub fn new(endpoint: &Endpoint, path: &str, body: Option<String>) -> Result<Self, LlmError> {
        let unusable = || {
            let message = format!(
                "`baseUrl` of provider `{}` is no address of an API: {} is not like \
                 `https://api.example.org/v1`",
                endpoint.provider,
                crate::wording::quoted(&endpoint.address())
            );
            LlmError::new(LlmClass::Configuration, message)
        };
        let text = format!("{}{path}", endpoint.base_url.trim_end_matches('/'));
        let url: Uri = text.parse().map_err(|_| unusable())?;
        let is_web = matches!(url.scheme_str(), Some("http" | "https"));
        if !is_web || url.host().is_none_or(str::is_empty) {
            return Err(unusable());
        }
        if endpoint.key.as_ref().is_some_and(|key| !key.can_be_sent()) {
            let message = format!(
                "the key of provider `{}` holds a character that no key has: is it the key?",
                endpoint.provider
            );
            return Err(LlmError::new(LlmClass::Configuration, message));
        }
        Ok(Self {
            endpoint: endpoint.clone(),
            url,
            body,
            pace: Pace::default(),
            limit: None,
        })
    }

    /// Waits as this says.
    pub fn at(self, pace: Pace) -> Self {
        Self { pace, ..self }
    }

    /// Takes so long at most, in all.
    pub fn within(self, limit: Duration) -> Self {
        Self {
            limit: Some(limit),
            ..self
        }
    }

    /// Sends it, and hands over what comes until that says enough, or the answer is at its end.
    /// Blocks as long as that takes.
    pub fn send(&self, take: &mut dyn FnMut(Part) -> ControlFlow<()>) -> Result<(), LlmError> {
        let mut answer = self.answer().map_err(|error| self.not_answered(&error))?;
        let head = head(answer.status().as_u16(), answer.headers());
        if take(Part::Head(head)).is_break() {
            return Ok(());
        }
        let mut body = answer.body_mut().as_reader();
        let mut piece = vec![0; PIECE];
        loop {
            let read = match body.read(&mut piece) {
                Ok(0) => return Ok(()),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(self.broken_off(error)),
            };
            if take(Part::Bytes(piece[..read].to_vec())).is_break() {
                return Ok(());
            }
        }
    }

    fn answer(&self) -> Result<Response<Body>, ureq::Error> {
        let agent = self.agent();
        let key = self.endpoint.key.as_ref();
        let authorization = key.map(|key| format!("Bearer {}", key.reveal()));
        match &self.body {
            None => {
                let mut request = agent.get(&self.url).header("accept", "application/json");
                if let Some(value) = &authorization {
                    request = request.header("authorization", value);
                }
                request.call()
            }
            Some(body) => {
                let mut request = agent
                    .post(&self.url)
                    .header("accept", "text/event-stream, application/json")
                    .header("content-type", "application/json");
                if let Some(value) = &authorization {
                    request = request.header("authorization", value);
                }
                request.send(body)
            }
        }
    }

    fn agent(&self) -> ureq::Agent {
        let mut config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_resolve(Some(self.pace.connect))
            .timeout_connect(Some(self.pace.connect))
            .timeout_per_read(Some(self.pace.idle))
            .timeout_per_write(Some(self.pace.idle))
            .timeout_global(self.limit)
            .max_idle_connections(0)
            .accept_encoding("identity")
            .user_agent(concat!("uwf/", env!("CARGO_PKG_VERSION")));
        if self.url.host().is_some_and(is_this_machine) {
            // A proxy leads out of here, and would look for the service on its own machine.
            config = config.proxy(None);
        }
        config.build().into()
    }

    /// There is no answer.
    fn not_answered(&self, error: &ureq::Error) -> LlmError {
        if let Some(timeout) = self.timeout(error) {
            return timeout;
        }
        let address = self.endpoint.address();
        let why = self.in_words(error);
        if self.is_about_security(error) {
            let message = format!("cannot reach {address}: no secure connection: {why}");
            return LlmError::new(LlmClass::Network, message);
        }
        LlmError::passing(LlmClass::Network, format!("cannot reach {address}: {why}"))
    }

    /// Whether the two sides cannot agree on how to be private: they will not in a minute.
    fn is_about_security(&self, error: &ureq::Error) -> bool {
        match error {
            ureq::Error::Rustls(_) | ureq::Error::Tls(_) | ureq::Error::TlsRequired => true,
            ureq::Error::Io(error) => {
                self.url.scheme_str() == Some("https") && error.kind() == io::ErrorKind::InvalidData
            }
            _ => false,
        }
    }

    /// The answer stopped in the middle.
    fn broken_off(&self, error: io::Error) -> LlmError {
        let error = ureq::Error::from(error);
        self.timeout(&error).unwrap_or_else(|| {
            let why = self.in_words(&error);
            let address = self.endpoint.address();
            LlmError::passing(
                LlmClass::Network,
                format!("the answer of {address} broke off: {why}"),
            )
        })
    }

    fn timeout(&self, error: &ureq::Error) -> Option<LlmError> {
        let ureq::Error::Timeout(timeout) = error else {
            return None;
        };
        let address = self.endpoint.address();
        Some(match timeout {
            ureq::Timeout::Resolve | ureq::Timeout::Connect => {
                let time = in_words(self.pace.connect);
                let message = format!("cannot reach {address}: no connection within {time}");
                LlmError::passing(LlmClass::Network, message)
            }
            ureq::Timeout::Global => {
                let time = in_words(self.limit.unwrap_or_default());
                let message = format!("{address} did not answer within {time}");
                LlmError::passing(LlmClass::Timeout, message)
            }
            _ => {
                let time = in_words(self.pace.idle);
                let message = format!("{address} said nothing for {time}");
                LlmError::passing(LlmClass::Timeout, message)
            }
        })
    }

    fn in_words(&self, error: &ureq::Error) -> String {
        let words = match error {
            ureq::Error::HostNotFound => "there is no such host".to_owned(),
            ureq::Error::Io(error) => match error.kind() {
                io::ErrorKind::ConnectionRefused => "the connection was refused".to_owned(),
                io::ErrorKind::ConnectionReset
                | io::ErrorKind::UnexpectedEof
                | io::ErrorKind::BrokenPipe => "the connection was closed".to_owned(),
                _ => error.to_string(),
            },
            other => other.to_string(),
        };
        crate::wording::harmless(&self.endpoint.without_key(&words))
    }
}

fn head(status: u16, headers: &HeaderMap) -> Head {
    let text = |name: &str| {
        let value = headers.get(name)?.to_str().ok()?;
        Some(value.to_owned())
    };
    Head {
        status,
        location: text("location"),
        retry_after: text("retry-after"),
    }
}

fn is_this_machine(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || address
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}
