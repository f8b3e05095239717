//! Names that must exist, or must be other names.

use super::expect;

#[test]
fn an_edge_to_a_role_that_does_not_exist_is_refused_with_what_was_meant() {
    expect(
        "role: reviewer, prompt: Review it.",
        "role: reviwer, prompt: Review it.",
        "
error[unknown-role]: edge 1 of `writer` leads to `reviwer`, which is no role
  --> flow.yaml:30:14
   |
30 |     - {role: reviwer, prompt: Review it.}
   |              ^^^^^^^
   |
   = help: did you mean `reviewer`?
",
    );
}

#[test]
fn an_edge_to_nothing_like_a_role_is_told_where_edges_can_lead() {
    expect(
        "role: reviewer, prompt: Review it.",
        "role: publisher, prompt: Review it.",
        "
error[unknown-role]: edge 1 of `writer` leads to `publisher`, which is no role
  --> flow.yaml:30:14
   |
30 |     - {role: publisher, prompt: Review it.}
   |              ^^^^^^^^^
   |
   = help: an edge can lead to `writer`, `reviewer` or `$END`
",
    );
}

#[test]
fn the_end_is_offered_to_someone_who_forgot_its_sign() {
    expect(
        "role: $END",
        "role: end",
        "
error[unknown-role]: edge 2 of `reviewer` leads to `end`, which is no role
  --> flow.yaml:33:14
   |
33 |     - {role: end, prompt: It is good.}
   |              ^^^
   |
   = help: did you mean `$END`?
",
    );
}

#[test]
fn an_edge_cannot_lead_back_to_the_start() {
    expect(
        "role: $END",
        "role: $START",
        "
error[edge-to-start]: edge 2 of `reviewer` leads to `$START`, where a thread only begins
  --> flow.yaml:33:14
   |
33 |     - {role: $START, prompt: It is good.}
   |              ^^^^^^
   |
   = help: lead to the role whose turn it is then
",
    );
}

#[test]
fn edges_out_of_what_is_no_role_are_refused() {
    expect(
        "  writer:
    - {role: reviewer",
        "  witer:
    - {role: reviewer",
        "
error[unknown-source]: `witer` is no role, so no edge can lead out of it
  --> flow.yaml:29:3
   |
29 |   witer:
   |   ^^^^^
   |
   = help: did you mean `writer`?
",
    );
}

#[test]
fn a_misspelled_start_is_no_role_either() {
    expect(
        "$START:",
        "$Start:",
        "
error[unknown-source]: `$Start` is no role, so no edge can lead out of it
  --> flow.yaml:27:3
   |
27 |   $Start:
   |   ^^^^^^
   |
   = help: did you mean `$START`?
",
    );
}

#[test]
fn a_condition_that_does_not_exist_is_refused_with_what_was_meant() {
    expect(
        "condition: rejected",
        "condition: rejetced",
        "
error[unknown-condition]: edge 1 of `reviewer` has the condition `rejetced`, which does not exist
  --> flow.yaml:32:33
   |
32 |     - {role: writer, condition: rejetced, prompt: Write it again.}
   |                                 ^^^^^^^^
   |
   = help: did you mean `rejected`?
",
    );
}

#[test]
fn an_expression_in_the_place_of_a_name_is_recognised() {
    expect(
        "condition: rejected",
        r#"condition: "$last('reviewer').good = false""#,
        r#"
error[unknown-condition]: edge 1 of `reviewer` has the condition `$last('reviewer').good = false`, which does not exist
  --> flow.yaml:32:33
   |
32 |     - {role: writer, condition: "$last('reviewer').good = false", prompt: Write it again.}
   |                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   |
   = help: give the expression a name under `conditions`, and write the name here
"#,
    );
}

#[test]
fn without_any_condition_there_is_nothing_to_mean() {
    expect(
        r#"conditions:
  rejected:
    description: The reviewer is not content
    expression: "$last('reviewer').good = false"
"#,
        "conditions: {}
",
        "
error[unknown-condition]: edge 1 of `reviewer` has the condition `rejected`, which does not exist
  --> flow.yaml:29:33
   |
29 |     - {role: writer, condition: rejected, prompt: Write it again.}
   |                                 ^^^^^^^^
   |
   = help: declare it under `conditions`
",
    );
}

#[test]
fn nothing_like_a_condition_is_answered_with_those_there_are() {
    expect(
        "condition: rejected",
        "condition: urgent",
        "
error[unknown-condition]: edge 1 of `reviewer` has the condition `urgent`, which does not exist
  --> flow.yaml:32:33
   |
32 |     - {role: writer, condition: urgent, prompt: Write it again.}
   |                                 ^^^^^^
   |
   = help: the conditions there are: `rejected`
",
    );
}

#[test]
fn a_role_cannot_be_called_like_a_place() {
    expect(
        "  reviewer:
    description",
        "  $REVIEW:
    description",
        r#"
error[invalid-role-name]: `$REVIEW` cannot be a role: names that begin with `$` are places of the graph
  --> flow.yaml:13:3
   |
13 |   $REVIEW:
   |   ^^^^^^^

warning[unknown-role-asked]: condition `rejected` asks for the output of `reviewer`, which is no role: there never is any
  --> flow.yaml:25:25
   |
25 |     expression: "$last('reviewer').good = false"
   |                         ^^^^^^^^
   |
   = help: the roles there are: `writer` and `$REVIEW`

error[unknown-role]: edge 1 of `writer` leads to `reviewer`, which is no role
  --> flow.yaml:30:14
   |
30 |     - {role: reviewer, prompt: Review it.}
   |              ^^^^^^^^
   |
   = help: an edge can lead to `writer`, `$REVIEW` or `$END`

error[unknown-source]: `reviewer` is no role, so no edge can lead out of it
  --> flow.yaml:31:3
   |
31 |   reviewer:
   |   ^^^^^^^^
   |
   = help: declare it under `roles`, or remove its edges
"#,
    );
}

#[test]
fn a_blank_name_is_no_role() {
    expect(
        "  reviewer:
    description",
        "  ' ':
    description",
        r#"
error[invalid-role-name]: a role's name must not be blank
  --> flow.yaml:13:3
   |
13 |   ' ':
   |   ^^^

warning[unknown-role-asked]: condition `rejected` asks for the output of `reviewer`, which is no role: there never is any
  --> flow.yaml:25:25
   |
25 |     expression: "$last('reviewer').good = false"
   |                         ^^^^^^^^
   |
   = help: the roles there are: `writer` and ` `

error[unknown-role]: edge 1 of `writer` leads to `reviewer`, which is no role
  --> flow.yaml:30:14
   |
30 |     - {role: reviewer, prompt: Review it.}
   |              ^^^^^^^^
   |
   = help: an edge can lead to `writer`, ` ` or `$END`

error[unknown-source]: `reviewer` is no role, so no edge can lead out of it
  --> flow.yaml:31:3
   |
31 |   reviewer:
   |   ^^^^^^^^
   |
   = help: declare it under `roles`, or remove its edges
"#,
    );
}

#[test]
fn the_name_must_be_that_of_the_file() {
    expect(
        "name: flow",
        "name: flows",
        "
error[name-mismatch]: the workflow is called `flows`, and its file `flow.yaml`: the names must be the same
 --> flow.yaml:1:7
  |
1 | name: flows
  |       ^^^^^
  |
  = help: rename the file to `flows.yaml`, or call the workflow `flow`
",
    );
}

#[test]
fn a_name_no_file_can_have_is_not_offered_as_one() {
    expect(
        "name: flow",
        "name: a/flow",
        "
error[name-mismatch]: the workflow is called `a/flow`, and its file `flow.yaml`: the names must be the same
 --> flow.yaml:1:7
  |
1 | name: a/flow
  |       ^^^^^^
  |
  = help: call the workflow `flow`
",
    );
}

#[test]
fn a_prompt_must_say_something() {
    expect(
        "prompt: Review it.",
        r#"prompt: " ""#,
        r#"
error[blank-prompt]: the prompt of edge 1 of `writer` is blank
  --> flow.yaml:30:32
   |
30 |     - {role: reviewer, prompt: " "}
   |                                ^^^
   |
   = help: say what is to be done now
"#,
    );
}
