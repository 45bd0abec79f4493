//! Server-side errors on the clock (semantics 2.3).

use serde_json::json;

use crate::fact::Fact;
use crate::targets::Outage;
use crate::tests::{World, arn, secs};

fn world() -> (World, String) {
    let mut world = World::new();
    world.queue("q");
    world.queue("dlq");
    let topic = world.topic("t", json!({}));
    let redrive = json!({ "deadLetterTargetArn": arn("dlq") }).to_string();
    world.subscribe(&topic, "q", json!({ "RedrivePolicy": redrive }));
    world.facts();
    (world, topic)
}

fn outage(world: &mut World, on: bool) {
    world.operate(|core, now| {
        if on { core.begin_outage(&arn("q"), Outage::Unavailable) } else { core.end_outage(now, &arn("q")) }
    });
}

/// The attempts that were made when each retry was set.
fn retries(world: &World) -> Vec<u32> {
    let attempts = |fact| match fact {
        Fact::Retried { attempts, .. } => Some(attempts),
        _ => None,
    };
    world.facts().into_iter().filter_map(attempts).collect()
}

#[test]
fn an_outage_is_retried_at_once_then_after_1_s_then_ever_more_slowly() {
    let (mut world, topic) = world();
    outage(&mut world, true);
    world.publish(&topic, "a");
    assert_eq!(retries(&world), [1, 2, 3], "three attempts at once");
    world.pass(1);
    assert_eq!(retries(&world), [4]);
    world.pass(1);
    assert_eq!(retries(&world), [5]);
    world.pass(120);
    assert_eq!(retries(&world), (6..=15).collect::<Vec<_>>());
    outage(&mut world, false);
    world.pass(20);
    assert_eq!(world.depth("q"), (1, 0, 0));
    assert!(matches!(world.facts()[..], [Fact::Delivered { .. }]));
}

#[test]
fn after_23_days_of_outage_the_message_is_in_the_dead_letter_queue() {
    let (mut world, topic) = world();
    outage(&mut world, true);
    world.publish(&topic, "a");
    world.pass(23 * 86_400);
    assert_eq!(world.depth("dlq"), (0, 0, 0), "it is not given up before");
    world.pass(86_400);
    assert_eq!(world.depth("dlq"), (1, 0, 0));
    let last = world.facts().pop();
    assert!(matches!(&last, Some(Fact::DeadLettered { attempts: 100_015, .. })), "{last:?}");
    assert_eq!(world.core.pendings.len(), 0);
}

#[test]
fn the_attempt_after_an_outage_is_made_when_it_would_have_been_made() {
    let (mut world, topic) = world();
    outage(&mut world, true);
    let published = world.now;
    world.publish(&topic, "a");
    world.pass(10 * 86_400);
    outage(&mut world, false);
    let next = world.core.timers.next_delivery().expect("an attempt");
    assert!(next >= world.now && next <= world.now + secs(20), "{next}");
    world.facts();
    world.pass(20);
    assert_eq!(world.depth("q"), (1, 0, 0));
    let facts = world.facts();
    let Fact::Delivered { attempts, .. } = facts[0] else { panic!("{facts:?}") };
    // About one attempt every 20 s since the publish.
    let expected = next.since(published).as_secs() / 20;
    assert!(u64::from(attempts).abs_diff(expected) < 20, "{attempts} {expected}");
}

#[test]
fn a_second_outage_does_not_start_the_count_again() {
    let (mut world, topic) = world();
    outage(&mut world, true);
    world.publish(&topic, "a");
    world.pass(20 * 86_400);
    outage(&mut world, false);
    outage(&mut world, true);
    world.pass(2 * 86_400);
    assert_eq!(world.depth("dlq"), (0, 0, 0));
    world.pass(2 * 86_400);
    assert_eq!(world.depth("dlq"), (1, 0, 0));
}

#[test]
fn each_pending_delivery_has_one_timer() {
    let (mut world, topic) = world();
    outage(&mut world, true);
    for _ in 0..3 {
        world.publish(&topic, "a");
    }
    world.pass(86_400);
    let mut due = 0;
    while world.core.timers.next_delivery().is_some() {
        let at = world.core.timers.next_delivery().expect("one is due");
        world.core.timers.pop_due(at);
        due += 1;
    }
    assert_eq!(due, 3);
}

#[test]
fn an_outage_of_the_dead_letter_queue_loses_the_message() {
    let (mut world, topic) = world();
    world.on("q", |core, now, id| core.delete_queue(now, id)).expect("deleted");
    world.operate(|core, _| core.begin_outage(&arn("dlq"), Outage::Unavailable));
    world.facts();
    world.publish(&topic, "a");
    assert!(
        matches!(&world.facts()[1], Fact::Undelivered { reason, .. } if reason.ends_with("it is unavailable"))
    );
}

#[test]
fn what_waits_for_the_end_of_an_outage_ends_with_its_subscription() {
    let (mut world, topic) = world();
    outage(&mut world, true);
    world.publish(&topic, "a");
    world.pass(600);
    let listed = world.sns_ok("ListSubscriptionsByTopic", json!({ "TopicArn": topic }));
    let sub = listed["Subscriptions"][0]["SubscriptionArn"].clone();
    world.sns_ok("Unsubscribe", json!({ "SubscriptionArn": sub }));
    world.pass(20);
    assert_eq!(world.core.pendings.len(), 0);
    assert!(matches!(world.facts().last(), Some(Fact::Undelivered { .. })));
}
