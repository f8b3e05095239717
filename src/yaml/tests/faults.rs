//! Texts that are not YAML: the words, and the place.

use super::{check, fault, lenient, refused, related, said, value};
use crate::yaml::Strictness;

const COLON: &str = "a colon followed by a space ends the value here; put the value in quotes";
const KEY_IN_VALUE: &str = "a key cannot stand here, inside the value that began above; check the indentation and the line above, or put the value in quotes";
const QUOTE: &str = "the quote that opens here is not closed before a line that is not indented deeper than its key";
const TAB: &str = "a tab cannot be used to indent; use spaces";
const TEXT_AFTER: &str =
    "this does not belong to the value before it; put the whole value in quotes if it is text";

#[test]
fn a_colon_in_a_value() {
    check("verdict: ok\nnote: fixed: the null check", 2, 12, COLON);
    check("a: x: y: z", 1, 5, COLON);
    check("- a: b: c", 1, 7, COLON);
    check("[a: b: c]", 1, 6, COLON);
    check("a: “b: c”", 1, 6, COLON);
    check(
        "a: note:",
        1,
        8,
        "a colon at the end of the line ends the value here; put the value in quotes",
    );
}

#[test]
fn a_value_that_begins_with_a_sign() {
    check(
        "verdict: @alice",
        1,
        10,
        "a value cannot begin with `@`; put it in quotes",
    );
    check(
        "v: `ok`",
        1,
        4,
        "a value cannot begin with a backtick; put it in quotes",
    );
    check(
        "a: 1\nb: % x",
        2,
        4,
        "a value cannot begin with `%`; put it in quotes",
    );
    check(
        "a: ,x",
        1,
        4,
        "a value cannot begin with `,`; put it in quotes",
    );
    check(
        "a: ? x",
        1,
        4,
        "a value cannot begin with `? `; put it in quotes",
    );
    check(
        "a: > x",
        1,
        4,
        "after `|` or `>` the text begins on the next line; put the value in quotes if this is text",
    );
    check(
        "a: - x",
        1,
        4,
        "a list cannot begin here; its first `- ` belongs on a line of its own, or the value in quotes",
    );
}

#[test]
fn quotes_inside_quotes() {
    check(
        "verdict: ok\nnote: \"he said \"stop\" twice\"",
        2,
        17,
        "text follows the closing quote; inside double quotes a `\"` is written `\\\"`",
    );
    check(
        "a: 'it's'\nb: c",
        1,
        8,
        "text follows the closing quote; inside single quotes a `'` is written `''`",
    );
    let fault = fault("a: 'b' # it's \"\nc: \"d\n  e\" f");
    assert_eq!(said(&fault).0, 3);
    assert_eq!(related(&fault), Some(("the quote opens here", 2, 4)));
}

#[test]
fn a_quote_that_is_not_closed() {
    check("a: 'x", 1, 4, "the quote that opens here is not closed");
    for text in ["a: 'x\nb: c\n", "a: \"x\nb: \"c\"\n", "a: \"x\n---\n"] {
        let fault = fault(text);
        assert_eq!(said(&fault), (1, 4, QUOTE), "{text:?}");
        assert_eq!(
            related(&fault),
            Some(("that line is here", 2, 1)),
            "{text:?}"
        );
    }
    // Inside brackets, and after quoted text that is closed.
    check("- it's\n- [\"x\", \"y\nz\n", 2, 9, QUOTE);
    check(
        "\"x\n--- \"",
        1,
        1,
        "the quote that opens here is not closed before the document ends",
    );
}

#[test]
fn an_escape_that_is_none() {
    let message = "`\\d` is no escape; between double quotes a backslash is written `\\\\`";
    check("a: 1\nb: \"é\\n \\\\ \n  \\d+\"", 3, 3, message);
    check(
        "a: \"\\x4\"",
        1,
        5,
        "`\\x` is no escape; between double quotes a backslash is written `\\\\`",
    );
    check(
        "a: \"\\ud800\"",
        1,
        4,
        "an escape in the text that is quoted here stands for no character",
    );
}

#[test]
fn brackets_that_are_not_closed() {
    check("a: {b: c", 1, 4, "the `{` that opens here is not closed");
    check("a: [b}", 1, 4, "the `[` that opens here is closed by a `}`");
    check(
        "a: [b]]",
        1,
        7,
        "this `]` closes nothing; put the value in quotes if it is text",
    );
    let fault = fault("a: [b,\n  {c: d}\ne: f\n");
    assert_eq!(
        said(&fault),
        (
            1,
            4,
            "the `[` that opens here is not closed before a line that is not indented deeper than its key"
        )
    );
    assert_eq!(related(&fault), Some(("that line is here", 3, 1)));
}

#[test]
fn brackets_below_their_key_open_no_door() {
    // The first bracket makes the second reading necessary; the second fault must still be seen.
    let bracket = "the `[` that opens here is not closed before a line that is not indented deeper than its key";
    check("a: {\n  x: 1\n}\nb: [c,\nd: e\n", 4, 4, bracket);
    check("a: {\n  x: 1\n}\nb:\n  c: [\n    d\n]\n", 5, 6, bracket);
    let fault = fault("a: {\n  x: 1\n}\nb: \"c\n\nd: e\"\n");
    assert_eq!(said(&fault), (4, 4, QUOTE));
    assert_eq!(related(&fault), Some(("that line is here", 6, 1)));
}

#[test]
fn commas() {
    check("[1, 2,, 3]", 1, 7, "a value is missing before this `,`");
    check(
        "{\n\t\"a\": 1\n\t\"b\": 2\n}",
        3,
        5,
        "a `,` is missing before this key",
    );
    check(
        "{\"a\": 1 \"b\": 2}",
        1,
        12,
        "a `,` is missing before this key",
    );
    check(
        "[{a: 1} {b: 2}]",
        1,
        9,
        "a `,` or the closing `]` is missing here",
    );
    check(
        "a: [\n  - b\n]",
        2,
        3,
        "between brackets the items are separated by `,` and do not begin with `- `",
    );
}

#[test]
fn text_after_a_value() {
    check("a: [b, c] d", 1, 11, TEXT_AFTER);
    check("a: {b: c} d", 1, 11, TEXT_AFTER);
    check("[a] b", 1, 5, TEXT_AFTER);
}

#[test]
fn indentation() {
    check("a: b\n  c: d\n", 2, 4, KEY_IN_VALUE);
    check("a line\nb: 1\n", 2, 2, KEY_IN_VALUE);
    let like_no_key = "this line is indented like no key above it; check the indentation";
    check("a:\n  b: 1\n c: 2\n", 3, 2, like_no_key);
    check("a: |\n  x\n y\n", 3, 2, like_no_key);
    check(
        "- a\nb: c\n",
        2,
        1,
        "this line stands among the items of a list and does not begin with `- `; check the indentation",
    );
    check(
        "a: b\n- c\n",
        2,
        3,
        "a list item stands where a key belongs; check the indentation",
    );
    check(
        " a: 1\nb: 2\n",
        2,
        1,
        "this line does not belong to what stands above it; check the indentation",
    );
    check(
        "a: b\nc\nd: e\n",
        2,
        1,
        "this is neither a key with its colon nor part of what stands above; add the colon, or check the indentation",
    );
    check("- a\n-b\n", 2, 1, "a list item begins with `-` and a space");
}

#[test]
fn tabs() {
    for (text, line, column) in [
        ("\ta: b", 1, 1),
        ("a: b\n\tc: d\n", 2, 1),
        ("a: b\n\tc\n", 2, 1),
        ("a:\n\tb: c\n", 2, 1),
        ("a:\n  b: c\n\td: e\n", 3, 1),
        ("a:\n  b: c\n  \td: e\n", 3, 3),
        ("a:\n  - b\n\t- c\n", 3, 1),
        ("- \ta: b", 1, 3),
        ("-\t- a", 1, 2),
        ("a: |\n\tx\n", 2, 1),
        ("a: |\n  x\n\ty\n", 3, 1),
        ("a: \"x\n\ty\"", 2, 1),
        ("a: [1,\n\t2]\n", 2, 1),
        ("a: one\n  two\n\t\n\tthree\n", 4, 1),
    ] {
        check(text, line, column, TAB);
    }
    assert_eq!(value("a:\tb\t# c\n"), serde_json::json!({"a": "b"}));
    assert_eq!(value("a: |\n  \tx\n"), serde_json::json!({"a": "\tx\n"}));
}

#[test]
fn comments_and_directives() {
    check(
        "a: b #c\n d",
        1,
        6,
        "a space and `#` begin a comment, and the value goes on below it; put the value in quotes",
    );
    check("%YAML 3.0\n---\na", 1, 1, "only YAML 1 can be read");
    check(
        "%YAML 1.2\na: b\n",
        2,
        1,
        "a `---` is missing between the directives and the document",
    );
}

#[test]
fn leniency_is_about_indentation_only() {
    for text in [
        "a: b: c",
        "a: 1\na: 2",
        "a: \"x\nb: \"y\"",
        "\ta: b",
        "a: @x",
    ] {
        refused(text, Strictness::Lenient);
    }
    assert_eq!(
        lenient("a: 'x\n y'").to_value(),
        serde_json::json!({"a": "x y"})
    );
}
