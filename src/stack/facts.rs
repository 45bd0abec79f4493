//! Ground truth of the sandbox as events of the history.

use havoq_sandbox::Fact;

use crate::aws::Directory;
use crate::history::Kind;

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
        // No scenario has a bus yet, nor functions that its stack runs.
        Fact::Unmatched { .. }
        | Fact::Invoked { .. }
        | Fact::InvocationEnded { .. }
        | Fact::Throttled { .. }
        | Fact::MappingReceived { .. }
        | Fact::BatchSettled { .. }
        | Fact::EventRetried { .. }
        | Fact::EventGivenUp { .. }
        | Fact::EventHandedOver { .. }
        | Fact::EventNotHandedOver { .. } => return Vec::new(),
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
        Fact::MoveTaskEnded { task, status } => {
            Kind::RedriveEnded { task, status: status.as_str().to_owned() }
        }
    };
    vec![event]
}
