//! What is asked when a service is set up: which models it has, and whether one answers.
//!
//! Asked once, within a time that is given, by the thread that wants to know.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::assembly::Assembly;
use super::endpoint::Endpoint;
use super::error::{LlmClass, LlmError};
use super::exchange::{Call, Head, MOST_BYTES, Part};
use super::refusal;

/// What services call the most tokens that an answer may have. Some refuse the first, some refuse
/// one token.
const LIMITS: [Option<&str>; 3] = [Some("max_tokens"), Some("max_completion_tokens"), None];

/// The ids of the models that a service has, in its own order. `limit` is for all of it.
pub fn list_models(endpoint: &Endpoint, limit: Duration) -> Result<Vec<String>, LlmError> {
    let body = fetch(
        Call::new(endpoint, "/models", None)?.within(limit),
        endpoint,
    )?;
    let not_a_list = || refusal::malformed(endpoint, &body);
    let answer: Value = serde_json::from_slice(&body).map_err(|_| not_a_list())?;
    let models = ["data", "models"]
        .iter()
        .find_map(|key| answer.get(key))
        .unwrap_or(&answer);
    let ids = models.as_array().ok_or_else(not_a_list)?.iter();
    let id = |model: &Value| {
        let id = ["id", "name"].iter().find_map(|key| model.get(key));
        id.and_then(Value::as_str).map(str::to_owned)
    };
    Ok(ids.filter_map(id).collect())
}

/// Lets the model say one word: what it said, else the model's name. `limit` is for all of it.
pub fn probe(endpoint: &Endpoint, limit: Duration) -> Result<String, LlmError> {
    let began = Instant::now();
    let mut refused = None;
    for name in LIMITS {
        let left = limit.saturating_sub(began.elapsed());
        match refused {
            Some(error) if left.is_zero() => return Err(error),
            _ => {}
        }
        match ask_for_a_word(endpoint, name, left) {
            Err(error) if LIMITS.iter().flatten().any(|limit| error.is_about(limit)) => {
                refused = Some(error);
            }
            answered => return answered,
        }
    }
    Err(refused.unwrap_or_else(|| LlmError::new(LlmClass::Api, "the model was not asked")))
}

fn ask_for_a_word(
    endpoint: &Endpoint,
    limit_name: Option<&str>,
    limit: Duration,
) -> Result<String, LlmError> {
    let mut question = json!({
        "model": endpoint.model,
        "messages": [{"role": "user", "content": "Answer with OK."}],
    });
    if let (Some(name), Some(question)) = (limit_name, question.as_object_mut()) {
        question.insert(name.to_owned(), 1.into());
    }
    let call = Call::new(endpoint, "/chat/completions", Some(question.to_string()))?;
    let body = fetch(call.within(limit), endpoint)?;
    let answer: Value =
        serde_json::from_slice(&body).map_err(|_| refusal::malformed(endpoint, &body))?;
    let mut assembly = Assembly::default();
    if let Err(error) = assembly.take(&answer, &mut |_| {}) {
        return Err(refusal::in_answer(endpoint, error));
    }
    if !assembly.is_chat() {
        return Err(refusal::malformed(endpoint, &body));
    }
    let reply = assembly.into_reply("call");
    let said = endpoint.without_key(reply.content.trim());
    if said.is_empty() {
        Ok(reply.model.unwrap_or_else(|| endpoint.model.clone()))
    } else {
        Ok(said)
    }
}

/// The body of an answer with code 200.
fn fetch(call: Call, endpoint: &Endpoint) -> Result<Vec<u8>, LlmError> {
    let mut head: Option<Head> = None;
    let mut body = Vec::new();
    call.send(&mut |part| {
        match part {
            Part::Head(came) => head = Some(came),
            Part::Bytes(bytes) => body.extend(bytes),
        }
        if body.len() > MOST_BYTES {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    match head {
        // It is asked once: when it might answer is nothing that has to be known.
        Some(head) if head.status != 200 => Err(refusal::of_status(endpoint, &head, &body, 0)),
        _ => Ok(body),
    }
}

#[cfg(test)]
mod tests;
