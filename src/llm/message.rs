//! What is said in a conversation with a model, as the API writes it.

use serde_json::{Map, Value, json};

/// One message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// What holds for the whole conversation.
    System(String),
    /// What the model is told.
    User(String),
    /// What the model said.
    Assistant {
        /// Its text; may be empty when it called tools.
        content: String,
        /// What it thought, under the key the service sent it with: some services want it back
        /// beside the calls of tools it led to.
        reasoning: Option<(String, String)>,
        /// The tools that it called.
        tool_calls: Vec<ToolCall>,
    },
    /// What a tool gave.
    Tool {
        /// The id of the call.
        id: String,
        /// What it gave.
        content: String,
    },
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// Which no other call of the conversation has.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments, JSON as the model wrote it: it need not be any.
    pub arguments: String,
}

/// The keys under which services tell what a model thought.
pub const REASONING: [&str; 2] = ["reasoning_content", "reasoning"];
/// Stands in place of such a key for a thought that came within the text: it is not told to the
/// service again.
pub const INLINE: &str = "think";

impl Message {
    /// The model said this, and called nothing.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self::Assistant {
            content: content.into(),
            reasoning: None,
            tool_calls: Vec::new(),
        }
    }

    /// Whether the model said nothing at all. Some services refuse to be told so.
    pub fn is_blank_answer(&self) -> bool {
        matches!(self, Self::Assistant { content, tool_calls, .. }
            if content.trim().is_empty() && tool_calls.is_empty())
    }

    /// As it stands in a request: `{role, content, tool_calls?, tool_call_id?}`.
    pub fn to_json(&self) -> Value {
        match self {
            Self::System(content) => json!({"role": "system", "content": content}),
            Self::User(content) => json!({"role": "user", "content": content}),
            Self::Tool { id, content } => {
                json!({"role": "tool", "tool_call_id": id, "content": content})
            }
            Self::Assistant {
                content,
                reasoning,
                tool_calls,
            } => {
                let mut message = Map::new();
                message.insert("role".to_owned(), "assistant".into());
                message.insert("content".to_owned(), content.as_str().into());
                if !tool_calls.is_empty() {
                    let calls: Vec<_> = tool_calls.iter().map(ToolCall::to_json).collect();
                    message.insert("tool_calls".to_owned(), calls.into());
                    let known = |key: &String| REASONING.contains(&key.as_str());
                    if let Some((key, thought)) = reasoning.as_ref().filter(|it| known(&it.0)) {
                        message.insert(key.clone(), thought.as_str().into());
                    }
                }
                Value::Object(message)
            }
        }
    }

    /// Reads what [`Message::to_json`] wrote; none when it is nothing of the kind.
    pub fn from_json(value: &Value) -> Option<Self> {
        let content = value.get("content")?.as_str()?.to_owned();
        Some(match value.get("role")?.as_str()? {
            "system" => Self::System(content),
            "user" => Self::User(content),
            "tool" => Self::Tool {
                id: value.get("tool_call_id")?.as_str()?.to_owned(),
                content,
            },
            "assistant" => Self::Assistant {
                content,
                reasoning: REASONING.iter().find_map(|key| {
                    let thought = value.get(key)?.as_str()?;
                    Some(((*key).to_owned(), thought.to_owned()))
                }),
                tool_calls: match value.get("tool_calls") {
                    None => Vec::new(),
                    Some(calls) => calls
                        .as_array()?
                        .iter()
                        .map(ToolCall::from_json)
                        .collect::<Option<_>>()?,
                },
            },
            _ => return None,
        })
    }
}

impl ToolCall {
    fn to_json(&self) -> Value {
        json!({
            "id": self.id,
            "type": "function",
            "function": {"name": self.name, "arguments": self.arguments},
        })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let text = |value: &Value, key: &str| Some(value.get(key)?.as_str()?.to_owned());
        let function = value.get("function")?;
        Some(Self {
            id: text(value, "id")?,
            name: text(function, "name")?,
            arguments: text(function, "arguments")?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_back_as_they_were_written() {
        let call = ToolCall {
            id: "c1".to_owned(),
            name: "read_file".to_owned(),
            arguments: "{\"path\":\"a\"}".to_owned(),
        };
        for message in [
            Message::System("s".to_owned()),
            Message::User("u".to_owned()),
            Message::assistant("a"),
            Message::Assistant {
                content: String::new(),
                reasoning: Some(("reasoning_content".to_owned(), "hm".to_owned())),
                tool_calls: vec![call],
            },
            Message::Tool {
                id: "c1".to_owned(),
                content: "text".to_owned(),
            },
        ] {
            assert_eq!(Message::from_json(&message.to_json()), Some(message));
        }
    }

    #[test]
    fn thoughts_go_back_only_beside_calls() {
        let message = Message::Assistant {
            content: "a".to_owned(),
            reasoning: Some(("reasoning".to_owned(), "hm".to_owned())),
            tool_calls: Vec::new(),
        };
        let expected = json!({"role": "assistant", "content": "a"});
        assert_eq!(message.to_json(), expected);
    }

    #[test]
    fn a_thought_that_stood_in_the_text_does_not_go_back() {
        let call = ToolCall {
            id: "c1".to_owned(),
            name: "read_file".to_owned(),
            arguments: "{}".to_owned(),
        };
        let message = Message::Assistant {
            content: "a".to_owned(),
            reasoning: Some((INLINE.to_owned(), "hm".to_owned())),
            tool_calls: vec![call.clone()],
        };
        let expected = json!({"role": "assistant", "content": "a", "tool_calls": [call.to_json()]});
        assert_eq!(message.to_json(), expected);
    }

    #[test]
    fn what_is_no_message_is_none() {
        for text in [
            "{}",
            "{\"role\":\"user\"}",
            "{\"role\":\"nobody\",\"content\":\"\"}",
            "{\"role\":\"tool\",\"content\":\"\"}",
            "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{}]}",
        ] {
            let value = serde_json::from_str(text).unwrap();
            assert_eq!(Message::from_json(&value), None, "{text}");
        }
    }
}
