//! The life of rules.

use serde_json::json;

use super::{bus_arn, rule_arn};
use crate::tests::{World, arn};

const PATTERN: &str = r#"{"source":["s"]}"#;

fn world() -> World {
    let mut world = World::new();
    world.events_ok("CreateEventBus", json!({ "Name": "orders" }));
    world
}

#[test]
fn a_rule_of_the_default_bus_is_named_without_it() {
    let mut world = world();
    let put = world.events_ok("PutRule", json!({ "Name": "r", "EventPattern": PATTERN }));
    assert_eq!(put, json!({ "RuleArn": rule_arn("r") }));
    let shown = json!({
        "Name": "r",
        "Arn": rule_arn("r"),
        "EventPattern": PATTERN,
        "State": "ENABLED",
        "EventBusName": "default",
    });
    assert_eq!(world.events_ok("ListRules", json!({})), json!({ "Rules": [shown] }));
    let described = super::with(shown, json!({ "CreatedBy": "123456789012" }));
    assert_eq!(world.events_ok("DescribeRule", json!({ "Name": "r" })), described);
}

#[test]
fn a_rule_of_another_bus_is_found_by_the_bus_s_name_or_arn() {
    let mut world = world();
    let members = json!({ "Name": "r", "EventBusName": bus_arn("orders"), "EventPattern": PATTERN });
    assert_eq!(world.events_ok("PutRule", members)["RuleArn"], rule_arn("orders/r"));
    for bus in ["orders", &bus_arn("orders")] {
        let described = world.events_ok("DescribeRule", json!({ "Name": "r", "EventBusName": bus }));
        assert_eq!(described["EventBusName"], "orders");
    }
    assert_eq!(
        world.events_error("DescribeRule", json!({ "Name": "r" })),
        "ResourceNotFoundException: Rule r does not exist on EventBus default."
    );
    assert_eq!(
        world.events_error("DescribeRule", json!({ "Name": "r", "EventBusName": "none" })),
        "ResourceNotFoundException: Event bus none does not exist."
    );
}

#[test]
fn a_rule_needs_a_pattern_or_a_schedule() {
    let mut world = world();
    for (members, error) in [
        (
            json!({ "Name": "r" }),
            "ValidationException: Parameter(s) EventPattern or ScheduleExpression must be specified.",
        ),
        (
            json!({ "Name": "r", "EventBusName": "orders", "ScheduleExpression": "rate(1 minute)" }),
            "ValidationException: ScheduleExpression is supported only on the default event bus.",
        ),
        (
            json!({ "Name": "a b", "EventPattern": PATTERN, "State": "ON" }),
            "ValidationException: 2 validation errors detected: Value 'a b' at 'name' failed to satisfy \
             constraint: Member must satisfy regular expression pattern: [\\.\\-_A-Za-z0-9]+; Value 'ON' at \
             'state' failed to satisfy constraint: Member must satisfy enum value set: [ENABLED, DISABLED, \
             ENABLED_WITH_ALL_CLOUDTRAIL_MANAGEMENT_EVENTS]",
        ),
    ] {
        assert_eq!(world.events_error("PutRule", members.clone()), error, "{members}");
    }
}

#[test]
fn a_pattern_must_be_one_and_has_at_most_2048_characters() {
    let mut world = world();
    let error = world.events_error("PutRule", json!({ "Name": "r", "EventPattern": r#"{"a":[]}"# }));
    let start =
        "InvalidEventPatternException: Event pattern is not valid. Reason: Empty arrays are not allowed";
    assert!(error.starts_with(start), "{error}");
    let long = json!({ "source": ["x".repeat(2_048)] }).to_string();
    assert_eq!(
        world.events_error("PutRule", json!({ "Name": "r", "EventPattern": long })),
        "ValidationException: Parameter EventPattern for rule r exceeds limit of 2048."
    );
}

#[test]
fn a_rule_put_again_keeps_its_targets_and_nothing_else() {
    let mut world = super::world(json!({}));
    world.events_ok("PutRule", json!({ "Name": "r", "EventPattern": PATTERN, "Description": "d" }));
    let other = r#"{"source":["other"]}"#;
    world.events_ok("PutRule", json!({ "Name": "r", "EventPattern": other, "State": "DISABLED" }));
    let described = world.events_ok("DescribeRule", json!({ "Name": "r" }));
    assert_eq!((&described["Description"], &described["State"]), (&json!(null), &json!("DISABLED")));
    assert_eq!(described["EventPattern"], other);
    let targets = world.events_ok("ListTargetsByRule", json!({ "Rule": "r" }));
    assert_eq!(targets, json!({ "Targets": [{ "Id": "t", "Arn": arn("q") }] }));
}

#[test]
fn a_disabled_rule_takes_nothing_until_it_is_enabled() {
    let mut world = super::world(json!({}));
    world.events_ok("DisableRule", json!({ "Name": "r" }));
    world.put("default", json!({}));
    assert_eq!(world.depth("q"), (0, 0, 0));
    world.events_ok("EnableRule", json!({ "Name": "r" }));
    world.put("default", json!({}));
    assert_eq!(world.depth("q"), (1, 0, 0));
    assert!(world.events("EnableRule", json!({ "Name": "none" })).is_err());
}

#[test]
fn a_rule_with_targets_is_not_deleted_and_one_that_is_not_there_is_deleted_already() {
    let mut world = super::world(json!({}));
    assert_eq!(
        world.events_error("DeleteRule", json!({ "Name": "r" })),
        "ValidationException: Rule can't be deleted since it has targets."
    );
    world.events_ok("RemoveTargets", json!({ "Rule": "r", "Ids": ["t"] }));
    world.events_ok("DeleteRule", json!({ "Name": "r" }));
    world.events_ok("DeleteRule", json!({ "Name": "r" }));
    assert!(world.events("DeleteRule", json!({ "Name": "r", "EventBusName": "none" })).is_err());
    assert_eq!(world.events_ok("ListRules", json!({})), json!({ "Rules": [] }));
}

#[test]
fn rules_are_listed_in_pages_by_prefix_and_by_target() {
    let mut world = world();
    world.rule_queue("q");
    for name in ["a", "b1", "b2", "b3"] {
        world.rule("orders", name);
        world.target("orders", name, json!({ "Id": "t", "Arn": arn("q") }));
    }
    let members = json!({ "EventBusName": "orders", "NamePrefix": "b", "Limit": 2 });
    let first = world.events_ok("ListRules", members.clone());
    assert_eq!((&first["Rules"][0]["Name"], &first["Rules"][1]["Name"]), (&json!("b1"), &json!("b2")));
    let next = super::with(members, json!({ "NextToken": first["NextToken"] }));
    let last = world.events_ok("ListRules", next);
    assert_eq!((&last["Rules"][0]["Name"], last.get("NextToken")), (&json!("b3"), None));

    let by = |target: &str| json!({ "TargetArn": target, "EventBusName": "orders" });
    let names = world.events_ok("ListRuleNamesByTarget", by(&arn("q")));
    assert_eq!(names, json!({ "RuleNames": ["a", "b1", "b2", "b3"] }));
    assert_eq!(world.events_ok("ListRuleNamesByTarget", by(&arn("p"))), json!({ "RuleNames": [] }));
}

#[test]
fn rules_and_buses_have_tags() {
    let mut world = world();
    let tags = json!([{ "Key": "team", "Value": "a" }]);
    world.events_ok("PutRule", json!({ "Name": "r", "EventPattern": PATTERN, "Tags": tags }));
    // A rule that is there already ignores the tags of PutRule (API:PutRule).
    let ignored = json!([{ "Key": "other", "Value": "a" }]);
    world.events_ok("PutRule", json!({ "Name": "r", "EventPattern": PATTERN, "Tags": ignored }));
    for resource in [rule_arn("r"), bus_arn("orders"), bus_arn("default")] {
        let of = |more| super::with(json!({ "ResourceARN": resource }), more);
        world.events_ok("TagResource", of(json!({ "Tags": tags })));
        assert_eq!(world.events_ok("ListTagsForResource", of(json!({}))), json!({ "Tags": tags }));
        world.events_ok("UntagResource", of(json!({ "TagKeys": ["team", "none"] })));
        assert_eq!(world.events_ok("ListTagsForResource", of(json!({}))), json!({ "Tags": [] }));
    }
    for (resource, error) in [
        (rule_arn("none"), "Rule none does not exist on EventBus default."),
        (rule_arn("orders/none"), "Rule none does not exist on EventBus orders."),
        (bus_arn("none"), "Event bus none does not exist."),
    ] {
        for operation in ["TagResource", "UntagResource", "ListTagsForResource"] {
            let told = world.events_error(operation, json!({ "ResourceARN": resource }));
            assert_eq!(told, format!("ResourceNotFoundException: {error}"));
        }
    }
}

#[test]
fn a_pattern_can_be_tried_on_an_event() {
    let mut world = World::new();
    let event = json!({
        "id": "1", "source": "s", "detail-type": "t", "account": "1", "region": "r", "time": "x",
    });
    let tried = |pattern: &str, event: &str| json!({ "EventPattern": pattern, "Event": event });
    let yes = world.events_ok("TestEventPattern", tried(PATTERN, &event.to_string()));
    assert_eq!(yes, json!({ "Result": true }));
    let no = world.events_ok("TestEventPattern", tried(r#"{"id":["2"]}"#, &event.to_string()));
    assert_eq!(no, json!({ "Result": false }));
    for event in ["plain string", r#"["plain string"]"#, r#"{"id":"1"}"#] {
        assert_eq!(
            world.events_error("TestEventPattern", tried(PATTERN, event)),
            "ValidationException: Parameter Event is not valid."
        );
    }
}
