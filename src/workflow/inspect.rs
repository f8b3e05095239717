//! A workflow file from its text to its findings, and to its definition when there is no error.

use std::path::{Path, PathBuf};

use super::definition::Definition;
use super::diagnostic::{Code, Diagnostic, Report};
use super::draft::Draft;
use super::fields::Findings;
use super::read::WORKFLOW_NEEDS;
use super::{MAX_BYTES, check, graph, read};
use crate::fsx::{self, FileError};
use crate::model::ExpressionError;
use crate::yaml::{self, Mark, Node, Span, Strictness};

/// What is known of expressions elsewhere, where they are evaluated.
#[derive(Clone, Copy)]
pub struct Expressions<'a> {
    /// Says whether a text is an expression.
    pub compile: &'a dyn Fn(&str) -> Result<(), ExpressionError>,
    /// Says what in an expression that compiles will fail when it is evaluated.
    pub doubts: &'a dyn Fn(&str) -> Vec<ExpressionError>,
}

/// What a workflow file is.
#[derive(Debug)]
pub struct Inspection {
    /// Everything that was found.
    pub report: Report,
    /// What can be stored; nothing when there is an error in the report.
    pub definition: Option<Definition>,
}

/// Why there is no file to inspect.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Nothing has this path.
    #[error("there is no workflow file {}", .0.display())]
    Missing(PathBuf),
    /// It cannot be read as text.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Reads a workflow file and looks at everything in it.
pub fn load(path: &Path, expressions: Expressions<'_>) -> Result<Inspection, LoadError> {
    match fsx::read_named_text(path, MAX_BYTES as u64)? {
        Some(text) => Ok(inspect(path, text, expressions)),
        None => Err(LoadError::Missing(path.to_owned())),
    }
}

/// Looks at everything in the text of a workflow file.
pub fn inspect(path: &Path, text: String, expressions: Expressions<'_>) -> Inspection {
    let mut findings = Findings::default();
    let definition = match parse(&text) {
        Ok(root) => {
            let draft = read::read(&root, &mut findings);
            check::check(&draft, path, &text, &expressions, &mut findings);
            graph::check(&draft, &mut findings);
            define(&draft, root.span, &mut findings)
        }
        Err(diagnostic) => {
            findings.add(*diagnostic);
            None
        }
    };
    let report = Report::new(path.to_owned(), text, findings.diagnostics);
    Inspection { report, definition }
}

fn parse(text: &str) -> Result<Node, Box<Diagnostic>> {
    if text.len() > MAX_BYTES {
        return Err(Box::new(too_large(at(Mark::START), "file", text.len())));
    }
    match yaml::parse(text, Strictness::Strict) {
        Ok(Some(root)) => Ok(root),
        Ok(None) => {
            let empty = Diagnostic::new(Code::EmptyFile, at(Mark::START), "the file holds nothing");
            Err(Box::new(empty.with_help(WORKFLOW_NEEDS)))
        }
        Err(fault) => {
            let syntax = Diagnostic::new(Code::Syntax, at(fault.mark), fault.message);
            Err(Box::new(match fault.related {
                Some((label, mark)) => syntax.with_related(at(mark), label),
                None => syntax,
            }))
        }
    }
}

/// A draft without errors as what can be stored, unless that would be too large.
fn define(draft: &Draft<'_>, span: Span, findings: &mut Findings) -> Option<Definition> {
    let is_error = |found: &Diagnostic| found.severity() == super::Severity::Error;
    if findings.diagnostics.iter().any(is_error) {
        return None;
    }
    let definition = Definition::of(draft)?;
    let size = definition.size();
    if size > MAX_BYTES {
        let start = at(span.start);
        findings.add(too_large(
            start,
            "workflow with its aliases written out",
            size,
        ));
        return None;
    }
    Some(definition)
}

fn too_large(span: Span, what: &str, bytes: usize) -> Diagnostic {
    let message = format!("the {what} has {bytes} bytes: at most {MAX_BYTES} are accepted");
    Diagnostic::new(Code::TooLarge, span, message)
}

fn at(mark: Mark) -> Span {
    Span {
        start: mark,
        end: mark,
    }
}
