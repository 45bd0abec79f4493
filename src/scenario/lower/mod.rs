//! From what is written to what it means: names are resolved, alternatives decided, the order of
//! steps checked. Every problem is noted; what is wrong is left out of the result, which is thrown
//! away then.

mod claims;
mod consumers;
mod fault;
mod kill;
mod labels;
mod lambda;
mod names;
mod placeholders;
mod ready;
mod steps;

use std::collections::{BTreeMap, BTreeSet};

use havoq_fault::FaultSpec;

pub(super) use names::{Kind, StackNames};

use super::decode::Sp;
use super::model::{Consumer, Effect, Expectation, Program, Step, Template};
use super::problem::{Log, Span};
use super::raw::{FaultRaw, ScenarioRaw};
use super::yaml::{Data, Node};
use labels::Labels;

/// The parts of a scenario that depend on each other.
pub(super) struct Lowered {
    pub(super) consumers: BTreeMap<String, Consumer>,
    pub(super) effects: BTreeMap<String, Effect>,
    pub(super) steady_state: Vec<Step>,
    pub(super) inject: Vec<Step>,
    pub(super) expect: Vec<Expectation>,
}

impl Lowered {
    /// The functions of the stack that consumers run, and the queues that each is fed from.
    pub(super) fn functions_run(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut run = BTreeMap::<&str, BTreeSet<&str>>::new();
        for consumer in self.consumers.values() {
            let Program::Lambda(lambda) = &consumer.runs else { continue };
            let Some(function) = &lambda.function else { continue };
            let queues = consumer.queues.iter().map(|queue| queue.value.as_str());
            run.entry(function).or_default().extend(queues);
        }
        run
    }
}

/// What the lowering of every part may look at.
struct Context<'a, 'log> {
    log: &'a mut Log<'log>,
    stack: &'a StackNames,
    /// The names that the scenario gives, with wrong values too.
    consumers: BTreeMap<&'a str, Option<&'a super::raw::ConsumerRaw>>,
    effects: Vec<&'a str>,
    labels: Labels,
    template: &'a Template,
}

pub(super) fn lower(
    root: &Node,
    raw: &ScenarioRaw,
    (template, stack): (&Template, &StackNames),
    log: &mut Log<'_>,
) -> Lowered {
    let consumers = raw.consumers.iter().flat_map(|table| &table.value.0);
    let effects = raw.effects.iter().flat_map(|table| &table.value.0);
    let labels = Labels::collect(raw, lost_items(root, raw), log);
    let mut cx = Context {
        log,
        stack,
        consumers: consumers
            .map(|(name, consumer)| (name.as_str(), consumer.as_ref().map(|consumer| &consumer.value)))
            .collect(),
        effects: effects.map(|(name, _)| name.as_str()).collect(),
        labels,
        template,
    };
    Lowered {
        consumers: cx.lower_consumers(raw),
        effects: cx.lower_effects(raw),
        steady_state: cx.lower_steady_state(raw),
        inject: cx.lower_inject(raw),
        expect: cx.lower_expect(raw),
    }
}

/// Faults that belong to no scenario: there are no consumers and no labels, and a queue is whatever
/// has that name.
pub(super) fn lower_faults(raws: &[Sp<FaultRaw>], log: &mut Log<'_>) -> Vec<FaultSpec> {
    let mut cx = Context {
        log,
        stack: &StackNames::default(),
        consumers: BTreeMap::new(),
        effects: Vec::new(),
        labels: Labels::default(),
        template: &Template::default(),
    };
    raws.iter().flat_map(|raw| cx.lower_alone(raw).unwrap_or_default()).collect()
}

/// Whether a step could not be read at all, so that labels may be missing through no fault of
/// those who use them.
fn lost_items(root: &Node, raw: &ScenarioRaw) -> bool {
    let written = |key| match root.entry(key).map(|entry| &entry.value.data) {
        Some(Data::List(items)) => items.len(),
        _ => 0,
    };
    let steady = raw.steady_state.as_ref().map_or(0, |list| list.len());
    let inject = raw.inject.as_ref().map_or(0, |list| list.0.len());
    written("steady_state") != steady || written("inject") != inject
}

impl Context<'_, '_> {
    fn problem(&mut self, span: Span, message: impl Into<String>, hint: impl Into<String>) {
        self.log.report(span, message).hint(hint);
    }
}
