//! Texts made to exhaust the reader. Each must end in a fault, or be read, without harm.

use std::fmt::Write as _;

use super::{fault, strict, value};
use crate::yaml::{Strictness, parse};

const DEEP: &str = "the document is nested more than 256 levels deep";
const COPIED: &str =
    "the aliases of this document stand for more than 100000 values or 16 MiB of text";

#[test]
fn depth_is_limited() {
    for text in [
        "[".repeat(100_000),
        "{a: ".repeat(10_000),
        "[a: ".repeat(10_000),
        "- ".repeat(100_000),
        "{,".repeat(100_000).replace(',', "a: "),
        (0..1000).fold(String::new(), |text, level| {
            format!("{text}{}a:\n", " ".repeat(level))
        }),
    ] {
        assert_eq!(fault(&text).message, DEEP, "{text:.20}");
    }
}

#[test]
fn the_deepest_document_is_read_shown_and_dropped() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let node = strict(&nested(256));
    assert_eq!(node.to_value().to_string(), nested(256));
    assert_eq!(node.clone(), node);
    let fault = fault(&nested(257));
    assert_eq!((fault.mark.column, fault.message.as_str()), (257, DEEP));
}

#[test]
fn depth_counts_what_an_alias_brings() {
    let nested =
        |levels: usize, inner: &str| format!("{}{inner}{}", "[".repeat(levels), "]".repeat(levels));
    let text = |above: usize| format!("a: &a {}\nb: {}\n", nested(200, ""), nested(above, "*a"));
    // The mapping, the brackets around the alias, and the two hundred.
    strict(&text(55));
    assert_eq!(fault(&text(56)).message, DEEP);
    strict(&format!("- &s x\n- {}", nested(255, "*s")));
    strict(&format!("- &s []\n- {}", nested(254, "*s")));
}

#[test]
fn aliases_are_limited_in_number() {
    let mut laughs = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
    for level in 1..30 {
        let below = format!("*a{},", level - 1).repeat(10);
        writeln!(laughs, "a{level}: &a{level} [{below}]").unwrap();
    }
    assert_eq!(fault(&laughs).message, COPIED);
    let square = format!(
        "a: &a [{}]\nb: [{}]\n",
        "x,".repeat(3000),
        "*a,".repeat(3000)
    );
    assert_eq!(fault(&square).message, COPIED);
}

#[test]
fn aliases_are_limited_in_text() {
    let text = format!(
        "a: &a {}\nb: [{}]\n",
        "x".repeat(1 << 20),
        "*a,".repeat(30_000)
    );
    assert_eq!(fault(&text).message, COPIED);
}

#[test]
fn anchors_that_nobody_uses_cost_nothing() {
    let text = format!(
        "{}{}{}",
        "&a [".repeat(200),
        "x,".repeat(5_000),
        "]".repeat(200)
    );
    strict(&text);
    let large = format!("&a [{}]", "x,".repeat(150_000));
    strict(&large);
    assert_eq!(fault(&format!("[{large}, *a]")).message, COPIED);
}

#[test]
fn size_is_limited() {
    let text = "x".repeat((64 << 20) + 1);
    let fault = fault(&text);
    assert_eq!(fault.message, "the text is larger than 64 MiB");
    assert_eq!((fault.mark.line, fault.mark.column), (1, 1));
}

#[test]
fn long_texts_of_one_sign_are_read_or_refused() {
    for sign in [
        ":", ": ", "\"", "'", "!", "! ", "&", "&a ", "*a ", "-", "?", "? ", "?\n", ",", "%", "#",
        "|", ">", "@", "`", "\\", "\t", "\r", "\n", " ", "---\n", "...\n", "a\n", "a: ", "a:\n",
        "[],", "]", "}", "{}", "{a}: ", "<<: ", "\u{feff}", "é", "\u{85}", "[? ", "[: ", "{? ",
    ] {
        let text = sign.repeat(5_000);
        for strictness in [Strictness::Strict, Strictness::Lenient] {
            // Only that it comes back.
            let _ = parse(&text, strictness);
            let _ = parse(&format!("[{text}]"), strictness);
            let _ = parse(&format!("a: {text}"), strictness);
        }
    }
}

/// Every beginning of a text full of syntax: cuts inside quotes, escapes, tags, characters of
/// several bytes.
#[test]
fn every_cut_of_a_text_comes_back() {
    let text = "\u{feff}%TAG !t! tag:x,y:\n--- # c\n'k''é': !!str &a \"x\\u00e9\\\n  y\"\n? [é, {b: *a}]\n: |2-\n   z\n\tw\n- @`\r\n<<: >+\n a\n...\n";
    for (cut, _) in text.char_indices() {
        for strictness in [Strictness::Strict, Strictness::Lenient] {
            if let Err(fault) = parse(&text[..cut], strictness) {
                assert!(fault.mark.offset <= cut, "{cut}: {fault:?}");
                assert!(text.is_char_boundary(fault.mark.offset), "{cut}: {fault:?}");
            }
        }
    }
}

#[test]
fn large_files_are_read() {
    let mut threads = String::new();
    for number in 0..20_000 {
        writeln!(threads, "{number:026}: 0123456789ABC").unwrap();
    }
    assert_eq!(
        value(&threads).as_object().map(serde_json::Map::len),
        Some(20_000)
    );
}
