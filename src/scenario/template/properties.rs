//! The properties of one resource, read with CloudFormation's tolerance for numbers as texts.

use std::ops::RangeInclusive;

use havoq_base::StackDuration;

use super::super::decode::Sp;
use super::super::lower::Kind;
use super::super::problem::Span;
use super::super::suggest::{hint_for, nearest};
use super::super::yaml::{Entry, Node};
use super::known;
use super::naming::NameRule;
use super::resources::{Resource, Stack};
use super::value::{Piece, Pieces, Value};

pub(super) struct Properties<'a, 'b, 'log> {
    pub(super) stack: &'b mut Stack<'a, 'log>,
    pub(super) id: &'b str,
    pub(super) span: Span,
    pub(super) ignored: &'b mut Vec<String>,
    node: Option<&'a Node>,
}

/// A property that may be absent; the outer `None` says that a problem was noted.
pub(super) type Maybe<T> = Option<Option<T>>;

impl<'a, 'b, 'log> Properties<'a, 'b, 'log> {
    /// Checks which properties there are.
    pub(super) fn of(
        stack: &'b mut Stack<'a, 'log>,
        id: &'b str,
        resource: &Resource<'a>,
        ignored: &'b mut Vec<String>,
    ) -> Self {
        let node = resource.node.entry("Properties").map(|entry| &entry.value);
        let mut properties = Self { stack, id, span: resource.span, ignored, node };
        if resource.kind != Kind::Other {
            properties.check_attributes(resource);
            properties.check_names(resource);
        }
        properties
    }

    /// Those that all functions share.
    pub(super) fn of_globals(
        stack: &'b mut Stack<'a, 'log>,
        node: &'a Node,
        ignored: &'b mut Vec<String>,
    ) -> Self {
        Self { stack, id: "Globals", span: node.span, ignored, node: Some(node) }
    }

    fn check_attributes(&mut self, resource: &Resource<'_>) {
        for entry in resource.node.entries().unwrap_or_default() {
            let key = entry.key.as_str();
            if known::ATTRIBUTES.contains(&key) {
                self.ignored.push(format!("`{}`: {key} is not implemented", self.id));
            } else if key != "Type" && key != "Properties" {
                let known = known::ATTRIBUTES.iter().copied().chain(["Type", "Properties"]);
                let hint = nearest(key, known).map(|near| format!("did you mean `{near}`?"));
                let hint = hint.or_else(|| Some("properties stand under `Properties`".to_owned()));
                self.stack.log.report(entry.key_span, format!("unknown key `{key}`")).hint_if(hint);
            }
        }
    }

    fn check_names(&mut self, resource: &Resource<'_>) {
        let Some(node) = self.node else { return };
        let Some(entries) = node.entries() else {
            self.stack
                .log
                .report(node.span, format!("expected a mapping of properties, found {}", node.kind()));
            return;
        };
        let Some(known) = known::properties(resource.kind) else { return };
        for entry in entries {
            let key = entry.key.as_str();
            if known.ignored.contains(&key) {
                self.ignored.push(format!("`{}`: the property {key} is not implemented", self.id));
            } else if !known.read.contains(&key) && !known.quiet.contains(&key) {
                let names = known.read.iter().chain(known.quiet).chain(known.ignored).copied();
                self.stack
                    .log
                    .report(entry.key_span, format!("{} has no property `{key}`", resource.of_type))
                    .hint_if(hint_for(key, names));
            }
        }
    }

    /// The properties as they are written.
    pub(super) fn entries(&self) -> &'a [Entry] {
        self.node.and_then(Node::entries).unwrap_or_default()
    }

    /// The span of a property's value, if it is given.
    pub(super) fn given(&self, name: &str) -> Option<Span> {
        self.node.and_then(|node| node.entry(name)).map(|entry| entry.value.span)
    }

    pub(super) fn get(&mut self, name: &str) -> Maybe<Sp<Value>> {
        let Some(entry) = self.node.and_then(|node| node.entry(name)) else { return Some(None) };
        let value = self.stack.evaluate(&entry.value)?;
        Some(Some(value).filter(|value| !matches!(value.value, Value::Absent)))
    }

    pub(super) fn problem<T>(&mut self, span: Span, message: String, hint: Option<String>) -> Option<T> {
        self.stack.log.report(span, message).hint_if(hint);
        None
    }

    /// A text without symbolic parts.
    pub(super) fn text(&mut self, name: &str) -> Maybe<Sp<String>> {
        let Some(value) = self.get(name)? else { return Some(None) };
        plain_text(self.stack, value).map(Some)
    }

    pub(super) fn required<T>(&mut self, name: &str, value: Maybe<T>) -> Option<T> {
        let value = value?;
        if value.is_none() {
            let message = format!("the property `{name}` is missing");
            return self.problem(self.span, message, None);
        }
        value
    }

    /// A whole number in a range.
    pub(super) fn whole(&mut self, name: &str, range: RangeInclusive<u64>) -> Maybe<u64> {
        let Some(text) = self.text(name)? else { return Some(None) };
        let Ok(number) = text.parse::<i128>() else {
            let message = format!("{name} must be a whole number, not `{}`", text.value);
            return self.problem(text.span, message, None);
        };
        match u64::try_from(number) {
            Ok(number) if range.contains(&number) => Some(Some(number)),
            _ => {
                let message = format!("{name} is out of range: {number}");
                let hint = format!("from {} to {}", range.start(), range.end());
                self.problem(text.span, message, Some(hint))
            }
        }
    }

    pub(super) fn seconds(&mut self, name: &str, range: RangeInclusive<u64>) -> Maybe<StackDuration> {
        Some(self.whole(name, range)?.map(StackDuration::from_secs))
    }

    pub(super) fn boolean(&mut self, name: &str) -> Maybe<bool> {
        let Some(text) = self.text(name)? else { return Some(None) };
        match text.as_str() {
            "true" | "True" | "TRUE" => Some(Some(true)),
            "false" | "False" | "FALSE" => Some(Some(false)),
            other => {
                let message = format!("{name} must be `true` or `false`, not `{other}`");
                self.problem(text.span, message, None)
            }
        }
    }

    /// One of fixed words.
    pub(super) fn word<T: Copy>(&mut self, name: &str, words: &[(&str, T)]) -> Maybe<T> {
        let Some(text) = self.text(name)? else { return Some(None) };
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text.value) {
            return Some(Some(*value));
        }
        let hint = hint_for(&text.value, words.iter().map(|(word, _)| *word));
        self.problem(text.span, format!("{name} cannot be `{}`", text.value), hint)
    }

    /// The name of a FIFO queue or topic ends like that, and no other does (semantics 1.13).
    pub(super) fn check_fifo_name(&mut self, property: &str, fifo: bool) -> Option<()> {
        let Some(name) = self.stack.physical.get(self.id) else { return Some(()) };
        if name.ends_with(".fifo") == fifo {
            return Some(());
        }
        let span = self.given(property).unwrap_or(self.span);
        let message = if fifo {
            format!("{property} must end in `.fifo`, since it is FIFO")
        } else {
            format!("{property} ends in `.fifo`, and it is not FIFO")
        };
        self.problem(span, message, None)
    }

    /// The logical id of the queue or topic whose ARN a text is.
    pub(super) fn by_arn(&self, pieces: &Pieces, kind: Kind, prefix: &str) -> Option<String> {
        if let [Piece::Text(start), Piece::NameOf(id)] = pieces.parts()
            && start == prefix
            && self.stack.is(id, kind)
        {
            return Some(id.clone());
        }
        let arn = pieces.resolve(&self.stack.physical)?;
        self.stack.named(arn.strip_prefix(prefix)?, kind).map(str::to_owned)
    }
}

/// The physical name that a resource sets, checked.
pub(super) fn physical_name(
    stack: &mut Stack<'_, '_>,
    resource: &Resource<'_>,
    property: &str,
) -> Option<Sp<String>> {
    let entry = resource.node.entry("Properties")?.value.entry(property)?;
    let value = stack.evaluate(&entry.value)?;
    if matches!(value.value, Value::Absent) {
        return None;
    }
    let name = plain_text(stack, value)?;
    let rule = NameRule::of(resource.kind);
    if !rule.fits(&name) {
        stack.log.report(name.span, format!("{property} cannot be `{}`", name.value)).hint(rule.hint());
        return None;
    }
    Some(name)
}

/// A value as a text in which nothing is symbolic.
pub(super) fn plain_text(stack: &mut Stack<'_, '_>, value: Sp<Value>) -> Option<Sp<String>> {
    let (span, kind) = (value.span, value.value.kind());
    let Some(pieces) = value.value.into_pieces() else {
        stack.log.report(span, format!("expected a text, found {kind}"));
        return None;
    };
    if let Some(id) = pieces.foreign() {
        stack.log.report(span, format!("this depends on `{id}`, which havoq does not implement"));
        return None;
    }
    match pieces.resolve(&stack.physical) {
        Some(value) => Some(Sp { value, span }),
        None => {
            stack
                .log
                .report(span, "this depends on a name that the stack only chooses when it is made")
                .hint("give that resource a name of its own");
            None
        }
    }
}
