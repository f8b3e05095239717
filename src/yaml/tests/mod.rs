//! What is read, what is refused and with which words, and what hostile texts do.

mod faults;
mod hostile;
mod places;
mod reading;
mod refusals;

use serde_json::Value;

use super::{Fault, Node, Strictness, parse};

fn strict(text: &str) -> Node {
    read(text, Strictness::Strict)
}

fn lenient(text: &str) -> Node {
    read(text, Strictness::Lenient)
}

fn read(text: &str, strictness: Strictness) -> Node {
    match parse(text, strictness) {
        Ok(Some(node)) => node,
        other => panic!("{text:?} should be a document, not {other:?}"),
    }
}

fn value(text: &str) -> Value {
    strict(text).to_value()
}

fn fault(text: &str) -> Fault {
    refused(text, Strictness::Strict)
}

fn refused(text: &str, strictness: Strictness) -> Fault {
    match parse(text, strictness) {
        Err(fault) => fault,
        other => panic!("{text:?} should be refused, not {other:?}"),
    }
}

/// The place and the words.
fn said(fault: &Fault) -> (usize, usize, &str) {
    (fault.mark.line, fault.mark.column, fault.message.as_str())
}

/// The second place and what it is.
fn related(fault: &Fault) -> Option<(&str, usize, usize)> {
    let (what, mark) = fault.related?;
    Some((what, mark.line, mark.column))
}

#[track_caller]
fn check(text: &str, line: usize, column: usize, message: &str) {
    let fault = fault(text);
    assert_eq!(said(&fault), (line, column, message), "{text:?}");
}
