//! Random calls against a naive model: of each published message, each subscription that was
//! confirmed then sees exactly one end.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::json;

use super::topic_arn;
use crate::fact::Fact;
use crate::tests::{World, arn};

#[derive(Clone, Debug)]
enum Call {
    Subscribe { queue: usize, with_dlq: bool },
    Unsubscribe { queue: usize },
    Publish,
    Outage { queue: usize, on: bool },
    DeleteQueue { queue: usize },
    CreateQueue { queue: usize },
    Pass { seconds: u64 },
}

const QUEUES: [&str; 3] = ["q0", "q1", "q2"];

fn call() -> impl Strategy<Value = Call> {
    let queue = 0..QUEUES.len();
    prop_oneof![
        3 => (queue.clone(), any::<bool>()).prop_map(|(queue, with_dlq)| Call::Subscribe { queue, with_dlq }),
        1 => queue.clone().prop_map(|queue| Call::Unsubscribe { queue }),
        6 => Just(Call::Publish),
        2 => (queue.clone(), any::<bool>()).prop_map(|(queue, on)| Call::Outage { queue, on }),
        1 => queue.clone().prop_map(|queue| Call::DeleteQueue { queue }),
        2 => queue.prop_map(|queue| Call::CreateQueue { queue }),
        3 => (0_u64..200).prop_map(|seconds| Call::Pass { seconds }),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Delivered,
    DeadLettered,
    Undelivered,
}

#[derive(Default)]
struct Model {
    /// By queue, the subscription's ARN.
    subscribed: BTreeMap<usize, String>,
    /// Messages and subscriptions.
    expected: BTreeSet<(String, String)>,
    ended: BTreeMap<(String, String), Vec<End>>,
}

impl Model {
    fn note(&mut self, facts: Vec<Fact>) {
        for fact in facts {
            let (key, end) = match fact {
                Fact::Delivered { message_id, subscription, .. } => {
                    ((message_id, subscription), End::Delivered)
                }
                Fact::DeadLettered { message_id, subscription, .. } => {
                    ((message_id, subscription), End::DeadLettered)
                }
                Fact::Undelivered { message_id, subscription, .. } => {
                    ((message_id, subscription), End::Undelivered)
                }
                _ => continue,
            };
            self.ended.entry((key.0.as_str().to_owned(), key.1)).or_default().push(end);
        }
    }
}

fn step(world: &mut World, model: &mut Model, call: Call) {
    let topic = topic_arn("t");
    match call {
        Call::Subscribe { queue, with_dlq } if !model.subscribed.contains_key(&queue) => {
            let redrive = json!({ "deadLetterTargetArn": arn("dlq") }).to_string();
            let attributes = if with_dlq { json!({ "RedrivePolicy": redrive }) } else { json!({}) };
            let sub = world.subscribe(&topic, QUEUES[queue], attributes);
            model.subscribed.insert(queue, sub);
        }
        Call::Unsubscribe { queue } => {
            if let Some(sub) = model.subscribed.remove(&queue) {
                world.sns_ok("Unsubscribe", json!({ "SubscriptionArn": sub }));
            }
        }
        Call::Publish => {
            let id = world.publish(&topic, "a");
            for sub in model.subscribed.values() {
                model.expected.insert((id.clone(), sub.clone()));
            }
        }
        Call::Outage { queue, on } => {
            let queue = arn(QUEUES[queue]);
            world.operate(
                |core, now| if on { core.begin_outage(&queue) } else { core.end_outage(now, &queue) },
            );
        }
        Call::DeleteQueue { queue } => {
            let _ = world.on(QUEUES[queue], |core, now, id| core.delete_queue(now, id));
        }
        Call::CreateQueue { queue } => {
            if world.try_create(QUEUES[queue], &[]).is_ok() {
                world.allow(QUEUES[queue], &topic);
            }
        }
        Call::Pass { seconds } => world.pass(seconds),
        Call::Subscribe { .. } => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn each_message_ends_once_at_each_subscription(calls in prop::collection::vec(call(), 1..60)) {
        let mut world = World::new();
        QUEUES.into_iter().for_each(|queue| world.queue(queue));
        world.queue("dlq");
        world.topic("t", json!({}));
        let mut model = Model::default();
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
        for (key, ends) in &model.ended {
            prop_assert_eq!(ends.len(), 1, "{:?} {:?}", key, ends);
        }
        let ended: BTreeSet<_> = model.ended.into_keys().collect();
        prop_assert_eq!(ended, model.expected);
    }
}
