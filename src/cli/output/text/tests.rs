//! Whole texts: what each kind of value looks like.

use serde_json::{Value, json};

use super::{Look, line, to_string};
use crate::cli::output::style::Colours;

fn text(value: &Value) -> String {
    to_string(value, Look::default())
}

fn on_terminal(value: &Value, width: usize) -> String {
    let look = Look {
        colours: Colours::Off,
        width: Some(width),
    };
    to_string(value, look)
}

#[test]
fn a_list_of_objects_is_a_table_with_a_column_for_each_key() {
    let list = json!([
        {"thread": "06H2", "steps": 7, "done": true, "completedAt": 1_796_044_961_065_u64},
        {"thread": "06H2S7", "steps": 12.5, "done": false, "error": "gone"},
    ]);
    assert_eq!(
        text(&list),
        "\
thread  steps  done  completedAt              error
06H2        7  yes   2026-11-30 13:22:41 UTC  -
06H2S7   12.5  no    -                        gone
"
    );
}

#[test]
fn nothing_is_said_to_be_nothing() {
    assert_eq!(text(&json!([])), "(none)\n");
    assert_eq!(text(&json!({})), "(none)\n");
    assert_eq!(
        text(&json!({"a": null, "b": "", "c": [], "d": {}})),
        "a  -\nb  \"\"\nc  []\nd  {}\n"
    );
}

#[test]
fn cells_are_one_line_and_what_is_nested_in_them_is_json() {
    let list =
        json!([{"text": "one\ntwo\tthree\n", "nested": {"a": [1, null]}, "words": ["a", "b"]}]);
    assert_eq!(
        text(&list),
        "text           nested          words\none two three  {\"a\":[1,null]}  a, b\n"
    );
}

#[test]
fn wide_characters_take_two_columns() {
    let list = json!([{"name": "日本", "x": 1}, {"name": "abc", "x": 2}]);
    assert_eq!(text(&list), "name  x\n日本  1\nabc   2\n");
}

#[test]
fn the_widest_column_is_cut_on_a_terminal_and_nowhere_else() {
    let list = json!([
        {"hash": "6HA1S8JMB29J3", "message": "日本語 and a long explanation of it", "n": 1},
    ]);
    assert_eq!(
        on_terminal(&list, 40),
        "hash           message                 n\n6HA1S8JMB29J3  日本語 and a long exp…  1\n"
    );
    // The narrowest the columns get: 13 and 13 of them, and the number.
    assert_eq!(
        on_terminal(&list, 31),
        "hash           message        n\n6HA1S8JMB29J3  日本語 and a…  1\n"
    );
    assert_eq!(
        on_terminal(&list, 30),
        "- hash     6HA1S8JMB29J3\n  message  日本語 and a long explanation of it\n  n        1\n"
    );
    assert_eq!(
        text(&list),
        "\
hash           message                              n
6HA1S8JMB29J3  日本語 and a long explanation of it  1
"
    );
}

#[test]
fn an_object_is_a_line_for_each_key_and_a_block_for_what_is_longer() {
    let object = json!({
        "name": "review",
        "procedure": "First.\n\n  Then.\n",
        "steps": [{"role": "a", "n": 1}, {"role": "bcd", "n": 22}],
        "mixed": [1, {"a": {"b": "c"}}, ["x", ["y, z"]], "two\nlines"],
        "accepted": false,
    });
    assert_eq!(
        text(&object),
        "\
name      review

procedure
  First.

    Then.

steps
  role   n
  a      1
  bcd   22

mixed
  - 1
  - a
      b  c
  - - x
    - - y, z
  - two
    lines

accepted  no
"
    );
}

#[test]
fn a_table_inside_of_an_object_is_a_list_when_it_would_hide_something() {
    for (items, expected) in [
        (
            json!([{"a": 1, "b": null}, {"a": 2}]),
            "items\n  - a  1\n    b  -\n  - a  2\n",
        ),
        (
            json!([{"a": "x\ny", "b": 1}]),
            "items\n  - a\n      x\n      y\n    b  1\n",
        ),
    ] {
        assert_eq!(text(&json!({"items": items})), expected);
    }
    let wide = json!({"items": [{"first": "abcdefgh", "second": "ijklmnop"}]});
    assert_eq!(
        on_terminal(&wide, 20),
        "items\n  first     second\n  abcdefgh  ijklmnop\n"
    );
    assert_eq!(
        on_terminal(&wide, 19),
        "items\n  - first   abcdefgh\n    second  ijklmnop\n"
    );
}

#[test]
fn a_long_key_does_not_push_the_others() {
    let key = "k".repeat(31);
    let object = json!({"a": 1, key.clone(): 2});
    assert_eq!(text(&object), format!("a  1\n{key}  2\n"));
}

#[test]
fn moments_are_dates_and_other_numbers_are_not() {
    let object = json!({
        "timestamp": 1_796_044_961_065_u64,
        "since": 1_796_044_961_065_u64,
        "time": 30,
        "startedAt": "yesterday",
        "duration": 1_796_044_961_065_u64,
    });
    assert_eq!(
        text(&object),
        "\
timestamp  2026-11-30 13:22:41 UTC
since      2026-11-30 13:22:41 UTC
time       30
startedAt  yesterday
duration   1796044961065
"
    );
}

#[test]
fn nothing_in_a_value_is_obeyed_by_a_terminal() {
    let evil = "\u{1b}[31mred\u{9b}2J\r\u{202e}";
    let shown = r"\x1b[31mred\x9b2J\x0d\u{202e}";
    assert_eq!(text(&json!(evil)), format!("{shown}\n"));
    assert_eq!(text(&json!({evil: evil})), format!("{shown}  {shown}\n"));
    assert_eq!(text(&json!([{evil: evil}])), format!("{shown}\n{shown}\n"));
    assert_eq!(
        text(&json!({"a": format!("1\n{evil}")})),
        format!("a\n  1\n  {shown}\n")
    );
    assert_eq!(
        text(&json!([{"a": {"b": "\u{9b}2J"}}])),
        "a\n{\"b\":\"\\x9b2J\"}\n"
    );
    assert_eq!(
        line(&json!({evil: evil}), Look::default()),
        format!("{shown} {shown}\n")
    );
}

#[test]
fn headings_are_bold_and_states_have_colours() {
    let look = Look {
        colours: Colours::On,
        width: None,
    };
    let list = json!([{"status": "killed"}, {"status": "completed"}, {"status": "else"}]);
    assert_eq!(
        to_string(&list, look),
        "\u{1b}[1mstatus\u{1b}[0m\n\u{1b}[33mkilled\u{1b}[0m\n\u{1b}[32mcompleted\u{1b}[0m\nelse\n"
    );
    assert_eq!(
        to_string(&json!({"status": "damaged", "n": 1}), look),
        "\u{1b}[1mstatus\u{1b}[0m  \u{1b}[31mdamaged\u{1b}[0m\n\u{1b}[1mn\u{1b}[0m       1\n"
    );
}

#[test]
fn one_of_several_results_is_one_line() {
    let result = json!({"head": "6HA1S8JMB29J3", "done": false, "role": null});
    assert_eq!(
        line(&result, Look::default()),
        "head 6HA1S8JMB29J3  done no  role -\n"
    );
}

#[test]
fn deep_values_are_told_to_the_ground() {
    let mut value = json!("bottom");
    for _ in 0..120 {
        value = json!([{"a": value, "b": 1}]);
    }
    assert!(text(&json!({"value": value})).contains("bottom"));
}
