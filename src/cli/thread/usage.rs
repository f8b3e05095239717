//! What steps cost, as keys of a result.

use serde_json::{Map, Value, json};

use crate::cli::context::Context;
use crate::cli::error::{CommandError, Result};
use crate::engine::{TOKENS, Usage, usage};
use crate::model::Hash;
use crate::thread::Chain;

/// What the detail of a step tells.
pub fn of_step(detail: &Hash, context: &Context) -> Result<Usage> {
    usage(&context.store, detail).map_err(|error| CommandError::damaged(&error))
}

/// What all steps of a thread tell together.
pub fn of_thread(chain: &Chain<'_>, context: &Context) -> Result<Usage> {
    let mut sum = Usage::default();
    for step in chain.steps() {
        sum.add(&of_step(&step?.node.detail, context)?);
    }
    Ok(sum)
}

/// Tokens and cost; null when nothing is told of either.
pub fn to_value(usage: &Usage) -> Value {
    if !usage.is_told() {
        return Value::Null;
    }
    let mut value = Map::new();
    for (name, tokens) in TOKENS.iter().zip(usage.tokens) {
        value.insert((*name).to_owned(), json!(tokens));
    }
    value.insert("costUsd".to_owned(), json!(usage.cost_usd));
    value.into()
}
