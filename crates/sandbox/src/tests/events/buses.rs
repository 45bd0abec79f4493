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
