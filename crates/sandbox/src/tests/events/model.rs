//! Random calls against a naive model: of each event, each target of each rule that took it sees
//! exactly one end, and without an outage it is the one that the model names. The counters agree.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::json;

use super::rule_arn;
use crate::fact::Fact;
use crate::place::Place;
use crate::targets::Outage;
use crate::tests::{World, arn};

#[derive(Clone, Debug)]
enum Call {
    Target { rule: usize, queue: usize, with_dlq: bool, retries: i64 },
    Untarget { rule: usize, queue: usize },
    Enable { rule: usize, on: bool },
    Put { source: usize },
    Outage { queue: usize, outage: Option<Outage> },
    Policy { queue: usize, allows: bool },
    DeleteQueue { queue: usize },
    CreateQueue { queue: usize },
    Pass { seconds: u64 },
}

const QUEUES: [&str; 3] = ["q0", "q1", "q2"];
/// Each rule takes events of its own source, and those of the source `both`.
const RULES: [&str; 2] = ["r0", "r1"];
const SOURCES: [&str; 4] = ["r0", "r1", "both", "neither"];

fn call() -> impl Strategy<Value = Call> {
    let rule = || 0..RULES.len();
    let queue = || 0..QUEUES.len();
    let outage = prop_oneof![Just(None), Just(Some(Outage::Unavailable)), Just(Some(Outage::Throttled)),];
    prop_oneof![
        4 => (rule(), queue(), any::<bool>(), 0_i64..=185)
            .prop_map(|(rule, queue, with_dlq, retries)| Call::Target { rule, queue, with_dlq, retries }),
        1 => (rule(), queue()).prop_map(|(rule, queue)| Call::Untarget { rule, queue }),
        1 => (rule(), any::<bool>()).prop_map(|(rule, on)| Call::Enable { rule, on }),
        6 => (0..SOURCES.len()).prop_map(|source| Call::Put { source }),
        2 => (queue(), outage).prop_map(|(queue, outage)| Call::Outage { queue, outage }),
        2 => (queue(), any::<bool>()).prop_map(|(queue, allows)| Call::Policy { queue, allows }),
        1 => queue().prop_map(|queue| Call::DeleteQueue { queue }),
        2 => queue().prop_map(|queue| Call::CreateQueue { queue }),
        3 => (0_u64..2_000).prop_map(|seconds| Call::Pass { seconds }),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Delivered,
    DeadLettered,
    Dropped,
}

/// An event, and a rule's target.
type Key = (String, String);

#[derive(Clone, Copy)]
struct Queue {
    exists: bool,
    allows: bool,
    out: bool,
}

struct Model {
    queues: [Queue; 3],
    enabled: [bool; 2],
    /// By rule and queue, whether there is a dead-letter queue.
    targets: BTreeMap<(usize, usize), bool>,
    /// None where an outage leaves it open how it will end.
    expected: BTreeMap<Key, Option<End>>,
    ended: BTreeMap<Key, Vec<End>>,
}

impl Model {
    fn end(&self, queue: usize, with_dlq: bool) -> Option<End> {
        let Queue { exists, allows, out } = self.queues[queue];
        match (out, exists && allows, with_dlq) {
            (true, ..) => None,
            (false, true, _) => Some(End::Delivered),
            (false, false, true) => Some(End::DeadLettered),
            (false, false, false) => Some(End::Dropped),
        }
    }

    fn expect(&mut self, event: &str, source: usize) {
        let takes = |rule: usize| self.enabled[rule] && (source == rule || SOURCES[source] == "both");
        let taken = self.targets.iter().filter(|((rule, _), _)| takes(*rule));
        let ends: Vec<_> = taken
            .map(|(&(rule, queue), with_dlq)| {
                let subscription = format!("{}#{}", rule_arn(RULES[rule]), QUEUES[queue]);
                ((event.to_owned(), subscription), self.end(queue, *with_dlq))
            })
            .collect();
        self.expected.extend(ends);
    }

    fn note(&mut self, facts: Vec<Fact>) {
        for fact in facts {
            let (message_id, subscription, end) = match fact {
                Fact::Delivered { message_id, subscription, .. } => {
                    (message_id, subscription, End::Delivered)
                }
                Fact::DeadLettered { message_id, subscription, .. } => {
                    (message_id, subscription, End::DeadLettered)
                }
                Fact::Undelivered { message_id, subscription, .. } => {
                    (message_id, subscription, End::Dropped)
                }
                _ => continue,
            };
            self.ended.entry((message_id.as_str().to_owned(), subscription)).or_default().push(end);
        }
    }

    fn count(&self, wanted: impl Fn(End) -> bool) -> f64 {
        self.ended.values().flatten().filter(|end| wanted(**end)).count() as f64
    }
}

fn step(world: &mut World, model: &mut Model, call: Call) {
    match call {
        Call::Target { rule, queue, with_dlq, retries } => {
            let mut target = json!({
                "Id": QUEUES[queue],
                "Arn": arn(QUEUES[queue]),
                "RetryPolicy": { "MaximumRetryAttempts": retries },
            });
            if with_dlq {
                target["DeadLetterConfig"] = json!({ "Arn": arn("dlq") });
            }
            world.target("default", RULES[rule], target);
            model.targets.insert((rule, queue), with_dlq);
        }
        Call::Untarget { rule, queue } => {
            world.events_ok("RemoveTargets", json!({ "Rule": RULES[rule], "Ids": [QUEUES[queue]] }));
            model.targets.remove(&(rule, queue));
        }
        Call::Enable { rule, on } => {
            let operation = if on { "EnableRule" } else { "DisableRule" };
            world.events_ok(operation, json!({ "Name": RULES[rule] }));
            model.enabled[rule] = on;
        }
        Call::Put { source } => {
            let entry = json!({ "Source": SOURCES[source], "DetailType": "t", "Detail": "{}" });
            let put = world.events_ok("PutEvents", json!({ "Entries": [entry] }));
            world.pass(0);
            model.expect(&super::text(&put["Entries"][0]["EventId"]), source);
        }
        Call::Pass { seconds } => world.pass(seconds),
        call => change_queue(world, model, call),
    }
}

fn change_queue(world: &mut World, model: &mut Model, call: Call) {
    match call {
        Call::Outage { queue, outage } => {
            let arn = arn(QUEUES[queue]);
            world.operate(|core, now| match outage {
                Some(outage) => core.begin_outage(&arn, outage),
                None => core.end_outage(now, &arn),
            });
            model.queues[queue].out = outage.is_some();
        }
        Call::Policy { queue, allows } if model.queues[queue].exists => {
            world.let_rules(QUEUES[queue], if allows { "*" } else { "arn:aws:events:*:*:rule/other" });
            model.queues[queue].allows = allows;
        }
        Call::DeleteQueue { queue } if model.queues[queue].exists => {
            world.remove_queue(QUEUES[queue]);
            model.queues[queue].exists = false;
        }
        Call::CreateQueue { queue } if !model.queues[queue].exists => {
            // Not for 60 s after it was deleted.
            let made = world.try_create(QUEUES[queue], &[]).is_ok();
            if made {
                world.let_rules(QUEUES[queue], "*");
                model.queues[queue] = Queue { exists: true, allows: true, ..model.queues[queue] };
            }
        }
        _ => {}
    }
}

/// What a metric of both rules came to.
fn total(world: &World, metric: &str) -> f64 {
    let span = 1_800_000_000..world.now.as_secs();
    let of = |rule: &str| {
        let dimensions = [("RuleName", rule)];
        world.core.cloudwatch.stats_of(Place::HOME, "AWS/Events", metric, &dimensions, span.clone())
    };
    RULES.into_iter().filter_map(of).map(|stats| stats.sum).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn each_event_ends_once_at_each_target(calls in prop::collection::vec(call(), 1..60)) {
        let mut world = World::new();
        QUEUES.into_iter().for_each(|queue| world.rule_queue(queue));
        world.rule_queue("dlq");
        for rule in RULES {
            let pattern = json!({ "source": [rule, "both"] }).to_string();
            world.events_ok("PutRule", json!({ "Name": rule, "EventPattern": pattern }));
        }
        let mut model = Model {
            queues: [Queue { exists: true, allows: true, out: false }; 3],
            enabled: [true; 2],
            targets: BTreeMap::new(),
            expected: BTreeMap::new(),
            ended: BTreeMap::new(),
        };
        for call in calls {
            step(&mut world, &mut model, call);
            model.note(world.facts());
        }
        // Whether the outages end or not, so does every event within a day.
        world.pass(24 * 3_600 + 60);
        model.note(world.facts());
        prop_assert_eq!(world.core.timers.next_delivery(), None);
        prop_assert!(model.ended.keys().eq(model.expected.keys()));
        for (key, expected) in &model.expected {
            let ends = &model.ended[key];
            prop_assert_eq!(ends.len(), 1, "{:?} {:?}", key, ends);
            prop_assert!(expected.is_none_or(|expected| ends[0] == expected), "{:?} {:?}", ends, expected);
        }
        prop_assert_eq!(total(&world, "Invocations"), model.count(|_| true));
        prop_assert_eq!(total(&world, "SuccessfulInvocationAttempts"), model.count(|end| end == End::Delivered));
        prop_assert_eq!(total(&world, "FailedInvocations"), model.count(|end| end != End::Delivered));
        prop_assert_eq!(total(&world, "InvocationsSentToDlq"), model.count(|end| end == End::DeadLettered));
        let attempts = total(&world, "InvocationAttempts") - total(&world, "RetryInvocationAttempts");
        prop_assert_eq!(attempts, model.count(|_| true));
    }
}
