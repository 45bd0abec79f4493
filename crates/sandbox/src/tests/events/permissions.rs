//! The policies of buses.

use serde_json::{Value, json};

use super::bus_arn;
use crate::tests::{World, text};

fn permission(sid: &str, principal: &str) -> Value {
    json!({ "StatementId": sid, "Action": "events:PutEvents", "Principal": principal })
}

fn policy(world: &mut World) -> Value {
    let described = world.events_ok("DescribeEventBus", json!({}));
    serde_json::from_str(&text(&described["Policy"])).expect("JSON")
}

#[test]
fn permissions_are_statements_of_the_policy() {
    let mut world = World::new();
    world.events_ok("PutPermission", permission("a", "222222222222"));
    world.events_ok("PutPermission", permission("b", "*"));
    let statement = |sid: &str, principal: Value| {
        json!({
            "Sid": sid,
            "Effect": "Allow",
            "Principal": principal,
            "Action": "events:PutEvents",
            "Resource": bus_arn("default"),
        })
    };
    let root = json!({ "AWS": "arn:aws:iam::222222222222:root" });
    let all = json!([statement("a", root), statement("b", json!("*"))]);
    assert_eq!(policy(&mut world), json!({ "Version": "2012-10-17", "Statement": all }));
    // The same id again puts another in its place.
    world.events_ok("PutPermission", permission("a", "333333333333"));
    assert_eq!(policy(&mut world)["Statement"].as_array().map(Vec::len), Some(2));

    world.events_ok("RemovePermission", json!({ "StatementId": "a" }));
    assert_eq!(policy(&mut world)["Statement"], json!([statement("b", json!("*"))]));
    world.events_ok("RemovePermission", json!({ "RemoveAllPermissions": true }));
    assert_eq!(world.events_ok("DescribeEventBus", json!({})).get("Policy"), None);
}

#[test]
fn a_policy_can_be_given_as_a_whole() {
    let mut world = World::new();
    let text = json!({
        "Version": "2012-10-17",
        "Statement": [{
            "Sid": "x", "Effect": "Deny", "Principal": "*", "Action": "events:PutEvents", "Resource": "*",
        }],
    });
    world.events_ok("PutPermission", json!({ "Policy": text.to_string() }));
    assert_eq!(policy(&mut world), text);
    // A denial holds for the owner too.
    let put = world.events_ok("PutEvents", json!({ "Entries": [super::entry("default", json!({}))] }));
    assert_eq!(put["Entries"][0]["ErrorCode"], "AccessDeniedException");
    assert!(world.events("PutPermission", json!({ "Policy": "{}" })).is_err());
    let long = json!({ "Version": "2012-10-17", "Id": "x".repeat(10_240), "Statement": [] });
    let error = world.events_error("PutPermission", json!({ "Policy": long.to_string() }));
    assert!(error.starts_with("PolicyLengthExceededException"), "{error}");
}

#[test]
fn a_condition_is_part_of_the_statement() {
    let mut world = World::new();
    let condition = json!({ "Type": "StringEquals", "Key": "aws:PrincipalOrgID", "Value": "o-1" });
    let members = super::with(permission("a", "*"), json!({ "Condition": condition }));
    world.events_ok("PutPermission", members);
    let shown = &policy(&mut world)["Statement"][0]["Condition"];
    assert_eq!(*shown, json!({ "StringEquals": { "aws:PrincipalOrgID": "o-1" } }));
}

#[test]
fn what_is_no_permission_is_refused() {
    let mut world = World::new();
    for (operation, members, error) in [
        (
            "RemovePermission",
            json!({ "StatementId": "a" }),
            "ResourceNotFoundException: Statement with the provided id does not exist.",
        ),
        (
            "RemovePermission",
            json!({ "StatementId": "a", "EventBusName": "none" }),
            "ResourceNotFoundException: Event bus none does not exist.",
        ),
        (
            "PutPermission",
            json!({ "EventBusName": "none" }),
            "ResourceNotFoundException: Event bus none does not exist.",
        ),
        (
            "PutPermission",
            permission("a", "x"),
            "ValidationException: 1 validation error detected: Value 'x' at 'principal' failed to satisfy \
          constraint: Member must satisfy regular expression pattern: (\\d{12}|\\*)",
        ),
        (
            "PutPermission",
            super::with(permission("a", "*"), json!({ "Action": "events:PutRule" })),
            "ValidationException: Provided value in parameter 'action' is not supported.",
        ),
    ] {
        assert_eq!(world.events_error(operation, members), error);
    }
}

/// A rule on a bus of another account, which its policy lets the caller make.
#[test]
fn rules_of_a_bus_of_another_account_need_its_permission() {
    let mut world = World::new();
    let stranger = world.core.places.at("222222222222", "eu-central-1");
    let rule = json!({
        "Name": "r", "EventBusName": bus_arn("default"), "EventPattern": r#"{"source":["s"]}"#,
    });
    world.events_ok("ListEventBuses", json!({}));
    let refused = world.events_at(stranger, "PutRule", rule.clone()).expect_err("refused");
    assert_eq!(refused.shape_name(), "AccessDeniedException");
    let policy = json!({
        "Version": "2012-10-17",
        "Statement": [{
            "Sid": "x",
            "Effect": "Allow",
            "Principal": { "AWS": "222222222222" },
            "Action": ["events:PutRule", "events:DescribeRule"],
            "Resource": "*",
        }],
    });
    world.events_ok("PutPermission", json!({ "Policy": policy.to_string() }));
    world.events_at(stranger, "PutRule", rule.clone()).expect("a rule");
    let described = world.events_ok("DescribeRule", json!({ "Name": "r" }));
    assert_eq!(described["CreatedBy"], "222222222222");
    assert!(world.events_at(stranger, "DeleteRule", rule).is_err());
}
