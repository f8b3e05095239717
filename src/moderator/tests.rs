//! The evaluation seam against the recorded cases of the reference, and against expressions that
//! mean harm.

use std::time::Duration;

use serde_json::{Value, json};

use super::bounds::{LIMITS, Limits};
use super::failure::Failure;
use super::jsonata::{self, Data};
use super::judge::Judge;
use super::{Context, blame, compile};

/// Where we differ from the reference, what we give instead, and why.
const DIFFERENT: [(&str, &str, &str); 5] = [
    (
        "string#38",
        r#"{"value":"aMOp"}"#,
        "encodes the bytes of UTF-8, not of Latin-1",
    ),
    (
        "regex#11",
        r#"{"error":null}"#,
        "no look-around: expressions are matched in linear time",
    ),
    (
        "regex#13",
        r#"{"value":true}"#,
        "`\\w` knows all letters, not only those of ASCII",
    ),
    (
        "syntax_errors#10",
        r#"{"error":"S0207"}"#,
        "another code for the same end",
    ),
    (
        "syntax_errors#11",
        r#"{"error":"T2003"}"#,
        "read as a range, and refused when evaluated",
    ),
];

fn vectors() -> Value {
    let text = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/vectors/jsonata.json"
    ));
    serde_json::from_str(text).unwrap()
}

/// What an expression gives, written like the cases' `expect`.
fn outcome(data: &Data, expression: &str) -> Value {
    let parsed = match jsonata::parse(expression) {
        Ok(parsed) => parsed,
        Err(complaint) => return json!({ "error": blame::syntax(expression, &complaint).code }),
    };
    match data.value_of(&parsed) {
        Ok(Some(value)) => json!({ "value": value }),
        Ok(None) => json!({ "undefined": true }),
        Err(complaint) => json!({ "error": complaint.code }),
    }
}

/// Equality of JavaScript: 1 is 1.0.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(l, r)| same(l, r))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .all(|(key, l)| right.get(key).is_some_and(|r| same(l, r)))
        }
        _ => left == right,
    }
}

#[test]
fn expressions_give_what_the_reference_gives() {
    let vectors = vectors();
    let data = Data::new(vectors["context"].clone()).unwrap();
    let mut differences = Vec::new();
    for case in vectors["cases"].as_array().unwrap() {
        let got = outcome(&data, case["expr"].as_str().unwrap());
        if !same(&got, &case["expect"]) {
            differences.push((case["id"].as_str().unwrap(), got.to_string()));
        }
    }
    let known: Vec<_> = DIFFERENT
        .iter()
        .map(|(id, ours, _)| (*id, (*ours).to_owned()))
        .collect();
    assert_eq!(differences, known);
}

#[test]
fn whatever_can_be_evaluated_compiles() {
    let vectors = vectors();
    for case in vectors["cases"].as_array().unwrap() {
        let expression = case["expr"].as_str().unwrap();
        let code = case["expect"]["error"].as_str().unwrap_or_default();
        let is_known = DIFFERENT.iter().any(|(id, ..)| case["id"] == *id);
        if !is_known {
            assert_eq!(
                compile(expression).is_err(),
                code.starts_with('S'),
                "{expression}"
            );
        }
    }
}

fn data(steps: &Value) -> Data {
    Data::new(json!({ "start": {}, "steps": steps })).unwrap()
}

#[test]
fn first_and_last_are_functions_like_any_other() {
    let data = data(&json!([
        { "role": "a", "output": 1 },
        { "role": "b", "output": [1, 2] },
        { "role": "a", "output": null },
        { "role": "@", "output": "at" },
        { "role": "__tuple__", "output": true },
        { "role": "c" },
    ]));
    for (expression, expected) in [
        ("$first('a')", json!({ "value": 1 })),
        ("$last('a')", json!({ "value": null })),
        ("$last('b')[1]", json!({ "value": 2 })),
        ("$last('@')", json!({ "value": "at" })),
        ("$first('c')", json!({ "undefined": true })),
        ("$first(nothing)", json!({ "undefined": true })),
        ("$last('a', 'b')", json!({ "error": "T0410" })),
        ("$last(null)", json!({ "error": "T0410" })),
        ("($f := $last; $f('b')[0])", json!({ "value": 1 })),
        ("$type($first)", json!({ "value": "function" })),
        ("steps[role = 'b'].$first('a')", json!({ "value": 1 })),
        ("($lookup := 0; $first('a'))", json!({ "value": 1 })),
        (
            "($first := function($x){ 'mine' }; $first('a'))",
            json!({ "value": "mine" }),
        ),
        (
            "$$.steps.$eval('$first(\"a\")')[0]",
            json!({ "value": [1, 1, 1, 1, 1, 1] }),
        ),
    ] {
        let got = outcome(&data, expression);
        assert!(same(&got, &expected), "{expression}: {got}");
    }
}

#[test]
fn the_crates_own_marks_are_ordinary_keys() {
    let data = data(&json!([
        { "role": "a", "output": { "@": 1, "__tuple__": true, "x": 2 } },
        { "role": "a", "output": [{ "@": { "y": 3 }, "__tuple__": true }] },
    ]));
    for (expression, expected) in [
        (
            "$first('a')",
            json!({ "value": { "@": 1, "__tuple__": true, "x": 2 } }),
        ),
        ("steps.output.x", json!({ "value": 2 })),
        ("steps.output.y", json!({ "undefined": true })),
        ("steps.output.`@`.y", json!({ "value": 3 })),
        ("$last('a')[0].`__tuple__`", json!({ "value": true })),
    ] {
        let got = outcome(&data, expression);
        assert!(same(&got, &expected), "{expression}: {got}");
    }
}

#[test]
fn truth_is_that_of_boolean() {
    let steps = vec![json!({ "role": "a", "output": { "s": "", "list": [], "n": null } })];
    let start = json!({});
    let judge = Judge::over(Context { start, steps }, LIMITS).unwrap();
    for truth in [
        "'false'",
        "-1",
        "true",
        "[0, 1]",
        "[[1]]",
        "{'a': null}",
        "[0, [0, 'a']]",
    ] {
        assert_eq!(judge.holds(truth), Ok(true), "{truth}");
    }
    for falsehood in [
        "''",
        "0",
        "-0",
        "false",
        "null",
        "nothing",
        "[]",
        "[0]",
        "[[]]",
        "[null, 0]",
        "{}",
        "$sum",
        "$last",
        "function(){true}",
        "/a/",
        "$last('a').s",
        "$last('a').list",
        "$last('a').n",
        "$last('b')",
    ] {
        assert_eq!(judge.holds(falsehood), Ok(false), "{falsehood}");
    }
}

/// Evaluates over a thread of a thousand steps.
fn holds(limits: Limits, expression: &str) -> Result<bool, Failure> {
    let step = |n: usize| {
        let role = if n.is_multiple_of(2) { "a" } else { "b" };
        json!({ "role": role, "output": { "n": n, "text": "x".repeat(500) } })
    };
    let context = Context {
        start: json!({ "workflow": "21AME01DDP1EB", "prompt": "é" }),
        steps: (0..1000).map(step).collect(),
    };
    Judge::over(context, limits)?.holds(expression)
}

fn failure(limits: Limits, expression: &str) -> String {
    holds(limits, expression).unwrap_err().to_string()
}

const SHORT: Limits = Limits {
    wait: Duration::from_millis(100),
    ..LIMITS
};

#[test]
fn a_long_thread_is_no_burden() {
    for expression in [
        "$count(steps) = 1000 and $last('b').n = 999 and $first('b').n = 1",
        "$count(steps[$last('a').n - output.n < 10]) = 11",
        "$sum($map(steps, function($s){ $s.output.n })) = 499500",
        "($f := function($i){ $i = 1000 ? 0 : 1 + $f($i + 1) }; $f(0) = 1000)",
        "$count($distinct(steps.role)) = 2",
    ] {
        assert_eq!(holds(LIMITS, expression), Ok(true), "{expression}");
    }
}

#[test]
fn what_would_run_on_is_given_up() {
    for endless in [
        "($f := function($n){ $f($n) }; $f(1))",
        "($f := function($n){ $n < 2 ? 1 : $f($n - 1) + $f($n - 2) }; $f(60))",
        "$distinct([1..20000])",
    ] {
        assert_eq!(
            failure(SHORT, endless),
            "it takes longer than 0.1 seconds",
            "{endless}"
        );
    }
}

#[test]
fn what_would_go_down_forever_is_given_up() {
    for deep in [
        "($f := function(){ $f() + 1 }; $f())",
        "($s := '$eval($s)'; $eval($s))",
        "($f := function($x){ [$f($x)] }; $f(1))",
    ] {
        let limits = Limits {
            depth: 1000,
            ..LIMITS
        };
        assert_eq!(holds(limits, deep), Err(Failure::TooDeep), "{deep}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_would_take_all_memory_is_given_up() {
    let limits = Limits {
        memory: 128 << 20,
        ..LIMITS
    };
    let doubling = "($f := function($s){ $f($s & $s) }; $f('0123456789abcdef'))";
    assert_eq!(
        failure(limits, doubling),
        "it takes more than 128 MiB of memory"
    );
}

#[test]
fn single_steps_that_would_take_too_much_are_refused() {
    let padded = "$pad cannot make a text of more than 1000000 characters (D3137)";
    for (expression, text) in [
        ("$pad('x', 1e9)", padded),
        ("$pad('x', -1e300)", padded),
        ("['x'].$pad(1e9)", padded),
        (
            "[1..1e9]",
            "range operator results in too many elements (> 10,000,000) (D2014)",
        ),
        (
            "[1..1000001]",
            "the maximum sequence length of 1000000 was exceeded (D2015)",
        ),
        (
            "($f := function($a){ $f($append($a, $a)) }; $f([1]))",
            "the maximum sequence length of 1000000 was exceeded (D2015)",
        ),
    ] {
        assert_eq!(failure(LIMITS, expression), text, "{expression}");
    }
}

#[test]
fn no_regular_expression_takes_exponential_time() {
    let text = "a".repeat(50_000);
    let backtracking = format!("$contains('{text}!', /^(a+)+$/)");
    assert_eq!(holds(LIMITS, &backtracking), Ok(false));
}

#[test]
fn deep_values_are_read_and_dropped() {
    let mut output = json!(1);
    for _ in 0..500 {
        output = json!({ "a": [output] });
    }
    let context = Context {
        start: json!({}),
        steps: vec![json!({ "role": "a", "output": output })],
    };
    let judge = Judge::over(context, LIMITS).unwrap();
    assert_eq!(judge.holds("$count(**) > 500"), Ok(true));
    assert_eq!(judge.holds("$length($string(steps)) > 2000"), Ok(true));
}

#[test]
fn a_bounded_pad_is_the_pad_of_the_reference() {
    let data = data(&json!([]));
    for (expression, expected) in [
        ("$pad('x', 3)", json!({ "value": "x  " })),
        ("$pad('x', -4, '#!')", json!({ "value": "#!#x" })),
        ("$pad('xyz', 2)", json!({ "value": "xyz" })),
        ("$pad('x', 3, '')", json!({ "value": "x  " })),
        ("$pad(nothing, 3)", json!({ "undefined": true })),
        (
            "['a', 'b'].$pad(3, '.')",
            json!({ "value": ["a..", "b.."] }),
        ),
        ("'x' ~> $pad(3)", json!({ "value": "x  " })),
        ("($p := $pad(?, 2, '.'); $p('x'))", json!({ "value": "x." })),
        (
            "$map(['a'], function($s){ $pad($s, 2) })",
            json!({ "value": "a " }),
        ),
        ("$pad('x', '3')", json!({ "error": "T0410" })),
        ("$pad(1, 3)", json!({ "error": "T0410" })),
        ("$pad()", json!({ "error": "T0410" })),
    ] {
        let got = outcome(&data, expression);
        assert!(same(&got, &expected), "{expression}: {got}");
    }
}
