//! Semantics 1.16: what queues emit each minute.

use serde_json::json;

use super::World;
use crate::cloudwatch::{AlarmSpec, Stats, dlq_alarm};
use crate::fact::Fact;

fn watch(world: &mut World, metric: &str, queue: &str) {
    let alarm = AlarmSpec { name: format!("{queue} {metric}"), metric: metric.into(), ..dlq_alarm(queue) };
    world.operate(|core, now| core.put_alarm(now, alarm)).expect("the alarm is put");
}

/// The datapoints that were made known, in order.
fn datapoints(world: &World, metric: &str, queue: &str) -> Vec<f64> {
    let facts = world.facts.lock().expect("no panic holds it");
    let values = facts.iter().filter_map(|(_, fact)| match fact {
        Fact::Metric { metric: name, dimension, value, .. } if name == metric && dimension == queue => {
            Some(*value)
        }
        _ => None,
    });
    values.collect()
}

#[test]
fn sent_does_not_count_automatic_dead_lettering() {
    let mut world = World::with_dlq(1);
    for queue in ["q", "dlq"] {
        watch(&mut world, "NumberOfMessagesSent", queue);
        watch(&mut world, "ApproximateNumberOfMessagesVisible", queue);
    }
    world.send("q", "poison");
    world.one("q");
    world.pass(30);
    world.receive("q");
    world.pass(60);
    assert_eq!(datapoints(&world, "NumberOfMessagesSent", "q"), [1.0, 0.0][..1]);
    assert_eq!(datapoints(&world, "NumberOfMessagesSent", "dlq"), [0.0]);
    assert_eq!(datapoints(&world, "ApproximateNumberOfMessagesVisible", "dlq"), [1.0]);
    world.send("dlq", "explicit");
    world.pass(60);
    assert_eq!(datapoints(&world, "NumberOfMessagesSent", "dlq"), [0.0, 1.0]);
}

#[test]
fn gauges_show_the_counts_at_the_end_of_the_minute() {
    let mut world = World::new();
    world.create("q", &[("VisibilityTimeout", "300")]);
    let gauges = [
        "ApproximateNumberOfMessagesVisible",
        "ApproximateNumberOfMessagesNotVisible",
        "ApproximateNumberOfMessagesDelayed",
    ];
    gauges.into_iter().for_each(|gauge| watch(&mut world, gauge, "q"));
    for body in ["a", "b", "c"] {
        world.send("q", body);
    }
    world.try_receive("q", json!({})).expect("received");
    world.try_send("q", json!({ "MessageBody": "d", "DelaySeconds": 90 })).expect("sent");
    world.pass(60);
    assert_eq!(gauges.map(|gauge| datapoints(&world, gauge, "q")), [[2.0], [1.0], [1.0]]);
    world.pass(60);
    assert_eq!(
        gauges.map(|gauge| datapoints(&world, gauge, "q").last().copied()),
        [Some(3.0), Some(1.0), Some(0.0)]
    );
}

#[test]
fn received_counts_repeats_deleted_counts_calls_and_empty_receives_are_counted() {
    let mut world = World::new();
    world.create("q", &[("VisibilityTimeout", "0")]);
    let counters =
        ["NumberOfMessagesReceived", "NumberOfMessagesDeleted", "NumberOfEmptyReceives", "SentMessageSize"];
    counters.into_iter().for_each(|counter| watch(&mut world, counter, "q"));
    world.send("q", "four");
    world.one("q");
    let handle = world.one("q").handle;
    world.delete("q", &handle).expect("deleted");
    world.delete("q", &handle).expect("deleted");
    world.receive("q");
    world.pass(60);
    assert_eq!(counters.map(|counter| datapoints(&world, counter, "q")), [[2.0], [2.0], [1.0], [4.0]]);
    // Counters start anew each minute, and without a send there is no size.
    world.pass(60);
    let last = counters.map(|counter| datapoints(&world, counter, "q").last().copied());
    assert_eq!(last, [Some(0.0), Some(0.0), Some(0.0), Some(4.0)]);
}

#[test]
fn the_age_in_a_dead_letter_queue_counts_from_the_move() {
    let mut world = World::with_dlq(1);
    for queue in ["q", "dlq"] {
        watch(&mut world, "ApproximateAgeOfOldestMessage", queue);
    }
    world.send("q", "poison");
    world.one("q");
    world.pass(90);
    world.receive("q");
    world.pass(30);
    assert_eq!(datapoints(&world, "ApproximateAgeOfOldestMessage", "q"), [60.0, 0.0]);
    assert_eq!(datapoints(&world, "ApproximateAgeOfOldestMessage", "dlq"), [0.0, 30.0]);
}

#[test]
fn the_age_skips_poison_pills() {
    let mut world = World::with_dlq(5);
    watch(&mut world, "ApproximateAgeOfOldestMessage", "q");
    world.send("q", "poison");
    for _ in 0..3 {
        let handle = world.one("q").handle;
        world.change("q", &handle, 0).expect("changed");
    }
    world.pass(20);
    world.send("q", "younger");
    world.pass(40);
    assert_eq!(datapoints(&world, "ApproximateAgeOfOldestMessage", "q"), [40.0]);
}

#[test]
fn a_datapoint_is_made_known_only_when_it_differs_from_the_one_before() {
    let mut world = World::new();
    world.create("q", &[]);
    watch(&mut world, "ApproximateNumberOfMessagesVisible", "q");
    world.pass(600);
    assert_eq!(datapoints(&world, "ApproximateNumberOfMessagesVisible", "q"), [0.0]);
    assert!(datapoints(&world, "NumberOfMessagesSent", "q").is_empty(), "nobody watches it");
}

/// The statistic set of some of a queue's datapoints, counted in minutes since the start.
fn stats(world: &World, queue: &str, metric: &str, minutes: std::ops::Range<u64>) -> Option<Stats> {
    let at = |minute| 1_800_000_000 + minute * 60;
    world.core.cloudwatch.queue_stats(queue, metric, at(minutes.start)..at(minutes.end))
}

#[test]
fn queues_emit_whether_or_not_an_alarm_watches_and_stop_6_h_after_the_last_action() {
    let mut world = World::new();
    world.create("q", &[]);
    world.pass(90);
    world.send("q", "four");
    world.pass(30);
    assert_eq!(stats(&world, "q", "NumberOfMessagesSent", 0..1), Some(Stats::of(0.0)));
    assert_eq!(stats(&world, "q", "NumberOfMessagesSent", 1..2), Some(Stats::of(1.0)));
    assert_eq!(stats(&world, "q", "SentMessageSize", 0..2), Some(Stats::of(4.0)));
    let handle = world.one("q").handle;
    world.delete("q", &handle).expect("deleted");
    world.pass(86_400);
    let sent = stats(&world, "q", "ApproximateNumberOfMessagesVisible", 0..2_000);
    assert_eq!(sent.map(|stats| stats.count), Some(2.0 + 360.0));
    world.send("q", "it wakes up");
    world.pass(120);
    assert_eq!(stats(&world, "q", "NumberOfMessagesSent", 1_442..1_443), Some(Stats::of(1.0)));
    assert_eq!(stats(&world, "q", "NumberOfMessagesSent", 1_443..1_444), Some(Stats::of(0.0)));
}

#[test]
fn two_idle_weeks_of_a_full_queue_are_kept_whole() {
    let mut world = World::new();
    world.create("q", &[("MessageRetentionPeriod", "1209600")]);
    world.send("q", "a");
    world.pass(1_209_600);
    let age = stats(&world, "q", "ApproximateAgeOfOldestMessage", 0..20_159).expect("it has data");
    assert_eq!((age.count, age.min, age.max), (20_159.0, 60.0, 20_159.0 * 60.0));
}

#[test]
fn a_fifo_queue_counts_swallowed_sends_and_groups_with_messages_in_flight() {
    let mut world = World::fifo(&[("VisibilityTimeout", "90")]);
    let metrics = [
        "NumberOfDeduplicatedSentMessages",
        "NumberOfMessagesSent",
        "ApproximateNumberOfGroupsWithInflightMessages",
    ];
    metrics.into_iter().for_each(|metric| watch(&mut world, metric, "q.fifo"));
    world.send_in("1", &["a", "a", "b"]);
    world.send_in("2", &["c"]);
    world.send_in("3", &["d"]);
    world.try_receive("q.fifo", json!({ "MaxNumberOfMessages": 3 })).expect("received");
    world.pass(60);
    assert_eq!(metrics.map(|metric| datapoints(&world, metric, "q.fifo")), [[1.0], [4.0], [2.0]]);
    world.pass(60);
    let last = metrics.map(|metric| datapoints(&world, metric, "q.fifo").last().copied());
    assert_eq!(last, [Some(0.0); 3]);
}

#[test]
fn a_queue_with_tenants_tells_the_noisy_from_the_quiet() {
    let mut world = World::new();
    world.create("q", &[("VisibilityTimeout", "300")]);
    let metrics = [
        "ApproximateNumberOfNoisyGroups",
        "ApproximateNumberOfMessagesVisibleInQuietGroups",
        "ApproximateNumberOfMessagesNotVisibleInQuietGroups",
        "ApproximateNumberOfMessagesVisible",
    ];
    metrics.into_iter().for_each(|metric| watch(&mut world, metric, "q"));
    let mut send = |tenant: &str, count: u32| {
        for _ in 0..count {
            world.try_send("q", json!({ "MessageBody": tenant, "MessageGroupId": tenant })).expect("sent");
        }
    };
    send("loud", 50);
    send("soft", 5);
    for _ in 0..4 {
        world.receive("q");
    }
    world.pass(60);
    // Thirty of the noisy tenant's in flight made way for the quiet one's five.
    assert_eq!(metrics.map(|metric| datapoints(&world, metric, "q")), [[1.0], [0.0], [5.0], [15.0]]);
}
