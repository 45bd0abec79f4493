//! What other services invoke: topics with functions as subscribers (semantics 2.1, 5.6).

use serde_json::{Value, json};

use super::{answer, function_arn, raised};
use crate::acting::Acting;
use crate::fact::Fact;
use crate::lambda::{InvokeRefusal, ServiceInvoke};
use crate::targets::Outage;
use crate::tests::{World, arn, text};

const TOPIC: &str = "arn:aws:sns:eu-central-1:123456789012:t";

fn subscribe(world: &mut World, topic: &str, attributes: Value) -> String {
    let made = world.sns_ok(
        "Subscribe",
        json!({
            "TopicArn": topic, "Protocol": "lambda", "Endpoint": function_arn("f"), "Attributes": attributes,
        }),
    );
    text(&made["SubscriptionArn"])
}

fn permit(world: &mut World, source: &str) {
    let permission = json!({
        "FunctionName": "f", "StatementId": "sns", "Action": "lambda:InvokeFunction",
        "Principal": "sns.amazonaws.com", "SourceArn": source,
    });
    world.lambda_ok("AddPermission", permission);
}

fn world() -> (World, String) {
    let mut world = World::new();
    world.function("f", 3);
    let topic = world.topic("t", json!({}));
    (world, topic)
}

#[test]
fn a_function_that_subscribes_gets_a_record_of_the_notification() {
    let (mut world, topic) = world();
    permit(&mut world, &topic);
    let subscription = subscribe(&mut world, &topic, json!({}));
    let members = json!({
        "Message": "Hello world.", "Subject": "s",
        "MessageAttributes": { "a": { "DataType": "Number", "StringValue": "1" } },
    });
    let id = world.publish_with(&topic, members);
    let mut event = world.end_next(answer(Value::Null)).event();
    let sns = &mut event["Records"][0]["Sns"];
    let generated = ["Signature", "SigningCertUrl", "UnsubscribeUrl"].map(|name| text(&sns[name].take()));
    assert!(generated[1].ends_with(".pem") && generated[2].ends_with(&subscription));
    assert_eq!(
        event,
        json!({ "Records": [{
            "EventSource": "aws:sns",
            "EventVersion": "1.0",
            "EventSubscriptionArn": subscription,
            "Sns": {
                "Type": "Notification",
                "MessageId": id,
                "TopicArn": topic,
                "Subject": "s",
                "Message": "Hello world.",
                "Timestamp": "2027-01-15T08:00:00.000Z",
                "SignatureVersion": "1",
                "Signature": null,
                "SigningCertUrl": null,
                "UnsubscribeUrl": null,
                "MessageAttributes": { "a": { "Type": "Number", "Value": "1" } },
            },
        }] })
    );
    let delivered = world.facts().iter().any(|fact| matches!(fact, Fact::Delivered { attempts: 1, .. }));
    assert!(delivered);
}

#[test]
fn a_topic_s_message_that_a_function_fails_on_is_lambda_s_to_try_again() {
    let (mut world, topic) = world();
    permit(&mut world, &topic);
    subscribe(&mut world, &topic, json!({}));
    world.publish(&topic, "m");
    world.end_next(raised());
    world.pass(60);
    world.end_next(raised());
    world.pass(120);
    world.end_next(raised());
    assert_eq!(world.core.pendings.len(), 0);
}

#[test]
fn without_a_permission_the_message_goes_to_the_subscription_s_dead_letter_queue() {
    let (mut world, topic) = world();
    world.queue("dlq");
    permit(&mut world, "arn:aws:sns:eu-central-1:123456789012:other");
    let redrive = json!({ "deadLetterTargetArn": arn("dlq") }).to_string();
    subscribe(&mut world, &topic, json!({ "RedrivePolicy": redrive }));
    world.publish(&topic, "m");
    world.pass(0);
    assert!(world.started().is_empty());
    assert_eq!(world.envelopes("dlq")[0]["Message"], "m");
}

#[test]
fn a_function_gets_no_raw_messages_and_no_fifo_topic_s() {
    let (mut world, topic) = world();
    let subscribe = |topic: &str| {
        json!({
            "TopicArn": topic, "Protocol": "lambda", "Endpoint": function_arn("f"),
            "Attributes": { "RawMessageDelivery": "true" },
        })
    };
    assert!(
        world.sns_error("Subscribe", subscribe(&topic)).contains("does not support raw message delivery")
    );
    let fifo = world.topic("t.fifo", json!({ "FifoTopic": "true" }));
    assert!(world.sns_error("Subscribe", subscribe(&fifo)).contains("Only SQS queues"));
}

#[test]
fn an_outage_of_the_function_is_tried_again_by_the_topic() {
    let (mut world, topic) = world();
    permit(&mut world, &topic);
    subscribe(&mut world, &topic, json!({}));
    world.core.begin_outage(&function_arn("f"), Outage::Unavailable);
    world.publish(&topic, "m");
    world.pass(600);
    assert!(world.started().is_empty());
    let now = world.now;
    world.core.end_outage(now, &function_arn("f"));
    world.pass(11);
    assert_eq!(world.started().len(), 1, "the next attempt of those that come every 20 s");
}

#[test]
fn a_service_is_told_whether_there_is_a_function_that_lets_it() {
    let (mut world, _) = world();
    let invoke = |world: &mut World, function: &str| {
        let invoke = ServiceInvoke {
            function_arn: function,
            acting: Acting::Service { name: "sns.amazonaws.com", source_arn: TOPIC },
            payload: "{}".into(),
        };
        world.operate(|core, now| core.invoke_as_service(now, invoke))
    };
    assert_eq!(invoke(&mut world, &function_arn("g")), Err(InvokeRefusal::NoFunction));
    assert_eq!(invoke(&mut world, "f"), Err(InvokeRefusal::NoFunction), "an ARN is needed");
    assert_eq!(invoke(&mut world, &function_arn("f")), Err(InvokeRefusal::Denied));
    permit(&mut world, TOPIC);
    for function in [function_arn("f"), function_arn("f:$LATEST")] {
        assert_eq!(invoke(&mut world, &function), Ok(()));
        world.pass(0);
        assert_eq!(world.started_one().invocation.invoked_arn, function);
    }
    let role = ServiceInvoke {
        function_arn: &function_arn("f"),
        acting: Acting::Role { arn: super::ROLE },
        payload: "{}".into(),
    };
    let as_role = world.operate(|core, now| core.invoke_as_service(now, role));
    assert_eq!(as_role, Ok(()), "a role of the function's own account needs no statement");
}
