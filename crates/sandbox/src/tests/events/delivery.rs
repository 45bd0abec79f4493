//! From rules to their targets.

use serde_json::json;

use super::{DEFAULT_RULE, world};
use crate::events::AwsEvent;
use crate::fact::Fact;
use crate::place::Place;
use crate::tests::{World, arn};

#[test]
fn a_delivery_is_told_with_the_id_that_the_queue_gave() {
    let mut world = world(json!({}));
    world.facts();
    let id = world.put("default", json!({}));
    let message = world.one("q");
    let facts = world.facts();
    match &facts[..] {
        [
            Fact::Published { channel, .. },
            Fact::Delivered { subscription, message_id, attempts, given_id, .. },
        ] => {
            assert_eq!((&**channel, message_id.as_str(), *attempts), ("default", &*id, 1));
            assert_eq!(*subscription, format!("{DEFAULT_RULE}#t"));
            assert_eq!(given_id.as_ref(), Some(&message.id));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_targets_of_all_rules_that_take_it_get_the_event() {
    let mut world = world(json!({}));
    world.rule_queue("p");
    world.target("default", "r", json!({ "Id": "u", "Arn": arn("p") }));
    world.rule("default", "r2");
    world.target("default", "r2", json!({ "Id": "t", "Arn": arn("q") }));
    let other = json!({ "Name": "r3", "EventPattern": r#"{"source":["other"]}"# });
    world.events_ok("PutRule", other);
    world.target("default", "r3", json!({ "Id": "t", "Arn": arn("p") }));
    world.put("default", json!({}));
    assert_eq!((world.depth("q"), world.depth("p")), ((2, 0, 0), (1, 0, 0)));
}

#[test]
fn the_policy_of_a_queue_must_name_the_rule() {
    let mut world = world(json!({}));
    world.rule("default", "r2");
    world.target("default", "r2", json!({ "Id": "t", "Arn": arn("q") }));
    world.let_rules("q", DEFAULT_RULE);
    world.put("default", json!({}));
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn a_service_puts_events_on_the_default_bus_of_its_place() {
    let mut world = World::new();
    world.rule_queue("q");
    let pattern = r#"{"source":["aws.cloudwatch"]}"#;
    world.events_ok("PutRule", json!({ "Name": "r", "EventPattern": pattern }));
    world.target("default", "r", json!({ "Id": "t", "Arn": arn("q") }));
    let resources = ["arn:aws:cloudwatch:eu-central-1:123456789012:alarm:a".to_owned()];
    world.operate(|core, now| {
        let event = AwsEvent {
            source: "aws.cloudwatch",
            detail_type: "CloudWatch Alarm State Change",
            resources: &resources,
            detail: json!({ "alarmName": "a" }),
        };
        core.put_aws_event(now, Place::HOME, event)
    });
    world.pass(0);
    let event = &world.documents("q")[0];
    assert_eq!(event["detail-type"], "CloudWatch Alarm State Change");
    assert_eq!(event["resources"], json!(resources));
}
