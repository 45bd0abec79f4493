//! The life of buses.

use serde_json::json;

use super::bus_arn;
use crate::tests::World;

#[test]
fn a_bus_is_made_described_listed_and_deleted() {
    let mut world = World::new();
    let made = world.events_ok("CreateEventBus", json!({ "Name": "orders", "Description": "of orders" }));
    assert_eq!(made, json!({ "EventBusArn": bus_arn("orders"), "Description": "of orders" }));
    let shown = json!({
        "Name": "orders",
        "Arn": bus_arn("orders"),
        "Description": "of orders",
        "CreationTime": 1_800_000_000.0,
        "LastModifiedTime": 1_800_000_000.0,
    });
    assert_eq!(world.events_ok("DescribeEventBus", json!({ "Name": "orders" })), shown);
    assert_eq!(world.events_ok("DescribeEventBus", json!({ "Name": bus_arn("orders") })), shown);
    let listed = world.events_ok("ListEventBuses", json!({ "NamePrefix": "ord" }));
    assert_eq!(listed, json!({ "EventBuses": [shown] }));
    world.events_ok("DeleteEventBus", json!({ "Name": "orders" }));
    assert_eq!(
        world.events_error("DescribeEventBus", json!({ "Name": "orders" })),
        "ResourceNotFoundException: Event bus orders does not exist."
    );
}

#[test]
fn the_default_bus_is_there_and_stays() {
    let mut world = World::new();
    let default = json!({ "Name": "default", "Arn": bus_arn("default") });
    assert_eq!(world.events_ok("ListEventBuses", json!({})), json!({ "EventBuses": [default] }));
    assert_eq!(world.events_ok("DescribeEventBus", json!({})), default);
    assert_eq!(
        world.events_error("DeleteEventBus", json!({ "Name": "default" })),
        "ValidationException: Cannot delete event bus default."
    );
}

#[test]
fn names_of_buses_are_unique_and_have_no_slash() {
    let mut world = World::new();
    world.events_ok("CreateEventBus", json!({ "Name": "orders" }));
    for (name, error) in [
        ("orders", "ResourceAlreadyExistsException: Event bus orders already exists."),
        ("default", "ResourceAlreadyExistsException: Event bus default already exists."),
        ("team/bus", "ValidationException: Event bus name must not contain '/'."),
        (
            "a b",
            "ValidationException: 1 validation error detected: Value 'a b' at 'name' failed to satisfy constraint: \
             Member must satisfy regular expression pattern: [/\\.\\-_A-Za-z0-9]+",
        ),
    ] {
        assert_eq!(world.events_error("CreateEventBus", json!({ "Name": name })), error);
    }
}

#[test]
fn a_bus_that_does_not_exist_is_not_deleted_and_one_with_rules_neither() {
    let mut world = World::new();
    assert_eq!(
        world.events_error("DeleteEventBus", json!({ "Name": "orders" })),
        "ResourceNotFoundException: Event bus orders does not exist."
    );
    world.events_ok("CreateEventBus", json!({ "Name": "orders" }));
    world.rule("orders", "r");
    assert!(world.events("DeleteEventBus", json!({ "Name": "orders" })).is_err());
    world.events_ok("DeleteRule", json!({ "Name": "r", "EventBusName": "orders" }));
    world.events_ok("DeleteEventBus", json!({ "Name": "orders" }));
}

#[test]
fn an_update_replaces_the_settings() {
    let mut world = World::new();
    let dlq = json!({ "Arn": crate::tests::arn("dlq") });
    world.events_ok("CreateEventBus", json!({ "Name": "orders", "DeadLetterConfig": dlq }));
    let updated = world.events_ok("UpdateEventBus", json!({ "Name": "orders", "Description": "new" }));
    assert_eq!(updated, json!({ "Arn": bus_arn("orders"), "Name": "orders", "Description": "new" }));
    let described = world.events_ok("DescribeEventBus", json!({ "Name": "orders" }));
    assert_eq!(described.get("DeadLetterConfig"), None);
    let topic = json!({ "Arn": crate::tests::sns::topic_arn("t") });
    assert_eq!(
        world.events_error("CreateEventBus", json!({ "Name": "other", "DeadLetterConfig": topic })),
        "ValidationException: sns is not supported as a dead letter resource."
    );
}

#[test]
fn buses_of_different_places_do_not_know_of_each_other() {
    let mut world = World::new();
    let there = world.core.places.at("222222222222", "eu-central-1");
    world.events_ok("CreateEventBus", json!({ "Name": "orders" }));
    world.events_at(there, "CreateEventBus", json!({ "Name": "orders" })).expect("another one");
    let listed = world.events_at(there, "ListEventBuses", json!({ "NamePrefix": "o" })).expect("a list");
    assert_eq!(listed["EventBuses"].as_array().map(Vec::len), Some(1));
}
