//! What a step used and cost, over all its runs, each token and each dollar once.
//!
//! `usage` is of one run in every version. What a resumed run calls its total is not: 2.1.197
//! begins at nothing, 2.1.332 where the session stood before. Newer versions also tell what is new
//! (`model_usage_since_last_result`), which is taken where it is there. Where it is not, the
//! tokens decide, since the total of costs and that of tokens are of the same time: a total that
//! holds all tokens known from before and those of this run goes back to before, and what the
//! session had cost by then is taken off. A total that is smaller is this run's own.

use super::outcome::{Outcome, counted, dollars};
use super::record::Record;
use crate::bundled::kit::Usage;
use crate::cas::{Node, known};

/// What was used and paid.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spent {
    /// Tokens of the main conversation.
    pub usage: Usage,
    /// In US dollars.
    pub cost_usd: f64,
}

impl Spent {
    fn add(&mut self, more: &Self) {
        self.usage += more.usage;
        self.cost_usd = rounded(self.cost_usd + more.cost_usd);
    }

    /// What a step spent, as its detail node tells; nothing when the node is of another type.
    pub fn in_detail(node: &Node) -> Self {
        if node.type_hash != known::CLAUDE_CODE_DETAIL {
            return Self::default();
        }
        let detail = &node.payload;
        Self {
            usage: detail.get("usage").map(counted).unwrap_or_default(),
            cost_usd: detail.get("totalCostUsd").map_or(0.0, dollars),
        }
    }
}

impl std::iter::Sum for Spent {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, spent| {
            sum.add(&spent);
            sum
        })
    }
}

/// The sums of a step.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Accounts {
    /// In this step.
    pub spent: Spent,
    /// How often the model was asked.
    pub turn_count: u64,
    /// How long it took, as the program tells, in milliseconds.
    pub duration_ms: u64,
    /// In the session that is at work, as far as is known, earlier steps included.
    before: Spent,
}

impl Accounts {
    /// A session is taken up in which this much was spent by earlier steps.
    pub fn take_up(&mut self, before: Spent) {
        self.before = before;
    }

    /// How much of an amount in US dollars this step has left.
    pub fn left_of(&self, dollars: f64) -> f64 {
        rounded(dollars - self.spent.cost_usd)
    }

    /// Adds a run that took so many milliseconds, which count when it does not tell itself;
    /// `is_resumed`: it went on with a session.
    pub fn add(&mut self, run: &Record, is_resumed: bool, milliseconds: u64) {
        if !is_resumed {
            self.before = Spent::default();
        }
        let spent = Spent {
            usage: run.usage(),
            cost_usd: cost(run, &self.before),
        };
        self.spent.add(&spent);
        self.before.add(&spent);
        let outcomes = run.outcomes.iter();
        self.turn_count += outcomes.clone().map(|it| it.turn_count).sum::<u64>();
        self.duration_ms += match run.outcomes.as_slice() {
            [] => milliseconds,
            _ => outcomes.map(|it| it.duration_ms).sum::<u64>(),
        };
    }
}

/// What a run cost, when this much was known of its session before.
fn cost(run: &Record, before: &Spent) -> f64 {
    let own: Option<Vec<f64>> = run.outcomes.iter().map(|it| it.own_cost_usd).collect();
    let last = match (run.outcome(), own) {
        (None, _) => return 0.0,
        (Some(_), Some(own)) => return rounded(own.into_iter().sum()),
        (Some(last), None) => last,
    };
    if goes_back(last, run.usage(), before.usage) {
        rounded(last.total_cost_usd - before.cost_usd).max(0.0)
    } else {
        last.total_cost_usd
    }
}

/// Whether the total of a run holds what was used in its session before.
fn goes_back(outcome: &Outcome, own: Usage, before: Usage) -> bool {
    if before == Usage::default() {
        return false;
    }
    let mut least = before;
    least += own;
    let total = outcome.total_usage;
    total.input_tokens >= least.input_tokens
        && total.output_tokens >= least.output_tokens
        && total.cache_read_input_tokens >= least.cache_read_input_tokens
        && total.cache_creation_input_tokens >= least.cache_creation_input_tokens
}

/// Without what binary fractions add to a sum: to a hundred-millionth of a cent.
fn rounded(dollars: f64) -> f64 {
    (dollars * 1e10).round() / 1e10
}

#[cfg(test)]
mod tests;
