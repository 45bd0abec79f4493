//! What targets get (semantics 3.9).

use serde_json::{Value, json};

use super::{function, out, world};

#[test]
fn a_template_takes_values_of_the_event_and_of_the_pipe() {
    let mut world = world();
    let template =
        r#"{"order":<$.body.id>,"from":"<aws.pipes.pipe-name>","all":<$.body>,"none":<$.body.none>}"#;
    world.pipe(&out(), json!({ "TargetParameters": { "InputTemplate": template } }));
    world.send("q", r#"{"id":7}"#);
    let made: Value = serde_json::from_str(&world.bodies("out")[0]).expect("JSON");
    assert_eq!(made, json!({ "order": 7, "from": "p", "all": r#"{"id":7}"#, "none": "" }));
}

#[test]
fn a_topic_and_a_bus_are_targets() {
    let mut world = world();
    let topic = world.topic("t", json!({}));
    world.queue("of-topic");
    world.allow("of-topic", "*");
    world.subscribe(&topic, "of-topic", json!({ "RawMessageDelivery": "true" }));
    world.pipe(&topic, json!({ "TargetParameters": { "InputTemplate": "<$.body>" } }));
    world.send("q", r#"{"a":1}"#);
    assert_eq!(world.bodies("of-topic"), [r#"{"a":1}"#]);
    world.pipes("DeletePipe", json!({ "Name": "p" }));

    world.events_ok("CreateEventBus", json!({ "Name": "b" }));
    world.rule("b", "all");
    world.rule_queue("of-bus");
    world.target("b", "all", json!({ "Id": "1", "Arn": crate::tests::arn("of-bus") }));
    let bus = "arn:aws:events:eu-central-1:123456789012:event-bus/b";
    world.pipe(
        bus,
        json!({ "TargetParameters": { "InputTemplate": r#"{"id":<$.body.a>}"#,
        "EventBridgeEventBusParameters": { "DetailType": "order", "Source": "$.body.from" } } }),
    );
    world.send("q", r#"{"a":1,"from":"s"}"#);
    world.pass(0);
    let event: Value = serde_json::from_str(&world.bodies("of-bus")[0]).expect("JSON");
    assert_eq!((&event["source"], &event["detail-type"]), (&json!("s"), &json!("order")));
    assert_eq!(event["detail"], json!({ "id": 1 }));
}

#[test]
fn a_function_may_be_left_alone() {
    let mut world = world();
    world.function("f", 10);
    let how = json!({ "InvocationType": "FIRE_AND_FORGET" });
    world.pipe(&function(), json!({ "TargetParameters": { "LambdaFunctionParameters": how } }));
    world.send("q", "a");
    assert_eq!(world.depth("q"), (0, 0, 0));
    world.pass(0);
    assert_eq!(world.started_one().event()[0]["body"], "a");
}
