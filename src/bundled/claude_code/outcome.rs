//! The line by which Claude Code says how a run ended.

use serde_json::{Map, Value};

use crate::bundled::kit::Usage;

/// How a run ended, in the program's own words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Outcome {
    /// `success`, `error_max_turns` and their like. API errors come as `success` too.
    pub subtype: String,
    /// It is a failure, whatever the subtype says.
    pub is_error: bool,
    /// The answer, or the text of an error.
    pub result: Option<String>,
    /// What went wrong, where there is no `result`.
    pub errors: Vec<String>,
    /// The HTTP status of an API error.
    pub status: Option<u64>,
    /// How often the model was asked.
    pub turn_count: u64,
    /// In milliseconds.
    pub duration_ms: u64,
    /// Why the model stopped; empty when it is not told.
    pub stop_reason: String,
    /// Of the main conversation, in this run alone.
    pub usage: Usage,
    /// In US dollars: of this run, or of the whole session.
    pub total_cost_usd: f64,
    /// All models together, of what `total_cost_usd` is for.
    pub total_usage: Usage,
    /// In US dollars, of this run alone; only newer versions tell.
    pub own_cost_usd: Option<f64>,
}

impl Outcome {
    /// Reads it; what is missing is as good as nothing.
    pub fn read(object: &Map<String, Value>) -> Self {
        let text = |key| object.get(key).and_then(Value::as_str);
        let count = |key| object.get(key).map_or(0, count);
        let subtype = text("subtype").unwrap_or_default();
        let errors = object.get("errors").and_then(Value::as_array);
        let errors = errors.into_iter().flatten().filter_map(Value::as_str);
        let own = object
            .get("model_usage_since_last_result")
            .and_then(Value::as_object);
        Self {
            subtype: subtype.to_owned(),
            is_error: object.get("is_error") == Some(&Value::Bool(true))
                || subtype.starts_with("error"),
            result: text("result").map(str::to_owned),
            errors: errors.map(str::to_owned).collect(),
            status: object.get("api_error_status").and_then(status),
            turn_count: count("num_turns"),
            duration_ms: count("duration_ms"),
            stop_reason: text("stop_reason").unwrap_or_default().to_owned(),
            usage: object.get("usage").map(usage_of).unwrap_or_default(),
            total_cost_usd: object.get("total_cost_usd").map_or(0.0, dollars),
            total_usage: total_usage(object.get("modelUsage")),
            own_cost_usd: own.map(|models| {
                let costs = models.values().filter_map(|model| model.get("costUSD"));
                costs.map(dollars).sum()
            }),
        }
    }

    /// The program's own words for what went wrong.
    pub fn words(&self) -> String {
        if self.errors.is_empty() {
            self.result.clone().unwrap_or_default()
        } else {
            self.errors.join("; ")
        }
    }
}

/// Tokens as the API counts them.
pub fn usage_of(usage: &Value) -> Usage {
    let count = |key| usage.get(key).map_or(0, count);
    Usage {
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        cache_read_input_tokens: count("cache_read_input_tokens"),
        cache_creation_input_tokens: count("cache_creation_input_tokens"),
    }
}

/// Tokens of all models, as the program adds them up.
fn total_usage(models: Option<&Value>) -> Usage {
    let mut all = Usage::default();
    for model in models.and_then(Value::as_object).into_iter().flatten() {
        all += counted(model.1);
    }
    all
}

/// Tokens as the program, and a detail node, name them.
pub fn counted(usage: &Value) -> Usage {
    let count = |key| usage.get(key).map_or(0, count);
    Usage {
        input_tokens: count("inputTokens"),
        output_tokens: count("outputTokens"),
        cache_read_input_tokens: count("cacheReadInputTokens"),
        cache_creation_input_tokens: count("cacheCreationInputTokens"),
    }
}

/// A count. One that is none, or not whole, is as good as nothing; no service counts as far as
/// to where sums of counts would not fit.
fn count(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0).min(1 << 40)
}

/// An amount of money.
pub fn dollars(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0).max(0.0)
}

/// A number, also one that is written as a text.
fn status(value: &Value) -> Option<u64> {
    value
        .as_u64()
        .or_else(|| value.as_str().and_then(|text| text.parse().ok()))
}
