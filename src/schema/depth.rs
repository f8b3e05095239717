//! How deep values may nest, and a stack that is deep enough to look at them.

use std::thread;

use serde_json::Value;

/// Levels of arrays and objects that a checked value may have.
pub(super) const DEEPEST_VALUE: usize = 512;
/// Levels of arrays and objects that a schema may have.
pub(super) const DEEPEST_SCHEMA: usize = 256;

/// Calls within calls that every thread has room for.
const SHALLOW: usize = 512;
/// Stack for one call of the validator, with a wide margin also for unoptimised builds.
const FRAME: usize = 8 * 1024;
/// More stack than this is not asked for: such a pair of schema and value is refused.
const LARGEST_STACK: usize = 1 << 30;

/// Levels of arrays and objects in a value, counted no further than `limit` + 1.
pub(super) fn levels(value: &Value, limit: usize) -> usize {
    let deepest_inside = |inside: &mut dyn Iterator<Item = &Value>| {
        inside
            .map(|inner| levels(inner, limit - 1))
            .max()
            .unwrap_or(0)
    };
    match value {
        Value::Array(_) | Value::Object(_) if limit == 0 => 1,
        Value::Array(items) => 1 + deepest_inside(&mut items.iter()),
        Value::Object(map) => 1 + deepest_inside(&mut map.values()),
        _ => 0,
    }
}

/// There is no stack for so many calls within calls.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooDeep;

/// Runs a task that may nest this many calls, on a stack of its own when that is many.
pub(super) fn with_room_for<T: Send>(
    calls: usize,
    task: impl FnOnce() -> T + Send,
) -> Result<T, TooDeep> {
    if calls <= SHALLOW {
        return Ok(task());
    }
    let stack = calls.saturating_mul(FRAME);
    if stack > LARGEST_STACK {
        return Err(TooDeep);
    }
    thread::scope(|scope| {
        thread::Builder::new()
            .stack_size(stack)
            .spawn_scoped(scope, task)
            .map_err(|_| TooDeep)?
            .join()
            .map_err(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn levels_are_counted_up_to_the_limit() {
        assert_eq!(levels(&json!("x"), 5), 0);
        assert_eq!(levels(&json!([]), 5), 1);
        assert_eq!(levels(&json!({"a": [1, {"b": 2}], "c": 3}), 5), 3);
        let deep = (0..9).fold(json!(1), |inner, _| json!([inner]));
        assert_eq!(levels(&deep, 9), 9);
        assert_eq!(levels(&deep, 5), 6);
        assert_eq!(levels(&deep, 0), 1);
    }

    #[test]
    fn deep_tasks_get_a_stack_and_bottomless_ones_are_refused() {
        assert_eq!(with_room_for(1, || 1), Ok(1));
        assert_eq!(with_room_for(5_000, || 2), Ok(2));
        assert_eq!(with_room_for(usize::MAX, || 3), Err(TooDeep));
    }
}
