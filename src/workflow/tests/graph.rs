//! What follows from the graph as a whole.

use super::expect;

#[test]
fn without_a_fallback_a_thread_may_get_stuck() {
    expect(
        "    - {role: $END, prompt: It is good.}
",
        "    - {role: $END, condition: rejected, prompt: It is good.}
",
        "
warning[no-fallback]: when no condition holds, no edge leads out of `reviewer`
  --> flow.yaml:33:7
   |
33 |     - {role: $END, condition: rejected, prompt: It is good.}
   |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   |
   = help: add a last edge without a condition
",
    );
}

#[test]
fn an_edge_after_one_that_is_always_taken_is_never_taken() {
    expect(
        "{role: writer, condition: rejected, prompt: Write it again.}",
        "{role: writer, prompt: Write it again.}",
        "
warning[endless]: no way leads from `writer` and `reviewer` to `$END`: a thread never ends there
 --> flow.yaml:4:3
  |
4 |   writer:
  |   ^^^^^^

warning[unused-condition]: no edge has the condition `rejected`
  --> flow.yaml:23:3
   |
23 |   rejected:
   |   ^^^^^^^^

warning[unreachable-edge]: the last edge of `reviewer` is never taken
  --> flow.yaml:33:7
   |
32 |     - {role: writer, prompt: Write it again.}
   |       --------------------------------------- this one has no condition, so it is always taken
33 |     - {role: $END, prompt: It is good.}
   |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   |
   = help: put the edge without a condition last
",
    );
}

#[test]
fn several_of_them_are_told_once() {
    expect(
        "    - {role: reviewer, prompt: Review it.}",
        "    - {role: reviewer, prompt: Review it.}
    - {role: $END, condition: rejected, prompt: a}
    - {role: $END, prompt: b}",
        "
warning[unreachable-edge]: the last 2 edges of `writer` are never taken
  --> flow.yaml:31:7
   |
30 |     - {role: reviewer, prompt: Review it.}
   |       ------------------------------------ this one has no condition, so it is always taken
31 |     - {role: $END, condition: rejected, prompt: a}
   |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   |
   = help: put the edge without a condition last
",
    );
}

#[test]
fn a_role_no_thread_gets_to() {
    expect(
        "    - {role: reviewer, prompt: Review it.}",
        "    - {role: $END, prompt: Review it.}",
        "
warning[unreachable-role]: no way leads from `$START` to role `reviewer`
  --> flow.yaml:13:3
   |
13 |   reviewer:
   |   ^^^^^^^^
",
    );
}

#[test]
fn a_role_no_thread_gets_out_of() {
    expect(
        "  writer:
    - {role: reviewer, prompt: Review it.}
",
        "",
        "
warning[dead-end]: no edge leads out of role `writer`: a thread cannot go on from there
 --> flow.yaml:4:3
  |
4 |   writer:
  |   ^^^^^^
  |
  = help: add an edge, to `$END` if the work is done then

warning[unreachable-role]: no way leads from `$START` to role `reviewer`
  --> flow.yaml:13:3
   |
13 |   reviewer:
   |   ^^^^^^^^
",
    );
}

#[test]
fn an_empty_list_leads_out_of_nothing_either() {
    expect(
        "  writer:
    - {role: reviewer, prompt: Review it.}",
        "  writer: []",
        "
warning[dead-end]: no edge leads out of role `writer`: a thread cannot go on from there
 --> flow.yaml:4:3
  |
4 |   writer:
  |   ^^^^^^
  |
  = help: add an edge, to `$END` if the work is done then

warning[unreachable-role]: no way leads from `$START` to role `reviewer`
  --> flow.yaml:13:3
   |
13 |   reviewer:
   |   ^^^^^^^^
",
    );
}

#[test]
fn roles_that_only_lead_to_each_other_never_end() {
    expect(
        "    - {role: $END, prompt: It is good.}
",
        "    - {role: reviewer, prompt: It is good.}
",
        "
warning[endless]: no way leads from `writer` and `reviewer` to `$END`: a thread never ends there
 --> flow.yaml:4:3
  |
4 |   writer:
  |   ^^^^^^
",
    );
}

#[test]
fn without_a_start_no_thread_begins() {
    expect(
        "  $START:
    - {role: writer, condition: null, prompt: Write it.}
",
        "",
        "
warning[no-start]: the graph has no `$START`: no thread can begin
  --> flow.yaml:26:1
   |
26 | graph:
   | ^^^^^
   |
   = help: add `$START` with an edge to the first role
",
    );
}

#[test]
fn a_start_without_edges_is_no_start() {
    expect(
        "  $START:
    - {role: writer, condition: null, prompt: Write it.}
",
        "  $START: []
",
        "
warning[dead-end]: no edge leads out of `$START`: no thread can begin
  --> flow.yaml:27:3
   |
27 |   $START: []
   |   ^^^^^^
",
    );
}

#[test]
fn edges_out_of_the_end_are_never_taken() {
    expect(
        "    - {role: $END, prompt: It is good.}
",
        "    - {role: $END, prompt: It is good.}
  $END:
    - {role: writer, prompt: Once more.}
",
        "
warning[edges-from-end]: the edges out of `$END` are never taken: a thread is done there
  --> flow.yaml:34:3
   |
34 |   $END:
   |   ^^^^
",
    );
}

#[test]
fn a_condition_no_edge_has() {
    expect(
        "graph:
",
        r#"  urgent: {description: It burns, expression: "true"}
graph:
"#,
        r#"
warning[unused-condition]: no edge has the condition `urgent`
  --> flow.yaml:26:3
   |
26 |   urgent: {description: It burns, expression: "true"}
   |   ^^^^^^
"#,
    );
}
