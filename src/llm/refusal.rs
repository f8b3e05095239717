//! What a service says when it gives no answer, as an error. Pure.

use std::time::Duration;

use serde_json::Value;

use super::assembly::{Excess, MOST_BESIDE, MOST_SAID};
use super::endpoint::Endpoint;
use super::error::{LlmClass, LlmError};
use super::exchange::Head;
use super::pace::in_words;
use crate::model::{http_date_ms, utc_text};
use crate::wording::{cut, harmless, one_line};

/// Characters of a service's words that a message shows.
const MOST_WORDS: usize = 300;

/// A code that says no. `now` is in milliseconds since 1970.
pub fn of_status(endpoint: &Endpoint, head: &Head, body: &[u8], now: u64) -> LlmError {
    let (address, status) = (endpoint.address(), head.status);
    let code = serde_json::from_slice::<Value>(body)
        .ok()
        .and_then(|value| code_of(error_of(&value).unwrap_or(&value)));
    let class = match code {
        Some(code) if is_spent(&code) => LlmClass::Spent,
        _ => class_of_status(status),
    };
    let told = match &head.location {
        Some(location) if (300..400).contains(&status) => moved(endpoint, location),
        _ => told(endpoint, status, body),
    };
    let mut error = LlmError::new(class, format!("{address} answered {status}{told}"));
    error.status = Some(status);
    error.said = endpoint.without_key(&String::from_utf8_lossy(body));
    error.is_passing = status == 408 || matches!(class, LlmClass::RateLimit | LlmClass::Overloaded);
    if error.is_passing {
        error.retry_after = head
            .retry_after
            .as_deref()
            .and_then(|text| retry_after(text, now));
    }
    error
}

/// An error that was answered with code 200, or in the middle of an answer.
pub fn in_answer(endpoint: &Endpoint, error: &Value) -> LlmError {
    let address = endpoint.address();
    let words = words_of(error).map_or_else(
        || "an error without a word".to_owned(),
        |words| shown(endpoint, &words),
    );
    let class = class_of_code(error);
    let is_passing = matches!(class, LlmClass::RateLimit | LlmClass::Overloaded);
    LlmError {
        is_passing,
        ..LlmError::new(class, format!("{address} answered: {words}"))
    }
}

/// An answer that is none of a chat API.
pub fn malformed(endpoint: &Endpoint, body: &[u8]) -> LlmError {
    let address = endpoint.address();
    let ask = is_the_address_right(endpoint);
    let what = match kind_of(body) {
        Kind::Web => format!("with a web page, not with JSON: {ask}"),
        Kind::Json => format!("with JSON that is no answer of a chat API: {ask}"),
        Kind::Text => {
            let text = shown(endpoint, &String::from_utf8_lossy(body));
            format!("with something that is no JSON: {text}")
        }
    };
    LlmError::new(LlmClass::Malformed, format!("{address} answered {what}"))
}

/// An answer that goes on and on.
pub fn endless(endpoint: &Endpoint, excess: Excess<'_>) -> LlmError {
    let address = endpoint.address();
    let message = match excess {
        Excess::Text(text) => format!(
            "the answer of {address} has more than {} MiB of text, and was given up; it begins: {}",
            MOST_SAID >> 20,
            beginning(endpoint, text)
        ),
        Excess::Beside => format!(
            "the answer of {address} has more than {} MiB of thoughts and of arguments of tools, \
             and was given up",
            MOST_BESIDE >> 20
        ),
    };
    LlmError::new(LlmClass::Api, message)
}

/// The service wants to be left alone for longer than anybody waits here.
pub fn too_long(error: &LlmError, wait: Duration, now: u64) -> LlmError {
    let then = now.saturating_add(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
    LlmError {
        message: format!(
            "{}; it wants to be asked again in {} and no sooner, that is at {} UTC",
            error.message,
            in_words(wait),
            utc_text(then)
        ),
        ..error.clone()
    }
}

/// `Retry-After`: seconds, or a moment.
fn retry_after(text: &str, now: u64) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let moment = http_date_ms(text)?;
    Some(Duration::from_millis(moment.saturating_sub(now)))
}

fn class_of_status(status: u16) -> LlmClass {
    match status {
        401 | 403 => LlmClass::Authentication,
        402 => LlmClass::Spent,
        429 => LlmClass::RateLimit,
        // It cannot do that at all.
        501 | 505 => LlmClass::Api,
        500.. => LlmClass::Overloaded,
        _ => LlmClass::Api,
    }
}

/// The class of an error that came without a code of HTTP: it may hold one, or a word.
fn class_of_code(error: &Value) -> LlmClass {
    let number = ["code", "status"]
        .iter()
        .find_map(|key| error.get(key)?.as_u64())
        .and_then(|code| u16::try_from(code).ok());
    if let Some(status) = number.filter(|status| (400..600).contains(status)) {
        return class_of_status(status);
    }
    let word = code_of(error).unwrap_or_default();
    let says = |words: &[&str]| words.iter().any(|part| word.contains(part));
    if is_spent(&word) {
        LlmClass::Spent
    } else if says(&["rate_limit", "too_many"]) {
        LlmClass::RateLimit
    } else if says(&["overloaded", "server_error", "unavailable", "internal"]) {
        LlmClass::Overloaded
    } else if says(&["authentication", "permission", "api_key"]) {
        LlmClass::Authentication
    } else {
        LlmClass::Api
    }
}

fn is_spent(code: &str) -> bool {
    code == "insufficient_quota"
}

fn code_of(error: &Value) -> Option<String> {
    ["code", "type"]
        .iter()
        .find_map(|key| Some(error.get(key)?.as_str()?.to_lowercase()))
}

fn error_of(body: &Value) -> Option<&Value> {
    // Some services answer with a list of one.
    body.get("error")
        .or_else(|| body.get(0)?.get("error"))
        .filter(|error| !error.is_null())
}

/// What a service says is wrong, wherever it stands.
fn words_of(error: &Value) -> Option<String> {
    let text = |value: &Value| {
        let text = value.as_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    text(error).or_else(|| {
        ["message", "detail", "error", "error_description"]
            .iter()
            .find_map(|key| match error.get(key)? {
                Value::String(words) => text(&Value::String(words.clone())),
                // The original complaint may be in there.
                Value::Object(inner) => words_of(&Value::Object(inner.clone())),
                Value::Array(complaints) if !complaints.is_empty() => {
                    Some(Value::Array(complaints.clone()).to_string())
                }
                _ => None,
            })
    })
}

/// What follows `answered 4xx`.
fn told(endpoint: &Endpoint, status: u16, body: &[u8]) -> String {
    let json: Option<Value> = serde_json::from_slice(body).ok();
    let words = json
        .as_ref()
        .and_then(|body| words_of(error_of(body).unwrap_or(body)));
    let ask = is_the_address_right(endpoint);
    match (words, kind_of(body)) {
        (Some(words), _) => {
            let shown = shown(endpoint, &words);
            let names_model = !endpoint.model.is_empty() && words.contains(&endpoint.model);
            if status != 404 || names_model {
                return format!(": {shown}");
            }
            let asked = match endpoint.model.as_str() {
                "" => String::new(),
                model => format!(
                    " (the model that was asked is {})",
                    crate::wording::quoted(model)
                ),
            };
            // A web server that knows no such path says so in a form of its own.
            match json.as_ref().and_then(error_of) {
                Some(_) => format!(": {shown}{asked}"),
                None => format!(": {shown}{asked}; {ask}"),
            }
        }
        (None, _) if body.trim_ascii().is_empty() && status == 404 => format!(": {ask}"),
        (None, _) if body.trim_ascii().is_empty() => String::new(),
        (None, Kind::Web) => format!(" with a web page, not with JSON: {ask}"),
        (None, _) => {
            let shown = shown(endpoint, &String::from_utf8_lossy(body));
            match status {
                404 => format!(": {shown}; {ask}"),
                _ => format!(": {shown}"),
            }
        }
    }
}

fn moved(endpoint: &Endpoint, location: &str) -> String {
    format!(
        ": it sends us to {}; the key is for the address in `baseUrl` of provider `{}` alone, so \
         set that to where the API is",
        shown(endpoint, location),
        endpoint.provider
    )
}

fn is_the_address_right(endpoint: &Endpoint) -> String {
    format!(
        "is `baseUrl` of provider `{}` right, and does it end as the service says, such as in \
         `/v1`?",
        endpoint.provider
    )
}

enum Kind {
    Web,
    Json,
    Text,
}

fn kind_of(body: &[u8]) -> Kind {
    if body.trim_ascii_start().first() == Some(&b'<') {
        Kind::Web
    } else if serde_json::from_slice::<Value>(body).is_ok() {
        Kind::Json
    } else {
        Kind::Text
    }
}

/// A service's words, fit to stand in a message.
fn shown(endpoint: &Endpoint, words: &str) -> String {
    harmless(&cut(&one_line(&endpoint.without_key(words)), MOST_WORDS))
}

/// As [`shown`], of a text that may be very long.
fn beginning(endpoint: &Endpoint, text: &str) -> String {
    shown(endpoint, &text[..text.floor_char_boundary(64 * MOST_WORDS)])
}

#[cfg(test)]
mod tests;
