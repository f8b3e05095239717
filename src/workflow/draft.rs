//! A workflow as its file says it: words with their places, and gaps where something is wrong.
//!
//! A gap (`None`) has been reported when the draft was read, so nothing that looks at a draft
//! reports it again.

use crate::yaml::{Node, Span};

/// A piece of the file and where it stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spanned<T> {
    pub value: T,
    pub span: Span,
}

/// A text of the file.
pub(super) type Text<'n> = Spanned<&'n str>;

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct Draft<'n> {
    pub name: Option<Text<'n>>,
    pub description: Option<&'n str>,
    pub roles: Option<Vec<RoleDraft<'n>>>,
    pub conditions: Option<Vec<ConditionDraft<'n>>>,
    pub graph: Option<GraphDraft<'n>>,
}

#[derive(Debug)]
pub(super) struct RoleDraft<'n> {
    pub name: Text<'n>,
    pub description: Option<&'n str>,
    pub goal: Option<&'n str>,
    pub capabilities: Option<Vec<&'n str>>,
    pub procedure: Option<&'n str>,
    pub output: Option<&'n str>,
    /// The mapping under `frontmatter`.
    pub schema: Option<&'n Node>,
}

#[derive(Debug)]
pub(super) struct ConditionDraft<'n> {
    pub name: Text<'n>,
    pub description: Option<&'n str>,
    /// The text of the expression, and the node it is written in.
    pub expression: Option<(&'n str, &'n Node)>,
}

#[derive(Debug)]
pub(super) struct GraphDraft<'n> {
    /// The key `graph`.
    pub span: Span,
    pub sources: Vec<SourceDraft<'n>>,
}

/// A place of the graph and the edges out of it.
#[derive(Debug)]
pub(super) struct SourceDraft<'n> {
    pub name: Text<'n>,
    pub edges: Option<Vec<EdgeDraft<'n>>>,
}

#[derive(Debug)]
pub(super) struct EdgeDraft<'n> {
    pub span: Span,
    pub target: Option<Text<'n>>,
    pub when: When<'n>,
    pub prompt: Option<Text<'n>>,
}

/// When an edge is taken.
#[derive(Debug, Clone, Copy)]
pub(super) enum When<'n> {
    Always,
    /// When the condition of this name holds.
    Holds(Text<'n>),
    /// Not known: what is written there was reported.
    Faulty,
}
