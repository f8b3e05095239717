//! Texts that are YAML, or nearly, and that we refuse to read: the words, and the place.

use super::{check, fault, related, said};

#[test]
fn keys() {
    let twice = fault("a: 1\nb:\n  a: 2\n\"a\": 3\n");
    assert_eq!(said(&twice), (4, 1, "the key `a` is given twice"));
    assert_eq!(related(&twice), Some(("first given here", 1, 1)));
    check("{a: 1, a: 2}", 1, 8, "the key `a` is given twice");
    check("<<: {}\n<<: {}", 2, 1, "the key `<<` is given twice");
    check(": a", 1, 1, "there is no key before the colon");
    let list = "a key must be text, and this is a list; put it in quotes if the brackets are text";
    let mapping =
        "a key must be text, and this is a mapping; put it in quotes if the braces are text";
    check("[a]: b", 1, 1, list);
    check("? - a\n: b", 1, 3, list);
    check("a: {{ name }}", 1, 5, mapping);
    check(
        "a: &x [1]\n*x : 2\n",
        2,
        1,
        "a key must be text, and this alias stands for a collection",
    );
}

#[test]
fn a_key_of_any_length_is_shown_short_and_printable() {
    let key = format!("\"\\e{}\"", "k".repeat(100));
    let shown = format!("the key `\\u{{1b}}{}…` is given twice", "k".repeat(79));
    check(&format!("{key}: 1\n{key}: 2\n"), 2, 1, &shown);
}

#[test]
fn a_second_document() {
    let message = "a second document begins here, and only one is read";
    check("a: 1\n---\nb: 2\n", 2, 1, message);
    check("---\n---\n", 2, 1, message);
    check("a: 1\n...\nb: 2\n", 3, 1, message);
}

#[test]
fn aliases_and_anchors() {
    check(
        "a: *bold*\n",
        1,
        4,
        "`*bold*` is an alias, and no anchor `&bold*` stands before it; put it in quotes if it is text",
    );
    check(
        "a: * x",
        1,
        4,
        "`&` and `*` begin a name, and none follows; put the value in quotes if it is text",
    );
    for (text, column, begins) in [
        ("&x [*x]", 5, 4),
        ("&x {a: [*x]}", 9, 4),
        ("&x {*x : 1}", 5, 4),
    ] {
        let fault = fault(text);
        let message = "this alias stands inside the value that it names";
        assert_eq!(said(&fault), (1, column, message), "{text:?}");
        assert_eq!(
            related(&fault),
            Some(("the value begins here", 1, begins)),
            "{text:?}"
        );
    }
}

#[test]
fn tags() {
    check(
        "a: !important x\n",
        1,
        4,
        "the tag `!important` is not known; put the value in quotes if it is text",
    );
    check(
        "a: !!binary aGk=",
        1,
        4,
        "the tag `!!binary` is not known; put the value in quotes if it is text",
    );
    check(
        "a: !!int x",
        1,
        10,
        "`x` is not a whole number, as the tag `!!int` says",
    );
    check(
        "!!float .inf",
        1,
        9,
        "`.inf` is not a finite number, as the tag `!!float` says",
    );
    check(
        "!!bool yes",
        1,
        8,
        "`yes` is not `true` or `false`, as the tag `!!bool` says",
    );
    check(
        "!!null x",
        1,
        8,
        "`x` is not `null`, as the tag `!!null` says",
    );
    check(
        "!!str [x]",
        1,
        1,
        "the tag `!!str` does not fit what it stands before",
    );
    check(
        "!!seq x",
        1,
        1,
        "the tag `!!seq` does not fit what it stands before",
    );
    check(
        "!a!b c",
        1,
        1,
        "a `!` begins a tag, and this is none that is known; put the value in quotes if it is text",
    );
}

#[test]
fn control_characters() {
    let message = |code: &str, escape: &str| {
        format!(
            "the control character U+{code} cannot stand in YAML; between double quotes it is written `{escape}`"
        )
    };
    check("a: \0", 1, 4, &message("0000", "\\x00"));
    check("a: b\nc: \"é\u{1b}\"\n", 2, 6, &message("001B", "\\x1b"));
    check("# \u{7}", 1, 3, &message("0007", "\\x07"));
    check("a: |\n  x\n  y\u{7f}\n", 3, 4, &message("007F", "\\x7f"));
    check("a: b\u{ffff}", 1, 5, &message("FFFF", "\\uffff"));
}
