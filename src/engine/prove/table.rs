//! The mutations, all of them.

use havoq_fault::{FaultSpec, Gauge, Matching, Values, find};

use super::deliveries::Theft;
use super::effects::Bend;
use super::forge::Forgery;
use super::mutation::{Mutation, Way};
use super::needs::Need::{Alarm, AlarmAction, Consumer, DeadLetters, Effect, Fault, Messages};
use super::stack;
use crate::scenario::{Planned, Scenario};

/// In the order in which they are told.
pub(super) const MUTATIONS: &[Mutation] = &[
    Mutation {
        name: "swallow-deletes",
        about: "Every delete is answered as done, and is not done.",
        needs: &[Consumer],
        way: Way::Calls(|| fault("swallow", &["DeleteMessage", "DeleteMessageBatch"])),
    },
    Mutation {
        name: "lose-messages",
        about: "One message of each label is gone from its queue before anybody is given it.",
        needs: &[Consumer, Messages],
        way: Way::Deliveries(Theft::BeforeDelivery),
    },
    Mutation {
        name: "delete-early",
        about: "Each message is gone from its queue as soon as it is delivered.",
        needs: &[Consumer, Messages],
        way: Way::Deliveries(Theft::AtDelivery),
    },
    Mutation {
        name: "deliver-twice",
        about: "Each message is delivered once more, inside its visibility timeout.",
        needs: &[Consumer],
        way: Way::Calls(|| fault("duplicate-delivery", &["ReceiveMessage"])),
    },
    Mutation {
        name: "never-deliver",
        about: "No receive brings a message any more.",
        needs: &[Consumer],
        way: Way::Calls(|| fault("empty-receive", &["ReceiveMessage"])),
    },
    Mutation {
        name: "effect-twice",
        about: "Each effect counts once more when the message is deleted.",
        needs: &[Consumer, Messages, Effect],
        way: Way::Forgeries(Forgery::AtDelete),
    },
    Mutation {
        name: "effect-always",
        about: "Each message that is delivered has the effects that others have.",
        needs: &[Consumer, Messages, Effect],
        way: Way::Forgeries(Forgery::AtDelivery),
    },
    Mutation {
        name: "effect-dropped",
        about: "The sinks answer each effect, and none comes to be.",
        needs: &[Effect],
        way: Way::Effects(Bend::Drop),
    },
    Mutation {
        name: "replay-counted",
        about: "The sinks ignore the Idempotency-Key: a replay counts as an effect.",
        needs: &[Effect],
        way: Way::Effects(Bend::CountReplays),
    },
    Mutation {
        name: "dead-letter-early",
        about: "maxReceiveCount is 1 in every redrive policy.",
        needs: &[DeadLetters],
        way: Way::Stack(stack::dead_letter_early),
    },
    Mutation {
        name: "never-dead-letter",
        about: "No queue has a redrive policy.",
        needs: &[DeadLetters],
        way: Way::Stack(stack::never_dead_letter),
    },
    Mutation {
        name: "redeliver-early",
        about: "The visibility timeout of every queue is 1 s.",
        needs: &[Consumer],
        way: Way::Stack(stack::redeliver_early),
    },
    Mutation {
        name: "alarm-silenced",
        about: "No alarm carries out its actions.",
        needs: &[AlarmAction],
        way: Way::Stack(stack::alarm_silenced),
    },
    Mutation {
        name: "alarm-gone",
        about: "Every alarm is deleted, and so keeps its state.",
        needs: &[Alarm],
        way: Way::Stack(stack::alarm_gone),
    },
    Mutation {
        name: "alarm-stuck",
        about: "Every alarm goes to ALARM, whatever its metric says, and stays there.",
        needs: &[Alarm],
        way: Way::Stack(stack::alarm_stuck),
    },
    Mutation {
        name: "faults-not-armed",
        about: "The scenario's own kills and faults stay out.",
        needs: &[Fault],
        way: Way::Unarmed,
    },
];

/// The names of all mutations, each with what it does in one line.
pub fn mutations() -> impl Iterator<Item = (&'static str, &'static str)> {
    MUTATIONS.iter().map(|mutation| (mutation.name, mutation.about))
}

pub(super) fn named(name: &str) -> Option<&'static Mutation> {
    MUTATIONS.iter().find(|mutation| mutation.name == name)
}

/// What the scenario is to be run with, and what is skipped.
pub(super) fn plan(scenario: &Scenario) -> Vec<Planned> {
    let planned = |mutation: &Mutation| Planned {
        mutation: mutation.name.to_owned(),
        skipped: mutation.is_idle_for(scenario).map(str::to_owned),
    };
    MUTATIONS.iter().map(planned).collect()
}

/// A fault that takes hold of each of these calls.
fn fault(kind: &str, operations: &[&str]) -> Result<FaultSpec, String> {
    let kind = find(kind).ok_or_else(|| format!("there is no fault `{kind}`"))?;
    let operations = operations.iter().map(|operation| (*operation).to_owned()).collect();
    FaultSpec::new(kind, Values::default(), Matching { operations, ..Matching::default() }, Gauge::default())
}
