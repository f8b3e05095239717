//! From a JSON pointer (RFC 6901) back to a place in the text.

use std::borrow::Cow;

use super::tree::{Kind, Node, Span};

impl Node {
    /// Where in the text to point for a JSON pointer: the deepest node on its path that exists.
    ///
    /// A scalar that was written out is pointed at itself. A list, a mapping or a value that was
    /// left empty is pointed at by its key, where it has one: that is the line a reader looks
    /// for.
    pub fn locate(&self, pointer: &str) -> Span {
        let mut place = self.itself();
        for token in tokens(pointer).into_iter().flatten() {
            match place.node.child(&token) {
                Some(found) => place = found,
                None => break,
            }
        }
        let written_out = matches!(&place.node.kind, Kind::Scalar(_))
            && place.node.span.start != place.node.span.end;
        match place.key {
            Some(key) if !written_out => key,
            _ => place.node.span,
        }
    }

    /// Where the key stands that a JSON pointer ends with; nothing when it ends elsewhere.
    pub fn locate_key(&self, pointer: &str) -> Option<Span> {
        self.find(pointer)?.key
    }

    /// What a JSON pointer names; the empty pointer names the document.
    pub(super) fn find(&self, pointer: &str) -> Option<Found<'_>> {
        tokens(pointer)?.try_fold(self.itself(), |place, token| place.node.child(&token))
    }

    fn itself(&self) -> Found<'_> {
        Found {
            node: self,
            key: None,
        }
    }

    fn child(&self, token: &str) -> Option<Found<'_>> {
        match &self.kind {
            Kind::Scalar(_) => None,
            Kind::Sequence(items) => {
                let node = items.get(index(token)?)?;
                Some(Found { node, key: None })
            }
            Kind::Mapping(entries) => {
                let entry = entries.iter().find(|entry| entry.key == token)?;
                Some(Found {
                    node: &entry.value,
                    key: Some(entry.key_span),
                })
            }
        }
    }
}

/// A node that a step of a pointer led to, with the key that led there.
pub(super) struct Found<'a> {
    pub node: &'a Node,
    key: Option<Span>,
}

/// The steps of a pointer, unescaped; nothing when it is not a pointer.
fn tokens(pointer: &str) -> Option<impl Iterator<Item = Cow<'_, str>>> {
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return None;
    }
    Some(pointer.split('/').skip(1).map(|token| {
        if token.contains('~') {
            Cow::Owned(token.replace("~1", "/").replace("~0", "~"))
        } else {
            Cow::Borrowed(token)
        }
    }))
}

/// An index as RFC 6901 writes it: digits, no leading zero.
fn index(token: &str) -> Option<usize> {
    let canonical = token == "0" || !token.starts_with(['0', '+']);
    canonical.then(|| token.parse().ok()).flatten()
}
