//! Expressions that do not compile are pointed at where they fail.

use super::expect;

#[test]
fn in_double_quotes() {
    expect(
        r#""$last('reviewer').good = false""#,
        r#""\u0061\t = << 1""#,
        r#"
error[invalid-expression]: the expression of condition `rejected` does not compile: `<<` cannot stand here
  --> flow.yaml:25:29
   |
25 |     expression: "\u0061\t = << 1"
   |                             ^ S0211
"#,
    );
}

#[test]
fn in_single_quotes() {
    expect(
        r#""$last('reviewer').good = false""#,
        "'a = ''x'' << 1'",
        "
error[invalid-expression]: the expression of condition `rejected` does not compile: `<<` cannot stand here
  --> flow.yaml:25:28
   |
25 |     expression: 'a = ''x'' << 1'
   |                            ^ S0211
",
    );
}

#[test]
fn in_a_plain_scalar() {
    expect(
        r#""$last('reviewer').good = false""#,
        "é = << 1",
        "
error[invalid-expression]: the expression of condition `rejected` does not compile: `<<` cannot stand here
  --> flow.yaml:25:21
   |
25 |     expression: é = << 1
   |                     ^ S0211
",
    );
}

#[test]
fn in_a_literal_block() {
    expect(
        r#""$last('reviewer').good = false""#,
        "|
      a = 1
      and é << 2",
        "
error[invalid-expression]: the expression of condition `rejected` does not compile: `<<` cannot stand here
  --> flow.yaml:27:13
   |
27 |       and é << 2
   |             ^ S0211
",
    );
}

#[test]
fn in_a_literal_block_after_empty_lines() {
    expect(
        r#""$last('reviewer').good = false""#,
        "|-


        a = 1
          and

        << 2",
        "
error[invalid-expression]: the expression of condition `rejected` does not compile: `<<` cannot stand here
  --> flow.yaml:31:9
   |
31 |         << 2
   |         ^ S0211
",
    );
}

#[test]
fn in_a_folded_block() {
    expect(
        r#""$last('reviewer').good = false""#,
        ">
      a = 1
      and << 2",
        "
error[invalid-expression]: the expression of condition `rejected` does not compile: `<<` cannot stand here
  --> flow.yaml:27:11
   |
27 |       and << 2
   |           ^ S0211
",
    );
}

#[test]
fn over_several_lines_in_quotes() {
    expect(
        r#""$last('reviewer').good = false""#,
        r#""a = 1
      and << 2""#,
        r#"
error[invalid-expression]: the expression of condition `rejected` does not compile: `<<` cannot stand here
  --> flow.yaml:26:11
   |
26 |       and << 2"
   |           ^ S0211
"#,
    );
}

#[test]
fn over_several_lines_without_quotes() {
    expect(
        r#""$last('reviewer').good = false""#,
        "a = 1

      and é
      or << 2",
        "
error[invalid-expression]: the expression of condition `rejected` does not compile: `<<` cannot stand here
  --> flow.yaml:28:10
   |
28 |       or << 2
   |          ^ S0211
",
    );
}

#[test]
fn over_several_lines_with_escapes_the_first_is_pointed_at() {
    expect(
        r#""$last('reviewer').good = false""#,
        r#""a = \x31
      and << 2""#,
        r#"
error[invalid-expression]: the expression of condition `rejected` does not compile: `<<` cannot stand here
  --> flow.yaml:25:17
   |
25 |     expression: "a = \x31
   |                 ^^^^^^^^^ S0211
"#,
    );
}

#[test]
fn of_unknown_place_the_expression_is_pointed_at() {
    expect(
        r#""$last('reviewer').good = false""#,
        "a ?? b",
        "
error[invalid-expression]: the expression of condition `rejected` does not compile: the expression is empty
  --> flow.yaml:25:17
   |
25 |     expression: a ?? b
   |                 ^^^^^^
",
    );
}

#[test]
fn behind_an_alias_the_alias_is_pointed_at() {
    expect(
        r#"description: The reviewer is not content
    expression: "$last('reviewer').good = false""#,
        "description: &x a << b
    expression: *x",
        "
error[invalid-expression]: the expression of condition `rejected` does not compile: `<<` cannot stand here
  --> flow.yaml:25:17
   |
25 |     expression: *x
   |                 ^^ S0211
",
    );
}

#[test]
fn a_function_that_does_not_exist_is_warned_about() {
    expect(
        r#""$last('reviewer').good = false""#,
        "$nope(1) = 2",
        "
warning[doubtful-expression]: the expression of condition `rejected` may fail: there is no function `$nope`
  --> flow.yaml:25:17
   |
25 |     expression: $nope(1) = 2
   |                 ^
",
    );
}

#[test]
fn a_role_that_does_not_exist_is_asked_in_vain() {
    expect(
        r#""$last('reviewer').good = false""#,
        r#""$last('reviwer').good = false""#,
        r#"
warning[unknown-role-asked]: condition `rejected` asks for the output of `reviwer`, which is no role: there never is any
  --> flow.yaml:25:25
   |
25 |     expression: "$last('reviwer').good = false"
   |                         ^^^^^^^
   |
   = help: did you mean `reviewer`?
"#,
    );
}

#[test]
fn nothing_like_a_role_is_answered_with_those_there_are() {
    expect(
        r#""$last('reviewer').good = false""#,
        r#"$first("qa").ok"#,
        r#"
warning[unknown-role-asked]: condition `rejected` asks for the output of `qa`, which is no role: there never is any
  --> flow.yaml:25:25
   |
25 |     expression: $first("qa").ok
   |                         ^^
   |
   = help: the roles there are: `writer` and `reviewer`
"#,
    );
}
