//! Explicit tags: those of the core schema are honoured, others are refused by name.
//!
//! A tag that nobody knows changes what a value means in a way that cannot be guessed, and an
//! answer that begins with `!important` was not meant as a tag at all.

use super::fault::Fault;
use super::source::Source;
use super::tree::{Mark, Scalar, Tag};
use crate::wording::quoted;

/// A tag of the parser and the node it stands before.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    pub tag: &'a granit_parser::Tag,
    pub node: granit_parser::Span,
}

impl Given<'_> {
    /// What the tag says of a scalar.
    pub fn on_scalar(self, source: Source<'_>) -> Result<Tag, Fault> {
        if self.is_bare() {
            return Ok(Tag::Str);
        }
        match self.tag.core_suffix() {
            Some("str") => Ok(Tag::Str),
            Some("int") => Ok(Tag::Int),
            Some("float") => Ok(Tag::Float),
            Some("bool") => Ok(Tag::Bool),
            Some("null") => Ok(Tag::Null),
            _ => Err(self.refused(source)),
        }
    }

    /// A collection can only be tagged as what it is, `seq` or `map`.
    pub fn on_collection(self, is: &str, source: Source<'_>) -> Result<(), Fault> {
        if self.is_bare() || self.tag.core_suffix() == Some(is) {
            Ok(())
        } else {
            Err(self.refused(source))
        }
    }

    /// The tag `!`, which says only that a scalar is not what it looks like.
    fn is_bare(self) -> bool {
        self.tag.parts() == ("", "!")
    }

    fn refused(self, source: Source<'_>) -> Fault {
        let start = self.node.tag_start().unwrap_or(self.node.start);
        let name = quoted(&self.tag.original());
        let message = if self.tag.is_yaml_core_schema() {
            format!("the tag {name} does not fit what it stands before")
        } else {
            format!("the tag {name} is not known; put the value in quotes if it is text")
        };
        Fault::new(source.mark_of(&start), message)
    }
}

/// A scalar must be what its tag says.
pub(super) fn check_fits(scalar: &Scalar, mark: Mark) -> Result<(), Fault> {
    if scalar.fits_tag() {
        return Ok(());
    }
    let (tag, wanted) = match scalar.tag {
        Some(Tag::Int) => ("!!int", "a whole number"),
        Some(Tag::Float) => ("!!float", "a finite number"),
        Some(Tag::Bool) => ("!!bool", "`true` or `false`"),
        Some(Tag::Null) => ("!!null", "`null`"),
        Some(Tag::Str) | None => ("!!str", "text"),
    };
    let text = quoted(&scalar.text);
    Err(Fault::new(
        mark,
        format!("{text} is not {wanted}, as the tag `{tag}` says"),
    ))
}
