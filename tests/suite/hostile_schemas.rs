//! Schemas and answers that would take forever to check, or to explain, one branch at a time.

use std::fmt::Write;

use crate::environment::Environment;

/// The type of schemas.
const META_SCHEMA: &str = "3RZYZ9X0Y34K7";

const TREE: &str = r##"name: tree
description: An answer that is a tree.
roles:
  planner:
    description: Plans.
    goal: Plan.
    capabilities: []
    procedure: Plan.
    output: The tree.
    frontmatter:
      type: object
      required: [tree]
      properties:
        tree: {$ref: '#/$defs/n'}
      $defs:
        n:
          oneOf:
            - properties: {kind: {const: and}, child: {$ref: '#/$defs/n'}}
              required: [kind, child]
            - properties: {kind: {const: or}, child: {$ref: '#/$defs/n'}}
              required: [kind, child]
            - properties: {kind: {const: leaf}}
              required: [kind]
graph:
  $START:
    - {role: planner, condition: null, prompt: Plan.}
  planner:
    - {role: $END, condition: null, prompt: Done.}
conditions: {}
"##;

fn answer(depth: usize, leaf: &str) -> String {
    let mut answer = "---\ntree:\n".to_owned();
    for level in 1..=depth {
        let indent = "  ".repeat(level);
        write!(answer, "{indent}kind: or\n{indent}child:\n").unwrap();
    }
    let indent = "  ".repeat(depth + 1);
    write!(answer, "{indent}kind: {leaf}\n---\nThe plan.\n").unwrap();
    answer
}

#[test]
fn a_wrong_word_deep_in_a_recursive_answer_is_named_and_the_attempt_kept() {
    let environment = Environment::new();
    let thread = environment.thread_of(TREE);
    environment.printing("model", answer(40, "laef"));
    let ran = environment.step_with(&thread, "model", "markdown");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(4), ""));
    let told = r#"/child/child/child/kind` is "laef"; allowed: "and", "or", "leaf""#;
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
    assert_eq!(environment.attempts(&thread).len(), 1);
    environment.printing("model", answer(40, "leaf"));
    let ran = environment.step_with(&thread, "model", "markdown");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
}

#[test]
fn a_schema_that_multiplies_without_end_is_refused_when_it_is_put() {
    let environment = Environment::new();
    let mut definitions = String::new();
    for number in 0..30 {
        let next = format!("{{\"$ref\":\"#/$defs/d{}\"}}", number + 1);
        write!(definitions, "\"d{number}\":{{\"anyOf\":[{next},{next}]}},").unwrap();
    }
    let schema = format!(
        "{{\"$ref\":\"#/$defs/d0\",\"$defs\":{{{definitions}\"d30\":{{\"type\":\"integer\"}}}}}}"
    );
    let ran = environment.run(&["cas", "put", META_SCHEMA, &schema]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert!(
        ran.stderr
            .contains("the schema allows too many combinations"),
        "{}",
        ran.stderr
    );
}
