//! Where things stand.

use super::{fault, strict};
use crate::yaml::{Kind, Mark, Span};

fn mark(line: usize, column: usize, offset: usize) -> Mark {
    Mark {
        line,
        column,
        offset,
    }
}

fn slice(text: &str, span: Span) -> &str {
    &text[span.start.offset..span.end.offset]
}

#[test]
fn lines_and_columns_count_from_one_and_columns_count_characters() {
    let text = "größe: 'ü'\r\nb: é\n";
    let node = strict(text);
    let Kind::Mapping(entries) = &node.kind else {
        panic!("a mapping")
    };
    assert_eq!(
        entries[0].key_span,
        Span {
            start: mark(1, 1, 0),
            end: mark(1, 6, 7)
        }
    );
    assert_eq!(
        entries[0].value.span,
        Span {
            start: mark(1, 8, 9),
            end: mark(1, 11, 13)
        }
    );
    assert_eq!(entries[1].key_span.start, mark(2, 1, 15));
    assert_eq!(entries[1].value.span.start, mark(2, 4, 18));
}

#[test]
fn a_byte_order_mark_counts_for_offsets_only() {
    let text = "\u{feff}a: b\n";
    let node = strict(text);
    assert_eq!(node.span.start, mark(1, 1, 3));
    assert_eq!(slice(text, node.get("a").unwrap().span), "b");
    assert_eq!(fault("\u{feff}a: @\n").mark, mark(1, 4, 6));
    assert_eq!(fault("\u{feff}a: \u{1}\n").mark, mark(1, 4, 6));
}

#[test]
fn spans_cover_what_was_written() {
    let text = "a: &x [1, {b: 'c'}]\nd:\n  - e\n  - f: g\n    h: i\n\nj: |\n  k\n  l\nm: *x\n";
    let node = strict(text);
    let written = |pointer: &str| slice(text, node.find(pointer).unwrap().node.span);
    assert_eq!(written("/a"), "[1, {b: 'c'}]");
    assert_eq!(written("/a/1/b"), "'c'");
    assert_eq!(written("/d"), "- e\n  - f: g\n    h: i");
    assert_eq!(written("/d/1"), "f: g\n    h: i");
    assert_eq!(written("/j"), "k\n  l\n");
    assert_eq!(written("/m"), "*x");
    assert_eq!(written("/m/0"), "1");
    assert_eq!(written(""), text.trim_end());
}

#[test]
fn a_pointer_leads_to_a_node() {
    let node = strict("a/b: {m~n: [x, y]}\n\"\": z\n'0': w\n");
    let text = |pointer| node.find(pointer).map(|found| found.node.to_value());
    assert_eq!(text("/a~1b/m~0n/1"), Some("y".into()));
    assert_eq!(text("/"), Some("z".into()));
    assert_eq!(text("/0"), Some("w".into()));
    for nowhere in [
        "a",
        "/a",
        "/a~1b/m~0n/2",
        "/a~1b/m~0n/01",
        "/a~1b/m~0n/+1",
        "/a~1b/m~0n/-",
        "/a~1b/m~0n/",
        "/a~1b/m~0n/0/x",
    ] {
        assert_eq!(text(nowhere), None, "{nowhere:?}");
    }
}

#[test]
fn a_pointer_leads_to_a_place() {
    let text = "a: 1\nlist:\n  - x\n  - k: v\nempty:\nmap:\n  b: c\n";
    let node = strict(text);
    let located = |pointer| {
        let span = node.locate(pointer);
        (span.start.line, slice(text, span))
    };
    assert_eq!(located("/a"), (1, "1"));
    assert_eq!(located("/list"), (2, "list"));
    assert_eq!(located("/list/0"), (3, "x"));
    assert_eq!(located("/list/1"), (4, "k: v"));
    assert_eq!(located("/list/1/k"), (4, "v"));
    assert_eq!(located("/empty"), (5, "empty"));
    assert_eq!(located("/map"), (6, "map"));
    assert_eq!(located("/map/missing/deeper"), (6, "map"));
    assert_eq!(located("/a/b"), (1, "1"));
    assert_eq!(located("/list/7"), (2, "list"));
    assert_eq!(located("/missing").0, 1);
    assert_eq!(located("not a pointer").0, 1);
    assert_eq!(located(""), (1, text.trim_end()));
}

#[test]
fn a_pointer_leads_to_a_key() {
    let text = "a/b: 1\nlist:\n  - k: v\n";
    let node = strict(text);
    let key = |pointer| node.locate_key(pointer).map(|span| slice(text, span));
    assert_eq!(key("/a~1b"), Some("a/b"));
    assert_eq!(key("/list/0/k"), Some("k"));
    for keyless in ["", "/list/0", "/missing", "/a~1b/c"] {
        assert_eq!(key(keyless), None, "{keyless:?}");
    }
}
