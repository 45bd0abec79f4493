//! The metrics of rules (semantics 3.6).

use serde_json::json;

use super::dead_letters::with_dlq;
use super::{bus_arn, entry, world};
use crate::cloudwatch::Stats;
use crate::place::Place;
use crate::tests::{World, arn};

impl World {
    /// What a metric of the default bus's rule `r` came to in the minute that ends now.
    pub(super) fn rule_metric(&self, metric: &str) -> Option<f64> {
        let now = self.now.as_secs();
        self.rule_stats(metric, now - 60..now).map(|stats| stats.sum)
    }

    /// What it came to so far.
    pub(super) fn rule_sum(&mut self, metric: &str) -> f64 {
        self.pass(60);
        let stats = self.rule_stats(metric, 1_800_000_000..self.now.as_secs());
        stats.map_or(0.0, |stats| stats.sum)
    }

    fn rule_stats(&self, metric: &str, secs: std::ops::Range<u64>) -> Option<Stats> {
        self.core.cloudwatch.stats_of(Place::HOME, "AWS/Events", metric, &[("RuleName", "r")], secs)
    }
}

#[test]
fn what_happens_is_counted_by_the_minute_and_nothing_else() {
    let mut world = world(json!({}));
    world.put("default", json!({}));
    world.put("default", json!({}));
    world.pass(60);
    for metric in [
        "MatchedEvents",
        "TriggeredRules",
        "Invocations",
        "InvocationAttempts",
        "SuccessfulInvocationAttempts",
    ] {
        assert_eq!(world.rule_metric(metric), Some(2.0), "{metric}");
    }
    for metric in
        ["FailedInvocations", "RetryInvocationAttempts", "DeadLetterInvocations", "InvocationsSentToDlq"]
    {
        assert_eq!(world.rule_metric(metric), None, "{metric}");
    }
    world.pass(60);
    assert_eq!(world.rule_metric("Invocations"), None);
}

#[test]
fn a_dead_letter_counts_as_a_failed_invocation_that_was_sent_to_the_queue() {
    let mut world = with_dlq();
    world.remove_queue("q");
    world.put("default", json!({}));
    world.pass(60);
    for metric in ["Invocations", "FailedInvocations", "InvocationsSentToDlq"] {
        assert_eq!(world.rule_metric(metric), Some(1.0), "{metric}");
    }
    assert_eq!(world.rule_metric("DeadLetterInvocations"), None);
}

#[test]
fn a_rule_of_another_bus_is_told_with_its_bus() {
    let mut world = World::new();
    world.rule_queue("q");
    world.events_ok("CreateEventBus", json!({ "Name": "orders" }));
    world.rule("orders", "r");
    world.target("orders", "r", json!({ "Id": "t", "Arn": arn("q") }));
    world.put(&bus_arn("orders"), json!({}));
    world.pass(60);
    let now = world.now.as_secs();
    let of = |dimensions: &[(&str, &str)]| {
        world.core.cloudwatch.stats_of(Place::HOME, "AWS/Events", "Invocations", dimensions, now - 60..now)
    };
    assert!(of(&[("EventBusName", "orders"), ("RuleName", "r")]).is_some());
    assert!(of(&[("RuleName", "r")]).is_none());
    assert_eq!(of(&[]).map(|stats| stats.sum), Some(1.0));
}

#[test]
fn failed_entries_are_counted_for_the_account() {
    let mut world = World::new();
    let mut bad = entry("default", json!({}));
    bad["Detail"] = json!("no");
    world.events_ok("PutEvents", json!({ "Entries": [bad, bad, entry("default", json!({}))] }));
    world.pass(60);
    let now = world.now.as_secs();
    let metric = "PutEventsFailedEntriesCount";
    let stats = world.core.cloudwatch.stats_of(Place::HOME, "AWS/Events", metric, &[], now - 60..now);
    assert_eq!(stats.map(|stats| stats.sum), Some(2.0));
}
