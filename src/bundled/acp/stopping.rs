//! What the way in which an agent's turn stopped is worth.

use agent_client_protocol::ErrorCode;
use agent_client_protocol::v1::schema::{PromptResponse, StopReason};
use serde_json::Value;

use super::failure::{class_of, shown};
use super::link::NoAnswer;
use crate::agent::FailureClass;
use crate::bundled::kit::Refusal;
use crate::extract;

/// What is wrong with an answer, besides what it says. `schema` is the role's.
pub fn fault_of_answer(
    agent: &str,
    answer: &str,
    schema: &Value,
    may_be_error: bool,
) -> Option<Refusal> {
    if answer.trim().is_empty() {
        let message = format!("{agent} ended its turn without an answer");
        return Some(Refusal::new(FailureClass::Empty, message));
    }
    if !may_be_error || extract::has_block(answer, schema) {
        return None;
    }
    let class = class_of(answer).unwrap_or(FailureClass::Api);
    let message = format!("{agent} answered with an error: {}", shown(answer));
    Some(Refusal::new(class, message))
}

/// Why a turn that did not come to its end has no answer. For some agents, Codex among them, a
/// permission that is denied is the end of the turn.
pub fn stopped(agent: &str, reason: StopReason, was_denied: bool, said: &str) -> Refusal {
    let (class, why) = match reason {
        StopReason::Cancelled if was_denied => (
            FailureClass::Refused,
            "ended its turn because it was denied a permission",
        ),
        StopReason::MaxTokens => (
            FailureClass::Api,
            "was cut off: the model may write no more tokens",
        ),
        StopReason::MaxTurnRequests => (
            FailureClass::Turns,
            "may make no more requests in this turn",
        ),
        StopReason::Refusal => (FailureClass::Refused, "refused to go on"),
        StopReason::Cancelled => (
            FailureClass::Interrupted,
            "says that its turn was cancelled",
        ),
        _ => (FailureClass::Crash, "stopped for an unknown reason"),
    };
    let said = shown(said);
    let said = if said.is_empty() {
        said
    } else {
        format!("; it had said: {said}")
    };
    Refusal::new(class, format!("{agent} {why}{said}"))
}

/// Whether the agent knows nothing of the session, as some say only to the first prompt there.
pub fn is_of_unknown_session(response: &Result<PromptResponse, NoAnswer>) -> bool {
    match response {
        Ok(response) => response.stop_reason == StopReason::Refusal,
        Err(NoAnswer::Refused(error)) => error.code == ErrorCode::RESOURCE_NOT_FOUND,
        Err(NoAnswer::Gone) => false,
    }
}
