//! Where a thread goes next, and every way in which that cannot be said.

use std::fs;

use serde_json::{Value, json};

use crate::environment::{DRAFT, Environment, Ran};

const WORKFLOW: &str = "21AME01DDP1EB";
const META: &str = "3RZYZ9X0Y34K7";

/// The way on for a thread whose workflow cannot be corrected any more.
const NOT_MOVED: &str =
    "hint: the thread is where it was; correct the workflow, and start a thread of it\n";

#[track_caller]
fn put(environment: &Environment, type_hash: &str, payload: &Value) -> String {
    let put = environment.json(&["cas", "put", type_hash, &payload.to_string()]);
    put["hash"].as_str().unwrap().to_owned()
}

/// A workflow as an older store may hold it: nothing of it was checked. Its roles are `a` and `b`.
#[track_caller]
fn stored_workflow(
    environment: &Environment,
    conditions: &[(&str, &str)],
    graph: &Value,
) -> String {
    let schema = json!({"type": "object", "properties": {"n": {}}});
    let schema = put(environment, META, &schema);
    let role = json!({
        "description": "d", "goal": "g", "capabilities": [], "procedure": "p", "output": "o",
        "frontmatter": schema,
    });
    let conditions: Value = conditions
        .iter()
        .map(|(name, expression)| {
            (
                (*name).to_owned(),
                json!({"description": "d", "expression": expression}),
            )
        })
        .collect::<serde_json::Map<_, _>>()
        .into();
    let workflow = json!({
        "name": "old",
        "description": "d",
        "roles": {"a": role, "b": role},
        "conditions": conditions,
        "graph": graph,
    });
    put(environment, WORKFLOW, &workflow)
}

fn edge(role: &str, condition: Option<&str>) -> Value {
    json!({"role": role, "condition": condition, "prompt": format!("To {role}.")})
}

/// A thread of a workflow that goes to `a`, and from there to the end when this holds.
#[track_caller]
fn thread_that_asks(environment: &Environment, expression: &str) -> String {
    let graph = json!({
        "$START": [edge("a", None)],
        "a": [edge("$END", Some("c")), edge("b", None)],
    });
    let workflow = stored_workflow(environment, &[("c", expression)], &graph);
    environment.start(&workflow, "A poem")
}

/// Runs steps with an agent that answers `n: 1`.
fn step(environment: &Environment, thread: &str) -> Ran {
    environment.printing("one", "---\nn: 1\n---\n");
    environment.step_with(thread, "one", "markdown")
}

/// A step is made, and what follows it cannot be said: the step stays.
#[track_caller]
fn fails_after_the_step(environment: &Environment, thread: &str) -> String {
    let ran = step(environment, thread);
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    let head = environment.head(thread);
    assert_eq!(ran.value()["head"], json!(head));
    assert_eq!(ran.value()["done"], false);
    assert!(
        environment
            .read_in_root("threads.yaml")
            .contains(&format!("{thread}: "))
    );
    let step = environment.payload(&head);
    assert_eq!(
        environment.payload(step["output"].as_str().unwrap()),
        json!({"n": 1})
    );
    assert!(!ran.stderr.contains("[object Object]"), "{}", ran.stderr);
    ran.stderr
}

/// No step can be made, no agent is run, and nothing is written but the lock.
#[track_caller]
fn fails_before_the_step(environment: &Environment, thread: &str, code: i32) -> String {
    environment.program("never", "touch it-was-run");
    let head = environment.head(thread);
    let ran = environment.run(&["thread", "step", thread, "--agent", "never"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (Some(code), ""),
        "{}",
        ran.stderr
    );
    assert!(!environment.work().join("it-was-run").exists());
    assert_eq!(environment.head(thread), head);
    assert_eq!(environment.attempts(thread), Vec::<Value>::new());
    ran.stderr
}

#[test]
fn when_no_condition_holds_the_thread_stays_and_each_is_named() {
    let environment = Environment::new();
    let conditions = [
        ("isEmpty", "start.prompt = ''"),
        ("isLong", "$length(start.prompt) > 9"),
    ];
    let graph = json!({"$START": [edge("a", Some("isEmpty")), edge("b", Some("isLong"))]});
    let workflow = stored_workflow(&environment, &conditions, &graph);
    let thread = environment.start(&workflow, "A poem");
    assert_eq!(
        fails_before_the_step(&environment, &thread, 5),
        format!(
            "error: cannot decide what follows `$START`: none of its conditions holds: `isEmpty`, `isLong`\n\
             {NOT_MOVED}"
        )
    );
}

#[test]
fn a_result_is_printed_though_it_cannot_be_said_what_follows_it() {
    let environment = Environment::new();
    let graph = json!({"$START": [edge("a", None)], "a": [edge("$END", Some("isTwo"))]});
    let workflow = stored_workflow(&environment, &[("isTwo", "$last('a').n = 2")], &graph);
    let thread = environment.start(&workflow, "A poem");
    let stderr = fails_after_the_step(&environment, &thread);
    let why = "error: cannot decide what follows `a`: condition `isTwo` does not hold, and there is no other transition\n";
    assert!(stderr.starts_with(why), "{stderr}");
    // And when it is asked again.
    assert_eq!(
        fails_before_the_step(&environment, &thread, 5),
        format!("{why}{NOT_MOVED}")
    );
}

#[test]
fn a_thread_that_moved_is_not_said_to_be_where_it_was() {
    let environment = Environment::new();
    let graph = json!({"$START": [edge("a", None)]});
    let workflow = stored_workflow(&environment, &[], &graph);
    let thread = environment.start(&workflow, "A poem");
    let stderr = fails_after_the_step(&environment, &thread);
    assert!(!stderr.contains("the thread is where it was"), "{stderr}");
}

#[test]
fn a_failure_after_the_second_of_several_steps_loses_none() {
    let environment = Environment::new();
    let graph = json!({"$START": [edge("a", None)], "a": [edge("b", None)]});
    let workflow = stored_workflow(&environment, &[], &graph);
    let thread = environment.start(&workflow, "A poem");
    environment.printing("one", "---\nn: 1\n---\n");
    let ran = environment.run(&[
        "thread",
        "step",
        &thread,
        "-c",
        "5",
        "--agent",
        "one",
        "--protocol",
        "markdown",
    ]);
    assert_eq!(ran.code, Some(5));
    let results = ran.value();
    assert_eq!(results.as_array().unwrap().len(), 2);
    assert_eq!(
        [&results[1]["head"], &results[1]["done"]],
        [&json!(environment.head(&thread)), &json!(false)]
    );
    assert!(ran.stderr.starts_with(
        "error: cannot decide what follows `b`: the workflow has no transition from there\n"
    ));
}

#[test]
fn a_place_without_transitions_is_named() {
    let environment = Environment::new();
    for graph in [json!({}), json!({"$START": []})] {
        let workflow = stored_workflow(&environment, &[], &graph);
        let thread = environment.start(&workflow, "A poem");
        assert_eq!(
            fails_before_the_step(&environment, &thread, 5),
            format!(
                "error: cannot decide what follows `$START`: the workflow has no transition from there\n\
                 {NOT_MOVED}"
            )
        );
    }
}

#[test]
fn a_condition_that_the_workflow_does_not_have_is_named() {
    let environment = Environment::new();
    let graph = json!({"$START": [edge("a", Some("isReady")), edge("b", None)]});
    let workflow = stored_workflow(&environment, &[("ready", "true")], &graph);
    let thread = environment.start(&workflow, "A poem");
    assert_eq!(
        fails_before_the_step(&environment, &thread, 5),
        format!(
            "error: cannot decide what follows `$START`: its transition to `a` depends on condition \
             `isReady`, which the workflow does not have\n{NOT_MOVED}"
        )
    );
}

#[test]
fn a_role_that_the_workflow_does_not_have_is_named() {
    let environment = Environment::new();
    let workflow = stored_workflow(
        &environment,
        &[],
        &json!({"$START": [edge("nobody", None)]}),
    );
    let thread = environment.start(&workflow, "A poem");
    assert_eq!(
        fails_before_the_step(&environment, &thread, 5),
        format!(
            "error: cannot decide what follows `$START`: its transition leads to `nobody`, which is no \
             role of the workflow\n{NOT_MOVED}"
        )
    );
}

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
    environment.printing("one", "---\nn: 1\n---\n");
    let ran = environment.run(&[
        "thread",
        "step",
        &thread,
        "-c",
        "99",
        "--agent",
        "one",
        "--protocol",
        "markdown",
    ]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
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
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert_eq!(ran.value()["done"], true);
}

/// A thread of `DRAFT` at its reviewer's turn, and the file of the output of its first step.
#[track_caller]
fn thread_with_output(environment: &Environment) -> (String, String, std::path::PathBuf) {
    let thread = environment.thread_of(DRAFT);
    environment.printing("pen", "---\ntitle: Ode\n---\n");
    environment.printing("critic", "---\naccepted: false\n---\n");
    assert_eq!(
        environment.step_with(&thread, "pen", "markdown").code,
        Some(0)
    );
    assert_eq!(
        environment.step_with(&thread, "critic", "markdown").code,
        Some(0)
    );
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
