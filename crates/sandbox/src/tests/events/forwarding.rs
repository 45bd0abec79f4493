//! From bus to bus.

use serde_json::{Value, json};

use super::{bus_arn, entry};
use crate::fact::Fact;
use crate::place::Place;
use crate::tests::{World, arn, text};

const ROLE: &str = "arn:aws:iam::123456789012:role/r";

/// A bus with the rule `r`, which has the target `t`.
fn chain(world: &mut World, at: Place, bus: &str, target: &str) {
    if bus != "default" {
        world.events_at(at, "CreateEventBus", json!({ "Name": bus })).expect("a bus");
    }
    let pattern = json!({ "source": ["s"] }).to_string();
    let rule = json!({ "Name": "r", "EventBusName": bus, "EventPattern": pattern });
    world.events_at(at, "PutRule", rule).expect("a rule");
    let mut members = json!({ "Id": "t", "Arn": target });
    if target.contains(":event-bus/") {
        members["RoleArn"] = json!(ROLE);
    }
    let members = json!({ "Rule": "r", "EventBusName": bus, "Targets": [members] });
    world.events_at(at, "PutTargets", members).expect("a target");
}

fn bus_at(region: &str, account: &str, bus: &str) -> String {
    format!("arn:aws:events:{region}:{account}:event-bus/{bus}")
}

#[test]
fn an_event_goes_on_to_another_bus_as_the_same_event() {
    let mut world = World::new();
    world.rule_queue("q");
    chain(&mut world, Place::HOME, "default", &bus_arn("b"));
    chain(&mut world, Place::HOME, "b", &arn("q"));
    let id = world.put("default", json!({ "a": 1 }));
    assert_eq!(world.documents("q")[0]["id"], id);
}

#[test]
fn a_bus_that_does_not_exist_is_a_missing_resource() {
    let mut world = World::new();
    chain(&mut world, Place::HOME, "default", &bus_arn("b"));
    world.put("default", json!({}));
    assert!(matches!(world.facts().last(), Some(Fact::Undelivered { reason, .. })
        if reason == "NO_RESOURCE: the event bus does not exist"));
}

/// DeadLetterInvocations counts the calls that were not made (semantics 3.6).
#[test]
fn a_rule_does_not_run_again_for_an_event_that_it_sent_on() {
    let mut world = World::new();
    chain(&mut world, Place::HOME, "default", &bus_arn("b"));
    chain(&mut world, Place::HOME, "b", &bus_arn("default"));
    world.put("default", json!({}));
    world.pass(60);
    assert_eq!(world.rule_metric("DeadLetterInvocations"), Some(1.0));
    assert_eq!(world.rule_metric("Invocations"), Some(1.0));
    assert_eq!(world.rule_metric("FailedInvocations"), None);
    assert_eq!(world.core.timers.next_delivery(), None);
}

/// AWS was seen to give the event a new id in another region, and to leave its account and region.
#[test]
fn in_another_region_the_event_has_a_new_id_and_its_old_region() {
    let mut world = World::new();
    world.rule_queue("q");
    let there = world.core.places.at("123456789012", "us-east-1");
    chain(&mut world, Place::HOME, "default", &bus_at("us-east-1", "123456789012", "b"));
    chain(&mut world, there, "b", &arn("q"));
    let id = world.put("default", json!({}));
    let event = &world.documents("q")[0];
    assert_ne!(event["id"], id);
    assert_eq!((&event["region"], &event["account"]), (&json!("eu-central-1"), &json!("123456789012")));
}

#[test]
fn a_bus_of_another_account_must_let_the_role_put_events() {
    let mut world = World::new();
    world.rule_queue("q");
    let there = world.core.places.at("222222222222", "eu-central-1");
    chain(&mut world, Place::HOME, "default", &bus_at("eu-central-1", "222222222222", "b"));
    chain(&mut world, there, "b", &arn("q"));
    world.put("default", json!({}));
    assert_eq!(world.depth("q"), (0, 0, 0));
    let permission = json!({
        "EventBusName": "b", "StatementId": "s", "Action": "events:PutEvents", "Principal": "123456789012",
    });
    world.events_at(there, "PutPermission", permission).expect("a permission");
    let id = world.put("default", json!({}));
    let event = &world.documents("q")[0];
    assert_eq!((&event["id"], &event["account"]), (&json!(id), &json!("123456789012")));
}

#[test]
fn an_event_does_not_go_on_to_a_third_account() {
    let mut world = World::new();
    world.rule_queue("q");
    let (second, third) = (
        world.core.places.at("222222222222", "eu-central-1"),
        world.core.places.at("333333333333", "eu-central-1"),
    );
    chain(&mut world, Place::HOME, "default", &bus_at("eu-central-1", "222222222222", "b"));
    chain(&mut world, second, "b", &bus_at("eu-central-1", "333333333333", "c"));
    chain(&mut world, third, "c", &arn("q"));
    for (at, bus) in [(second, "b"), (third, "c")] {
        let permission = json!({
            "EventBusName": bus, "StatementId": "s", "Action": "events:PutEvents", "Principal": "*",
        });
        world.events_at(at, "PutPermission", permission).expect("a permission");
    }
    world.put("default", json!({}));
    assert!(matches!(world.facts().last(), Some(Fact::Undelivered { reason, .. })
        if reason.starts_with("THIRD_ACCOUNT_HOP_DETECTED")));
}

/// What a caller of another account is answered for an entry.
fn put_as_stranger(world: &mut World, bus: &str) -> Value {
    let stranger = world.core.places.at("222222222222", "eu-central-1");
    let put = world.events_at(stranger, "PutEvents", json!({ "Entries": [entry(bus, json!({}))] }));
    world.pass(0);
    put.expect("an answer")["Entries"][0].clone()
}

#[test]
fn other_accounts_put_events_as_far_as_the_policy_of_the_bus_lets_them() {
    let mut world = super::world(json!({}));
    let bus = bus_arn("default");
    let refused = put_as_stranger(&mut world, &bus);
    assert_eq!(refused["ErrorCode"], "AccessDeniedException");
    assert_eq!(
        refused["ErrorMessage"],
        "User: arn:aws:iam::222222222222:root is not authorized to perform: events:PutEvents on resource: \
         arn:aws:events:eu-central-1:123456789012:event-bus/default because no resource-based policy allows the \
         events:PutEvents action"
    );
    let permission = json!({ "StatementId": "s", "Action": "events:PutEvents", "Principal": "222222222222" });
    world.events_ok("PutPermission", permission);
    let id = text(&put_as_stranger(&mut world, &bus)["EventId"]);
    let event = &world.documents("q")[0];
    assert_eq!((&event["id"], &event["account"]), (&json!(id), &json!("222222222222")));
}
