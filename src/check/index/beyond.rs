//! What consumers do with the stack beyond the scenario: messages that go on where nobody follows
//! them, and changes to what the scenario speaks of.

use super::Index;
use super::facts::When;
use crate::history::{Instance, Kind};

/// What changes what the scenario speaks of, or brings messages at a time that nobody waits for.
const CHANGES: [&str; 11] = [
    "CreateEventSourceMapping",
    "CreatePipe",
    "CreateSchedule",
    "DeleteAlarms",
    "PutMetricAlarm",
    "PutRule",
    "PutTargets",
    "StartMessageMoveTask",
    "StartReplay",
    "UpdatePipe",
    "UpdateSchedule",
];

impl Index {
    /// Keeps the first of it, in words.
    pub(super) fn see_beyond(&mut self, when: When, kind: &Kind) {
        if self.beyond.is_some() {
            return;
        }
        let what = match kind {
            Kind::Received { by, queue, messages, .. } if !messages.is_empty() && !self.is_known(queue) => {
                Some(format!("{by} received from {queue}, which is not in the scenario's stack"))
            }
            Kind::Called { by, operation, queue, error: None, .. } => {
                self.called_beyond(by, operation, queue.as_deref())
            }
            Kind::Delivered { topic, subscription, .. }
            | Kind::Retried { topic, subscription, .. }
            | Kind::Undelivered { topic, subscription, .. }
                if !self.is_of_stack(subscription) =>
            {
                Some(format!("{topic} has a subscription that a consumer made"))
            }
            _ => None,
        };
        self.beyond = what.map(|what| (when, what));
    }

    fn called_beyond(&self, by: &Instance, operation: &str, queue: Option<&str>) -> Option<String> {
        let is_known = queue.is_some_and(|queue| self.is_known(queue));
        match operation {
            "SendMessage" | "SendMessageBatch" if !is_known => {
                let queue = queue.unwrap_or("a queue");
                Some(format!("{by} sent to {queue}, which is not in the scenario's stack"))
            }
            "DeleteQueue" | "PurgeQueue" if is_known => {
                Some(format!("{by} called {operation} on {}", queue.unwrap_or_default()))
            }
            _ if CHANGES.contains(&operation) => Some(format!("{by} called {operation}")),
            _ => None,
        }
    }

    /// Whether the template made this subscription or schedule, or the rule that a target is of.
    fn is_of_stack(&self, subscription: &str) -> bool {
        let arn = subscription.split_once('#').map_or(subscription, |(rule, _)| rule);
        self.run.resources.iter().any(|resource| resource.arn == arn)
    }

    fn is_known(&self, queue: &str) -> bool {
        self.scenario.stack.queues.contains_key(queue)
    }
}
