//! Where a thread goes next, and every way in which that cannot be said.

mod expressions;
mod seen;
mod undecided;

use serde_json::{Value, json};

use crate::environment::{Environment, Ran};

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

/// Runs one step with an agent that answers `n: 1`.
fn step(environment: &Environment, thread: &str) -> Ran {
    environment.printing("one", "---\nn: 1\n---\n");
    environment.step_with(thread, "one", "markdown")
}

/// Runs as many steps, at the most, with an agent that answers `n: 1`.
fn several_steps(environment: &Environment, thread: &str, count: &str) -> Ran {
    environment.printing("one", "---\nn: 1\n---\n");
    let words = ["thread", "step", thread, "-c", count];
    let agent = ["--agent", "one", "--protocol", "markdown"];
    environment.run(&[words.as_slice(), &agent].concat())
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
    let ran = environment.step_by(thread, "never");
    ran.assert_no_result(code);
    assert!(!environment.work().join("it-was-run").exists());
    assert_eq!(environment.head(thread), head);
    assert_eq!(environment.attempts(thread), Vec::<Value>::new());
    ran.stderr
}
