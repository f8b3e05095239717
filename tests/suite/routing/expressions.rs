//! Conditions that cannot be read, that fail, or that would never come to an end.

use serde_json::{Value, json};

use super::{
    NOT_MOVED, edge, fails_after_the_step, fails_before_the_step, stored_workflow, thread_that_asks,
};
use crate::environment::Environment;

#[test]
fn an_expression_that_fails_is_shown_with_a_caret_at_the_place() {
    let environment = Environment::new();
    let thread = thread_that_asks(&environment, "$count(steps) = 1 and\n  $last('a').n > 'ü'");
    let stderr = fails_after_the_step(&environment, &thread);
    let wanted = "error: cannot decide what follows `a`: condition `c` failed: the expressions on either \
                  side of operator \">\" must be of the same data type (T2009)\n  \
                  | $count(steps) = 1 and\n  \
                  |   $last('a').n > 'ü'\n  \
                  |                ^\nhint: ";
    assert!(stderr.starts_with(wanted), "{stderr}");
}

#[test]
fn an_expression_that_cannot_be_read_is_shown_with_a_caret_at_the_place() {
    let environment = Environment::new();
    let graph = json!({"$START": [edge("a", Some("c"))]});
    let workflow = stored_workflow(&environment, &[("c", "steps[role='a' and")], &graph);
    let thread = environment.start(&workflow, "A poem");
    assert_eq!(
        fails_before_the_step(&environment, &thread, 5),
        format!(
            "error: cannot decide what follows `$START`: condition `c` failed: the expression ends where \
             a value is expected (S0207)\n  | steps[role='a' and\n  |                   ^\n{NOT_MOVED}"
        )
    );
}

#[test]
fn a_failing_expression_is_given_to_programs_with_its_offset() {
    let environment = Environment::new();
    let graph = json!({"$START": [edge("a", Some("c"))]});
    let workflow = stored_workflow(&environment, &[("c", "'é' & $nope(1)")], &graph);
    let thread = environment.start(&workflow, "A poem");
    let ran = environment.run(&["thread", "step", &thread, "--error-format", "json"]);
    assert_eq!(ran.code, Some(5));
    let error: Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!(
        [&error["kind"], &error["exitCode"]],
        [&json!("routing"), &json!(5)]
    );
    assert_eq!(
        error["error"],
        "cannot decide what follows `$START`: condition `c` failed: there is no function `$nope` (T1006)"
    );
    assert_eq!(
        error["details"],
        json!({"expression": "'é' & $nope(1)", "offset": 7})
    );
}

#[test]
fn what_an_expression_throws_is_told_in_its_words() {
    let environment = Environment::new();
    for (expression, said) in [
        (
            "$error('no ' & $string($last('a')))",
            "no {\"n\":1} (D3137)",
        ),
        ("$error($string({}))", "{} (D3137)"),
        ("$assert(false, 'never\nso')", "never so (D3141)"),
    ] {
        let thread = thread_that_asks(&environment, expression);
        let stderr = fails_after_the_step(&environment, &thread);
        let wanted =
            format!("error: cannot decide what follows `a`: condition `c` failed: {said}\n");
        assert!(stderr.starts_with(&wanted), "{stderr}\nwanted: {wanted}");
    }
}

#[test]
fn an_evaluation_that_runs_on_is_given_up_and_nothing_is_lost() {
    let environment = Environment::new();
    let thread = thread_that_asks(&environment, "$count($distinct([1..200000])) > 1");
    let stderr = fails_after_the_step(&environment, &thread);
    assert!(
        stderr.starts_with(
            "error: cannot decide what follows `a`: condition `c` failed: it takes longer than 10 seconds\n  \
             | $count($distinct([1..200000])) > 1\nhint: "
        ),
        "{stderr}"
    );
}

#[test]
fn a_function_that_calls_itself_without_end_is_given_up_and_nothing_is_lost() {
    let environment = Environment::new();
    let expression = "($f := function($x) { $x > 0 ? $f($x + 1) + 1 : 0 }; $f(1))";
    let thread = thread_that_asks(&environment, expression);
    let stderr = fails_after_the_step(&environment, &thread);
    let wanted = format!(
        "error: cannot decide what follows `a`: condition `c` failed: it goes too deep: a function that \
         calls itself without end, or too many brackets\n  | {expression}\nhint: "
    );
    assert!(stderr.starts_with(&wanted), "{stderr}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_evaluation_that_takes_all_memory_is_given_up_and_nothing_is_lost() {
    let environment = Environment::new();
    let expression = "($f := function($x) { $f($x & $x) }; $f('aaaaaaaaaaaaaaaa'))";
    let thread = thread_that_asks(&environment, expression);
    let stderr = fails_after_the_step(&environment, &thread);
    let wanted = format!(
        "error: cannot decide what follows `a`: condition `c` failed: it takes more than 1024 MiB of \
         memory\n  | {expression}\nhint: "
    );
    assert!(stderr.starts_with(&wanted), "{stderr}");
}
