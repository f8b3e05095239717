//! Recorded runs, alone and one after the other.

use serde_json::{Value, json};

use super::super::record::tests::{recording, run_of};
use super::*;
use crate::model::Hash;

fn spent(input_tokens: u64, output_tokens: u64, cost_usd: f64) -> Spent {
    Spent {
        usage: Usage {
            input_tokens,
            output_tokens,
            ..Usage::default()
        },
        cost_usd,
    }
}

/// The accounts of a step with these runs; the first goes on with a session in which this was
/// spent, if any.
fn step(before: Option<Spent>, runs: &[Record]) -> Accounts {
    let mut accounts = Accounts::default();
    let is_resumed = before.is_some();
    accounts.take_up(before.unwrap_or_default());
    for (position, run) in runs.iter().enumerate() {
        accounts.add(run, is_resumed || position > 0, 0);
    }
    accounts
}

#[test]
fn every_recorded_run_costs_what_it_says() {
    for (name, wanted, turn_count, duration_ms) in [
        ("claude/text", spent(1200, 34, 0.00411), 1, 441),
        ("claude/tool-bash", spent(2400, 68, 0.00822), 2, 543),
        ("claude/json-schema-ok", spent(1200, 34, 0.00411), 2, 372),
        ("claude/empty-answer", spent(2400, 68, 0.00822), 2, 403),
        ("claude/err-401-retries1", spent(0, 0, 0.0), 1, 1060),
        // Its `usage` leaves out the message that went over the budget; its cost does not.
        ("claude/max-budget", spent(2400, 68, 0.00822), 2, 908),
        ("claude/max-turns", spent(2400, 68, 0.00822), 3, 809),
        ("claude/resume-unknown", spent(0, 0, 0.0), 0, 0),
        ("claude/sig-TERM", spent(0, 0, 0.0), 0, 77),
        ("claude-2.1.332/tool-bash", spent(2400, 68, 0.00822), 2, 744),
        ("claude-2.1.332/resume", spent(1200, 34, 0.00411), 1, 468),
    ] {
        let mut accounts = Accounts::default();
        accounts.add(&recording(name), name.ends_with("resume"), 77);
        assert_eq!(accounts.spent, wanted, "{name}");
        assert_eq!(
            (accounts.turn_count, accounts.duration_ms),
            (turn_count, duration_ms),
            "{name}"
        );
    }
}

/// The same run as a version tells it that does not say what is new.
fn without_own_cost(name: &str) -> Record {
    let mut run = recording(name);
    run.outcomes
        .iter_mut()
        .for_each(|it| it.own_cost_usd = None);
    run
}

#[test]
fn a_total_of_the_session_counts_without_what_was_spent_before() {
    let before = Some(spent(1200, 34, 0.00411));
    for run in [
        recording("claude-2.1.332/resume"),
        without_own_cost("claude-2.1.332/resume"),
    ] {
        assert_eq!(step(before, &[run]).spent, spent(1200, 34, 0.00411));
    }
}

#[test]
fn a_total_of_the_run_counts_whole() {
    let before = Some(spent(1200, 34, 0.00411));
    let resumed = step(before, &[recording("claude/text")]);
    assert_eq!(resumed.spent, spent(1200, 34, 0.00411));
    let stopped = step(before, &[recording("claude/max-budget")]);
    assert_eq!(stopped.spent, spent(2400, 68, 0.00822));
}

#[test]
fn corrections_are_added_once_in_either_version() {
    let per_run = step(
        None,
        &[
            recording("claude/text"),
            recording("claude/text"),
            recording("claude/text"),
        ],
    );
    assert_eq!(per_run.spent, spent(3600, 102, 0.01233));
    assert_eq!((per_run.turn_count, per_run.duration_ms), (3, 1323));
    let total = |count: u64| {
        run_of(&[json!({"type": "result", "result": "x", "num_turns": 1,
            "total_cost_usd": 0.00411 * f64::from(u32::try_from(count).unwrap()),
            "usage": {"input_tokens": 1200, "output_tokens": 34},
            "modelUsage": {"m": {"inputTokens": 1200 * count, "outputTokens": 34 * count}}})])
    };
    let per_session = step(None, &[total(1), total(2), total(3)]);
    assert_eq!(per_session.spent, spent(3600, 102, 0.01233));
    // In a session with an earlier step of its own.
    let later = step(Some(spent(3600, 102, 0.01233)), &[total(4), total(5)]);
    assert_eq!(later.spent, spent(2400, 68, 0.00822));
}

#[test]
fn a_new_session_begins_at_nothing() {
    let mut accounts = Accounts::default();
    accounts.take_up(spent(1200, 34, 0.00411));
    accounts.add(&recording("claude/resume-unknown"), true, 0);
    accounts.add(&recording("claude/tool-bash"), false, 0);
    assert_eq!(accounts.spent, spent(2400, 68, 0.00822));
    assert_eq!(accounts.left_of(0.01), 0.00178);
}

#[test]
fn several_outcomes_of_one_run_count_each() {
    let outcome = |own: f64, total: f64| {
        json!({"type": "result", "result": "x", "num_turns": 2, "duration_ms": 5,
            "total_cost_usd": total, "usage": {"input_tokens": 10, "output_tokens": 1},
            "model_usage_since_last_result": {"a": {"costUSD": own}, "b": {"costUSD": 0.5}}})
    };
    let run = run_of(&[outcome(1.0, 1.5), outcome(2.0, 4.0)]);
    let accounts = step(None, &[run]);
    assert_eq!(accounts.spent, spent(20, 2, 4.0));
    assert_eq!((accounts.turn_count, accounts.duration_ms), (4, 10));
}

#[test]
fn an_earlier_step_tells_what_it_spent() {
    let node = |type_hash: Hash, payload: Value| Node {
        type_hash,
        payload,
        timestamp: 1.into(),
    };
    let payload = json!({"sessionId": "s1", "totalCostUsd": 0.5, "usage": {"inputTokens": 5,
        "outputTokens": 6, "cacheReadInputTokens": 0, "cacheCreationInputTokens": 0}});
    let detail = node(known::CLAUDE_CODE_DETAIL, payload.clone());
    assert_eq!(Spent::in_detail(&detail), spent(5, 6, 0.5));
    let other = node(known::UWF_AGENT_DETAIL, payload);
    assert_eq!(Spent::in_detail(&other), Spent::default());
    let all: Spent = [spent(1, 2, 0.1), spent(1, 2, 0.2)].into_iter().sum();
    assert_eq!(all, spent(2, 4, 0.3));
}
