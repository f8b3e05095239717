//! Texts that are read, and the values they are read as.

use serde_json::json;

use super::{lenient, strict, value};
use crate::yaml::tree::Tag;
use crate::yaml::{Kind, Scalar, Strictness, Style, parse};

#[test]
fn a_document_of_everything() {
    let text = "\
# a workflow
name: triage
roles:
  - planner
  - {name: coder, tries: 3}
empty:
nothing: ~
nested:
  deep: [1, 2.5, true, \"x\", ]
text: |
  one
    two

folded: >-
  one
  two
? explicit
: yes
";
    assert_eq!(
        value(text),
        json!({
            "name": "triage",
            "roles": ["planner", {"name": "coder", "tries": 3}],
            "empty": null,
            "nothing": null,
            "nested": {"deep": [1, 2.5, true, "x"]},
            "text": "one\n  two\n",
            "folded": "one two",
            "explicit": "yes",
        })
    );
}

#[test]
fn keys_keep_their_order() {
    assert_eq!(
        value("b: 1\na: 2\nc: 3\n").to_string(),
        r#"{"b":1,"a":2,"c":3}"#
    );
}

#[test]
fn nothing_but_white_space_and_comments_is_no_document() {
    for text in [
        "",
        "\n \n",
        "# only a comment",
        "  # one\n\n# two\n",
        "\u{feff}",
        "\r\n",
    ] {
        assert_eq!(parse(text, Strictness::Strict), Ok(None), "{text:?}");
    }
}

#[test]
fn a_document_that_is_null_is_a_document() {
    for text in ["~", "null", "---\n", "--- # nothing\n...\n", "!!null"] {
        assert_eq!(value(text), json!(null), "{text:?}");
    }
}

#[test]
fn a_document_may_be_marked_at_both_ends() {
    assert_eq!(value("%YAML 1.2\n---\na: 1\n...\n# end\n"), json!({"a": 1}));
}

#[test]
fn json_is_yaml() {
    let text = "{\n\t\"a\": [1, -2.5, \"\\u00fc\\ud83d\\ude00\\/\"],\n\t\"b\":{\"c\":null}\n}\n";
    assert_eq!(
        value(text),
        serde_json::from_str::<serde_json::Value>(text).unwrap()
    );
    let long = "k".repeat(3000);
    assert_eq!(value(&format!("{{\"{long}\": 1}}")), json!({ long: 1 }));
}

#[test]
fn a_json_value_may_be_closed_right_below_its_key() {
    let text = "roles:\n  coder:\n    frontmatter: {\n      \"type\": \"object\"\n    }\n    list: [\n      1\n    ] # end\n  next: \"a\n    b\"\n";
    assert_eq!(
        value(text),
        json!({"roles": {
            "coder": {"frontmatter": {"type": "object"}, "list": [1]},
            "next": "a b",
        }})
    );
    assert_eq!(
        value("list:\n- [\n 1\n]\n- [x,\n y]\n"),
        json!({"list": [[1], ["x", "y"]]})
    );
}

#[test]
fn line_ends_of_windows_leave_no_trace() {
    let text = "a: b\r\nc: |\r\n  x\r\n  y\r\nd: \"p\r\n  q\"\r\ne: >\r\n  f\r\n  g\r\nh: 'i\r\n  j'\r\nk: l\r\n  m\r\n";
    assert_eq!(
        value(text),
        json!({"a": "b", "c": "x\ny\n", "d": "p q", "e": "f g\n", "h": "i j", "k": "l m"})
    );
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    assert_eq!(value("\u{feff}a: 1\n"), json!({"a": 1}));
    assert_eq!(value("\u{feff}---\r\na: 1\r\n"), json!({"a": 1}));
}

#[test]
fn block_scalars_keep_strip_and_clip() {
    let text = "clip: |\n  x\n\nkeep: |+\n  x\n\nstrip: |-\n  x\n\nindent: |2\n   x\nlast: >\n  a\n  b\n\n  c";
    assert_eq!(
        value(text),
        json!({"clip": "x\n", "keep": "x\n\n", "strip": "x", "indent": " x\n", "last": "a b\nc\n"})
    );
}

#[test]
fn marks_of_a_document_are_text_inside_a_block() {
    assert_eq!(
        value("note: |\n  diff:\n  --- a/x.rs\n  +++ b/x.rs\n"),
        json!({"note": "diff:\n--- a/x.rs\n+++ b/x.rs\n"})
    );
}

#[test]
fn characters_that_only_look_special_are_text() {
    let text = "url: http://x.y/z#part\ntime: 12:30\npath: C:\\x\nhash: a#b\nmerge: <<\nquote: it's\nstar: a*b\nquestion: ?x\ndash: -x\n";
    assert_eq!(
        value(text),
        json!({
            "url": "http://x.y/z#part", "time": "12:30", "path": "C:\\x", "hash": "a#b",
            "merge": "<<", "quote": "it's", "star": "a*b", "question": "?x", "dash": "-x",
        })
    );
}

#[test]
fn escapes_are_undone_between_double_quotes_only() {
    assert_eq!(
        value(r#"["\t\n\x41\u00e9\U0001F600\\\"\e\_", '\n''x', \n]"#),
        json!(["\t\n\u{41}\u{e9}\u{1f600}\\\"\u{1b}\u{a0}", "\\n'x", "\\n"])
    );
}

#[test]
fn keys_are_text() {
    assert_eq!(
        value("1: a\ntrue: b\n~: c\n\"\": d\n<<: {e: f}\n'g h': i\n1.0: j\n"),
        json!({"1": "a", "true": "b", "~": "c", "": "d", "<<": {"e": "f"}, "g h": "i", "1.0": "j"})
    );
}

#[test]
fn a_scalar_tells_how_it_was_written() {
    let node = strict("[007, '1', \"2\", !!str 3]\n");
    let Kind::Sequence(items) = &node.kind else {
        panic!("a sequence")
    };
    let scalar = |text: &str, style, tag| {
        Kind::Scalar(Scalar {
            text: text.to_owned(),
            style,
            tag,
        })
    };
    let kinds: Vec<_> = items.iter().map(|item| item.kind.clone()).collect();
    assert_eq!(
        kinds,
        [
            scalar("007", Style::Plain, None),
            scalar("1", Style::SingleQuoted, None),
            scalar("2", Style::DoubleQuoted, None),
            scalar("3", Style::Plain, Some(Tag::Str)),
        ]
    );
    assert_eq!(strict("|\n x").kind, scalar("x\n", Style::Literal, None));
    assert_eq!(strict(">-\n x").kind, scalar("x", Style::Folded, None));
}

#[test]
fn a_value_that_was_left_out_has_no_text() {
    let node = strict("a:\nb: ~\n");
    let text = |key| match node.get(key).map(|node| &node.kind) {
        Some(Kind::Scalar(scalar)) => scalar.text.as_str(),
        other => panic!("{other:?}"),
    };
    assert_eq!((text("a"), text("b")), ("", "~"));
}

#[test]
fn tags_of_the_core_schema_are_honoured() {
    let text = "[!!str 1, !!int '2', !!float 3, !!bool \"true\", !!null ~, !!str, ! 12, !!seq [], !!map {}, !<tag:yaml.org,2002:str> 4]";
    assert_eq!(
        value(text),
        json!(["1", 2, 3, true, null, "", "12", [], {}, "4"])
    );
    assert_eq!(
        value("%TAG !y! tag:yaml.org,2002:\n---\n!y!str 1"),
        json!("1")
    );
}

#[test]
fn aliases_are_copies() {
    let text = "base: &b {x: 1, y: [2]}\nsame: *b\nlist: [&s text, *s]\n*s : key\n";
    assert_eq!(
        value(text),
        json!({
            "base": {"x": 1, "y": [2]},
            "same": {"x": 1, "y": [2]},
            "list": ["text", "text"],
            "text": "key",
        })
    );
    assert_eq!(value("[&a 1, *a, &a 2, *a]"), json!([1, 1, 2, 2]));
}

#[test]
fn models_may_indent_less() {
    let text = "note: \"one\ntwo\"\nlist: [a,\nb]\n";
    assert_eq!(
        lenient(text).to_value(),
        json!({"note": "one two", "list": ["a", "b"]})
    );
}
