//! What an agent says of itself and of its sessions when they are opened.

use agent_client_protocol::schema::ProtocolVersion;
use agent_client_protocol::v1::schema::{
    ClientCapabilities, Implementation, InitializeRequest, InitializeResponse,
};
use serde_json::Value;

use super::usage::Counting;

/// What this program says of itself: it offers neither files nor terminals.
pub fn introduction() -> InitializeRequest {
    InitializeRequest::new(ProtocolVersion::V1)
        .client_capabilities(ClientCapabilities::default())
        .client_info(Implementation::new("uwf", env!("CARGO_PKG_VERSION")))
}

/// The request that takes up a session; none where the agent can do no such thing.
///
/// To resume is preferred, which brings no history along.
pub fn way_back(agent: &InitializeResponse) -> Option<&'static str> {
    let capabilities = &agent.agent_capabilities;
    if capabilities.session_capabilities.resume.is_some() {
        Some("session/resume")
    } else if capabilities.load_session {
        Some("session/load")
    } else {
        None
    }
}

/// How the agent counts tokens. `program` tells where the agent does not say its name.
pub fn counting(agent: &InitializeResponse, program: &str) -> Counting {
    let name = agent.agent_info.as_ref().map(|info| info.name.as_str());
    Counting::of(name.unwrap_or(program))
}

/// The session that an answer to its opening says it is about, if it does. Hermes says it in its
/// own way alone, and opens a new one, without a word, in place of one it does not know.
pub fn session_in(opened: &Value) -> Option<&str> {
    let said = opened["sessionId"].as_str();
    said.or_else(|| opened["_meta"]["hermes"]["sessionProvenance"]["acpSessionId"].as_str())
}

/// The model of a session, as far as the agent tells.
pub fn model_in(opened: &Value) -> Option<&str> {
    let named = opened["models"]["currentModelId"].as_str();
    let chosen = || {
        let options = opened["configOptions"].as_array()?;
        let model = options
            .iter()
            .find(|option| option["category"] == "model")?;
        model["currentValue"].as_str()
    };
    named.or_else(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_introduction_says_what_is_not_offered() {
        let said = serde_json::to_value(introduction()).unwrap();
        assert_eq!(
            said,
            json!({
                "protocolVersion": 1,
                "clientCapabilities": {
                    "fs": {"readTextFile": false, "writeTextFile": false},
                    "terminal": false,
                    "auth": {"terminal": false}
                },
                "clientInfo": {"name": "uwf", "version": env!("CARGO_PKG_VERSION")}
            })
        );
    }

    #[test]
    fn the_way_back_is_the_one_that_the_agent_offers() {
        let way = |capabilities: Value| {
            let agent: InitializeResponse = serde_json::from_value(
                json!({"protocolVersion": 1, "agentCapabilities": capabilities}),
            )
            .unwrap();
            way_back(&agent)
        };
        let resume = json!({"loadSession": true, "sessionCapabilities": {"resume": {}}});
        assert_eq!(way(resume), Some("session/resume"));
        assert_eq!(way(json!({"loadSession": true})), Some("session/load"));
        assert_eq!(way(json!({})), None);
    }
}
