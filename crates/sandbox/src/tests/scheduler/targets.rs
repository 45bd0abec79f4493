//! What targets get.

use serde_json::{Value, json};

use super::{ROLE, schedule, schedule_arn};
use crate::tests::{World, arn, text};

const AT: &str = "at(2027-01-15T08:00:01)";

/// The body of the one message that a schedule with this target sends to `q`.
fn sent(target: Value) -> String {
    let mut world = World::new();
    world.create("q", &[]);
    world.schedule(AT, "q", json!({ "Target": target }));
    world.pass(1);
    world.one("q").content.body.clone()
}

#[test]
fn the_input_may_be_any_text_with_context_attributes() {
    assert_eq!(sent(json!({})), "hello");
    let input = "<aws.scheduler.schedule-arn> <aws.scheduler.scheduled-time> <aws.scheduler.attempt-number>";
    let expected = format!("{} 2027-01-15T08:00:01Z 1", schedule_arn("s"));
    assert_eq!(sent(json!({ "Input": input })), expected);
}

#[test]
fn without_an_input_there_is_scheduler_s_own_notification() {
    let mut world = World::new();
    world.create("q", &[]);
    let mut members = schedule("s", AT, "q", json!({}));
    members["Target"]["Input"] = Value::Null;
    world.scheduler("CreateSchedule", members).expect("created");
    world.pass(1);
    let mut body: Value = serde_json::from_str(&world.one("q").content.body).expect("JSON");
    assert_eq!(text(&body["id"].take()).len(), 36);
    assert_eq!(
        body,
        json!({
            "version": "0",
            "id": null,
            "detail-type": "Scheduled Event",
            "source": "aws.scheduler",
            "account": "123456789012",
            "time": "2027-01-15T08:00:01Z",
            "region": "eu-central-1",
            "resources": [schedule_arn("s")],
            "detail": "{}",
        })
    );
}

#[test]
fn a_fifo_queue_gets_the_group_and_deduplicates_by_content() {
    let mut world = World::fifo(&[]);
    let group = json!({ "Target": { "SqsParameters": { "MessageGroupId": "g" } } });
    world.schedule("rate(1 minute)", "q.fifo", group);
    world.pass(59);
    let message = world.one("q.fifo");
    assert_eq!((&*message.content.body, message.content.group_id.as_deref()), ("hello", Some("g")));
    world.pass(1);
    assert_eq!(world.depth("q.fifo").0, 0, "the same content within 5 min");
}

#[test]
fn a_topic_gets_the_input_as_its_message() {
    let mut world = World::new();
    world.queue("q");
    let topic = world.topic("t", json!({}));
    world.subscribe(&topic, "q", json!({ "RawMessageDelivery": "true" }));
    world.schedule(AT, "q", json!({ "Target": { "Arn": topic } }));
    world.pass(1);
    assert_eq!(world.one("q").content.body, "hello");
}

#[test]
fn a_bus_gets_an_event_with_the_input_as_its_detail() {
    let mut world = World::new();
    world.rule_queue("q");
    let pattern = json!({ "source": ["my.app"] }).to_string();
    world.events_ok("PutRule", json!({ "Name": "r", "EventPattern": pattern }));
    world.target("default", "r", json!({ "Id": "t", "Arn": arn("q") }));
    let bus = "arn:aws:events:eu-central-1:123456789012:event-bus/default";
    let parameters = json!({ "DetailType": "Tick", "Source": "my.app" });
    let target =
        json!({ "Arn": bus, "EventBridgeParameters": parameters, "Input": json!({ "a": 1 }).to_string() });
    world.schedule(AT, "q", json!({ "Target": target }));
    world.pass(1);
    let event: Value = serde_json::from_str(&world.one("q").content.body).expect("JSON");
    assert_eq!((&event["detail-type"], &event["source"]), (&json!("Tick"), &json!("my.app")));
    assert_eq!((&event["detail"], &event["resources"]), (&json!({ "a": 1 }), &json!([schedule_arn("s")])));
}

fn universal(world: &mut World, action: &str, input: Value) {
    let arn = format!("arn:aws:scheduler:::aws-sdk:{action}");
    let target = json!({ "Arn": arn, "RoleArn": ROLE, "Input": input.to_string() });
    world.schedule(AT, "q", json!({ "Target": target }));
    world.pass(1);
}

#[test]
fn sqs_send_message_is_called_with_the_input_as_its_request() {
    let mut world = World::new();
    world.create("q", &[]);
    let input = json!({
        "QueueUrl": "https://sqs.eu-central-1.amazonaws.com/123456789012/q",
        "MessageBody": "<aws.scheduler.scheduled-time>",
        "MessageAttributes": { "a": { "DataType": "String", "StringValue": "x" } },
        "DelaySeconds": 5,
    });
    universal(&mut world, "sqs:sendMessage", input);
    assert_eq!(world.depth("q"), (0, 0, 1));
    world.pass(5);
    let message = world.one("q");
    assert_eq!(message.content.body, "2027-01-15T08:00:01Z");
    assert!(message.content.attributes.contains_key("a"));
}

#[test]
fn sns_publish_is_called_with_the_input_as_its_request() {
    let mut world = World::new();
    world.queue("q");
    let topic = world.topic("t", json!({}));
    world.subscribe(&topic, "q", json!({}));
    universal(&mut world, "sns:publish", json!({ "TopicArn": topic, "Message": "m", "Subject": "s" }));
    let body: Value = serde_json::from_str(&world.one("q").content.body).expect("JSON");
    assert_eq!((&body["Message"], &body["Subject"]), (&json!("m"), &json!("s")));
}

/// Nobody looks at a role's policies: a queue of its account need not let Scheduler in, and may keep it
/// out.
#[test]
fn a_role_is_let_in_by_queues_of_its_account_that_do_not_deny() {
    let allowed = |policy: Value| {
        let mut world = World::new();
        world.create("q", &[("Policy", &policy.to_string())]);
        world.schedule(AT, "q", json!({}));
        world.pass(1);
        world.depth("q").0 == 1
    };
    let statement = |effect: &str, principal: Value| {
        json!({ "Version": "2012-10-17", "Statement": [{
            "Effect": effect, "Principal": principal, "Action": "sqs:SendMessage", "Resource": arn("q"),
        }] })
    };
    assert!(allowed(statement("Allow", json!({ "Service": "events.amazonaws.com" }))));
    assert!(!allowed(statement("Deny", json!("*"))));
    assert!(!allowed(statement("Deny", json!({ "AWS": ROLE }))));
}
