//! Names that must exist: of the stack's resources, of consumers, of effects.

use std::collections::{BTreeMap, BTreeSet};

use super::super::decode::{Id, Sp};
use super::super::model::MadeKind;
use super::super::suggest::hint_for;
use super::Context;

/// What a logical id stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::scenario) enum Kind {
    Queue,
    Alarm,
    Topic,
    Function,
    /// A queue's mapping to a function.
    Mapping,
    Made(MadeKind),
    /// A resource that havoq does not implement.
    Other,
}

impl Kind {
    fn what(self) -> &'static str {
        match self {
            Self::Queue => "a queue",
            Self::Alarm => "an alarm",
            Self::Topic => "a topic",
            Self::Function => "a function",
            Self::Mapping => "an event source mapping",
            Self::Made(kind) => kind.what(),
            Self::Other => "a resource that havoq does not implement",
        }
    }
}

/// The names of a stack, which hold even where a resource has problems of its own.
#[derive(Clone, Debug, Default)]
pub(in crate::scenario) struct StackNames {
    /// `None` when the template could not be read: then every name may be right.
    pub(in crate::scenario) kinds: Option<BTreeMap<String, Kind>>,
    /// Queues that are a dead-letter queue; `None` when that is not known of all.
    pub(in crate::scenario) dead_letter_queues: Option<BTreeSet<String>>,
}

impl Context<'_, '_> {
    pub(super) fn queue(&mut self, id: Option<&Sp<Id>>) -> Option<String> {
        self.resource(id?, Kind::Queue)
    }

    pub(super) fn alarm(&mut self, id: Option<&Sp<Id>>) -> Option<String> {
        self.resource(id?, Kind::Alarm)
    }

    pub(super) fn topic(&mut self, id: Option<&Sp<Id>>) -> Option<String> {
        self.resource(id?, Kind::Topic)
    }

    pub(super) fn resource(&mut self, id: &Sp<Id>, wanted: Kind) -> Option<String> {
        let name = id.0.as_str();
        let Some(kinds) = &self.stack.kinds else { return Some(name.to_owned()) };
        match kinds.get(name) {
            Some(kind) if *kind == wanted => return Some(name.to_owned()),
            Some(kind) => {
                let message = format!("`{name}` is {}, not {}", kind.what(), wanted.what());
                self.log.report(id.span, message).hint_if(hint_for(name, of_kind(kinds, wanted)));
            }
            None => {
                let message = format!(
                    "the stack has no {} `{name}`",
                    &wanted.what().trim_start_matches("an ").trim_start_matches("a ")
                );
                self.log.report(id.span, message).hint_if(hint_for(name, of_kind(kinds, wanted)));
            }
        }
        None
    }

    /// A queue to which another one sends its dead letters.
    pub(super) fn dead_letter_queue(&mut self, id: Option<&Sp<Id>>) -> Option<String> {
        let id = id?;
        let name = self.queue(Some(id))?;
        let Some(known) = &self.stack.dead_letter_queues else { return Some(name) };
        if known.contains(&name) {
            return Some(name);
        }
        let hint = hint_for(&name, known.iter().map(String::as_str))
            .or_else(|| Some("give a queue a RedrivePolicy that names it".to_owned()));
        self.log.report(id.span, format!("`{name}` is no dead-letter queue of the stack")).hint_if(hint);
        None
    }

    pub(super) fn consumer(&mut self, id: Option<&Sp<Id>>) -> Option<String> {
        let id = id?;
        if self.consumers.contains_key(id.0.as_str()) {
            return Some(id.0.clone());
        }
        self.log
            .report(id.span, format!("there is no consumer `{}`", id.0))
            .hint_if(hint_for(&id.0, self.consumers.keys().copied()));
        None
    }

    pub(super) fn effect(&mut self, id: &Sp<Id>) -> Option<String> {
        if self.effects.contains(&id.0.as_str()) {
            return Some(id.0.clone());
        }
        self.log
            .report(id.span, format!("there is no effect `{}`", id.0))
            .hint_if(hint_for(&id.0, self.effects.iter().copied()));
        None
    }
}

fn of_kind(kinds: &BTreeMap<String, Kind>, wanted: Kind) -> impl Iterator<Item = &str> + Clone {
    kinds.iter().filter(move |(_, kind)| **kind == wanted).map(|(name, _)| name.as_str())
}
