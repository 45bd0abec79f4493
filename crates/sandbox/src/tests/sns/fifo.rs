//! FIFO topics (semantics 2.1, 2.4).

use serde_json::{Value, json};

use super::topic_arn;
use crate::fact::Fact;
use crate::targets::Outage;
use crate::tests::{World, arn};

fn fifo(attributes: Value) -> (World, String) {
    let mut world = World::new();
    world.queue("q");
    let mut all = attributes;
    all["FifoTopic"] = json!("true");
    let topic = world.topic("t.fifo", all);
    world.subscribe(&topic, "q", json!({}));
    world.facts();
    (world, topic)
}

fn message(topic: &str, text: &str, group: &str, dedup: &str) -> Value {
    json!({ "TopicArn": topic, "Message": text, "MessageGroupId": group, "MessageDeduplicationId": dedup })
}

#[test]
fn a_fifo_topic_asks_for_a_group_and_a_deduplication_id() {
    let (mut world, topic) = fifo(json!({}));
    assert_eq!(
        world.sns_error("Publish", json!({ "TopicArn": topic, "Message": "a" })),
        "InvalidParameter: Invalid parameter: The MessageGroupId parameter is required for FIFO topics"
    );
    assert_eq!(
        world.sns_error("Publish", json!({ "TopicArn": topic, "Message": "a", "MessageGroupId": "g" })),
        "InvalidParameter: Invalid parameter: The topic should either have ContentBasedDeduplication enabled or \
         MessageDeduplicationId provided explicitly"
    );
    let bad = message(&topic, "a", "g g", "d");
    assert!(world.sns_error("Publish", bad).contains("MessageGroupId"));
}

#[test]
fn a_fifo_envelope_has_a_sequence_number_and_no_signature() {
    let (mut world, topic) = fifo(json!({}));
    let published = world.sns_ok("Publish", message(&topic, "a", "g", "d"));
    world.pass(0);
    let message = world.one("q");
    // A standard queue is told neither the group nor the deduplication id.
    assert_eq!(message.content.group_id, None);
    let envelope: Value = serde_json::from_str(&message.content.body).expect("JSON");
    let names: Vec<_> = envelope.as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["Type", "MessageId", "SequenceNumber", "TopicArn", "Message", "Timestamp", "UnsubscribeURL"]
    );
    assert_eq!(envelope["SequenceNumber"], published["SequenceNumber"]);
}

#[test]
fn a_duplicate_is_answered_like_the_first_and_not_delivered_again() {
    let (mut world, topic) = fifo(json!({}));
    let first = world.sns_ok("Publish", message(&topic, "a", "g", "d"));
    world.pass(299);
    let second = world.sns_ok("Publish", message(&topic, "b", "other", "d"));
    assert_eq!(first, second);
    world.pass(0);
    assert_eq!(world.depth("q"), (1, 0, 0));
    let facts = world.facts();
    assert!(matches!(
        &facts[..],
        [Fact::Published { .. }, Fact::Delivered { .. }, Fact::PublishDeduplicated { .. }]
    ));
    world.pass(1);
    let third = world.sns_ok("Publish", message(&topic, "c", "g", "d"));
    assert_ne!(third["MessageId"], first["MessageId"]);
    world.pass(0);
    assert_eq!(world.depth("q"), (2, 0, 0));
}

#[test]
fn the_scope_of_deduplication_can_be_the_group() {
    let (mut world, topic) = fifo(json!({ "FifoThroughputScope": "MessageGroup" }));
    for (group, depth) in [("g", 1), ("h", 2), ("g", 2)] {
        world.sns_ok("Publish", message(&topic, "a", group, "d"));
        world.pass(0);
        assert_eq!(world.depth("q").0, depth);
    }
}

#[test]
fn content_based_deduplication_is_of_the_body_alone_and_a_given_id_wins() {
    let (mut world, topic) = fifo(json!({ "ContentBasedDeduplication": "true" }));
    let attributes = json!({ "a": { "DataType": "String", "StringValue": "b" } });
    let publish = |world: &mut World, extra: Value| {
        let mut members = json!({ "TopicArn": topic, "Message": "Test", "MessageGroupId": "g" });
        members.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        let published = world.sns_ok("Publish", members);
        world.pass(0);
        published["MessageId"].clone()
    };
    let first = publish(&mut world, json!({}));
    assert_eq!(publish(&mut world, json!({ "MessageAttributes": attributes })), first);
    assert_ne!(publish(&mut world, json!({ "MessageDeduplicationId": "d" })), first);
    // The SHA-256 of `Test`, given by hand, is the same id.
    let sha = "532eaabd9574880dbf76b9b8cc00832c20a6ec113d682299550d7a6e0f345e25";
    assert_eq!(publish(&mut world, json!({ "MessageDeduplicationId": sha })), first);
    assert_eq!(world.depth("q"), (2, 0, 0));
}

#[test]
fn a_batch_is_deduplicated_within_itself_and_keeps_its_order() {
    let (mut world, topic) = fifo(json!({}));
    let entry = |id: &str, dedup: &str| json!({ "Id": id, "Message": id, "MessageGroupId": "g", "MessageDeduplicationId": dedup });
    let entries = json!([entry("1", "a"), entry("2", "b"), entry("3", "a")]);
    let answer =
        world.sns_ok("PublishBatch", json!({ "TopicArn": topic, "PublishBatchRequestEntries": entries }));
    let done = &answer["Successful"];
    assert_eq!(done[0]["MessageId"], done[2]["MessageId"]);
    assert_eq!(done[0]["SequenceNumber"], done[2]["SequenceNumber"]);
    assert!(done[0]["SequenceNumber"].as_str() < done[1]["SequenceNumber"].as_str());
    world.pass(0);
    let texts: Vec<_> = world.envelopes("q").iter().map(|envelope| envelope["Message"].clone()).collect();
    assert_eq!(texts, ["1", "2"]);
}

/// `t.fifo` with the FIFO queue `q.fifo`, which topics may send to.
fn with_fifo_queue() -> (World, String) {
    let mut world = World::new();
    world.create("q.fifo", &[("FifoQueue", "true")]);
    world.allow("q.fifo", &topic_arn("*"));
    let topic = world.topic("t.fifo", json!({ "FifoTopic": "true" }));
    world.subscribe(&topic, "q.fifo", json!({}));
    world.facts();
    (world, topic)
}

fn texts(world: &mut World, queue: &str) -> Vec<String> {
    world.envelopes(queue).iter().map(|envelope| crate::tests::text(&envelope["Message"])).collect()
}

#[test]
fn a_fifo_queue_gets_the_group_and_the_deduplication_id_and_numbers_anew() {
    let (mut world, topic) = with_fifo_queue();
    let published = world.sns_ok("Publish", message(&topic, "a", "g", "d"));
    world.pass(0);
    let answer = world.answer("q.fifo", json!({ "AttributeNames": ["All"] }));
    let attributes = &answer["Messages"][0]["Attributes"];
    assert_eq!(
        (&attributes["MessageGroupId"], &attributes["MessageDeduplicationId"]),
        (&json!("g"), &json!("d"))
    );
    assert_ne!(attributes["SequenceNumber"], published["SequenceNumber"]);
}

#[test]
fn an_outage_holds_up_the_later_ones_of_a_group_and_only_them() {
    let (mut world, topic) = with_fifo_queue();
    world.operate(|core, _| core.begin_outage(&arn("q.fifo"), Outage::Unavailable));
    world.sns_ok("Publish", message(&topic, "g1", "g", "1"));
    world.pass(0);
    world.sns_ok("Publish", message(&topic, "g2", "g", "2"));
    world.sns_ok("Publish", message(&topic, "h1", "h", "3"));
    world.facts();
    world.pass(0);
    // Three attempts at once for `h1`; `g2` waits for `g1`.
    let retried = world.facts().iter().filter(|fact| matches!(fact, Fact::Retried { .. })).count();
    assert_eq!((retried, world.core.pendings.len()), (3, 3));
    world.operate(|core, now| core.end_outage(now, &arn("q.fifo")));
    world.pass(1);
    assert_eq!(world.core.pendings.len(), 0);
    assert_eq!(texts(&mut world, "q.fifo"), ["g1", "g2", "h1"]);
}

#[test]
fn each_group_arrives_in_the_order_in_which_it_was_published() {
    let (mut world, topic) = with_fifo_queue();
    for n in 0..5 {
        for group in ["g", "h"] {
            let text = format!("{group}{n}");
            world.sns_ok("Publish", message(&topic, &text, group, &text));
        }
    }
    world.pass(0);
    let all = texts(&mut world, "q.fifo");
    for group in ["g", "h"] {
        let own: Vec<_> = all.iter().filter(|text| text.starts_with(group)).collect();
        assert!(own.len() == 5 && own.is_sorted(), "{all:?}");
    }
}

#[test]
fn a_dead_letter_of_a_fifo_subscription_keeps_its_group() {
    let (mut world, topic) = with_fifo_queue();
    world.create("dlq.fifo", &[("FifoQueue", "true")]);
    world.allow("dlq.fifo", &topic_arn("*"));
    let redrive = json!({ "deadLetterTargetArn": arn("dlq.fifo") }).to_string();
    let sub =
        world.sns_ok("ListSubscriptionsByTopic", json!({ "TopicArn": topic }))["Subscriptions"][0].clone();
    let set = json!({
        "SubscriptionArn": sub["SubscriptionArn"], "AttributeName": "RedrivePolicy", "AttributeValue": redrive,
    });
    world.sns_ok("SetSubscriptionAttributes", set);
    world.on("q.fifo", |core, now, id| core.delete_queue(now, id)).expect("deleted");
    world.sns_ok("Publish", message(&topic, "a", "g", "d"));
    world.pass(0);
    let answer = world.answer("dlq.fifo", json!({ "AttributeNames": ["All"] }));
    let attributes = &answer["Messages"][0]["Attributes"];
    assert_eq!(
        (&attributes["MessageGroupId"], &attributes["MessageDeduplicationId"]),
        (&json!("g"), &json!("d"))
    );
}
