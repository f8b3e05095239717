//! YAML in: the one front end for every file and every answer that is read.
//!
//! Text becomes a tree with positions ([`Node`]); what cannot be read becomes a [`Fault`] with a
//! line and a column. The rules are those of YAML 1.2 and its core schema, so `yes` and `<<` are
//! ordinary text, and JSON can be read too. Of YAML out, only a single text is written here.

mod anchors;
mod build;
mod fault;
mod indent;
mod messages;
mod parse;
mod pointer;
mod quotes;
mod resolve;
mod scalar;
mod sentences;
mod source;
mod tags;
mod tree;

#[cfg(test)]
mod tests;

pub use fault::Fault;
pub use parse::parse;
pub use scalar::{quoted_scalar, scalar};
pub use tree::{Entry, Kind, Mark, Node, Scalar, Span, Style};

/// How closely the text must follow the rules of indentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// For files: as the specification says.
    Strict,
    /// For answers of language models, which under-indent the second line of a quoted scalar.
    Lenient,
}
