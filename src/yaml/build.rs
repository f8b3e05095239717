//! From the events of the parser to the tree.
//!
//! The only place that drives `granit-parser`. It calls itself nowhere: the collections that are
//! open stand on a stack of our own, which has a limit.

use std::collections::HashMap;

use granit_parser::{Event, Marker, Parser, ScalarStyle, StructureStyle};

use super::Strictness;
use super::anchors::{Anchors, Size};
use super::fault::{Fault, excerpt};
use super::messages;
use super::tree::{Entry, Kind, Mark, Node, Scalar, Span, Style, Tag};

/// Bytes that a text may have.
const MAX_BYTES: usize = 64 << 20;

/// Values that a document may hold; they take some hundred bytes each.
const MAX_NODES: usize = 4_000_000;

/// Levels that a document may be deep. The store carries twice as many, so what is read can
/// be kept.
pub(super) const MAX_DEPTH: usize = 256;

/// Reads a text that holds one document. `None` when it holds nothing but white space and comments.
///
/// A byte order mark in front is no part of the text, but counts for offsets.
pub fn parse(text: &str, strictness: Strictness) -> Result<Option<Node>, Fault> {
    let source = Source::new(text);
    source.check()?;
    let options = granit_parser::options! {
        strict_indentation: strictness == Strictness::Strict,
        // Ours names the alias.
        emit_unresolved_aliases: true,
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut builder = Builder::new(source);
    for step in Parser::new_from_str_with_options(source.text, options) {
        let (event, span) = step.map_err(|error| messages::fault(&error, source))?;
        builder.take(event, span)?;
    }
    Ok(builder.root)
}

/// The text as the parser sees it, and how its places are told.
#[derive(Clone, Copy)]
pub(super) struct Source<'text> {
    /// Without a byte order mark.
    pub text: &'text str,
    /// Bytes of the byte order mark.
    skipped: usize,
}

impl<'text> Source<'text> {
    fn new(whole: &'text str) -> Self {
        let text = whole.strip_prefix('\u{feff}').unwrap_or(whole);
        Self {
            text,
            skipped: whole.len() - text.len(),
        }
    }

    /// What the parser itself would not notice, or notice late.
    fn check(self) -> Result<(), Fault> {
        if self.text.len() > MAX_BYTES {
            let message = format!("the text is larger than {} MiB", MAX_BYTES >> 20);
            return Err(Fault::new(self.mark_at(0), message));
        }
        let forbidden = |byte: u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
        match self.text.bytes().position(forbidden) {
            Some(offset) => Err(messages::control_character(self, offset)),
            None => Ok(()),
        }
    }

    pub fn mark(self, marker: &Marker) -> Mark {
        Mark {
            line: marker.line(),
            column: marker.col() + 1,
            offset: marker.byte_offset().unwrap_or_default() + self.skipped,
        }
    }

    /// The place of a byte of `text`, counted as the parser counts.
    pub fn mark_at(self, offset: usize) -> Mark {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let line_start = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let breaks = before.matches(['\n', '\r']).count() - before.matches("\r\n").count();
        Mark {
            line: breaks + 1,
            column: before[line_start..].chars().count() + 1,
            offset: before.len() + self.skipped,
        }
    }

    fn span(self, span: granit_parser::Span) -> Span {
        Span {
            start: self.mark(&span.start),
            end: self.mark(&span.end),
        }
    }
}

/// A node that is complete, with what is known of it.
struct Built {
    node: Node,
    size: Size,
}

/// A collection whose end has not been read.
struct Open {
    start: Mark,
    /// Where the last part ended: the end of a block collection.
    reached: Mark,
    style: StructureStyle,
    /// The number of its anchor, 0 for none.
    anchor: usize,
    size: Size,
    content: Content,
}

enum Content {
    Sequence(Vec<Node>),
    Mapping {
        entries: Vec<Entry>,
        /// The key whose value comes next.
        key: Option<(String, Span)>,
        given: HashMap<String, Mark>,
    },
}

impl Content {
    fn mapping() -> Self {
        Self::Mapping {
            entries: Vec::new(),
            key: None,
            given: HashMap::new(),
        }
    }
}

struct Builder<'text> {
    source: Source<'text>,
    open: Vec<Open>,
    anchors: Anchors,
    nodes: usize,
    root: Option<Node>,
    /// Whether a document has begun.
    begun: bool,
}

impl<'text> Builder<'text> {
    fn new(source: Source<'text>) -> Self {
        Self {
            source,
            open: Vec::new(),
            anchors: Anchors::new(),
            nodes: 0,
            root: None,
            begun: false,
        }
    }

    fn take(&mut self, event: Event<'_>, span: granit_parser::Span) -> Result<(), Fault> {
        let place = self.source.span(span);
        match event {
            Event::DocumentStart(..) => self.begin_document(place.start),
            Event::Scalar(text, style, anchor, tag) => {
                let style = style_of(style);
                let left_out = style == Style::Plain && place.start == place.end;
                let text = if left_out {
                    String::new()
                } else {
                    text.into_owned()
                };
                let tag = self.scalar_tag(tag.as_deref(), span)?;
                self.scalar(Scalar { text, style, tag }, place, anchor)
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.check_collection_tag(tag.as_deref(), "seq", span)?;
                self.begin(place.start, style, anchor, Content::Sequence(Vec::new()))
            }
            Event::MappingStart(style, anchor, tag) => {
                self.check_collection_tag(tag.as_deref(), "map", span)?;
                self.begin(place.start, style, anchor, Content::mapping())
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(place.end),
            Event::Alias(id) => {
                let (mut node, size) = self.anchors.copy(id, place.start)?;
                if self.open.len() + size.height > MAX_DEPTH {
                    return Err(too_deep(place.start));
                }
                node.span = place;
                self.add(Built { node, size })
            }
            Event::UnresolvedAlias(name) => Err(messages::unknown_alias(&name, place.start)),
            _ => Ok(()),
        }
    }

    fn begin_document(&mut self, mark: Mark) -> Result<(), Fault> {
        if self.begun {
            let message = "a second document begins here, and only one is read";
            return Err(Fault::new(mark, message));
        }
        self.begun = true;
        Ok(())
    }

    fn scalar(&mut self, scalar: Scalar, span: Span, anchor: usize) -> Result<(), Fault> {
        if !scalar.fits_tag() {
            return Err(messages::tag_does_not_fit(&scalar, span.start));
        }
        let size = Size::of_scalar(&scalar.text);
        let node = Node {
            span,
            kind: Kind::Scalar(scalar),
        };
        if anchor != 0 {
            self.anchors.close(anchor, &node, size);
        }
        self.add(Built { node, size })
    }

    fn begin(
        &mut self,
        start: Mark,
        style: StructureStyle,
        anchor: usize,
        content: Content,
    ) -> Result<(), Fault> {
        if self.key_is_next() {
            return Err(key_is_collection(&content, start));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(too_deep(start));
        }
        if anchor != 0 {
            self.anchors.open(anchor, start);
        }
        self.open.push(Open {
            start,
            reached: start,
            style,
            anchor,
            size: Size::of_collection(),
            content,
        });
        Ok(())
    }

    fn end(&mut self, event_end: Mark) -> Result<(), Fault> {
        let Some(open) = self.open.pop() else {
            return Ok(());
        };
        let end = match open.style {
            StructureStyle::Flow => event_end,
            StructureStyle::Block => open.reached,
        };
        let node = Node {
            span: Span {
                start: open.start,
                end,
            },
            kind: match open.content {
                Content::Sequence(items) => Kind::Sequence(items),
                Content::Mapping { entries, .. } => Kind::Mapping(entries),
            },
        };
        if open.anchor != 0 {
            self.anchors.close(open.anchor, &node, open.size);
        }
        self.add(Built {
            node,
            size: open.size,
        })
    }

    /// Whether what comes next is a key.
    fn key_is_next(&self) -> bool {
        matches!(
            self.open.last().map(|open| &open.content),
            Some(Content::Mapping { key: None, .. })
        )
    }

    /// Puts a node where it belongs: into the open collection, or at the root.
    fn add(&mut self, built: Built) -> Result<(), Fault> {
        let Built { node, size } = built;
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let message = format!("the document holds more than {MAX_NODES} values");
            return Err(Fault::new(node.span.start, message));
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        open.size.add(size);
        open.reached = node.span.end;
        match &mut open.content {
            Content::Sequence(items) => items.push(node),
            Content::Mapping {
                entries,
                key,
                given,
            } => match key.take() {
                Some((key, key_span)) => entries.push(Entry {
                    key,
                    key_span,
                    value: node,
                }),
                None => *key = Some(new_key(node, given)?),
            },
        }
        Ok(())
    }

    fn scalar_tag(
        &self,
        tag: Option<&granit_parser::Tag>,
        span: granit_parser::Span,
    ) -> Result<Option<Tag>, Fault> {
        let Some(tag) = tag else { return Ok(None) };
        if is_bare(tag) {
            return Ok(Some(Tag::Str));
        }
        match tag.core_suffix() {
            Some("str") => Ok(Some(Tag::Str)),
            Some("int") => Ok(Some(Tag::Int)),
            Some("float") => Ok(Some(Tag::Float)),
            Some("bool") => Ok(Some(Tag::Bool)),
            Some("null") => Ok(Some(Tag::Null)),
            _ => Err(self.refused_tag(tag, span)),
        }
    }

    fn check_collection_tag(
        &self,
        tag: Option<&granit_parser::Tag>,
        wanted: &str,
        span: granit_parser::Span,
    ) -> Result<(), Fault> {
        match tag {
            Some(tag) if !is_bare(tag) && tag.core_suffix() != Some(wanted) => {
                Err(self.refused_tag(tag, span))
            }
            _ => Ok(()),
        }
    }

    fn refused_tag(&self, tag: &granit_parser::Tag, span: granit_parser::Span) -> Fault {
        let start = span.tag_start().unwrap_or(span.start);
        messages::refused_tag(tag, self.source.mark(&start))
    }
}

/// The tag `!`, which says only "not what it looks like".
fn is_bare(tag: &granit_parser::Tag) -> bool {
    tag.parts() == ("", "!")
}

fn new_key(node: Node, given: &mut HashMap<String, Mark>) -> Result<(String, Span), Fault> {
    let start = node.span.start;
    let text = match node.kind {
        Kind::Scalar(scalar) => scalar,
        Kind::Sequence(_) | Kind::Mapping(_) => {
            let message = "a key must be text, and this alias stands for a collection";
            return Err(Fault::new(start, message));
        }
    };
    if text.text.is_empty() && text.style == Style::Plain && text.tag.is_none() {
        return Err(Fault::new(start, "there is no key before the colon"));
    }
    if let Some(first) = given.get(&text.text) {
        let message = format!("the key `{}` is given twice", excerpt(&text.text));
        return Err(Fault::new(start, message).with_related("first given here", *first));
    }
    given.insert(text.text.clone(), start);
    Ok((text.text, node.span))
}

fn key_is_collection(content: &Content, start: Mark) -> Fault {
    let message = match content {
        Content::Sequence(_) => {
            "a key must be text, and this is a list; put it in quotes if the brackets are text"
        }
        Content::Mapping { .. } => {
            "a key must be text, and this is a mapping; put it in quotes if the braces are text"
        }
    };
    Fault::new(start, message)
}

fn too_deep(mark: Mark) -> Fault {
    Fault::new(mark, messages::too_deep())
}

fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::SingleQuoted,
        ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}
