//! Files as a whole: everything that is wrong is told in one run, in the order of the text.

use std::path::Path;

use super::{EXPRESSIONS, SOUND, expect, inspected, said_of, with};
use crate::workflow::diagnostic::Code;
use crate::workflow::inspect::inspect;
use crate::workflow::{LoadError, Severity, load};

#[test]
fn everything_is_told_at_once_and_in_order() {
    let text = r#"name: other
description: 7
roles:
  writer:
    description: Writes
    goal: Write the text.
    capabilities: writing
    procedure: Think, then write.
    output: The text.
    frontmatter: {type: objct}
  reviewer: {}
conditions:
  rejected: {description: Sent back, expression: a << b, color: red}
  unused: {description: Never, expression: c}
graph:
  $START:
    - {role: writter, prompt: ""}
  writer:
    - {role: reviewer, condition: rejcted, prompt: Review it.}
  nobody: []
"#;
    let report = inspected(text).report;
    let found: Vec<_> = report
        .diagnostics
        .iter()
        .map(|found| (found.span.start.line, found.code.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (1, "name-mismatch"),
            (2, "wrong-type"),
            (7, "wrong-type"),
            (10, "invalid-schema"),
            (11, "missing-key"),
            (13, "invalid-expression"),
            (13, "unknown-key"),
            (17, "unknown-role"),
            (17, "blank-prompt"),
            (19, "no-fallback"),
            (19, "unknown-condition"),
            (20, "unknown-source"),
        ]
    );
    assert_eq!(report.count(Severity::Error), 10);
    assert_eq!(report.count(Severity::Warning), 2);
    assert_eq!(report.render().matches(" --> flow.yaml:").count(), 12);
}

#[test]
fn a_workflow_without_anything_is_legal() {
    let empty = "{name: flow, description: '', roles: {}, conditions: {}, graph: {}}";
    assert_eq!(said_of(empty), "");
}

#[test]
fn json_is_read_too() {
    let json = r#"{"name": "flow", "description": "x",
        "roles": {}, "conditions": {}, "graph": {"$START": [{"role": "$END", "prompt": "p"}]}}"#;
    let inspection = inspect(Path::new("a/flow.json"), json.to_owned(), EXPRESSIONS);
    assert_eq!(inspection.report.render(), "");
    assert!(inspection.definition.is_some());
}

#[test]
fn words_that_older_yaml_took_for_truth_are_words() {
    let text = with("goal: Write the text.", "goal: yes").replace("rejected", "off");
    let inspection = inspected(&text);
    assert_eq!(inspection.report.render(), "");
    let workflow = inspection.definition.unwrap().workflow().clone();
    assert_eq!(workflow.roles[&"writer".parse().unwrap()].goal, "yes");
    assert!(workflow.conditions.contains_key("off"));
}

#[test]
fn an_empty_file_is_told_what_a_workflow_is() {
    let expected = "\
error[empty-file]: the file holds nothing
 --> flow.yaml:1:1
  |
1 |
  | ^
  |
  = help: a workflow has `name`, `description`, `roles`, `conditions` and `graph`; the last three may be `{}`";
    assert_eq!(said_of(""), expected);
    assert_eq!(said_of("\u{feff}"), expected);
    let commented = said_of("# later\n");
    assert!(commented.starts_with("error[empty-file]"), "{commented}");
}

#[test]
fn a_file_that_is_no_mapping_is_no_workflow() {
    let said = |found: &str| {
        format!(
            "error[wrong-type]: the workflow must be a mapping, and is {found}\n --> flow.yaml:1:1\n"
        )
    };
    for (text, found) in [
        ("- a\n- b\n", "a list"),
        ("workflow", "a string"),
        ("12", "a number"),
        ("true", "true or false"),
        ("null", "null"),
    ] {
        assert!(said_of(text).starts_with(&said(found)), "{}", said_of(text));
    }
}

#[test]
fn what_is_no_yaml_is_told_by_the_reader_of_yaml() {
    expect(
        "description: Writes\n",
        "description: Writes: and rewrites\n",
        "
error[syntax]: a colon followed by a space ends the value here; put the value in quotes
 --> flow.yaml:5:24
  |
5 |     description: Writes: and rewrites
  |                        ^
",
    );
}

#[test]
fn a_key_that_is_given_twice_is_shown_twice() {
    expect(
        "    goal: Write the text.\n",
        "    goal: Write the text.\n    procedure: Just write.\n",
        "
error[syntax]: the key `procedure` is given twice
 --> flow.yaml:9:5
  |
7 |     procedure: Just write.
  |     - first given here
8 |     capabilities: [writing]
9 |     procedure: Think, then write.
  |     ^
",
    );
}

#[test]
fn a_graph_of_the_later_format_needs_no_conditions() {
    let text = "\
name: flow
description: x
roles: {}
graph:
  $START:
    _: {role: planner, prompt: Plan.}
";
    assert_eq!(
        said_of(text),
        "\
error[status-keyed-graph]: the graph is keyed by status, which is a later format: `$START` maps the status `_` to an edge
 --> flow.yaml:5:3
  |
5 |   $START:
  |   ^^^^^^ a list of edges is wanted here
  |
  = help: write a list of edges, `$START: [{role: …, condition: …, prompt: …}]`, and the status as a condition
          with an expression like `$last('$START').status = '_'`"
    );
}

#[test]
fn faults_of_the_graph_keep_conclusions_from_it_quiet() {
    let text = with("role: reviewer, prompt", "role: reviwer, prompt");
    let report = inspected(&text).report;
    let codes: Vec<_> = report.diagnostics.iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::UnknownRole]);
}

#[test]
fn names_that_are_no_names_when_asked_for_are_warned_about() {
    for (name, read) in [
        ("0123456789ABC", "as a hash"),
        ("a.yml", "as a path"),
        ("a\\b", "as a path"),
        (" a", "without the white space around it"),
        (" ", "as no name at all"),
    ] {
        let text = SOUND.replace("name: flow", &format!("name: '{name}'"));
        let path = format!("{name}.yaml");
        let inspection = inspect(Path::new(&path), text, EXPRESSIONS);
        let [found] = inspection.report.diagnostics.as_slice() else {
            panic!("{:?}", inspection.report.diagnostics);
        };
        assert_eq!(found.code, Code::AmbiguousName);
        assert_eq!(
            found.message,
            format!("the name `{name}` is read {read} when the workflow is asked for")
        );
        assert!(inspection.definition.is_some());
    }
    let text = with("name: flow", "name: 0123456789ABC");
    let inspection = inspect(Path::new("0123456789ABC.yaml"), text, EXPRESSIONS);
    assert_eq!(
        inspection.report.render(),
        "\
warning[ambiguous-name]: the name `0123456789ABC` is read as a hash when the workflow is asked for
 --> 0123456789ABC.yaml:1:7
  |
1 | name: 0123456789ABC
  |       ^^^^^^^^^^^^^
  |
  = help: choose a name that can only be a name"
    );
}

#[test]
fn a_file_is_loaded_from_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flow.yaml");
    let missing = load(&path, EXPRESSIONS).unwrap_err();
    assert!(matches!(missing, LoadError::Missing(_)));
    assert_eq!(
        missing.to_string(),
        format!("there is no workflow file {}", path.display())
    );
    crate::fsx::replace(&path, SOUND.as_bytes(), crate::fsx::Access::Shared).unwrap();
    assert_eq!(load(&path, EXPRESSIONS).unwrap().report.render(), "");
    crate::fsx::replace(&path, b"name: \xff", crate::fsx::Access::Shared).unwrap();
    let error = load(&path, EXPRESSIONS).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot read {}", path.display()));
}
