//! What is said of workflow files, word for word, and what becomes of them.

mod expressions;
mod graph;
mod hostile;
mod names;
mod registry;
mod resolve;
mod shape;
mod stored;
mod whole;

use std::path::Path;

use super::Expressions;
use super::inspect::{Inspection, inspect};
use crate::model::ExpressionError;

/// A workflow that nothing is wrong with. The tests break it in one place each.
const SOUND: &str = r#"name: flow
description: Writes a text and has it reviewed
roles:
  writer:
    description: Writes
    goal: Write the text.
    capabilities: [writing]
    procedure: Think, then write.
    output: The text.
    frontmatter:
      type: object
      properties: {words: {type: integer}}
  reviewer:
    description: Reviews
    goal: Find what is wrong with it.
    capabilities: [reading]
    procedure: Read, then judge.
    output: Whether it is good.
    frontmatter:
      type: object
      properties: {good: {type: boolean}}
conditions:
  rejected:
    description: The reviewer is not content
    expression: "$last('reviewer').good = false"
graph:
  $START:
    - {role: writer, condition: null, prompt: Write it.}
  writer:
    - {role: reviewer, prompt: Review it.}
  reviewer:
    - {role: writer, condition: rejected, prompt: Write it again.}
    - {role: $END, prompt: It is good.}
"#;

/// Stands in for the compiler of expressions: `<<` is refused where it stands, `??` as a whole.
fn compile(expression: &str) -> Result<(), ExpressionError> {
    let refused = |code: Option<&str>, message: &str, offset| {
        Err(ExpressionError {
            code: code.map(str::to_owned),
            message: message.to_owned(),
            offset,
        })
    };
    if expression.contains("??") {
        return refused(None, "the expression is empty", None);
    }
    match expression.find("<<") {
        Some(at) => refused(Some("S0211"), "`<<` cannot stand here", Some(at)),
        None => Ok(()),
    }
}

/// Stands in for what is known to fail: `$nope` does.
fn doubts(expression: &str) -> Vec<ExpressionError> {
    let calls = expression.match_indices("$nope");
    calls
        .map(|(at, _)| ExpressionError {
            code: None,
            message: "there is no function `$nope`".to_owned(),
            offset: Some(at),
        })
        .collect()
}

const EXPRESSIONS: Expressions<'static> = Expressions {
    compile: &compile,
    doubts: &doubts,
};

fn inspected(text: &str) -> Inspection {
    inspect(Path::new("flow.yaml"), text.to_owned(), EXPRESSIONS)
}

fn said_of(text: &str) -> String {
    inspected(text).report.render()
}

/// The sound workflow with one piece replaced.
fn with(piece: &str, replacement: &str) -> String {
    assert_eq!(SOUND.matches(piece).count(), 1, "{piece}");
    SOUND.replace(piece, replacement)
}

/// Checks what is said of the sound workflow with one piece replaced. The expected text begins
/// with a line break, to be read more easily.
#[track_caller]
fn expect(piece: &str, replacement: &str, expected: &str) {
    assert_eq!(
        format!("\n{}\n", said_of(&with(piece, replacement))),
        expected
    );
}

#[test]
fn of_a_sound_file_nothing_is_said() {
    let inspection = inspected(SOUND);
    assert_eq!(inspection.report.render(), "");
    assert!(!inspection.report.has_errors());
    assert!(inspection.definition.is_some());
}
