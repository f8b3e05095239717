//! What a step cost: tokens, money, turns and time, as its detail node tells.
//!
//! Every kind of detail has its own names for these. Each counts all runs of its step, corrections
//! included, so adding up steps counts nothing twice.

use serde_json::{Map, Value};

use crate::cas::{self, Store, known};
use crate::model::Hash;

/// What is known of the cost of a step, or of several.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Usage {
    /// How long the agent worked, in milliseconds.
    pub duration_ms: Option<u64>,
    /// How often the model was asked.
    pub turns: Option<u64>,
    /// The model, where one is told.
    pub model: Option<String>,
    /// Tokens by their names, in the order in which they are printed.
    pub tokens: [Option<u64>; 4],
    /// In US dollars.
    pub cost_usd: Option<f64>,
}

/// The names of the tokens: read, written, read from the cache, written to it.
pub const TOKENS: [&str; 4] = [
    "inputTokens",
    "outputTokens",
    "cacheReadInputTokens",
    "cacheCreationInputTokens",
];

/// What the detail node of a step tells. A node that is not there tells nothing.
pub fn usage(store: &Store, detail: &Hash) -> cas::Result<Usage> {
    let Some(node) = store.find(detail)? else {
        return Ok(Usage::default());
    };
    let Value::Object(detail) = &node.payload else {
        return Ok(Usage::default());
    };
    let tokens = detail.get("usage").and_then(Value::as_object);
    Ok(Usage {
        duration_ms: number(detail, "durationMs").or_else(|| number(detail, "duration")),
        turns: turns(&node.type_hash, detail),
        model: text(detail, "model"),
        tokens: TOKENS.map(|name| tokens.and_then(|tokens| number(tokens, name))),
        cost_usd: detail.get("totalCostUsd").and_then(Value::as_f64),
    })
}

/// An agent that the engine asks is asked once, and once more for each correction.
fn turns(type_hash: &Hash, detail: &Map<String, Value>) -> Option<u64> {
    if *type_hash == known::UWF_DETAIL {
        return number(detail, "corrections").map(|corrections| corrections.saturating_add(1));
    }
    number(detail, "numTurns").or_else(|| number(detail, "turnCount"))
}

fn number(object: &Map<String, Value>, key: &str) -> Option<u64> {
    object.get(key).and_then(Value::as_u64)
}

fn text(object: &Map<String, Value>, key: &str) -> Option<String> {
    let text = object.get(key).and_then(Value::as_str)?;
    (!text.is_empty()).then(|| text.to_owned())
}

impl Usage {
    /// Counts another step in. What one of them does not tell is as much as the others tell.
    pub fn add(&mut self, more: &Self) {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        self.duration_ms = sum(self.duration_ms, more.duration_ms);
        self.turns = sum(self.turns, more.turns);
        for (total, tokens) in self.tokens.iter_mut().zip(more.tokens) {
            *total = sum(*total, tokens);
        }
        self.cost_usd = match (self.cost_usd, more.cost_usd) {
            (Some(a), Some(b)) => Some(a + b),
            (a, b) => a.or(b),
        };
    }

    /// Whether anything is known but how long it took.
    pub fn is_told(&self) -> bool {
        self.tokens.iter().any(Option::is_some) || self.cost_usd.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path());
        (folder, store)
    }

    fn of(type_hash: Hash, payload: &Value) -> Usage {
        let (_folder, store) = store();
        store.register(&type_hash, 1).unwrap();
        let hash = store.put(&type_hash, payload, 1).unwrap();
        usage(&store, &hash).unwrap()
    }

    #[test]
    fn each_kind_of_detail_is_understood() {
        let claude = json!({
            "sessionId": "s", "model": "opus", "subtype": "success", "durationMs": 543,
            "numTurns": 2, "totalCostUsd": 0.5, "stopReason": "end_turn", "turns": [],
            "usage": {"inputTokens": 1, "outputTokens": 2, "cacheReadInputTokens": 3,
                "cacheCreationInputTokens": 4},
        });
        let expected = Usage {
            duration_ms: Some(543),
            turns: Some(2),
            model: Some("opus".to_owned()),
            tokens: [1, 2, 3, 4].map(Some),
            cost_usd: Some(0.5),
        };
        assert_eq!(of(known::CLAUDE_CODE_DETAIL, &claude), expected);

        let builtin =
            json!({"sessionId": "s", "model": "", "duration": 7, "turnCount": 3, "turns": []});
        let expected = Usage {
            duration_ms: Some(7),
            turns: Some(3),
            ..Usage::default()
        };
        assert_eq!(of(known::BUILTIN_DETAIL, &builtin), expected);

        let own = json!({"protocol": "markdown", "command": "x", "exitCode": 0, "durationMs": 9,
            "corrections": 1, "warnings": [], "turns": []});
        let expected = Usage {
            duration_ms: Some(9),
            turns: Some(2),
            ..Usage::default()
        };
        assert_eq!(of(known::UWF_DETAIL, &own), expected);
        assert_eq!(of(known::TEXT, &json!("said")), Usage::default());
    }

    #[test]
    fn a_detail_that_is_not_there_tells_nothing() {
        let (_folder, store) = store();
        assert_eq!(usage(&store, &known::UWF_DETAIL).unwrap(), Usage::default());
    }

    #[test]
    fn what_is_not_told_takes_nothing_from_the_sum() {
        let mut sum = Usage::default();
        let told = Usage {
            duration_ms: Some(5),
            turns: Some(1),
            model: Some("m".to_owned()),
            tokens: [Some(1), Some(2), None, None],
            cost_usd: Some(0.25),
        };
        for more in [&told, &Usage::default(), &told] {
            sum.add(more);
        }
        let expected = Usage {
            duration_ms: Some(10),
            turns: Some(2),
            model: None,
            tokens: [Some(2), Some(4), None, None],
            cost_usd: Some(0.5),
        };
        assert_eq!(sum, expected);
        assert!(sum.is_told());
        assert!(!Usage::default().is_told());
    }
}
