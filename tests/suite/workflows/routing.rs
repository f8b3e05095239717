//! Conditions that fail when they are asked.

use serde_json::{Value, json};

use crate::environment::Environment;

const FAILS: &str = r#"name: fails
description: A condition that fails when it is asked
roles:
  writer: {description: d, goal: g, capabilities: [], procedure: p, output: o, frontmatter: {type: object}}
conditions:
  long: {description: d, expression: "$last('writer').title + 1 > 3"}
graph:
  $START: [{role: writer, prompt: "Write."}]
  writer: [{role: writer, condition: long, prompt: "Again."}, {role: $END, prompt: "Done."}]
"#;

#[test]
fn an_expression_that_fails_is_shown_with_the_place_in_it() {
    let environment = Environment::with_relay();
    environment.write("fails.yaml", FAILS);
    environment.ok(&["workflow", "put", "fails.yaml"]);
    environment.program("titled", "printf -- '---\\ntitle: T\\n---\\n'");
    let thread = environment.start("fails", "x");
    let step = [
        "thread",
        "step",
        &thread,
        "--agent",
        "titled",
        "--protocol",
        "markdown",
    ];
    let first = environment.run(&step);
    let result: Value = serde_json::from_str(&first.stdout).unwrap();
    assert_eq!(
        (first.code, &result["done"]),
        (Some(5), &json!(false)),
        "the step itself happened"
    );
    let error =
        "error: cannot decide what follows `writer`: condition `long` failed: the left side \
                 of the + operator must evaluate to a number (T2001)
  | $last('writer').title + 1 > 3
  |                       ^
";
    assert!(first.stderr.starts_with(error), "{}", first.stderr);
    let second = environment.run(&step);
    assert_eq!((second.code, second.stdout.as_str()), (Some(5), ""));
    assert!(second.stderr.starts_with(error), "{}", second.stderr);
    let shown = environment.json(&["thread", "show", &thread]);
    assert_eq!(shown["head"], result["head"]);
}

#[test]
fn a_step_that_happened_is_not_said_to_have_left_the_thread_where_it_was() {
    let environment = Environment::with_relay();
    environment.write("fails.yaml", FAILS);
    environment.ok(&["workflow", "put", "fails.yaml"]);
    environment.program("titled", "printf -- '---\\ntitle: T\\n---\\n'");
    let thread = environment.start("fails", "x");
    let step = [
        "thread",
        "step",
        &thread,
        "--agent",
        "titled",
        "--protocol",
        "markdown",
    ];
    let ran = environment.run(&step);
    assert_eq!(ran.code, Some(5));
    assert!(
        !ran.stderr.contains("the thread is where it was"),
        "{}",
        ran.stderr
    );
}
