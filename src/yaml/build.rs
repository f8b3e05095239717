//! From the events of the parser to the tree.
//!
//! Nothing here calls itself: the collections that are open stand on a stack of our own, which
//! has a limit.

use std::collections::HashMap;

use granit_parser::{Event, ScalarStyle, StructureStyle};

use super::anchors::{Anchors, Size};
use super::fault::Fault;
use super::indent::{self, Floor};
use super::messages::Situation;
use super::sentences;
use super::source::Source;
use super::tags::{self, Given};
use super::tree::{Entry, Kind, Mark, Node, Scalar, Span, Style};
use crate::wording::quoted;

/// Values that a document may hold; they take some hundred bytes each.
const MAX_NODES: usize = 4_000_000;

/// Levels that a document may be deep. The store carries twice as many, so what is read can
/// be kept.
pub(super) const MAX_DEPTH: usize = 256;

/// A collection whose end has not been read.
struct Open {
    start: Mark,
    /// Where the last part ended: the end of a block collection.
    reached: Mark,
    style: StructureStyle,
    /// What its lines must stand deeper than, when it goes on between brackets or quotes.
    floor: Floor,
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
        /// Where each key was given.
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

    fn complete(self) -> Kind {
        match self {
            Self::Sequence(items) => Kind::Sequence(items),
            Self::Mapping { entries, .. } => Kind::Mapping(entries),
        }
    }
}

/// Takes the events of one text and holds what they amount to.
pub(super) struct Builder<'text> {
    source: Source<'text>,
    /// Whether the indentation between brackets and quotes is measured here.
    measured: bool,
    open: Vec<Open>,
    anchors: Anchors,
    nodes: usize,
    root: Option<Node>,
    /// Where the part that was read last ended.
    reached: Mark,
    /// Whether a document has begun.
    begun: bool,
}

impl<'text> Builder<'text> {
    pub fn new(source: Source<'text>, measured: bool) -> Self {
        Self {
            source,
            measured,
            open: Vec::new(),
            anchors: Anchors::new(),
            nodes: 0,
            root: None,
            reached: source.start(),
            begun: false,
        }
    }

    /// The document, when all events were taken.
    pub fn finish(self) -> Option<Node> {
        self.root
    }

    /// What an error of the parser is to be seen with.
    pub fn situation(&self) -> Situation<'text> {
        Situation {
            source: self.source,
            read_until: self.reached.offset,
            bracket: self.bracket(),
            begun: self.begun,
        }
    }

    /// The innermost bracket that is open.
    fn bracket(&self) -> Option<Mark> {
        let bracket = |open: &Open| {
            let bracket = self.source.from(open.start.offset).starts_with(['[', '{']);
            (bracket && open.style == StructureStyle::Flow).then_some(open.start)
        };
        self.open.iter().rev().find_map(bracket)
    }

    /// Takes the next event.
    pub fn take(&mut self, event: Event<'_>, span: granit_parser::Span) -> Result<(), Fault> {
        let place = self.source.span_of(span);
        if self.measured {
            self.measure(&event, place)?;
        }
        self.reached = self.reached.max(place.end);
        let given = |tag| Given { tag, node: span };
        match event {
            Event::DocumentStart(..) => self.begin_document(place.start),
            Event::Scalar(text, style, anchor, tag) => {
                let tag = tag.as_deref().map(given);
                let scalar = Scalar {
                    // The parser hands over a value that was left out as `~`.
                    text: match style {
                        ScalarStyle::Plain if place.start == place.end => String::new(),
                        _ => text.into_owned(),
                    },
                    style: style_of(style),
                    tag: tag.map(|tag| tag.on_scalar(self.source)).transpose()?,
                };
                self.scalar(scalar, place, anchor)
            }
            Event::SequenceStart(style, anchor, tag) => {
                let tag = tag.as_deref().map(given);
                tag.map_or(Ok(()), |tag| tag.on_collection("seq", self.source))?;
                self.begin(place.start, style, anchor, Content::Sequence(Vec::new()))
            }
            Event::MappingStart(style, anchor, tag) => {
                let tag = tag.as_deref().map(given);
                tag.map_or(Ok(()), |tag| tag.on_collection("map", self.source))?;
                self.begin(place.start, style, anchor, Content::mapping())
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(place.end),
            Event::Alias(id) => self.alias(id, place),
            Event::UnresolvedAlias(name) => Err(sentences::unknown_alias(&name, place.start)),
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
        tags::check_fits(&scalar, span.start)?;
        let size = Size::of_scalar(&scalar.text);
        let node = Node {
            span,
            kind: Kind::Scalar(scalar),
        };
        if anchor != 0 {
            self.anchors.close(anchor, &node, size);
        }
        self.add(node, size)
    }

    /// A copy of the anchored node. It stands where the alias stands; what is in it stands where
    /// it was written.
    fn alias(&mut self, id: usize, place: Span) -> Result<(), Fault> {
        let (mut node, size) = self.anchors.copy(id, place.start)?;
        if self.open.len() + size.height > MAX_DEPTH {
            return Err(sentences::too_deep(place.start));
        }
        node.span = place;
        self.add(node, size)
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
            return Err(sentences::too_deep(start));
        }
        if style == StructureStyle::Block {
            self.check_for_tab(start)?;
        }
        if anchor != 0 {
            self.anchors.open(anchor, start);
        }
        self.open.push(Open {
            start,
            reached: start,
            style,
            floor: self.floor_of(start, style, &content),
            anchor,
            size: Size::of_collection(),
            content,
        });
        Ok(())
    }

    fn floor(&self) -> Floor {
        self.open.last().map_or(0, |open| open.floor)
    }

    /// A list may stand as deep as its key, and then the parser reports its first item instead of
    /// its first `-`: so the key counts.
    fn floor_of(&self, start: Mark, style: StructureStyle, content: &Content) -> Floor {
        let is_value = matches!(
            self.open.last().map(|open| &open.content),
            Some(Content::Mapping { .. })
        );
        match (style, content) {
            (StructureStyle::Flow, _) => self.floor(),
            (StructureStyle::Block, Content::Sequence(_)) if is_value => self.floor(),
            (StructureStyle::Block, _) => start.column,
        }
    }

    /// A tab that the parser lets pass: before the first key or item of a block.
    fn check_for_tab(&self, start: Mark) -> Result<(), Fault> {
        let before = self.source.line_before(start.offset);
        let indicator = |character| matches!(character, ' ' | '\t' | '-' | '?' | ':');
        match before.find('\t') {
            Some(at) if before.chars().all(indicator) => {
                let offset = start.offset - before.len() + at;
                Err(sentences::tab(self.source.mark(offset)))
            }
            _ => Ok(()),
        }
    }

    /// Puts the measure of [`indent`] to what comes next.
    fn measure(&self, event: &Event<'_>, place: Span) -> Result<(), Fault> {
        let between_brackets = matches!(
            self.open.last(),
            Some(open) if open.style == StructureStyle::Flow
        );
        let begins_line = place.start.line > self.reached.line;
        match event {
            Event::SequenceEnd | Event::MappingEnd if between_brackets && begins_line => {
                indent::check_closing(self.floor(), place.start, self.bracket(), self.source)
            }
            Event::Scalar(..)
            | Event::Alias(..)
            | Event::SequenceStart(..)
            | Event::MappingStart(..)
                if between_brackets && begins_line =>
            {
                indent::check_item(self.floor(), place.start, self.bracket(), self.source)
            }
            _ => Ok(()),
        }?;
        match event {
            Event::Scalar(_, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted, ..) => {
                indent::check_quoted(self.floor(), place, self.source)
            }
            _ => Ok(()),
        }
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
            kind: open.content.complete(),
        };
        if open.anchor != 0 {
            self.anchors.close(open.anchor, &node, open.size);
        }
        self.add(node, open.size)
    }

    /// Whether what comes next is a key.
    fn key_is_next(&self) -> bool {
        matches!(
            self.open.last().map(|open| &open.content),
            Some(Content::Mapping { key: None, .. })
        )
    }

    /// Puts a node where it belongs: into the open collection, or at the root.
    fn add(&mut self, node: Node, size: Size) -> Result<(), Fault> {
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
}

fn new_key(node: Node, given: &mut HashMap<String, Mark>) -> Result<(String, Span), Fault> {
    let start = node.span.start;
    let Kind::Scalar(scalar) = node.kind else {
        let message = "a key must be text, and this alias stands for a collection";
        return Err(Fault::new(start, message));
    };
    if scalar.text.is_empty() && scalar.style == Style::Plain && scalar.tag.is_none() {
        return Err(Fault::new(start, "there is no key before the colon"));
    }
    if let Some(first) = given.get(&scalar.text) {
        let message = format!("the key {} is given twice", quoted(&scalar.text));
        return Err(Fault::new(start, message).with_related("first given here", *first));
    }
    given.insert(scalar.text.clone(), start);
    Ok((scalar.text, node.span))
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

fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::SingleQuoted,
        ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}
