//! Semantics 1.5, 1.12: creating, finding, purging and deleting queues; their attributes and tags.

use serde_json::{Value, json};

use super::{World, arn, policy, value};
use crate::fact::Fact;
use crate::place::Place;
use crate::sqs::parse;

#[test]
fn creating_it_again_with_the_same_attributes_gives_the_same_url() {
    let mut world = World::new();
    let first = world.try_create("q", &[("VisibilityTimeout", "60")]).expect("created");
    assert_eq!(first["QueueUrl"], "http://localhost/123456789012/q");
    assert_eq!(world.try_create("q", &[("VisibilityTimeout", "60")]).expect("created"), first);
    assert_eq!(world.try_create("q", &[]).expect("created"), first);
    let error = world.try_create("q", &[("VisibilityTimeout", "61")]).expect_err("refused");
    assert_eq!((&*error.query_code, error.shape_name()), ("QueueAlreadyExists", "QueueNameExists"));
    assert_eq!(
        error.message,
        "A queue already exists with the same name and a different value for attribute VisibilityTimeout"
    );
}

#[test]
fn names_are_1_to_80_of_the_legal_characters_and_fifo_is_their_end_in_fifo_queues_alone() {
    let mut world = World::new();
    world.create(&"x".repeat(80), &[]);
    for name in ["", "a b", "a.b", &"x".repeat(81)] {
        assert_eq!(world.try_create(name, &[]).expect_err("refused").query_code, "InvalidParameterValue");
    }
    let fifo = [("FifoQueue", "true")];
    world.create(&format!("{}.fifo", "x".repeat(75)), &fifo);
    let long = format!("{}.fifo", "x".repeat(76));
    for (name, attributes) in [("q.fifo", &[][..]), ("q", &fifo), (".fifo", &fifo), (&long, &fifo)] {
        let error = world.try_create(name, attributes).expect_err("refused");
        assert_eq!(error.query_code, "InvalidParameterValue", "{name}");
    }
}

#[test]
fn a_purge_takes_everything_and_the_next_must_wait_60_s() {
    let mut world = World::new();
    world.create("q", &[]);
    for body in ["visible", "in flight"] {
        world.send("q", body);
    }
    world.try_receive("q", json!({})).expect("received");
    world.try_send("q", json!({ "MessageBody": "delayed", "DelaySeconds": 10 })).expect("sent");
    world.on("q", |core, now, id| core.purge_queue(now, id)).expect("purged");
    assert_eq!(world.depth("q"), (0, 0, 0));
    assert!(matches!(&world.facts()[..], [Fact::Purged { message_ids, .. }] if message_ids.len() == 3));
    let error = world.on("q", |core, now, id| core.purge_queue(now, id)).expect_err("refused");
    assert_eq!(
        (&*error.query_code, error.status.as_u16()),
        ("AWS.SimpleQueueService.PurgeQueueInProgress", 403)
    );
    assert_eq!(error.message, "Only one PurgeQueue operation on q is allowed every 60 seconds.");
    world.pass(60);
    world.on("q", |core, now, id| core.purge_queue(now, id)).expect("purged");
}

#[test]
fn a_deleted_queue_is_gone_and_its_name_waits_60_s() {
    let mut world = World::new();
    world.create("q", &[]);
    world.send("q", "a");
    world.on("q", |core, now, id| core.delete_queue(now, id)).expect("deleted");
    assert!(matches!(&world.facts()[..], [Fact::Purged { .. }]));
    let error = world.try_send("q", json!({ "MessageBody": "a" })).expect_err("refused");
    assert_eq!(error.message, "The specified queue does not exist.");
    world.pass(59);
    let error = world.try_create("q", &[]).expect_err("refused");
    assert_eq!(error.query_code, "AWS.SimpleQueueService.QueueDeletedRecently");
    world.pass(1);
    world.create("q", &[]);
}

fn attributes(world: &mut World, names: Value) -> Value {
    let input = parse(json!({ "AttributeNames": names })).expect("an input");
    value(world.on("q", |core, now, id| core.get_queue_attributes(now, id, input)).expect("attributes"))
}

#[test]
fn attributes_are_given_by_name() {
    let mut world = World::with_dlq(5);
    world.send("q", "a");
    assert_eq!(attributes(&mut world, json!([])), json!({}));
    let all = attributes(&mut world, json!(["All"]))["Attributes"].clone();
    for (name, value) in [
        ("QueueArn", arn("q").as_str()),
        ("ApproximateNumberOfMessages", "1"),
        ("ApproximateNumberOfMessagesNotVisible", "0"),
        ("ApproximateNumberOfMessagesDelayed", "0"),
        ("CreatedTimestamp", "1800000000"),
        ("VisibilityTimeout", "30"),
        ("MessageRetentionPeriod", "345600"),
        ("MaximumMessageSize", "1048576"),
        ("RedrivePolicy", &policy("dlq", 5)),
        ("SqsManagedSseEnabled", "true"),
    ] {
        assert_eq!(all[name], value, "{name}");
    }
    assert!(all.get("Policy").is_none());
    let input = parse(json!({ "AttributeNames": ["Nonsense"] })).expect("an input");
    let error = world.on("q", |core, now, id| core.get_queue_attributes(now, id, input)).map(value);
    assert_eq!(error.expect_err("refused").query_code, "InvalidAttributeName");
}

#[test]
fn queues_are_listed_by_prefix_and_in_pages() {
    let mut world = World::new();
    for name in ["b", "a1", "a3", "a2"] {
        world.create(name, &[]);
    }
    let list = |members: Value| {
        let input = parse(members).expect("an input");
        value(world.core.list_queues(crate::place::Place::HOME, input, &World::address()).expect("a list"))
    };
    let url = |name: &str| format!("http://localhost/123456789012/{name}");
    assert_eq!(list(json!({}))["QueueUrls"], json!([url("a1"), url("a2"), url("a3"), url("b")]));
    let page = list(json!({ "QueueNamePrefix": "a", "MaxResults": 2 }));
    assert_eq!(page["QueueUrls"], json!([url("a1"), url("a2")]));
    let rest = list(json!({ "QueueNamePrefix": "a", "MaxResults": 2, "NextToken": page["NextToken"] }));
    assert_eq!(rest, json!({ "QueueUrls": [url("a3")] }));
    assert_eq!(list(json!({ "QueueNamePrefix": "zzz" })), json!({}));
}

#[test]
fn the_sources_of_a_dead_letter_queue_are_listed() {
    let world = World::with_dlq(5);
    let page = parse(json!({})).expect("an input");
    let list = world.core.list_dead_letter_source_queues(world.id("dlq"), page, &World::address());
    assert_eq!(value(list.expect("a list")), json!({ "queueUrls": ["http://localhost/123456789012/q"] }));
}

#[test]
fn tags_are_set_listed_and_taken_off() {
    let mut world = World::new();
    world.create("q", &[]);
    let tags = parse(json!({ "Tags": { "a": "1", "b": "2" } })).expect("an input");
    world.on("q", |core, now, id| core.tag_queue(now, id, tags)).expect("tagged");
    let keys = parse(json!({ "TagKeys": ["a"] })).expect("an input");
    world.on("q", |core, now, id| core.untag_queue(now, id, keys)).expect("untagged");
    let tags = world.core.list_queue_tags(world.id("q")).expect("tags");
    assert_eq!(value(tags), json!({ "Tags": { "b": "2" } }));
}

#[test]
fn tags_have_keys_of_128_and_values_of_256_characters_at_most_and_none_of_aws() {
    let mut world = World::new();
    world.create("q", &[]);
    let (long_key, long_value) = ("k".repeat(129), "v".repeat(257));
    for (key, value) in [("", "v"), (&*long_key, "v"), ("aws:k", "v"), ("k", &*long_value)] {
        let tags = json!({ key: value });
        let input = parse(json!({ "Tags": tags })).expect("an input");
        let error = world.on("q", |core, now, id| core.tag_queue(now, id, input)).expect_err("refused");
        assert_eq!(error.query_code, "InvalidParameterValue");
        let input = parse(json!({ "QueueName": "r", "tags": tags })).expect("an input");
        let made = world.operate(|core, now| core.create_queue(now, Place::HOME, input, &World::address()));
        assert_eq!(made.expect_err("refused").query_code, "InvalidParameterValue");
    }
    let input = parse(json!({ "Tags": { &long_key[1..]: &long_value[1..] } })).expect("an input");
    world.on("q", |core, now, id| core.tag_queue(now, id, input)).expect("tagged");
}

#[test]
fn a_queue_has_at_most_50_tags() {
    let mut world = World::new();
    world.create("q", &[]);
    let mut tag = |numbers: std::ops::Range<u32>| {
        let tags: serde_json::Map<_, _> = numbers.map(|n| (n.to_string(), json!("v"))).collect();
        let input = parse(json!({ "Tags": tags })).expect("an input");
        world.on("q", |core, now, id| core.tag_queue(now, id, input))
    };
    tag(0..50).expect("tagged");
    tag(40..50).expect("they are there already");
    let error = tag(50..51).expect_err("refused");
    assert_eq!(error.message, "Too many tags added for queue q.");
}
