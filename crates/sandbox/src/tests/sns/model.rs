//! Random calls against a naive model: of each published message, each subscription that was there
//! sees exactly one end, and without an outage it is the one that the model names.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;

use super::topic_arn;
use crate::fact::Fact;
use crate::targets::Outage;
use crate::tests::{World, arn};

#[derive(Clone, Debug)]
enum Call {
    Subscribe { queue: usize, with_dlq: bool },
    Unsubscribe { queue: usize },
    Filter { queue: usize, on: bool },
    Publish { with_attribute: bool },
    Outage { queue: usize, on: bool },
    Policy { queue: usize, allows: bool },
    DeleteQueue { queue: usize },
    CreateQueue { queue: usize },
    Pass { seconds: u64 },
}

const QUEUES: [&str; 3] = ["q0", "q1", "q2"];

fn call() -> impl Strategy<Value = Call> {
    let queue = || 0..QUEUES.len();
    let queue_and = || (queue(), any::<bool>());
    prop_oneof![
        3 => queue_and().prop_map(|(queue, with_dlq)| Call::Subscribe { queue, with_dlq }),
        1 => queue().prop_map(|queue| Call::Unsubscribe { queue }),
        1 => queue_and().prop_map(|(queue, on)| Call::Filter { queue, on }),
        6 => any::<bool>().prop_map(|with_attribute| Call::Publish { with_attribute }),
        2 => queue_and().prop_map(|(queue, on)| Call::Outage { queue, on }),
        2 => queue_and().prop_map(|(queue, allows)| Call::Policy { queue, allows }),
        1 => queue().prop_map(|queue| Call::DeleteQueue { queue }),
        2 => queue().prop_map(|queue| Call::CreateQueue { queue }),
        3 => (0_u64..200).prop_map(|seconds| Call::Pass { seconds }),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Delivered,
    Filtered,
    DeadLettered,
    Undelivered,
}

/// A message and a subscription.
type Key = (String, String);

struct Subscribed {
    arn: String,
    with_dlq: bool,
    filters: bool,
}

#[derive(Clone, Copy)]
struct Queue {
    exists: bool,
    allows: bool,
    out: bool,
}

struct Model {
    queues: [Queue; 3],
    subscribed: BTreeMap<usize, Subscribed>,
    /// None where an outage leaves it open how it will end.
    expected: BTreeMap<Key, Option<End>>,
    ended: BTreeMap<Key, Vec<End>>,
}

impl Model {
    fn end(&self, queue: usize, sub: &Subscribed, with_attribute: bool) -> Option<End> {
        let Queue { exists, allows, out } = self.queues[queue];
        if sub.filters && !with_attribute {
            return Some(End::Filtered);
        }
        match (out, exists && allows, sub.with_dlq) {
            (true, ..) => None,
            (false, true, _) => Some(End::Delivered),
            (false, false, true) => Some(End::DeadLettered),
            (false, false, false) => Some(End::Undelivered),
        }
    }

    fn note(&mut self, facts: Vec<Fact>) {
        for fact in facts {
            let (message_id, subscription, end) = match fact {
                Fact::Delivered { message_id, subscription, .. } => {
                    (message_id, subscription, End::Delivered)
                }
                Fact::Filtered { message_id, subscription, .. } => (message_id, subscription, End::Filtered),
                Fact::DeadLettered { message_id, subscription, .. } => {
                    (message_id, subscription, End::DeadLettered)
                }
                Fact::Undelivered { message_id, subscription, .. } => {
                    (message_id, subscription, End::Undelivered)
                }
                _ => continue,
            };
            self.ended.entry((message_id.as_str().to_owned(), subscription)).or_default().push(end);
        }
    }
}

fn step(world: &mut World, model: &mut Model, call: Call) {
    let topic = topic_arn("t");
    match call {
        Call::Subscribe { queue, with_dlq } if !model.subscribed.contains_key(&queue) => {
            let redrive = json!({ "deadLetterTargetArn": arn("dlq") }).to_string();
            let attributes = if with_dlq { json!({ "RedrivePolicy": redrive }) } else { json!({}) };
            let arn = world.subscribe(&topic, QUEUES[queue], attributes);
            model.subscribed.insert(queue, Subscribed { arn, with_dlq, filters: false });
        }
        Call::Subscribe { .. } => {}
        Call::Unsubscribe { queue } => {
            if let Some(sub) = model.subscribed.remove(&queue) {
                world.sns_ok("Unsubscribe", json!({ "SubscriptionArn": sub.arn }));
            }
        }
        Call::Filter { queue, on } => {
            let Some(sub) = model.subscribed.get_mut(&queue) else { return };
            let value = if on { r#"{"a":["b"]}"# } else { "" };
            let set = json!({ "SubscriptionArn": sub.arn, "AttributeName": "FilterPolicy", "AttributeValue": value });
            world.sns_ok("SetSubscriptionAttributes", set);
            sub.filters = on;
        }
        Call::Publish { with_attribute } => publish(world, model, &topic, with_attribute),
        Call::Pass { seconds } => world.pass(seconds),
        call => change_queue(world, model, &topic, call),
    }
}

fn publish(world: &mut World, model: &mut Model, topic: &str, with_attribute: bool) {
    let mut message = json!({ "Message": "a" });
    if with_attribute {
        message["MessageAttributes"] = json!({ "a": { "DataType": "String", "StringValue": "b" } });
    }
    let id = world.publish_with(topic, message);
    for (queue, sub) in &model.subscribed {
        let end = model.end(*queue, sub, with_attribute);
        model.expected.insert((id.clone(), sub.arn.clone()), end);
    }
}

fn change_queue(world: &mut World, model: &mut Model, topic: &str, call: Call) {
    match call {
        Call::Outage { queue, on } => {
            let arn = arn(QUEUES[queue]);
            world.operate(|core, now| {
                if on { core.begin_outage(&arn, Outage::Unavailable) } else { core.end_outage(now, &arn) }
            });
            model.queues[queue].out = on;
        }
        Call::Policy { queue, allows } if model.queues[queue].exists => {
            world.allow(
                QUEUES[queue],
                if allows { topic } else { "arn:aws:sns:eu-central-1:123456789012:other" },
            );
            model.queues[queue].allows = allows;
        }
        Call::DeleteQueue { queue } if model.queues[queue].exists => {
            world.on(QUEUES[queue], |core, now, id| core.delete_queue(now, id)).expect("deleted");
            model.queues[queue].exists = false;
        }
        Call::CreateQueue { queue } if !model.queues[queue].exists => {
            // Not for 60 s after it was deleted.
            let made = world.try_create(QUEUES[queue], &[]).is_ok();
            if made {
                world.allow(QUEUES[queue], topic);
                model.queues[queue] = Queue { exists: true, allows: true, ..model.queues[queue] };
            }
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn each_message_ends_once_at_each_subscription(calls in prop::collection::vec(call(), 1..60)) {
        let mut world = World::new();
        QUEUES.into_iter().for_each(|queue| world.queue(queue));
        world.queue("dlq");
        world.topic("t", json!({}));
        let queue = Queue { exists: true, allows: true, out: false };
        let mut model = Model {
            queues: [queue; 3],
            subscribed: BTreeMap::new(),
            expected: BTreeMap::new(),
            ended: BTreeMap::new(),
        };
        for call in calls {
            step(&mut world, &mut model, call);
            model.note(world.facts());
        }
        // What happens when they do not end, another test shows.
        for queue in QUEUES {
            world.operate(|core, now| core.end_outage(now, &arn(queue)));
        }
        world.pass(60);
        model.note(world.facts());
        prop_assert_eq!(world.core.pendings.len(), 0);
        prop_assert!(model.ended.keys().eq(model.expected.keys()));
        for (key, expected) in &model.expected {
            let ends = &model.ended[key];
            prop_assert_eq!(ends.len(), 1, "{:?} {:?}", key, ends);
            prop_assert!(expected.is_none_or(|expected| ends[0] == expected), "{:?} {:?}", ends, expected);
        }
    }
}
