//! Keys and types.

use super::expect;

#[test]
fn missing_keys_of_the_workflow_are_told_together() {
    expect(
        "description: Writes a text and has it reviewed
",
        "",
        "
error[missing-key]: the workflow has no `description`
 --> flow.yaml:1:1
  |
1 | name: flow
  | ^^^^
  |
  = help: a workflow has `name`, `description`, `roles`, `conditions` and `graph`; the last three may be `{}`
",
    );
}

#[test]
fn missing_keys_of_a_role_are_told_at_its_name() {
    expect(
        "    goal: Write the text.
    capabilities: [writing]
",
        "",
        "
error[missing-key]: role `writer` has no `goal` and `capabilities`
 --> flow.yaml:4:3
  |
4 |   writer:
  |   ^^^^^^
  |
  = help: a role has `description`, `goal`, `capabilities`, `procedure`, `output` and `frontmatter`, the JSON Schema of its answer
",
    );
}

#[test]
fn missing_keys_of_a_condition_are_told_at_its_name() {
    expect(
        "    description: The reviewer is not content
",
        "",
        "
error[missing-key]: condition `rejected` has no `description`
  --> flow.yaml:23:3
   |
23 |   rejected:
   |   ^^^^^^^^
   |
   = help: a condition has a `description` and an `expression`, which is JSONata
",
    );
}

#[test]
fn missing_keys_of_an_edge_are_told_at_the_edge() {
    expect(
        "{role: reviewer, prompt: Review it.}",
        "{condition: null}",
        "
error[missing-key]: edge 1 of `writer` has no `role` and `prompt`
  --> flow.yaml:30:7
   |
30 |     - {condition: null}
   |       ^^^^^^^^^^^^^^^^^
   |
   = help: an edge has the `role` it leads to and the `prompt` that role is given, and may have a `condition`
",
    );
}

#[test]
fn an_unknown_key_is_ignored_with_a_warning() {
    expect(
        "    goal: Write the text.",
        "    goal: Write the text.
    tools: [pen]",
        "
warning[unknown-key]: role `writer` has no key `tools`: it is ignored
 --> flow.yaml:7:5
  |
7 |     tools: [pen]
  |     ^^^^^
  |
  = help: the keys here are `description`, `goal`, `capabilities`, `procedure`, `output` and `frontmatter`
",
    );
}

#[test]
fn a_misspelled_key_is_recognised() {
    expect(
        "    goal: Write the text.",
        "    gaol: Write the text.",
        "
error[missing-key]: role `writer` has no `goal`
 --> flow.yaml:4:3
  |
4 |   writer:
  |   ^^^^^^
  |
  = help: a role has `description`, `goal`, `capabilities`, `procedure`, `output` and `frontmatter`, the JSON Schema of its answer

warning[unknown-key]: role `writer` has no key `gaol`: it is ignored
 --> flow.yaml:6:5
  |
6 |     gaol: Write the text.
  |     ^^^^
  |
  = help: did you mean `goal`?
",
    );
}

#[test]
fn a_merge_key_is_explained() {
    expect(
        "    goal: Write the text.",
        "    goal: Write the text.
    <<: {}",
        "
warning[unknown-key]: role `writer` has no key `<<`: it is ignored
 --> flow.yaml:7:5
  |
7 |     <<: {}
  |     ^^
  |
  = help: merge keys are not part of YAML 1.2: repeat the keys here
",
    );
}

#[test]
fn a_text_must_not_be_a_number() {
    expect(
        "goal: Write the text.",
        "goal: 1.10",
        r#"
error[wrong-type]: `goal` of role `writer` must be a string, and is a number
 --> flow.yaml:6:11
  |
6 |     goal: 1.10
  |           ^^^^
  |
  = help: in quotes it is a string: `"1.10"`
"#,
    );
}

#[test]
fn a_text_must_not_be_left_empty() {
    expect(
        "goal: Write the text.",
        "goal:",
        r#"
error[wrong-type]: `goal` of role `writer` must be a string, and is left empty
 --> flow.yaml:6:5
  |
6 |     goal:
  |     ^^^^
  |
  = help: an empty string is written `""`
"#,
    );
}

#[test]
fn a_text_must_not_be_a_list() {
    expect(
        "goal: Write the text.",
        "goal: [Write, the, text]",
        "
error[wrong-type]: `goal` of role `writer` must be a string, and is a list
 --> flow.yaml:6:11
  |
6 |     goal: [Write, the, text]
  |           ^^^^^^^^^^^^^^^^^^
",
    );
}

#[test]
fn capabilities_are_a_list() {
    expect(
        "capabilities: [writing]",
        "capabilities: writing",
        "
error[wrong-type]: `capabilities` of role `writer` must be a list, and is a string
 --> flow.yaml:7:19
  |
7 |     capabilities: writing
  |                   ^^^^^^^
  |
  = help: put `- ` in front of each item
",
    );
}

#[test]
fn capabilities_are_not_left_empty() {
    expect(
        "capabilities: [writing]",
        "capabilities:",
        "
error[wrong-type]: `capabilities` of role `writer` must be a list, and is left empty
 --> flow.yaml:7:5
  |
7 |     capabilities:
  |     ^^^^^^^^^^^^
  |
  = help: an empty list is written `[]`
",
    );
}

#[test]
fn each_capability_is_a_string() {
    expect(
        "capabilities: [writing]",
        "capabilities: [writing, {a: b}, ~]",
        r#"
error[wrong-type]: item 2 of `capabilities` of role `writer` must be a string, and is a mapping
 --> flow.yaml:7:29
  |
7 |     capabilities: [writing, {a: b}, ~]
  |                             ^^^^^^

error[wrong-type]: item 3 of `capabilities` of role `writer` must be a string, and is null
 --> flow.yaml:7:37
  |
7 |     capabilities: [writing, {a: b}, ~]
  |                                     ^
  |
  = help: an empty string is written `""`
"#,
    );
}

#[test]
fn a_schema_is_a_mapping_and_not_the_hash_of_one() {
    expect(
        "    frontmatter:
      type: object
      properties: {words: {type: integer}}
",
        "    frontmatter: 6HA1S8JMB29J3
",
        "
error[wrong-type]: `frontmatter` of role `writer` must be a mapping, and is a string
  --> flow.yaml:10:18
   |
10 |     frontmatter: 6HA1S8JMB29J3
   |                  ^^^^^^^^^^^^^
   |
   = help: write the schema itself; `uwf cas schema get 6HA1S8JMB29J3` prints the one of this hash
",
    );
}

#[test]
fn a_schema_is_a_mapping_and_not_true() {
    expect(
        "    frontmatter:
      type: object
      properties: {words: {type: integer}}
",
        "    frontmatter: true
",
        "
error[wrong-type]: `frontmatter` of role `writer` must be a mapping, and is true or false
  --> flow.yaml:10:18
   |
10 |     frontmatter: true
   |                  ^^^^
   |
   = help: the schema that accepts every answer is written `{}`
",
    );
}

#[test]
fn a_schema_is_a_mapping_and_not_a_list() {
    expect(
        "    frontmatter:
      type: object
      properties: {words: {type: integer}}
",
        "    frontmatter: [words]
",
        "
error[wrong-type]: `frontmatter` of role `writer` must be a mapping, and is a list
  --> flow.yaml:10:18
   |
10 |     frontmatter: [words]
   |                  ^^^^^^^
",
    );
}

#[test]
fn every_fault_of_a_schema_is_told_where_it_is() {
    expect(
        "properties: {words: {type: integer}}",
        "properties: {words: {type: intger}}
      required: words",
        r#"
error[invalid-schema]: the schema of role `writer` is no JSON Schema: `type` is "intger"; allowed: "array", "boolean", "integer", "null", "number", "object", "string", a list; did you mean `integer`?
  --> flow.yaml:12:34
   |
12 |       properties: {words: {type: intger}}
   |                                  ^^^^^^

error[invalid-schema]: the schema of role `writer` is no JSON Schema: `required` is "words"; it must be a list
  --> flow.yaml:13:17
   |
13 |       required: words
   |                 ^^^^^
"#,
    );
}

#[test]
fn what_checks_nothing_in_a_schema_is_warned_about() {
    expect(
        "properties: {words: {type: integer}}",
        "propertys: {words: {type: integer}}
      format: emial",
        "
warning[unknown-keyword]: in the schema of role `writer`, `propertys` is no keyword of JSON Schema and checks nothing; did you mean `properties`?
  --> flow.yaml:12:7
   |
12 |       propertys: {words: {type: integer}}
   |       ^^^^^^^^^

warning[unknown-keyword]: in the schema of role `writer`, the format `emial` is not known and checks nothing; did you mean `email`?
  --> flow.yaml:13:7
   |
13 |       format: emial
   |       ^^^^^^
",
    );
}

#[test]
fn a_condition_is_a_name_or_null() {
    expect(
        "condition: rejected",
        "condition: true",
        "
error[wrong-type]: `condition` of edge 1 of `reviewer` must be the name of a condition, and is true or false
  --> flow.yaml:32:33
   |
32 |     - {role: writer, condition: true, prompt: Write it again.}
   |                                 ^^^^
   |
   = help: an edge without a condition is always taken
",
    );
}

#[test]
fn an_edge_is_a_mapping() {
    expect(
        "    - {role: reviewer, prompt: Review it.}",
        "    - reviewer",
        "
error[wrong-type]: edge 1 of `writer` must be a mapping, and is a string
  --> flow.yaml:30:7
   |
30 |     - reviewer
   |       ^^^^^^^^
",
    );
}

#[test]
fn edges_are_a_list() {
    expect(
        "    - {role: reviewer, prompt: Review it.}",
        "    role: reviewer
    prompt: Review it.",
        "
error[wrong-type]: `writer` in `graph` must be a list, and is a mapping
  --> flow.yaml:30:5
   |
30 |     role: reviewer
   |     ^^^^^^^^^^^^^^
   |
   = help: put `- ` in front of each item
",
    );
}

#[test]
fn a_role_is_a_mapping() {
    expect(
        "  reviewer:
    description: Reviews",
        "  guest: yes
  reviewer:
    description: Reviews",
        "
warning[unreachable-role]: no way leads from `$START` to role `guest`
  --> flow.yaml:13:3
   |
13 |   guest: yes
   |   ^^^^^

error[wrong-type]: role `guest` must be a mapping, and is a string
  --> flow.yaml:13:10
   |
13 |   guest: yes
   |          ^^^
",
    );
}

#[test]
fn a_graph_keyed_by_status_is_refused_by_name() {
    expect(
        "    - {role: reviewer, prompt: Review it.}",
        "    ready: {role: reviewer, prompt: Review it.}
    failed: {role: $END, prompt: It failed.}",
        "
error[status-keyed-graph]: the graph is keyed by status, which is a later format: `writer` maps the status `ready` to an edge
  --> flow.yaml:29:3
   |
29 |   writer:
   |   ^^^^^^ a list of edges is wanted here
   |
   = help: write a list of edges, `writer: [{role: …, condition: …, prompt: …}]`, and the status as a condition
           with an expression like `$last('writer').status = 'ready'`
",
    );
}
