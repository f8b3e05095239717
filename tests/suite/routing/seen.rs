//! What a condition sees of the thread, what counts as true of it, and what of it is damaged.

use std::fs;

use serde_json::{Value, json};

use super::{edge, fails_before_the_step, several_steps, step, stored_workflow};
use crate::environment::{DRAFT, Environment};

/// How often a thread goes to `a` when it goes there as long as these conditions, each asked once
/// and in this order, hold.
#[track_caller]
fn holding(environment: &Environment, expressions: &[&str]) -> usize {
    let names: Vec<String> = (0..expressions.len())
        .map(|turn| format!("c{turn}"))
        .collect();
    let turns: Vec<String> = expressions
        .iter()
        .enumerate()
        .map(|(turn, expression)| format!("$count(steps) = {turn} ? ({expression}) : false"))
        .collect();
    let conditions: Vec<(&str, &str)> = names
        .iter()
        .map(String::as_str)
        .zip(turns.iter().map(String::as_str))
        .collect();
    let mut edges: Vec<Value> = names.iter().map(|name| edge("a", Some(name))).collect();
    edges.push(edge("$END", None));
    let workflow = stored_workflow(
        environment,
        &conditions,
        &json!({"$START": edges, "a": edges}),
    );
    let thread = environment.start(&workflow, "A poem");
    let ran = several_steps(environment, &thread, "99");
    ran.assert_clean();
    let steps = environment.json(&["thread", "steps", &thread])["steps"].clone();
    steps.as_array().unwrap().len() - 1
}

#[test]
fn what_counts_as_true_is_what_jsonata_says() {
    let environment = Environment::new();
    let truthy = [
        "true",
        "1",
        "-0.5",
        "'false'",
        "' '",
        "[0, 1]",
        "{'a': 0}",
        "start",
        "steps",
        "$not(false)",
    ];
    let held = holding(&environment, &truthy);
    assert_eq!(held, truthy.len(), "does not hold: {:?}", truthy.get(held));
    for falsy in [
        "false",
        "0",
        "''",
        "null",
        "[]",
        "{}",
        "[0, '']",
        "steps",
        "nothing.there",
        "$last('a')",
        "$not($last('a'))",
    ] {
        assert_eq!(holding(&environment, &[falsy]), 0, "{falsy} holds");
    }
}

#[test]
fn a_condition_sees_the_thread_as_it_is_stored() {
    let environment = Environment::new();
    let expression = "start.prompt = 'A poem' and $match(start.workflow, /^[0-9A-Z]{13}$/)
        and $count(steps) = 2 and steps.role = ['a', 'b'] and steps[0].output.n = 1
        and steps[1].agent = 'one' and steps[1].edgePrompt = 'To b.'
        and $length(steps[0].detail) = 13 and $first('a').n = 1 and $last('b').n = 1
        and $not($exists($last('c')))";
    let graph = json!({
        "$START": [edge("a", None)],
        "a": [edge("b", None)],
        "b": [edge("$END", Some("c"))],
    });
    let workflow = stored_workflow(&environment, &[("c", expression)], &graph);
    let thread = environment.start(&workflow, "A poem");
    assert_eq!(step(&environment, &thread).code, Some(0));
    let ran = step(&environment, &thread);
    ran.assert_clean();
    assert_eq!(ran.value()["done"], true);
}

/// A thread of `DRAFT` at its reviewer's turn, and the file of the output of its first step.
#[track_caller]
fn thread_with_output(environment: &Environment) -> (String, String, std::path::PathBuf) {
    let thread = environment.thread_of(DRAFT);
    environment.printing("pen", "---\ntitle: Ode\n---\n");
    environment.printing("critic", "---\naccepted: false\n---\n");
    for agent in ["pen", "critic"] {
        let ran = environment.step_with(&thread, agent, "markdown");
        assert_eq!(ran.code, Some(0), "{agent}: {ran:?}");
    }
    let steps = environment.json(&["thread", "steps", &thread])["steps"].clone();
    let first = steps[1]["hash"].as_str().unwrap();
    let output = environment.payload(first)["output"]
        .as_str()
        .unwrap()
        .to_owned();
    let file = environment.root().join(format!("cas/{output}.bin"));
    (thread, first.to_owned(), file)
}

#[test]
fn an_output_that_is_gone_is_damage_and_not_an_empty_one() {
    let environment = Environment::new();
    let (thread, first, file) = thread_with_output(&environment);
    fs::remove_file(&file).unwrap();
    let output = file.file_stem().unwrap().to_str().unwrap();
    assert_eq!(
        fails_before_the_step(&environment, &thread, 7),
        format!(
            "error: the output of step {first} is missing: there is no node {output}\n\
             hint: the node files are in cas/ of the storage root; a copy of the missing or damaged one \
             mends the thread\n"
        )
    );
    let ran = environment.run(&["thread", "step", &thread, "--error-format", "json"]);
    let error: Value = serde_json::from_str(&ran.stderr).unwrap();
    assert_eq!(
        [&error["kind"], &error["exitCode"]],
        [&json!("damaged"), &json!(7)]
    );
}

#[test]
fn an_output_that_was_changed_is_damage_and_not_what_it_says_now() {
    let environment = Environment::new();
    let (thread, first, file) = thread_with_output(&environment);
    let output = file.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.windows(3).position(|part| part == b"Ode").unwrap();
    bytes[at] = b'A';
    fs::write(&file, bytes).unwrap();
    let stderr = fails_before_the_step(&environment, &thread, 7);
    let wanted =
        format!("error: cannot read the output of step {first}, the node {output}\n  because: ");
    assert!(stderr.starts_with(&wanted), "{stderr}");
}
