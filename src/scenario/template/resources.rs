//! The resources of a template and what was found out about them.

use std::collections::BTreeMap;

use super::super::lower::Kind;
use super::super::problem::{Log, Span};
use super::super::suggest::nearest;
use super::super::yaml::{Node, Scalar};
use super::value::Pieces;
use super::{known, properties};

#[derive(Clone, Debug)]
pub(super) struct Resource<'a> {
    pub(super) kind: Kind,
    pub(super) of_type: String,
    pub(super) span: Span,
    pub(super) node: &'a Node,
}

/// A template while it is read.
pub(super) struct Stack<'a, 'log> {
    pub(super) parameters: BTreeMap<String, Option<Pieces>>,
    pub(super) resources: BTreeMap<String, Resource<'a>>,
    /// Every resource could be told by its type.
    pub(super) complete: bool,
    /// Physical names that the template sets, by logical id.
    pub(super) physical: BTreeMap<String, String>,
    /// The resource that is being read, for the graph of references.
    pub(super) current: Option<String>,
    pub(super) references: Vec<(String, String, Span)>,
    pub(super) log: &'a mut Log<'log>,
}

impl<'a, 'log> Stack<'a, 'log> {
    pub(super) fn new(
        parameters: BTreeMap<String, Option<Pieces>>,
        (resources, complete): (BTreeMap<String, Resource<'a>>, bool),
        log: &'a mut Log<'log>,
    ) -> Self {
        Self {
            parameters,
            resources,
            complete,
            physical: BTreeMap::new(),
            current: None,
            references: Vec::new(),
            log,
        }
    }

    /// Reads the physical names first, since references may be given by name.
    pub(super) fn find_names(&mut self) {
        for (id, resource) in self.resources.clone() {
            let Some(property) = known::name_property(resource.kind) else { continue };
            self.current = Some(id.clone());
            let Some(name) = properties::physical_name(self, &resource, property) else { continue };
            let taken = self.physical.iter().any(|(other, taken)| {
                *taken == name.value
                    && self.resources.get(other).is_some_and(|other| other.kind == resource.kind)
            });
            if taken {
                self.log.report(name.span, format!("another resource has the name `{}` already", name.value));
            }
            self.physical.insert(id, name.value);
        }
    }

    pub(super) fn is(&self, id: &str, kind: Kind) -> bool {
        self.resources.get(id).is_some_and(|resource| resource.kind == kind)
    }

    /// The resource of a kind that has this physical name.
    pub(super) fn named(&self, name: &str, kind: Kind) -> Option<&str> {
        self.physical
            .iter()
            .find(|(id, known)| *known == name && self.is(id, kind))
            .map(|(id, _)| id.as_str())
    }
}

/// The resources by logical id, and whether all of them could be told.
pub(super) fn read<'a>(root: &'a Node, log: &mut Log<'_>) -> (BTreeMap<String, Resource<'a>>, bool) {
    let mut resources = BTreeMap::new();
    let Some(section) = root.entry("Resources") else { return (resources, false) };
    let Some(entries) = section.value.entries() else {
        log.report(
            section.value.span,
            format!("expected a mapping of resources, found {}", section.value.kind()),
        );
        return (resources, false);
    };
    let mut complete = true;
    for entry in entries {
        if !is_logical_id(&entry.key) {
            log.report(entry.key_span, "a logical id has the characters A-Z a-z 0-9");
        }
        match of_type(&entry.value, entry.key_span, log) {
            Some(of_type) => {
                let kind = known::kind_of(&of_type);
                let resource = Resource { kind, of_type, span: entry.key_span, node: &entry.value };
                resources.insert(entry.key.clone(), resource);
            }
            None => complete = false,
        }
    }
    (resources, complete)
}

fn is_logical_id(id: &str) -> bool {
    !id.is_empty() && id.len() <= 255 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn of_type(node: &Node, key: Span, log: &mut Log<'_>) -> Option<String> {
    let Some(entry) = node.entry("Type") else {
        log.report(key, "`Type` is missing").hint("add `Type: AWS::SQS::Queue`, for example");
        return None;
    };
    let Some(Scalar::Text(text)) = entry.value.scalar() else {
        log.report(entry.value.span, format!("expected a resource type, found {}", entry.value.kind()));
        return None;
    };
    // A misspelled type would else be left out like any other that is not implemented.
    if known::kind_of(text) == Kind::Other
        && let Some(near) = nearest(text, known::types()).filter(|near| near.len().abs_diff(text.len()) <= 2)
        && strsim::damerau_levenshtein(text, near) <= 2
    {
        log.report(entry.value.span, format!("unknown resource type `{text}`"))
            .hint(format!("did you mean `{near}`?"));
        return None;
    }
    Some(text.to_owned())
}
