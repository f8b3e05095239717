//! Workflow files that are refused: all that is wrong with one at once, each with its place.

use std::fs;

use serde_json::{Value, json};

use crate::environment::{Environment, RELAY, Ran};

/// Six faults and a slip.
const FAULTY: &str = r#"name: faulti
description: Six different faults
roles:
  writer:
    description: d
    goal: g
    capabilities: []
    procedure: p
    output: o
    frontmatter: {type: objekt}
  reviewer:
    description: d
    goal: g
    capabilities: [reading]
    procedure: p
    output: o
    frontmatter: {type: object}
    tools: [grep]
conditions:
  rejected:
    description: d
    expression: "$last('reviewer').accepted = "
graph:
  $START:
    - {role: writer, prompt: "Write."}
  writer:
    - {role: reviewr, prompt: "Review."}
  reviewer:
    - {role: writer, condition: rejectd, prompt: "Again."}
    - {role: $END, prompt: " "}
"#;

#[test]
fn a_file_with_six_faults_is_refused_with_all_of_them_at_once() {
    let environment = Environment::new();
    let file = environment.write("faulty.yaml", FAULTY);
    let file = file.display();
    let stderr = format!(
        r#"error: the workflow file {file} has 6 errors

error[name-mismatch]: the workflow is called `faulti`, and its file `faulty.yaml`: the names must be the same
 --> {file}:1:7
  |
1 | name: faulti
  |       ^^^^^^
  |
  = help: rename the file to `faulti.yaml`, or call the workflow `faulty`

error[invalid-schema]: the schema of role `writer` is no JSON Schema: `type` is "objekt"; allowed: "array", "boolean", "integer", "null", "number", "object", "string", a list; did you mean `object`?
  --> {file}:10:25
   |
10 |     frontmatter: {{type: objekt}}
   |                         ^^^^^^

warning[unknown-key]: role `reviewer` has no key `tools`: it is ignored
  --> {file}:18:5
   |
18 |     tools: [grep]
   |     ^^^^^
   |
   = help: the keys here are `description`, `goal`, `capabilities`, `procedure`, `output` and `frontmatter`

error[invalid-expression]: the expression of condition `rejected` does not compile: the expression ends where a value is expected
  --> {file}:22:45
   |
22 |     expression: "$last('reviewer').accepted = "
   |                                             ^ S0207

error[unknown-role]: edge 1 of `writer` leads to `reviewr`, which is no role
  --> {file}:27:14
   |
27 |     - {{role: reviewr, prompt: "Review."}}
   |              ^^^^^^^
   |
   = help: did you mean `reviewer`?

error[unknown-condition]: edge 1 of `reviewer` has the condition `rejectd`, which does not exist
  --> {file}:29:33
   |
29 |     - {{role: writer, condition: rejectd, prompt: "Again."}}
   |                                 ^^^^^^^
   |
   = help: did you mean `rejected`?

error[blank-prompt]: the prompt of edge 2 of `reviewer` is blank
  --> {file}:30:28
   |
30 |     - {{role: $END, prompt: " "}}
   |                            ^^^
   |
   = help: say what is to be done now
"#
    );
    assert_eq!(
        environment.run(&["workflow", "put", "faulty.yaml"]),
        Ran::refused(1, &stderr)
    );
    assert!(
        !environment.root().exists(),
        "nothing is stored of a workflow that is refused"
    );
}

#[test]
fn a_refused_file_is_one_json_object_with_its_findings_for_programs() {
    let environment = Environment::new();
    let file = environment.write("faulty.yaml", FAULTY);
    let ran = environment.run(&["workflow", "put", "faulty.yaml", "--error-format", "json"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert_eq!(ran.stderr.lines().count(), 1);
    let error: Value = serde_json::from_str(&ran.stderr).unwrap();
    let keys: Vec<_> = error
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        keys,
        ["error", "kind", "exitCode", "causes", "hints", "details"]
    );
    assert_eq!(
        error["error"],
        format!("the workflow file {} has 6 errors", file.display())
    );
    assert_eq!(error["kind"], "request");
    assert_eq!(error["exitCode"], 1);
    let details = error["details"].as_array().unwrap();
    assert_eq!(
        details[4],
        json!({
            "severity": "error",
            "code": "unknown-role",
            "message": "edge 1 of `writer` leads to `reviewr`, which is no role",
            "file": file,
            "line": 27,
            "column": 14,
            "help": "did you mean `reviewer`?",
        })
    );
    let places: Vec<_> = details
        .iter()
        .map(|found| {
            format!(
                "{} {}:{}",
                found["code"].as_str().unwrap(),
                found["line"],
                found["column"]
            )
        })
        .collect();
    assert_eq!(
        places,
        [
            "name-mismatch 1:7",
            "invalid-schema 10:25",
            "unknown-key 18:5",
            "invalid-expression 22:45",
            "unknown-role 27:14",
            "unknown-condition 29:33",
            "blank-prompt 30:28",
        ]
    );
    assert_eq!(details[2]["severity"], "warning");
}

#[test]
fn a_faulty_file_is_refused_wherever_it_is_asked_for() {
    let environment = Environment::new();
    environment.write("faulty.yaml", FAULTY);
    environment.write(".workflow/faulty.yaml", FAULTY);
    let commands: [&[&str]; 4] = [
        &["workflow", "show", "./faulty.yaml"],
        &["workflow", "show", "faulty"],
        &["thread", "start", "./faulty.yaml", "-p", "x"],
        &["thread", "start", "faulty", "-p", "x"],
    ];
    for command in commands {
        let ran = environment.run(command);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(1), ""),
            "{command:?}"
        );
        assert!(ran.stderr.contains("error[unknown-role]"), "{}", ran.stderr);
        assert!(
            !environment.root().exists(),
            "{command:?} has stored something"
        );
    }
}

#[test]
fn the_path_of_a_file_is_said_without_detours() {
    let environment = Environment::new();
    environment.write("faulty.yaml", FAULTY);
    let ran = environment.run(&["workflow", "show", "./faulty.yaml"]);
    let first = ran.stderr.lines().next().unwrap();
    assert!(!first.contains("/./"), "{first}");
}

#[test]
fn the_name_of_the_file_must_be_the_name_of_the_workflow() {
    let environment = Environment::new();
    let file = environment.write("relais.yml", RELAY);
    let file = file.display();
    let stderr = format!(
        "error: the workflow file {file} has 1 error

error[name-mismatch]: the workflow is called `relay`, and its file `relais.yml`: the names must be the same
 --> {file}:1:7
  |
1 | name: relay
  |       ^^^^^
  |
  = help: rename the file to `relay.yml`, or call the workflow `relais`
"
    );
    assert_eq!(
        environment.run(&["workflow", "put", "relais.yml"]),
        Ran::refused(1, &stderr)
    );
    // The file can have any ending, and JSON is YAML.
    environment.write("relay.txt", RELAY);
    environment.ok(&["workflow", "put", "relay.txt"]);
    environment.write(
        "empty.json",
        r#"{"name":"empty","description":"d","roles":{},"conditions":{},"graph":{}}"#,
    );
    environment.ok(&["workflow", "put", "empty.json"]);
}

#[test]
fn a_graph_keyed_by_status_is_refused_by_its_name() {
    let environment = Environment::new();
    let text = "name: status
description: d
roles:
  planner: {description: d, goal: g, capabilities: [], procedure: p, output: o, frontmatter: {type: object}}
graph:
  planner: {ready: {role: $END, prompt: \"Done.\"}}
  $START: {_: {role: planner, prompt: \"Plan.\"}}
";
    let file = environment.write("status.yaml", text);
    let file = file.display();
    let stderr = format!(
        "error: the workflow file {file} has 1 error

error[status-keyed-graph]: the graph is keyed by status, which is a later format: `planner` maps the status `ready` to an edge
 --> {file}:6:3
  |
6 |   planner: {{ready: {{role: $END, prompt: \"Done.\"}}}}
  |   ^^^^^^^ a list of edges is wanted here
  |
  = help: write a list of edges, `planner: [{{role: …, condition: …, prompt: …}}]`, and the status as a condition
          with an expression like `$last('planner').status = 'ready'`
"
    );
    assert_eq!(
        environment.run(&["workflow", "put", "status.yaml"]),
        Ran::refused(1, &stderr)
    );
}

#[test]
fn the_example_for_a_graph_keyed_by_status_is_of_a_role_that_answers() {
    let environment = Environment::new();
    let text = "name: status
description: d
roles:
  planner: {description: d, goal: g, capabilities: [], procedure: p, output: o, frontmatter: {type: object}}
graph:
  $START: {_: {role: planner, prompt: \"Plan.\"}}
  planner: {ready: {role: $END, prompt: \"Done.\"}}
";
    environment.write("status.yaml", text);
    let ran = environment.run(&["workflow", "put", "status.yaml"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        !ran.stderr.contains("$last('$START')"),
        "it has no output: {}",
        ran.stderr
    );
}

#[test]
fn a_file_in_a_format_that_is_not_known_is_told_what_a_workflow_has() {
    let environment = Environment::new();
    let needs = "  = help: a workflow has `name`, `description`, `roles`, `conditions` and `graph`; \
                 the last three may be `{}`\n";
    let cases = [
        (
            "jobs: {build: {runs-on: linux}}\n",
            format!(
                "error[missing-key]: the workflow has no `name`, `description`, `roles`, `conditions` and `graph`
 --> FILE:1:1
  |
1 | jobs: {{build: {{runs-on: linux}}}}
  | ^^^^
  |
{needs}"
            ),
        ),
        (
            "",
            format!(
                "error[empty-file]: the file holds nothing
 --> FILE:1:1
  |
1 |
  | ^
  |
{needs}"
            ),
        ),
        (
            "- a step\n",
            "error[wrong-type]: the workflow must be a mapping, and is a list
 --> FILE:1:1
  |
1 | - a step
  | ^^^^^^^^
"
            .to_owned(),
        ),
        (
            "name: [\n",
            "error[syntax]: the `[` that opens here is not closed
 --> FILE:1:7
  |
1 | name: [
  |       ^
"
            .to_owned(),
        ),
    ];
    for (text, finding) in cases {
        let file = environment.write("other.yaml", text);
        let ran = environment.run(&["workflow", "put", "other.yaml"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
        let heading = format!(
            "error: the workflow file {} has 1 error\n\n",
            file.display()
        );
        let expected = heading + &finding.replace("FILE", &file.display().to_string());
        assert!(ran.stderr.starts_with(&expected), "{}", ran.stderr);
    }
    assert!(!environment.root().exists());
}

#[test]
fn a_file_that_is_not_there_or_no_text_is_said() {
    let environment = Environment::new();
    let file = environment.work().join("absent.yaml");
    let stderr = format!(
        "error: there is no workflow file {}\nhint: give the path of the workflow's YAML file\n",
        file.display()
    );
    assert_eq!(
        environment.run(&["workflow", "put", "absent.yaml"]),
        Ran::refused(1, &stderr)
    );
    let file = environment.work().join("binary.yaml");
    fs::write(&file, b"name: \xff\n").unwrap();
    let stderr = format!(
        "error: cannot read {}\n  because: it is not UTF-8 text (byte 6)\n",
        file.display()
    );
    assert_eq!(
        environment.run(&["workflow", "put", "binary.yaml"]),
        Ran::refused(1, &stderr)
    );
}

#[test]
fn an_instruction_of_100_kb_reaches_the_agent_and_a_longer_one_is_refused() {
    let environment = Environment::new();
    let with_prompt = |length: usize| RELAY.replace("Write the text.", &"x".repeat(length));
    environment.write("relay.yaml", &with_prompt(100_001));
    let ran = environment.run(&["workflow", "put", "relay.yaml"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    let message = "error[prompt-too-long]: the prompt of edge 1 of `$START` has 100001 bytes: at most \
                   100000 can be handed to an agent\n";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    assert!(ran.stderr.len() < 2000, "the prompt is not shown whole");

    environment.write("relay.yaml", &with_prompt(100_000));
    environment.ok(&["workflow", "put", "relay.yaml"]);
    let thread = environment.start("relay", "a poem");
    environment.program(
        "count",
        "printf %s \"$UWF_EDGE_PROMPT\" | wc -c >count.txt\nprintf -- '---\\ntitle: T\\n---\\n'",
    );
    let step = [
        "thread",
        "step",
        &thread,
        "--agent",
        "count",
        "--protocol",
        "markdown",
    ];
    environment.json(&step);
    let count = fs::read_to_string(environment.work().join("count.txt")).unwrap();
    assert_eq!(count.trim(), "100000");
}

#[test]
fn a_file_that_never_ends_is_refused() {
    let environment = Environment::new();
    let ran = environment.run(&["workflow", "put", "/dev/zero"]);
    let stderr = "error: cannot read /dev/zero\n  because: it has more than 4194304 bytes\n";
    assert_eq!(ran, Ran::refused(1, stderr));
}
