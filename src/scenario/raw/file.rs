//! The top level of a scenario file.

use super::super::decode::{Choice, Decode, Need, Raw, Several, Sp, Table, Text, Title, record};
use super::super::problem::Log;
use super::super::yaml::{Entry, Node};
use super::words::Discarded;
use super::{ClaimRaw, ConsumerRaw, EffectRaw, StepRaw};

record! {
    /// A havoq scenario: a stack, its consumers, what is done to them and what must hold.
    ScenarioRaw {
        /// The scenario's name, one of its own in each run.
        "name" => name: Title, Need::Required, "poison-message";
        /// What the scenario shows, for people.
        "description" => description: Text, Need::Optional,
            "One malformed order must not block the others.";
        /// The CloudFormation template: a file, relative to this one, or the template itself.
        "stack" => stack: Raw, Need::Required, "stacks/orders.yaml";
        /// The programs under test, by name.
        "consumers" => consumers: Table<ConsumerRaw>, Need::Optional,
            "{ fulfilment: { worker: {}, queue: OrderQueue } }";
        /// Where side effects show, by name.
        "effects" => effects: Table<EffectRaw>, Need::Optional,
            "{ charges: { http: /charges, key: $.orderId } }";
        /// What must hold before anything is injected: sends, waits and expectations, in order.
        "steady_state" => steady_state: Vec<Sp<SteadyRaw>>, Need::Optional,
            "[{ send: { to: OrderQueue, as: warmup } }, { effect: { of: warmup, exactly: 1, within: 30s } }]";
        /// What is done, in order.
        "inject" => inject: Several<InjectRaw>, Need::Optional,
            "[{ poison: { to: OrderQueue, form: truncated-json, as: bad } }]";
        /// What must hold in the end.
        "expect" => expect: Several<ExpectRaw>, Need::Required,
            "[{ dead_lettered: { of: bad, in: OrderDLQ, receives: 5, within: 30m } }]";
        /// Lifts an expectation that is always on: `discarded` messages (deleted with no effect).
        "allow" => allow: Vec<Sp<Choice<Discarded>>>, Need::Default("[]"), "[discarded]";
    }
}

/// An item of `inject`. Only gives a better hint than its step would.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct InjectRaw(pub(in crate::scenario) StepRaw);

impl Decode for InjectRaw {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        if let Some(entry) = first_entry(node).filter(|entry| ClaimRaw::knows(&entry.key)) {
            log.report(entry.key_span, format!("`{}` is an expectation, not a step", entry.key))
                .hint(format!("move it to `expect`, or wait for it: `wait: {{ {}: ... }}`", entry.key));
            return None;
        }
        StepRaw::decode(node, log).map(Self)
    }
    fn schema() -> serde_json::Value {
        StepRaw::schema()
    }
}

/// An item of `expect`. Only gives a better hint than its expectation would.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct ExpectRaw(pub(in crate::scenario) ClaimRaw);

impl Decode for ExpectRaw {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let step = |key: &str| StepRaw::KEYS.iter().any(|known| known.name == key);
        if let Some(entry) = first_entry(node).filter(|entry| step(&entry.key)) {
            log.report(entry.key_span, format!("`{}` is a step, not an expectation", entry.key))
                .hint("move it to `inject`");
            return None;
        }
        ClaimRaw::decode(node, log).map(Self)
    }
    fn schema() -> serde_json::Value {
        ClaimRaw::schema()
    }
}

fn first_entry(node: &Node) -> Option<&Entry> {
    node.entries().and_then(|entries| entries.first())
}

/// An item of `steady_state`: a step, or an expectation that must hold before the next item.
#[derive(Clone, Debug)]
pub(in crate::scenario) enum SteadyRaw {
    Step(StepRaw),
    Claim(ClaimRaw),
}

impl Decode for SteadyRaw {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        if first_entry(node).is_some_and(|entry| ClaimRaw::knows(&entry.key)) {
            return ClaimRaw::decode(node, log).map(Self::Claim);
        }
        StepRaw::decode(node, log).map(Self::Step)
    }
    fn schema() -> serde_json::Value {
        serde_json::json!({ "anyOf": [StepRaw::schema(), ClaimRaw::schema()] })
    }
}
