//! Anchors and aliases: what was named, and how much of it may be copied.

use std::collections::HashMap;

use super::fault::Fault;
use super::tree::{Mark, Node};

/// Values that anchors may keep and aliases may bring in, in all.
///
/// An alias is a copy: ten lines of ten aliases each would otherwise be ten thousand million
/// values.
const MAX_COPIED_NODES: usize = 100_000;

/// Bytes of text that the same copies may hold, in all.
const MAX_COPIED_BYTES: usize = 16 << 20;

/// How much there is of a node, with everything in it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Size {
    /// The node and all nodes below it.
    pub nodes: usize,
    /// The text in them.
    pub bytes: usize,
    /// Collections inside one another: 0 for a scalar, 1 for a list of scalars.
    pub height: usize,
}

impl Size {
    /// The size of a scalar.
    pub fn of_scalar(text: &str) -> Self {
        Self {
            nodes: 1,
            bytes: text.len(),
            height: 0,
        }
    }

    /// The size of a collection that holds nothing yet.
    pub fn of_collection() -> Self {
        Self {
            nodes: 1,
            bytes: 0,
            height: 1,
        }
    }

    /// Counts a child in.
    pub fn add(&mut self, child: Self) {
        self.nodes += child.nodes;
        self.bytes += child.bytes;
        self.height = self.height.max(child.height + 1);
    }

    fn fits(self, limit: Self) -> bool {
        self.nodes <= limit.nodes && self.bytes <= limit.bytes
    }
}

/// The two limits as one.
const LIMIT: Size = Size {
    nodes: MAX_COPIED_NODES,
    bytes: MAX_COPIED_BYTES,
    height: 0,
};

/// A node under the name of an anchor.
enum Anchored {
    /// Its end has not been read: an alias to it would be a part of itself.
    Open(Mark),
    /// Read, and kept to be copied.
    Kept(Box<Node>, Size),
    /// Read, but larger than what may be copied.
    TooLarge,
}

/// The anchors of a document by the numbers that the parser gives them.
pub(super) struct Anchors {
    by_id: HashMap<usize, Anchored>,
    kept: Size,
    copied: Size,
}

impl Anchors {
    pub fn new() -> Self {
        Self {
            by_id: HashMap::new(),
            kept: Size::default(),
            copied: Size::default(),
        }
    }

    /// An anchored collection begins.
    pub fn open(&mut self, id: usize, mark: Mark) {
        self.by_id.insert(id, Anchored::Open(mark));
    }

    /// An anchored node is complete.
    pub fn close(&mut self, id: usize, node: &Node, size: Size) {
        let kept = grown(self.kept, size);
        let anchored = if kept.fits(LIMIT) {
            self.kept = kept;
            Anchored::Kept(Box::new(node.clone()), size)
        } else {
            Anchored::TooLarge
        };
        self.by_id.insert(id, anchored);
    }

    /// A copy of what an alias stands for.
    pub fn copy(&mut self, id: usize, alias: Mark) -> Result<(Node, Size), Fault> {
        match self.by_id.get(&id) {
            Some(Anchored::Kept(node, size)) => {
                self.copied = grown(self.copied, *size);
                if !self.copied.fits(LIMIT) {
                    return Err(too_much(alias));
                }
                Ok((Node::clone(node), *size))
            }
            Some(Anchored::Open(mark)) => Err(Fault::new(
                alias,
                "this alias stands inside the value that it names",
            )
            .with_related("the value begins here", *mark)),
            Some(Anchored::TooLarge) => Err(too_much(alias)),
            None => Err(Fault::new(alias, "this alias names no anchor")),
        }
    }
}

fn grown(total: Size, by: Size) -> Size {
    Size {
        nodes: total.nodes + by.nodes,
        bytes: total.bytes + by.bytes,
        height: 0,
    }
}

fn too_much(alias: Mark) -> Fault {
    Fault::new(
        alias,
        format!(
            "the aliases of this document stand for more than {MAX_COPIED_NODES} values or {} MiB of text",
            MAX_COPIED_BYTES >> 20
        ),
    )
}
