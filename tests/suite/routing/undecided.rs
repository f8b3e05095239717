//! Workflows that do not say where a thread goes next.

use serde_json::json;

use super::{
    NOT_MOVED, edge, fails_after_the_step, fails_before_the_step, several_steps, stored_workflow,
};
use crate::environment::Environment;

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
    let ran = several_steps(&environment, &thread, "5");
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
