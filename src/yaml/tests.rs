//! Tests.
use serde_json::json;

use super::{Strictness, parse};

#[test]
fn basics() {
    let node = parse(
        "a: 1\nb: [x, 2.5, ~, 1e3]\nc:\nd: |\n  hi\n",
        Strictness::Strict,
    )
    .unwrap()
    .unwrap();
    assert_eq!(
        node.to_value(),
        json!({"a": 1, "b": ["x", 2.5, null, 1000], "c": null, "d": "hi\n"})
    );
    assert_eq!(parse(" # nothing\n\n", Strictness::Strict), Ok(None));
    let fault = parse("verdict: ok\nverdict: no\n", Strictness::Lenient).unwrap_err();
    assert_eq!(fault.mark.line, 2);
    assert_eq!(fault.message, "the key `verdict` is given twice");
}
