//! The expectations.

use havoq_base::StackDuration;

use super::super::decode::{Choice, Id, LongDuration, Need, Positive, TimeSpan, Whole, record, variants};
use super::super::model::AlarmState;

variants! {
    /// An expectation: one thing that must hold.
    ClaimRaw, "an expectation", later [
        "ordered", "retry_gap", "receives", "latency", "throughput", "expired", "growth"
    ] {
        "dead_lettered" => DeadLettered(DeadLetteredRaw),
            "{ of: bad, in: OrderDLQ, receives: 5, within: 30m }";
        "alarm" => Alarm(AlarmRaw), "{ name: OrderDLQAlarm, reaches: ALARM, within: 20m }";
        "redelivered" => Redelivered(RedeliveredRaw), "{ of: victim, not_before: 180s, within: 4m }";
        "effect" => Effect(EffectClaimRaw), "{ of: healthy, in: charges, exactly: 1 }";
        "no_effect" => NoEffect(NoEffectRaw), "{ of: bad }";
        "depth" => Depth(DepthRaw), "{ queue: OrderQueue, visible: { at_most: 0 }, within: 5m }";
        "drained" => Drained(DrainedRaw), "{ queue: OrderQueue, within: 5m }";
        "stays" => Stays(StaysRaw), "{ alarm: { name: OrderDLQAlarm, is: OK } }";
    }
}

impl ClaimRaw {
    /// Whether an item with this key is meant as an expectation.
    pub(in crate::scenario) fn knows(key: &str) -> bool {
        Self::LATER.contains(&key) || Self::KEYS.iter().any(|known| known.name == key)
    }
}

record! {
    /// Each of the messages ends in a dead-letter queue.
    DeadLetteredRaw {
        /// The label of the messages.
        "of" => of: Id, Need::Required, "bad";
        /// The dead-letter queue, by logical id.
        "in" => queue: Id, Need::Required, "OrderDLQ";
        /// After exactly so many receives.
        "receives" => receives: Positive<1000>, Need::Optional, "5";
        /// The deadline.
        "within" => within: LongDuration<StackDuration>, Need::Optional, "30m";
    }
}

record! {
    /// An alarm goes to a state after the injection began.
    AlarmRaw {
        /// The alarm, by logical id.
        "name" => name: Id, Need::Required, "OrderDLQAlarm";
        /// The state that it goes to.
        "reaches" => reaches: Choice<AlarmState>, Need::Required, "ALARM";
        /// The state that it must have been in before, since the injection began.
        "after" => after: Choice<AlarmState>, Need::Optional, "ALARM";
        /// The topic, by logical id, that its action notifies.
        "notifies" => notifies: Id, Need::Optional, "OpsTopic";
        /// The deadline.
        "within" => within: LongDuration<StackDuration>, Need::Optional, "20m";
    }
}

record! {
    /// Each of the messages is received again after a consumer was killed or frozen with it.
    RedeliveredRaw {
        /// The label of the messages.
        "of" => of: Id, Need::Required, "victim";
        /// Not sooner than this after the receive before.
        "not_before" => not_before: TimeSpan<StackDuration>, Need::Optional, "180s";
        /// The deadline.
        "within" => within: LongDuration<StackDuration>, Need::Optional, "4m";
    }
}

record! {
    /// Each of the messages has so many side effects.
    EffectClaimRaw later ["at_least", "at_most", "between"] {
        /// The label of the messages.
        "of" => of: Id, Need::Required, "healthy";
        /// The effect; may be left out when the scenario has only one.
        "in" => effect: Id, Need::Optional, "charges";
        /// How many for each message.
        "exactly" => exactly: Whole<0, { u32::MAX }>, Need::Required, "1";
        /// The deadline.
        "within" => within: LongDuration<StackDuration>, Need::Optional, "30s";
    }
}

record! {
    /// None of the messages has a side effect.
    NoEffectRaw {
        /// The label of the messages.
        "of" => of: Id, Need::Required, "bad";
        /// The effect; every effect of the scenario when absent.
        "in" => effect: Id, Need::Optional, "charges";
    }
}

record! {
    /// A queue gets to a depth. At least one of the three counts is given.
    DepthRaw {
        /// The queue, by logical id.
        "queue" => queue: Id, Need::Required, "OrderQueue";
        /// Messages that can be received.
        "visible" => visible: BoundRaw, Need::Optional, "{ at_most: 0 }";
        /// Messages that were received and neither deleted nor returned.
        "in_flight" => in_flight: BoundRaw, Need::Optional, "{ at_most: 10 }";
        /// Messages that are still delayed.
        "delayed" => delayed: BoundRaw, Need::Optional, "{ exactly: 0 }";
        /// The deadline.
        "within" => within: LongDuration<StackDuration>, Need::Optional, "5m";
    }
}

record! {
    /// Bounds of a count: `exactly`, or `at_least`, `at_most` or both.
    BoundRaw {
        /// This many, no more and no fewer.
        "exactly" => exactly: Whole<0, { u32::MAX }>, Need::Optional, "0";
        /// This many or more.
        "at_least" => at_least: Whole<0, { u32::MAX }>, Need::Optional, "1";
        /// This many or fewer.
        "at_most" => at_most: Whole<0, { u32::MAX }>, Need::Optional, "0";
    }
}

record! {
    /// A queue has nothing left: visible, in flight and delayed are all zero.
    DrainedRaw {
        /// The queue, by logical id.
        "queue" => queue: Id, Need::Required, "OrderQueue";
        /// The deadline.
        "within" => within: LongDuration<StackDuration>, Need::Optional, "5m";
    }
}

record! {
    /// Something does not change from the start of the injection to the end.
    StaysRaw {
        /// An alarm that stays in one state.
        "alarm" => alarm: StaysAlarmRaw, Need::Required, "{ name: OrderDLQAlarm, is: OK }";
    }
}

record! {
    /// An alarm and its state.
    StaysAlarmRaw {
        /// The alarm, by logical id.
        "name" => name: Id, Need::Required, "OrderDLQAlarm";
        /// The state that it stays in.
        "is" => is: Choice<AlarmState>, Need::Required, "OK";
    }
}
