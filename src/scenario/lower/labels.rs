//! Labels: which step makes each, and in which order.

use std::collections::BTreeMap;

use super::super::decode::{Id, Sp};
use super::super::problem::{Log, Span};
use super::super::raw::{ScenarioRaw, SteadyRaw, StepRaw};
use super::super::suggest::hint_for;
use super::Context;

/// Where a step stands among all steps, those of `steady_state` first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order(pub(super) usize);

#[derive(Debug, Default)]
pub(super) struct Labels {
    made: BTreeMap<String, (Order, Span)>,
    /// The order of the first step of `inject`.
    pub(super) first_injected: usize,
    /// Some labels could not be read: then every name may be right.
    open: bool,
}

impl Labels {
    pub(super) fn collect(raw: &ScenarioRaw, lost: bool, log: &mut Log<'_>) -> Self {
        let steady = raw.steady_state.iter().flat_map(|list| &list.value);
        let inject = raw.inject.iter().flat_map(|list| &list.value.0);
        let steps = steady
            .map(|item| match &item.value {
                SteadyRaw::Step(step) => Some(step),
                SteadyRaw::Claim(_) => None,
            })
            .chain(inject.map(|step| Some(&step.value.0)));
        let first_injected = raw.steady_state.as_ref().map_or(0, |list| list.len());
        let mut labels = Self { first_injected, open: lost, ..Self::default() };
        for (order, step) in steps.enumerate() {
            match step.and_then(label_of) {
                Some(Some(label)) => labels.make(label, Order(order), log),
                Some(None) => labels.open = true,
                None => {}
            }
        }
        labels
    }

    fn make(&mut self, label: &Sp<Id>, order: Order, log: &mut Log<'_>) {
        if let Some((_, first)) = self.made.get(&label.0) {
            let line = first.place.line;
            log.report(label.span, format!("the label `{}` is made twice", label.0))
                .hint(format!("it was first made on line {line}: give this one another name"));
            return;
        }
        self.made.insert(label.0.clone(), (order, label.span));
    }
}

/// The label that a step makes: `None` for steps that make none, `Some(None)` for a wrong one.
fn label_of(step: &StepRaw) -> Option<Option<&Sp<Id>>> {
    match step {
        StepRaw::Send(step) => Some(step.label.as_ref()),
        StepRaw::Poison(step) => Some(step.label.as_ref()),
        StepRaw::Duplicate(step) => Some(step.label.as_ref()),
        _ => None,
    }
}

impl Context<'_, '_> {
    /// A label that is used after all steps.
    pub(super) fn label(&mut self, id: Option<&Sp<Id>>) -> Option<String> {
        self.made(id?).map(|_| id.map_or_else(String::new, |id| id.0.clone()))
    }

    /// A label that a step before `now` has made.
    pub(super) fn label_before(&mut self, id: Option<&Sp<Id>>, now: Order) -> Option<String> {
        let id = id?;
        let made = self.made(id)?;
        if let Some((order, span)) = made
            && order >= now
        {
            let message = format!("no step before this one makes the label `{}`", id.0);
            self.log.report(id.span, message).hint(format!("it is made on line {}", span.place.line));
            return None;
        }
        Some(id.0.clone())
    }

    /// A label that a step after `now` will make, for a fault that is armed at `now`.
    pub(super) fn label_after(&mut self, id: Option<&Sp<Id>>, now: Order) -> Option<String> {
        let id = id?;
        let made = self.made(id)?;
        if let Some((order, span)) = made
            && order < now
        {
            let message = format!("this stands after the step that makes `{}`", id.0);
            let line = span.place.line;
            self.log.report(id.span, message).hint(format!(
                "a fault that is aimed at messages only arms: put it before the step on line {line}"
            ));
            return None;
        }
        Some(id.0.clone())
    }

    /// `Some(None)` when it cannot be known.
    fn made(&mut self, id: &Sp<Id>) -> Option<Option<(Order, Span)>> {
        if let Some(made) = self.labels.made.get(&id.0) {
            return Some(Some(*made));
        }
        if self.labels.open {
            return Some(None);
        }
        self.log
            .report(id.span, format!("no step makes the label `{}`", id.0))
            .hint_if(hint_for(&id.0, self.labels.made.keys().map(String::as_str)));
        None
    }
}
