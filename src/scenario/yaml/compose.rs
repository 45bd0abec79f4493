//! From the parser's events to a tree, with the limits that keep hostile files harmless.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Seen;

use granit_parser::{Event, Parser, ScalarStyle, Span as Range, Tag};

use super::super::place::Place;
use super::super::problem::{Log, Span};
use super::node::{Data, Entry, Node};

/// Nodes after aliases are expanded: a billion-laughs file stops here.
const MAX_NODES: usize = 100_000;
/// Far above any template, far below what recursion over the tree can bear.
const MAX_DEPTH: usize = 64;

/// Reads a text of one document. Problems go to `log`; `None` when there is no tree to go on with.
pub(in crate::scenario) fn compose(text: &str, log: &mut Log<'_>) -> Option<Node> {
    let mut options = granit_parser::Options::default();
    options.set_emit_comments(false);
    options.emit_unresolved_aliases = true;
    let parser = Parser::new_from_str_with_options(text, options);
    let mut composer =
        Composer { log, open: Vec::new(), anchors: HashMap::new(), nodes: 0, root: None, documents: 0 };
    for event in parser {
        let step = match event {
            Ok((event, range)) => composer.take(event, range),
            Err(error) => {
                super::syntax::report(&error, composer.log);
                Err(Stop)
            }
        };
        if step.is_err() {
            return None;
        }
    }
    let root = composer.root;
    if root.is_none() {
        let span = Span { place: Place { line: 1, column: 1 }, length: 1 };
        log.report(span, "the file is empty");
    }
    root
}

/// Nothing sensible can follow; the problem has been noted.
struct Stop;

struct Composer<'a, 'log> {
    log: &'a mut Log<'log>,
    open: Vec<Open>,
    /// Finished nodes that have an anchor, with their depth.
    anchors: HashMap<usize, (Node, usize)>,
    nodes: usize,
    root: Option<Node>,
    documents: usize,
}

/// A list or mapping whose end has not been seen.
struct Open {
    node: Node,
    anchor: usize,
    /// Of the deepest node below.
    depth: usize,
    /// A key that waits for its value.
    key: Option<(String, Span)>,
    /// Each key so far and its line.
    seen: HashMap<String, u64>,
}

impl Composer<'_, '_> {
    fn take(&mut self, event: Event<'_>, range: Range) -> Result<(), Stop> {
        match event {
            Event::DocumentStart(..) => self.document(range),
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain && !is_string_tag(tag.as_deref());
                let data = Data::Scalar { text: text.into_owned(), plain };
                let node = Node { span: span_of(&range), tag: local_tag(tag.as_deref()), data };
                self.count(&node.span, 1)?;
                self.finish(node, anchor, 1)
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.start(Data::List(Vec::new()), anchor, tag.as_deref(), range)
            }
            Event::MappingStart(_, anchor, tag) => {
                self.start(Data::Map(Vec::new()), anchor, tag.as_deref(), range)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(range),
            Event::Alias(anchor) => self.alias(anchor, span_of(&range)),
            Event::UnresolvedAlias(name) => {
                self.log.report(span_of(&range), format!("no anchor `&{name}` stands before this alias"));
                Err(Stop)
            }
            _ => Ok(()),
        }
    }

    fn document(&mut self, range: Range) -> Result<(), Stop> {
        self.documents += 1;
        if self.documents > 1 {
            self.log
                .report(span_of(&range), "a second document in one file")
                .hint("put each scenario in a file of its own");
            return Err(Stop);
        }
        Ok(())
    }

    fn start(&mut self, data: Data, anchor: usize, tag: Option<&Tag>, range: Range) -> Result<(), Stop> {
        let span = span_of(&range);
        self.count(&span, 1)?;
        if self.open.len() >= MAX_DEPTH {
            return self.too_deep(span);
        }
        let node = Node { span, tag: local_tag(tag), data };
        self.open.push(Open { node, anchor, depth: 1, key: None, seen: HashMap::new() });
        Ok(())
    }

    fn end(&mut self, range: Range) -> Result<(), Stop> {
        let Some(mut open) = self.open.pop() else { return Ok(()) };
        open.node.span = whole_span(&open.node, &range);
        self.finish(open.node, open.anchor, open.depth)
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), Stop> {
        let Some((node, depth)) = self.anchors.get(&anchor) else {
            self.log.report(span, "this alias stands inside its own anchor");
            return Err(Stop);
        };
        let (mut node, depth) = (node.clone(), *depth);
        self.count(&span, size(&node))?;
        if self.open.len() + depth > MAX_DEPTH {
            return self.too_deep(span);
        }
        node.span = span;
        self.finish(node, 0, depth)
    }

    /// Puts a finished node where it belongs: below the open one, or at the root.
    fn finish(&mut self, node: Node, anchor: usize, depth: usize) -> Result<(), Stop> {
        if anchor != 0 {
            self.count(&node.span, size(&node))?;
            self.anchors.insert(anchor, (node.clone(), depth));
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        parent.depth = parent.depth.max(depth + 1);
        match (&mut parent.node.data, parent.key.take()) {
            (Data::List(items), _) => items.push(node),
            (Data::Map(entries), Some((key, key_span))) => entries.push(Entry { key, key_span, value: node }),
            (Data::Map(_), None) => return self.key(node),
            (Data::Scalar { .. }, _) => {}
        }
        Ok(())
    }

    fn key(&mut self, node: Node) -> Result<(), Stop> {
        let Some(parent) = self.open.last_mut() else { return Ok(()) };
        let Data::Scalar { text, .. } = node.data else {
            self.log.report(node.span, "a key must be a plain name");
            return Err(Stop);
        };
        match parent.seen.entry(text.clone()) {
            Seen::Vacant(seen) => drop(seen.insert(node.span.place.line)),
            Seen::Occupied(first) => self
                .log
                .report(node.span, format!("`{text}` stands here a second time"))
                .hint(format!("it was first given on line {}", first.get())),
        }
        parent.key = Some((text, node.span));
        Ok(())
    }

    fn count(&mut self, span: &Span, nodes: usize) -> Result<(), Stop> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > MAX_NODES {
            self.log.report(*span, format!("more than {MAX_NODES} values, aliases counted each time"));
            return Err(Stop);
        }
        Ok(())
    }

    fn too_deep(&mut self, span: Span) -> Result<(), Stop> {
        self.log.report(span, format!("more than {MAX_DEPTH} levels of nesting"));
        Err(Stop)
    }
}

/// CloudFormation's short intrinsics are local tags; YAML's own tags add nothing here. Any other
/// tag is kept whole, so that whoever reads the node finds that it means nothing to us.
fn local_tag(tag: Option<&Tag>) -> Option<String> {
    const CORE: [&str; 7] = ["str", "int", "float", "bool", "null", "seq", "map"];
    let tag = tag?;
    match tag.parts() {
        ("!", "") | ("", "!" | "") => None,
        ("!", suffix) => Some(suffix.to_owned()),
        _ if CORE.iter().any(|core| tag.is_yaml_core_schema_tag(core)) => None,
        (handle, suffix) => Some(format!("{handle}{suffix}")),
    }
}

fn is_string_tag(tag: Option<&Tag>) -> bool {
    // A lone `!` also makes a text of any scalar.
    tag.is_some_and(|tag| {
        tag.is_yaml_core_schema_tag("str") || tag.parts() == ("!", "") || tag.parts() == ("", "!")
    })
}

fn size(node: &Node) -> usize {
    1 + match &node.data {
        Data::Scalar { .. } => 0,
        Data::List(items) => items.iter().map(size).sum(),
        Data::Map(entries) => entries.iter().map(|entry| 1 + size(&entry.value)).sum(),
    }
}

fn span_of(range: &Range) -> Span {
    let (start, end) = (&range.start, &range.end);
    let length = if start.line() == end.line() { end.col().saturating_sub(start.col()) } else { 1 };
    Span {
        place: Place { line: start.line() as u64, column: start.col() as u64 + 1 },
        length: length.max(1) as u64,
    }
}

/// The span of a finished list or mapping: all of it when on one line, else its first key.
fn whole_span(node: &Node, end: &Range) -> Span {
    let Span { place, length } = node.span;
    let (line, column) = (end.end.line() as u64, end.end.col() as u64 + 1);
    let length = if line == place.line && column > place.column {
        column - place.column
    } else {
        match &node.data {
            Data::Map(entries) => entries
                .first()
                .filter(|entry| entry.key_span.place == place)
                .map_or(length, |entry| entry.key_span.length),
            _ => length,
        }
    };
    Span { place, length }
}
