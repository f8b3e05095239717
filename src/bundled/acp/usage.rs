//! What an agent's work cost: each token once, whatever way the agent counts.
//!
//! The protocol leaves open whether the `usage` of an answer is that of one prompt or of the
//! session so far. Hermes counts on, from where its process opened the session (a session that it
//! takes up begins at nothing again): what was counted before is taken off. Everybody else is
//! taken to count each prompt. Gemini tells it in `_meta.quota` only, Codex not at all.

use agent_client_protocol::v1::schema;
use agent_client_protocol::v1::schema::{Cost, PromptResponse};
use serde_json::Value;

use crate::bundled::kit::Usage;

/// How an agent counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// Each prompt by itself.
    ByPrompt,
    /// On and on, from the opening of the session by this process.
    OnAndOn,
}

impl Counting {
    /// How the agent of this name counts.
    pub fn of(agent: &str) -> Self {
        if agent.starts_with("hermes") {
            Self::OnAndOn
        } else {
            Self::ByPrompt
        }
    }
}

/// What was used so far, over all prompts of a turn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Account {
    tokens: Option<Usage>,
    /// The last state of a counter that counts on, in the session that is open.
    counter: Usage,
    cost: CostCounter,
}

/// The cost, which every agent counts on and on, in a session that may be older than this turn.
#[derive(Debug, Clone, PartialEq)]
struct CostCounter {
    /// Spent in sessions that were left.
    before: f64,
    /// Where the counter stood when this turn began; none when that is not known.
    base: Option<f64>,
    now: Option<f64>,
}

impl Default for CostCounter {
    fn default() -> Self {
        Self {
            before: 0.0,
            base: Some(0.0),
            now: None,
        }
    }
}

impl Account {
    /// A session is open: one that was begun now, or one with a past.
    pub fn open_session(&mut self, is_new: bool) {
        self.counter = Usage::default();
        let cost = &mut self.cost;
        if let (Some(base), Some(now)) = (cost.base, cost.now.take()) {
            cost.before += now - base;
        }
        cost.base = is_new.then_some(0.0);
    }

    /// The counter of the session's cost stands here. Before the first prompt that is what was
    /// spent before.
    pub fn cost(&mut self, cost: &Cost, is_prompted: bool) {
        if cost.currency != "USD" {
            return;
        }
        if is_prompted {
            self.cost.now = Some(cost.amount);
        } else {
            self.cost.base = Some(cost.amount);
        }
    }

    /// Adds what the answer to a prompt says; false when it says nothing.
    pub fn add(&mut self, response: &PromptResponse, counting: Counting) -> bool {
        let Some(told) = told_by(response) else {
            return false;
        };
        let used = match counting {
            Counting::ByPrompt => told,
            Counting::OnAndOn => since(self.counter, told),
        };
        self.counter = told;
        let mut tokens = self.tokens.unwrap_or_default();
        tokens += used;
        self.tokens = Some(tokens);
        true
    }

    /// All tokens; none when the agent told of none.
    pub fn tokens(&self) -> Option<Usage> {
        self.tokens
    }

    /// In US dollars; none when that is not known.
    pub fn cost_usd(&self) -> Option<f64> {
        let base = self.cost.base?;
        let now = self.cost.now?;
        Some(self.cost.before + now - base)
    }
}

/// How far a counter has come; one that went back has begun anew.
fn since(before: Usage, now: Usage) -> Usage {
    let all = [
        (before.input_tokens, now.input_tokens),
        (before.output_tokens, now.output_tokens),
        (before.cache_read_input_tokens, now.cache_read_input_tokens),
        (
            before.cache_creation_input_tokens,
            now.cache_creation_input_tokens,
        ),
    ];
    if all.iter().any(|(before, now)| now < before) {
        return now;
    }
    let [input, output, read, created] = all.map(|(before, now)| now - before);
    Usage {
        input_tokens: input,
        output_tokens: output,
        cache_read_input_tokens: read,
        cache_creation_input_tokens: created,
    }
}

fn told_by(response: &PromptResponse) -> Option<Usage> {
    let quota = || {
        let tokens = response.meta.as_ref()?.get("quota")?.get("token_count")?;
        let count = |name: &str| tokens.get(name).and_then(Value::as_u64).map(believable);
        Some(Usage {
            input_tokens: count("input_tokens")?,
            output_tokens: count("output_tokens")?,
            ..Usage::default()
        })
    };
    response.usage.as_ref().map(in_our_terms).or_else(quota)
}

/// A count that can be added up, whatever an agent claims.
fn believable(count: u64) -> u64 {
    count.min(1 << 50)
}

/// Some count what came from the cache as input as well, and thoughts as output: their total
/// tells.
fn in_our_terms(usage: &schema::Usage) -> Usage {
    let [input, output] = [usage.input_tokens, usage.output_tokens].map(believable);
    let others = [
        usage.cached_read_tokens,
        usage.cached_write_tokens,
        usage.thought_tokens,
    ];
    let [read, created, thoughts] = others.map(|count| believable(count.unwrap_or(0)));
    let rest = believable(usage.total_tokens).saturating_sub(input + output);
    let cached = read + created;
    let is_cache_apart = rest >= cached;
    let thoughts_apart = if is_cache_apart { rest - cached } else { rest };
    Usage {
        input_tokens: if is_cache_apart {
            input
        } else {
            input.saturating_sub(cached)
        },
        output_tokens: output + thoughts.min(thoughts_apart),
        cache_read_input_tokens: read,
        cache_creation_input_tokens: created,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn response(value: Value) -> PromptResponse {
        let mut value = value;
        value["stopReason"] = json!("end_turn");
        serde_json::from_value(value).unwrap()
    }

    fn usage(input: u64, output: u64) -> PromptResponse {
        let total = input + output;
        response(json!({"usage":
            {"inputTokens": input, "outputTokens": output, "totalTokens": total}}))
    }

    fn tokens(account: &Account) -> (u64, u64) {
        let tokens = account.tokens().unwrap();
        (tokens.input_tokens, tokens.output_tokens)
    }

    #[test]
    fn a_counter_that_counts_on_is_counted_once() {
        let mut account = Account::default();
        account.open_session(true);
        for (input, output) in [(1200, 34), (3600, 102), (6000, 170)] {
            assert!(account.add(&usage(input, output), Counting::OnAndOn));
        }
        assert_eq!(tokens(&account), (6000, 170));
        // A session that is taken up, and one that was compacted, begin at nothing.
        account.open_session(false);
        account.add(&usage(1200, 34), Counting::OnAndOn);
        account.add(&usage(700, 40), Counting::OnAndOn);
        assert_eq!(tokens(&account), (7900, 244));
    }

    #[test]
    fn prompts_that_are_counted_by_themselves_are_added_up() {
        let mut account = Account::default();
        account.add(&usage(10, 1), Counting::ByPrompt);
        account.add(&usage(20, 2), Counting::ByPrompt);
        assert_eq!(tokens(&account), (30, 3));
    }

    #[test]
    fn geminis_quota_counts_and_who_tells_nothing_used_nothing_known() {
        let quota = json!({"_meta": {"quota": {"token_count":
            {"input_tokens": 1200, "output_tokens": 34}}}});
        let mut account = Account::default();
        assert!(!account.add(&response(json!({})), Counting::ByPrompt));
        assert_eq!(account.tokens(), None);
        assert!(account.add(&response(quota), Counting::ByPrompt));
        assert_eq!(tokens(&account), (1200, 34));
    }

    #[test]
    fn the_cache_is_taken_off_the_input_where_the_total_says_that_it_is_in_there() {
        let counted = |total: u64| {
            let response = response(json!({"usage": {"inputTokens": 100, "outputTokens": 10,
                "cachedReadTokens": 80, "cachedWriteTokens": 5, "thoughtTokens": 7,
                "totalTokens": total}}));
            let usage = told_by(&response).unwrap();
            (usage.input_tokens, usage.output_tokens)
        };
        assert_eq!(counted(110), (15, 10));
        assert_eq!(counted(117), (15, 17));
        assert_eq!(counted(195), (100, 10));
        assert_eq!(counted(202), (100, 17));
    }

    #[test]
    fn the_cost_of_a_session_with_a_past_is_what_was_added_or_not_known() {
        let dollars = |amount: f64| -> Cost {
            serde_json::from_value(json!({"amount": amount, "currency": "USD"})).unwrap()
        };
        let mut account = Account::default();
        account.open_session(false);
        account.cost(&dollars(2.5), true);
        assert_eq!(account.cost_usd(), None);

        account.open_session(false);
        account.cost(&dollars(2.5), false);
        assert_eq!(account.cost_usd(), None);
        account.cost(&dollars(3.0), true);
        assert_eq!(account.cost_usd(), Some(0.5));

        account.open_session(true);
        account.cost(&dollars(0.25), true);
        assert_eq!(account.cost_usd(), Some(0.75));
        let euros = serde_json::from_value(json!({"amount": 9, "currency": "EUR"})).unwrap();
        account.cost(&euros, true);
        assert_eq!(account.cost_usd(), Some(0.75));
    }
}
