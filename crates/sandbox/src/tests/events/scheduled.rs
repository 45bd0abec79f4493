//! Scheduled rules, in UTC on the default bus.

use serde_json::{Value, json};

use super::{rule_arn, world};
use crate::tests::{World, arn, text};

/// World's clock begins on 2027-01-15T08:00:00Z, a Friday. The rule `r` has the target `q`.
fn scheduled(expression: &str) -> World {
    let mut world = World::new();
    world.rule_queue("q");
    world.events_ok("PutRule", json!({ "Name": "r", "ScheduleExpression": expression }));
    world.target("default", "r", json!({ "Id": "t", "Arn": arn("q") }));
    world
}

fn counts<const N: usize>(world: &mut World, waits: [u64; N]) -> [u64; N] {
    waits.map(|wait| {
        world.pass(wait);
        world.depth("q").0
    })
}

#[test]
fn a_rate_begins_to_count_when_the_rule_is_put() {
    let mut world = scheduled("rate(5 minutes)");
    assert_eq!(counts(&mut world, [299, 1, 299, 1]), [0, 1, 1, 2]);
}

#[test]
fn a_cron_expression_is_in_utc() {
    let mut world = scheduled("cron(0/15 8 ? * MON-FRI *)");
    assert_eq!(counts(&mut world, [899, 1, 900, 900, 86_400]), [0, 1, 2, 3, 3]);
}

#[test]
fn the_event_is_a_scheduled_event_that_names_the_rule() {
    let mut world = scheduled("rate(1 minute)");
    world.pass(60);
    let mut event = world.documents("q").remove(0);
    assert_eq!(text(&event["id"].take()).len(), 36);
    assert_eq!(
        event,
        json!({
            "version": "0",
            "id": null,
            "detail-type": "Scheduled Event",
            "source": "aws.events",
            "account": "123456789012",
            "time": "2027-01-15T08:01:00Z",
            "region": "eu-central-1",
            "resources": [rule_arn("r")],
            "detail": {},
        })
    );
}

#[test]
fn a_target_s_input_takes_the_event_s_place() {
    let mut world = scheduled("rate(1 minute)");
    world.target("default", "r", json!({ "Id": "t", "Arn": arn("q"), "Input": "{\"a\":1}" }));
    world.pass(60);
    assert_eq!(world.documents("q"), [json!({ "a": 1 })]);
}

#[test]
fn no_other_rule_sees_the_event_and_the_rule_sees_no_other_event() {
    let mut world = scheduled("rate(5 minutes)");
    world.rule_queue("other");
    let all = json!({ "source": [{ "prefix": "" }] }).to_string();
    world.events_ok("PutRule", json!({ "Name": "all", "EventPattern": all }));
    world.target("default", "all", json!({ "Id": "t", "Arn": arn("other") }));
    world.put("default", json!({}));
    assert_eq!((world.depth("q").0, world.depth("other").0), (0, 1));
    world.pass(300);
    assert_eq!((world.depth("q").0, world.depth("other").0), (1, 1));
}

#[test]
fn a_rule_may_have_both_a_pattern_and_a_schedule() {
    let mut world = world(json!({}));
    let pattern = json!({ "source": ["s"] }).to_string();
    let members = json!({ "Name": "r", "EventPattern": pattern, "ScheduleExpression": "rate(1 minute)" });
    world.events_ok("PutRule", members);
    world.put("default", json!({}));
    assert_eq!(counts(&mut world, [0, 60]), [1, 2]);
}

#[test]
fn a_disabled_or_deleted_rule_does_nothing_and_counts_anew_when_it_is_enabled() {
    let mut world = scheduled("rate(5 minutes)");
    world.pass(100);
    world.events_ok("DisableRule", json!({ "Name": "r" }));
    assert_eq!(world.core.timers.next_scheduled(), None);
    assert_eq!(counts(&mut world, [1_000]), [0]);
    world.events_ok("EnableRule", json!({ "Name": "r" }));
    assert_eq!(counts(&mut world, [299, 1]), [0, 1]);
    world.events_ok("RemoveTargets", json!({ "Rule": "r", "Ids": ["t"] }));
    world.events_ok("DeleteRule", json!({ "Name": "r" }));
    assert_eq!(world.core.timers.next_scheduled(), None);
}

/// What recurs for ever is nothing that the end of a run waits for.
#[test]
fn a_scheduled_rule_is_no_delivery_that_one_waits_for() {
    let mut world = scheduled("rate(5 minutes)");
    let timers = &world.core.timers;
    assert_eq!((timers.next_delivery(), timers.next_scheduled()), (None, timers.next()));
    world.pass(300);
    assert_eq!(world.core.timers.next_delivery(), None);
}

#[test]
fn an_expression_that_is_none_is_refused_and_so_is_one_on_another_bus() {
    let mut world = World::new();
    for expression in ["rate(1 minutes)", "cron(0 1 * * * *)", "at(2027-12-31T23:59:59)"] {
        let members = json!({ "Name": "r", "ScheduleExpression": expression });
        let text = "ValidationException: Parameter ScheduleExpression is not valid.";
        assert_eq!(world.events_error("PutRule", members), text);
    }
    world.events_ok("CreateEventBus", json!({ "Name": "b" }));
    let members = json!({ "Name": "r", "ScheduleExpression": "rate(1 minute)", "EventBusName": "b" });
    let text = "ValidationException: ScheduleExpression is supported only on the default event bus.";
    assert_eq!(world.events_error("PutRule", members), text);
}

#[test]
fn the_expression_is_shown_as_it_was_given() {
    let mut world = scheduled("cron(0 10 * * ? *)");
    assert_eq!(
        world.events_ok("DescribeRule", json!({ "Name": "r" }))["ScheduleExpression"],
        Value::from("cron(0 10 * * ? *)")
    );
}
