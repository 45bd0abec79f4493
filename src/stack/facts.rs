//! Ground truth of the sandbox as events of the history.

use havoq_sandbox::Fact;

use crate::aws::Directory;
use crate::history::{Kind, reported};

/// The events that a fact is, in the scenario's names.
pub(super) fn events(fact: Fact, directory: &Directory) -> Vec<Kind> {
    let id = |name: String| directory.id_of(&name);
    let event = match fact {
        Fact::Moved { queue, to, message_id, receives } => {
            Kind::Moved { from: id(queue), to: id(to), message_id, receives }
        }
        Fact::Redriven { from, to, old_message_id, message_id } => {
            Kind::Redriven { from: id(from), to: id(to), old_message_id, message_id }
        }
        Fact::Deduplicated { queue, message_id } => Kind::Deduplicated { queue: id(queue), message_id },
        Fact::Denied { queue, principal, action } => Kind::Denied { queue: id(queue), principal, action },
        Fact::PublishDeduplicated { channel, message_id } => {
            Kind::Deduplicated { queue: id(channel), message_id }
        }
        Fact::Published { channel, message_id } => Kind::Published { topic: id(channel), message_id },
        // The judge has no claim on what no rule takes.
        Fact::Unmatched { .. } => return Vec::new(),
        Fact::Delivered { channel, subscription, message_id, attempts, given_id } => Kind::Delivered {
            topic: id(channel),
            subscription,
            message_id,
            attempts,
            queue_message_id: given_id,
        },
        Fact::Filtered { channel, subscription, message_id, why } => {
            Kind::Filtered { topic: id(channel), subscription, message_id, why: why.to_owned() }
        }
        Fact::Retried { channel, subscription, message_id, attempts, next } => {
            Kind::Retried { topic: id(channel), subscription, message_id, attempts, next }
        }
        Fact::DeadLettered { channel, subscription, message_id, attempts, to, given_id, reason } => {
            Kind::Undelivered {
                topic: id(channel),
                subscription,
                message_id,
                attempts,
                dead_lettered: Some(id(to)),
                queue_message_id: given_id,
                reason,
            }
        }
        Fact::Undelivered { channel, subscription, message_id, attempts, reason } => Kind::Undelivered {
            topic: id(channel),
            subscription,
            message_id,
            attempts,
            dead_lettered: None,
            queue_message_id: None,
            reason,
        },
        Fact::Expired { queue, message_id } => Kind::Expired { queue: id(queue), message_id },
        Fact::Purged { queue, message_ids } => {
            let queue = id(queue);
            let purged = |message_id| Kind::Purged { queue: queue.clone(), message_id };
            return message_ids.into_iter().map(purged).collect();
        }
        Fact::Depth { queue, depth } => Kind::DepthSeen {
            queue: id(queue),
            visible: depth.visible,
            in_flight: depth.in_flight,
            delayed: depth.delayed,
        },
        Fact::AlarmChanged { alarm, from, to, reason } => {
            Kind::AlarmChanged { alarm: id(alarm), from: from.to_string(), to: to.to_string(), reason }
        }
        Fact::AlarmAction { alarm, state, target_arn } => Kind::AlarmAction {
            alarm: id(alarm),
            state: state.to_string(),
            target: directory.id_of_arn(&target_arn),
        },
        Fact::Metric { namespace, metric, dimension, value } => {
            Kind::Metric { namespace, metric, dimension: id(dimension), value }
        }
        Fact::Invoked { function, request_id, .. } => {
            let (function, by, environment, messages) = (id(function), None, None, Vec::new());
            Kind::Invoked { function, request_id, by, environment, messages }
        }
        Fact::InvocationEnded { function, request_id, returned } => {
            let (outcome, error) = ((&returned).into(), returned.told(&request_id));
            Kind::InvocationEnded { function: id(function), request_id, by: None, outcome, error }
        }
        Fact::Throttled { function, messages, .. } => {
            Kind::Throttled { function: id(function), by: None, messages }
        }
        // A mapping of the stack's own is known by what it settles.
        Fact::MappingReceived { .. } => return Vec::new(),
        Fact::BatchSettled { function, request_id, deleted, returned, reason, .. } => Kind::BatchSettled {
            function: id(function),
            by: None,
            request_id,
            reported: reported(&reason, &returned),
            deleted,
            returned,
            reason: reason.word().to_owned(),
            why: reason.to_string(),
        },
        Fact::EventRetried { function, request_id, attempts, reason, next } => {
            Kind::EventRetried { function: id(function), request_id, attempts, reason, next }
        }
        Fact::EventGivenUp { function, request_id, attempts, condition } => {
            let (function, condition) = (id(function), condition.to_owned());
            Kind::EventGivenUp { function, request_id, attempts, condition }
        }
        Fact::EventHandedOver { function, request_id, to, message_id } => {
            let (function, to, error) = (id(function), directory.id_of_arn(&to), None);
            Kind::EventHandedOver { function, request_id, to, message_id, error }
        }
        Fact::EventNotHandedOver { function, request_id, to, reason } => Kind::EventHandedOver {
            function: id(function),
            request_id,
            to: directory.id_of_arn(&to),
            message_id: None,
            error: Some(reason),
        },
        Fact::MoveTaskEnded { task, status } => {
            Kind::RedriveEnded { task, status: status.as_str().to_owned() }
        }
    };
    vec![event]
}
